"""What a ledger answers: receipts, tickets, scopes, and entries of its log."""

from __future__ import annotations

import dataclasses
import datetime
import json
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

from . import _native
from ._numbers import to_text
from .balances import Balances
from .budgets import Budget
from .errors import AlreadyOpened, BudgetExceeded, InvalidArgument, Refused, Unsupported
from .filters import FilterVerdict, FittingStep

if TYPE_CHECKING:
    from types import TracebackType

    from .ledger import AnyLedger


@dataclasses.dataclass(frozen=True)
class Receipt:
    """The answer of every call that writes to a ledger: the entry of its log that records it. It is true unless it is a
    refusal.

    >>> import os, renyi, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = renyi.Ledger.create(os.path.join(folder.name, "clinic.ledger"))
    >>> receipt = ledger.add_scope("clinic", renyi.Budget.zcdp(0.5))
    >>> receipt.entry, receipt.verb, receipt.accepted, len(receipt.hash)
    (1, 'scope', True, 64)
    >>> receipt = ledger.may_run("clinic", renyi.Gaussian(0.8))
    >>> bool(receipt), receipt.refused_by, receipt.reason
    (False, 'clinic', 'rho would be 0.78125, its limit is 0.5, and 0.5 is left')
    >>> print(receipt.fitting_step)
    noise_multiplier 1
    >>> folder.cleanup()
    """

    entry: int
    #: SHA-256 of the entry.
    hash: str
    #: In UTC; None if nothing was recorded (``may_run``).
    time: Optional[datetime.datetime]
    #: "charge", "reserve", "open", "commit", "cancel", "scope", ...
    verb: str
    scope: str
    key: str
    #: False for a refusal, which is recorded and changes nothing.
    accepted: bool
    #: Whether it is the stored answer to the same call before.
    repeated: bool
    #: The number of the ticket, 0 if there is none. A charge is a ticket that is committed at once.
    ticket: int
    #: "reserved", "opened", "committed", "cancelled", "expired", or None.
    state: Optional[str]
    #: What opens a reservation. Who knows it may spend the reservation.
    secret: str = dataclasses.field(repr=False)
    #: When a reservation goes back that was not opened.
    expires: Optional[datetime.datetime]
    #: What the guarantee depends on; "" if on nothing.
    note: str
    #: The scope that refused; "" if none did.
    refused_by: str
    reason: str
    #: In a refusal: what is left of each scope that the charge had to fit.
    left: Mapping[str, Balances]
    #: In a refusal: how many such steps would have been accepted.
    fitting_count: Optional[int]
    #: In a refusal: the change with which one step would have been accepted.
    fitting_step: Optional[FittingStep]

    def __bool__(self) -> bool:
        return self.accepted

    @classmethod
    def _read(cls, row: dict[str, Any]) -> Receipt:
        step = row["fitting_step"]
        return cls(
            **{
                **row,
                "time": to_time(row["time"]),
                "expires": to_time(row["expires"]),
                "left": {name: Balances._read(rows) for name, rows in row["left"].items()},
                "fitting_step": None if step is None else FittingStep(*step),
            }
        )

    def _or_raise(self) -> Receipt:
        """Returns this receipt, or raises the error that a refusal is."""
        if self.accepted:
            return self
        if self.refused_by:
            balances = self.left.get(self.refused_by, Balances(()))
            raise BudgetExceeded("scope", FilterVerdict(False, self.reason, balances), self.fitting_step, self)
        raise Refused("ticket" if self.ticket else "scope", self)


class Ticket:
    """What was paid for: a charge, or a reservation. ``Ledger.charge`` and ``Ledger.reserve`` make tickets; they are
    paid for once, and a ``with`` block runs once.

    A charge is spent as soon as ``charge`` returns. Its ``with`` block is what it pays for, and adds nothing to the
    log:

    >>> import os, renyi, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = renyi.Ledger.create(os.path.join(folder.name, "clinic.ledger"))
    >>> done = ledger.add_scope("clinic", renyi.Budget.zcdp(0.5))
    >>> with ledger.charge("clinic", renyi.Gaussian(2.0)) as ticket:
    ...     ticket.state  # it is on the disk: data may be read, and noise drawn
    'committed'

    A reservation is opened when its ``with`` block is entered, and committed at its end, with ``output`` if that was
    set. If the block raises, the ticket stays opened, and spent. Whoever repeats the call gets the output, and never
    another draw:

    >>> for attempt in range(2):
    ...     try:
    ...         with ledger.reserve("clinic", renyi.Gaussian(2.0), key="november") as ticket:
    ...             ticket.output = b"1203 visits"
    ...     except renyi.AlreadyOpened as error:
    ...         print(error.output)
    b'1203 visits'
    >>> folder.cleanup()
    """

    def __init__(self, ledger: AnyLedger, receipt: Receipt) -> None:
        self._ledger, self._receipt = ledger, receipt
        self._state, self._output, self._entered = receipt.state, None, False

    _output: Optional[bytes]

    @property
    def receipt(self) -> Receipt:
        """The receipt of the charge or of the reservation."""
        return self._receipt

    @property
    def number(self) -> int:
        """The number of the ticket: that of its first entry."""
        return self._receipt.ticket

    @property
    def secret(self) -> str:
        """What opens a reservation, for another process that is to do so; "" for a charge."""
        return self._receipt.secret

    @property
    def state(self) -> Optional[str]:
        """The state as far as this object knows; ``Ledger.ticket`` asks the ledger."""
        return self._state

    @property
    def output(self) -> Optional[bytes]:
        """What is to be published. The end of the ``with`` block stores it, so that a repeated call returns it and
        draws nothing again."""
        return self._output

    @output.setter
    def output(self, value: Optional[bytes]) -> None:
        if value is not None and not isinstance(value, (bytes, bytearray, memoryview)):
            raise InvalidArgument("output", repr(type(value).__name__), "bytes")
        if self._receipt.verb == "charge":
            raise Unsupported(
                "output",
                "a charge is complete before its with block begins, and stores nothing",
                "reserve(...) in its place has a with block that stores its output",
            )
        self._output = None if value is None else bytes(value)

    def open(self) -> Receipt:
        """Opens a reservation. Touch data and noise only afterwards. Raises ``AlreadyOpened`` if this was done before,
        by whomever, and ``Refused`` if the reservation has expired or was cancelled."""
        if self._receipt.verb == "charge":
            raise self._already_opened()
        found = self._ledger._open(self.number, self.secret)
        if not found.accepted and self._ledger.ticket(self.number).state in ("opened", "committed"):
            raise self._already_opened()
        self._state = found._or_raise().state or "opened"
        return found

    def commit(self, output: Optional[bytes] = None) -> Receipt:
        """Commits an opened ticket, with what is published; the same as the end of its ``with`` block."""
        if output is not None:
            self.output = output
        found = self._ledger.commit(self.number, self._output)
        self._state = "committed"
        return found

    def cancel(self) -> Receipt:
        """Gives a reservation back that was not opened."""
        found = self._ledger.cancel(self.number)
        self._state = "cancelled"
        return found

    def _already_opened(self) -> AlreadyOpened:
        return AlreadyOpened("ticket", self._receipt, self._ledger.output(self.number))

    def __enter__(self) -> Ticket:
        if self._entered or (self._receipt.verb == "charge" and self._receipt.repeated):
            raise self._already_opened()
        if self._receipt.verb != "charge" and self._state != "opened":
            self.open()
        self._entered = True
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        if kind is None and self._state == "opened":
            self.commit()

    def __repr__(self) -> str:
        return f"<Ticket {self.number}, {self._state}, of {self._receipt.scope!r}>"


@dataclasses.dataclass(frozen=True)
class BlockRule:
    """How a dataset is divided into blocks, for example months. Charges on different blocks run in parallel only if
    the rule puts each unit of privacy into one block; if not, they add up. All of it is public.

    >>> import renyi
    >>> renyi.BlockRule("the month of the visit", unit_in_one_block=True).unit_in_one_block
    True
    """

    #: In words.
    rule: str
    #: The rule puts each unit into one block; the unit is then, for example, a person-month.
    unit_in_one_block: bool = False
    #: A unit that is replaced stays in its block. Only replace-one asks for it.
    block_is_fixed: bool = False


@dataclasses.dataclass(frozen=True)
class LedgerScope:
    """A scope of a ledger, and what is left of it.

    >>> import os, renyi, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = renyi.Ledger.create(os.path.join(folder.name, "clinic.ledger"))
    >>> done = ledger.add_scope("clinic", renyi.Budget.zcdp(0.5))
    >>> ledger.scope("clinic").balances
    <Balances: rho has 0.5 of 0.5 left>
    >>> folder.cleanup()
    """

    name: str
    budget: Budget
    #: The largest budget that may be set later, or None.
    cap: Optional[Budget]
    neighbors: str
    unit: int
    analysts_may_collude: bool
    may_cancel: bool
    block_rule: Optional[BlockRule]
    #: The blocks that were declared so far.
    blocks: tuple[str, ...]
    #: With blocks, or without collusion: the largest over blocks and analysts.
    balances: Balances
    #: Charges that count, reservations included.
    charges: int
    #: Tickets that are reserved and not opened.
    reserved: int
    #: What the guarantee depends on; "" if on nothing.
    note: str

    @classmethod
    def _read(cls, row: dict[str, Any]) -> LedgerScope:
        cap, rule = row["cap"], row["block_rule"]
        return cls(
            **{
                **row,
                "budget": Budget._of(row["budget"]),
                "cap": None if cap is None else Budget._of(cap),
                "block_rule": None if rule is None else BlockRule(*rule),
                "blocks": tuple(row["blocks"]),
                "balances": Balances._read(row["balances"]),
            }
        )


@dataclasses.dataclass(frozen=True)
class LedgerHead:
    """The last entry of a log, to keep elsewhere: ``Ledger.verify(head)`` shows that nothing up to it was cut off or
    rewritten.

    >>> import renyi
    >>> head = renyi.LedgerHead("5f4dcc3b5aa765d61d8327deb882cf99", 12, "9f86d081...")
    >>> renyi.LedgerHead.from_json(head.to_json()) == head
    True
    """

    #: The id of the ledger.
    ledger: str
    entry: int
    hash: str

    def to_json(self) -> str:
        """Returns the head as JSON text, as ``renyi ledger head --format json`` prints it."""
        return json.dumps(dataclasses.asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> LedgerHead:
        """Reads what ``to_json`` wrote."""
        try:
            read = json.loads(to_text("text", text))
            return cls(str(read["ledger"]), int(read["entry"]), str(read["hash"]))
        except (TypeError, KeyError, json.JSONDecodeError):
            raise InvalidArgument("text", repr(text), 'a head, {"ledger":...,"entry":...,"hash":...}') from None

    def sign(self, private_key: str) -> str:
        """Returns the Ed25519 signature of this head, in hexadecimal digits. The key is a PEM text."""
        return _native.sign_head(self._row(), to_text("private_key", private_key, "a PEM text"))

    def is_signed(self, signature: str, public_key: str) -> bool:
        """Returns whether the signature is that of this head. The key is a PEM text."""
        words = to_text("signature", signature), to_text("public_key", public_key, "a PEM text")
        return _native.is_signed(self._row(), *words)

    def _row(self) -> tuple[str, int, str]:
        return self.ledger, self.entry, self.hash


@dataclasses.dataclass(frozen=True)
class LedgerEntry:
    """An entry of the log. ``text`` is its canonical JSON (docs/format/ledger.md), of which ``hash`` is the SHA-256.

    >>> import os, renyi, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = renyi.Ledger.create(os.path.join(folder.name, "clinic.ledger"))
    >>> done = ledger.add_scope("clinic", renyi.Budget.zcdp(0.5), person="mira")
    >>> [(entry.entry, entry.verb, entry.request.get("person")) for entry in ledger.history()]
    [(0, 'init', None), (1, 'scope', 'mira')]
    >>> folder.cleanup()
    """

    entry: int
    hash: str
    text: str

    @property
    def time(self) -> datetime.datetime:
        found = to_time(self._read()["time"])
        assert found is not None  # every entry has one
        return found

    @property
    def verb(self) -> str:
        return str(self.request["verb"])

    @property
    def request(self) -> dict[str, Any]:
        """What was asked."""
        found: dict[str, Any] = self._read()["request"]
        return found

    @property
    def outcome(self) -> dict[str, Any]:
        """What came of it."""
        found: dict[str, Any] = self._read()["outcome"]
        return found

    def _read(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text)
        return found


@dataclasses.dataclass(frozen=True)
class LedgerVerification:
    """Whether a log is what its entries say: the chain of hashes, every decision, and every balance. It is true if it
    is valid.

    >>> import os, renyi, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = renyi.Ledger.create(os.path.join(folder.name, "clinic.ledger"))
    >>> head = ledger.head()
    >>> done = ledger.add_scope("clinic", renyi.Budget.zcdp(0.5))
    >>> found = ledger.verify(head)
    >>> bool(found), found.entries, found.fault
    (True, 2, '')
    >>> folder.cleanup()
    """

    valid: bool
    entries: int
    #: The first wrong entry; None if there is none, or the fault is in no entry.
    wrong_entry: Optional[int]
    fault: str
    #: Such as times that run backwards.
    notes: Sequence[str]
    #: The entry up to which nothing was read again, since the same object had verified it before; None if there is none.
    resumed_after: Optional[int]
    head: LedgerHead

    def __bool__(self) -> bool:
        return self.valid

    @classmethod
    def _read(cls, row: dict[str, Any]) -> LedgerVerification:
        wrong = row["wrong_entry"]
        head = LedgerHead(*row["head"])
        return cls(**{**row, "wrong_entry": None if wrong < 0 else wrong, "notes": tuple(row["notes"]), "head": head})


def to_time(text: str) -> Optional[datetime.datetime]:
    """Reads "2026-11-17T12:00:00.000Z"; None if there is no text."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None
