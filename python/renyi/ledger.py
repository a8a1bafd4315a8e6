"""The ledger: privacy budgets that outlive the process, in a file or a database."""

from __future__ import annotations

import contextlib
import datetime
import os
from typing import TYPE_CHECKING, Any, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from . import _native
from ._files import Path, _settle_folder
from ._numbers import Count, Number, to_float, to_int, to_text
from .budgets import Budget, BudgetLike, to_budget
from .errors import InvalidArgument
from .filters import planlike, to_count
from .plan import RELATIONS, Plan, to_plan
from .questions import Planlike
from .receipts import BlockRule, LedgerEntry, LedgerHead, LedgerScope, LedgerVerification, Receipt, Ticket

if TYPE_CHECKING:
    from ._server_ledger import ServerLedger

    #: What keeps the entries; both have the same calls.
    Engine = Union[_native.Ledger, ServerLedger]

#: A beginning of a time such as "2026-11", in UTC, or a time.
When = Union[str, datetime.datetime]
#: Scope, steps, count, blocks.
_ChargeRow = Tuple[str, _native.Plan, int, List[str]]

_PAGE = 1000
_HISTORIES = ("log", "pending", "releases")
_OF = f"one of {', '.join(_HISTORIES)}"
_AN_HOUR = datetime.timedelta(hours=1)


class AnyLedger:
    """What a ledger does, wherever it is kept: ``Ledger`` is one in a file or a database, ``Client`` one on a server.

    >>> import renyi
    >>> issubclass(renyi.Ledger, renyi.ledger.AnyLedger) and issubclass(renyi.Client, renyi.ledger.AnyLedger)
    True
    """

    _engine: Engine
    _relations: dict[str, tuple[str, int]]

    def _begin(self, engine: Engine) -> None:
        self._engine = engine
        self._relations = {}  # they never change

    # Scopes.

    def add_scope(
        self,
        name: str,
        budget: BudgetLike,
        *,
        cap: Optional[BudgetLike] = None,
        neighbors: Optional[str] = None,
        unit: Optional[Count] = None,
        analysts_may_collude: bool = True,
        may_cancel: bool = True,
        block_rule: Optional[BlockRule] = None,
        blocks: Sequence[str] = (),
        key: str = "",
        person: str = "",
        comment: str = "",
    ) -> Receipt:
        """Adds a scope, a budget for everything that is charged to it and to the scopes within it: "clinic/2026-11"
        lies in "clinic".

        cap: the largest budget that ``raise_budget`` may set; without it the budget can only be lowered.
        neighbors, unit: those of the parent unless they are given; without parent, add-or-remove-one and 1.
        analysts_may_collude: False if the analysts behind the scopes directly within this one share no answers. The
          largest of their totals counts then, and the guarantee is void if they do.
        may_cancel: whether reservations here and in the scopes within may be cancelled.
        block_rule, blocks: how the dataset is divided into blocks, and the first of them, which are an entry of
          their own.
        """
        call = _call(key, person, comment)
        if block_rule is not None and not isinstance(block_rule, BlockRule):
            raise InvalidArgument("block_rule", repr(block_rule), "a BlockRule")
        row = self._engine.add_scope(
            to_text("name", name),
            to_budget("budget", budget)._engine,
            None if cap is None else to_budget("cap", cap)._engine,
            None if neighbors is None else to_text("neighbors", neighbors, RELATIONS),
            None if unit is None else to_int("unit", unit),
            bool(analysts_may_collude),
            bool(may_cancel),
            None if block_rule is None else (block_rule.rule, block_rule.unit_in_one_block, block_rule.block_is_fixed),
            call,
        )
        receipt = Receipt._read(row)._or_raise()
        if blocks:
            self.add_blocks(name, blocks, key=key and f"{key}:blocks", person=person, comment=comment)
        return receipt

    def add_blocks(
        self, scope: str, blocks: Sequence[str], *, key: str = "", person: str = "", comment: str = ""
    ) -> Receipt:
        """Declares more blocks of a scope that has a rule for them."""
        call = _call(key, person, comment)
        row = self._engine.add_blocks(to_text("scope", scope), _blocks(blocks), call)
        return Receipt._read(row)._or_raise()

    def lower_budget(
        self, scope: str, budget: BudgetLike, *, key: str = "", person: str = "", comment: str = ""
    ) -> Receipt:
        """Lowers a budget. What was charged stays charged, also if it is more."""
        call = _call(key, person, comment)
        row = self._engine.lower_budget(to_text("scope", scope), to_budget("budget", budget)._engine, call)
        return Receipt._read(row)._or_raise()

    def raise_budget(
        self, scope: str, budget: BudgetLike, *, reason: str, key: str = "", person: str = "", comment: str = ""
    ) -> Receipt:
        """Raises a budget, up to the cap of the scope. The reason is recorded."""
        call = _call(key, person, comment)
        native = to_budget("budget", budget)._engine
        row = self._engine.raise_budget(to_text("scope", scope), native, to_text("reason", reason), call)
        return Receipt._read(row)._or_raise()

    # Charges.

    def charge(
        self,
        scope: str,
        step: Optional[Planlike] = None,
        count: Count = 1,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        blocks: Sequence[str] = (),
        steps: None = None,
        key: str = "",
        person: str = "",
        comment: str = "",
    ) -> Ticket:
        """Charges the step, or ``count`` equal steps, to the scope and to all that it lies in. When it returns, the
        charge is spent and on the disk: one entry of the log. Raises ``BudgetExceeded`` if the step does not fit.

        ``with ledger.charge(...)`` runs its block after that. If the key was used before, the block was paid for then
        and may have run: ``AlreadyOpened`` is raised in its place. Nothing is refunded if the block raises, because
        data may have been looked at. To store what is published, use ``reserve``."""
        what = self._request(scope, step, count, noise_multiplier, sampling_rate, blocks, steps)
        (row,) = self._engine.charge_all([(what, _call(key, person, comment))])
        return Ticket(self, Receipt._read(row)._or_raise())

    def charge_all(self, charges: Iterable[dict[str, Any]]) -> list[Receipt]:
        """Charges many steps in one write to the disk: each is a dictionary of the arguments of ``charge``, and has an
        entry and a receipt of its own. Receipts may be refusals: look at each of them. If the input of one is bad, an
        error is raised and none is recorded."""
        rows = []
        for charge in charges:
            request = self._named_request(charge)
            rows.append((request, _call(*(charge.get(name, "") for name in ("key", "person", "comment")))))
        return [Receipt._read(row) for row in self._engine.charge_all(rows)]

    def reserve(
        self,
        scope: str,
        step: Optional[Planlike] = None,
        count: Count = 1,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        blocks: Sequence[str] = (),
        steps: None = None,
        expires_in: Union[datetime.timedelta, Count] = _AN_HOUR,
        key: str = "",
        person: str = "",
        comment: str = "",
    ) -> Ticket:
        """Reserves the budget for steps that run later. What is not opened after ``expires_in`` (a time, or seconds)
        goes back. Raises ``BudgetExceeded`` if the steps do not fit.

        ``with ledger.reserve(...) as ticket`` opens the ticket, runs its block and commits, with ``ticket.output`` if
        it was set. If the block raises, the ticket stays opened, and spent. If it was opened before, ``AlreadyOpened``
        is raised, with the stored output, and the block does not run."""
        what = self._request(scope, step, count, noise_multiplier, sampling_rate, blocks, steps)
        row = self._engine.reserve(what, _seconds("expires_in", expires_in), _call(key, person, comment))
        return Ticket(self, Receipt._read(row)._or_raise())

    def open(self, ticket: Count, secret: str, *, key: str = "", person: str = "", comment: str = "") -> Receipt:
        """Opens a reserved ticket by its secret, once. Touch data and noise only after it has succeeded, and not if the
        receipt is ``repeated``. Raises ``Refused`` if the ticket cannot be opened."""
        return self._open(ticket, secret, key, person, comment)._or_raise()

    def _open(self, ticket: Count, secret: str, key: str = "", person: str = "", comment: str = "") -> Receipt:
        number = to_int("ticket", ticket)
        return Receipt._read(self._engine.open(number, to_text("secret", secret), _call(key, person, comment)))

    def commit(
        self,
        ticket: Count,
        output: Optional[bytes] = None,
        *,
        sha256: str = "",
        key: str = "",
        person: str = "",
        comment: str = "",
    ) -> Receipt:
        """Commits an opened ticket. ``output`` is stored, so that a repeated release can return it; ``sha256`` is
        recorded, and may be given without the output."""
        if output is not None and not isinstance(output, (bytes, bytearray, memoryview)):
            raise InvalidArgument("output", repr(type(output).__name__), "bytes")
        number, content = to_int("ticket", ticket), b"" if output is None else bytes(output)
        row = self._engine.commit(number, content, to_text("sha256", sha256), _call(key, person, comment))
        return Receipt._read(row)._or_raise()

    def cancel(self, ticket: Count, *, key: str = "", person: str = "", comment: str = "") -> Receipt:
        """Gives a reserved ticket back. Raises ``Refused`` if it was opened, or if the scope does not allow it."""
        row = self._engine.cancel(to_int("ticket", ticket), _call(key, person, comment))
        return Receipt._read(row)._or_raise()

    # Questions.

    def may_run(
        self,
        scope: str,
        step: Optional[Planlike] = None,
        count: Count = 1,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        blocks: Sequence[str] = (),
        steps: None = None,
    ) -> Receipt:
        """Returns what ``charge`` would answer now, as a receipt that is true or false. Nothing is recorded."""
        what = self._request(scope, step, count, noise_multiplier, sampling_rate, blocks, steps)
        return Receipt._read(self._engine.may_run(what))

    def scopes(self) -> list[LedgerScope]:
        """Returns all scopes, and what is left of them."""
        return [LedgerScope._read(row) for row in self._engine.scopes()]

    def scope(self, name: str) -> LedgerScope:
        """Returns one scope, and what is left of it."""
        return LedgerScope._read(self._engine.scope(to_text("name", name)))

    def ticket(self, number: Count) -> Receipt:
        """Returns what one ticket is now."""
        return Receipt._read(self._engine.ticket(to_int("number", number)))

    def answer_to(self, key: str) -> Optional[Receipt]:
        """Returns the stored answer to the call with this key, or None."""
        row = self._engine.answer_to(to_text("key", key))
        return None if row is None else Receipt._read(row)

    def _answer_within(self, scope: str, key: str) -> Optional[Receipt]:
        """The same where the scope of the call is known."""
        return self.answer_to(key)

    def output(self, ticket: Count) -> Optional[bytes]:
        """Returns what was stored when a ticket was committed, or None."""
        return self._engine.output(to_int("ticket", ticket))

    # The log.

    def head(self) -> LedgerHead:
        """Returns the last entry and its hash, to keep elsewhere."""
        return LedgerHead(*self._engine.head())

    @property
    def has_witness(self) -> bool:
        """Whether a witness learns of each entry. Without one, an older copy of the ledger cannot be noticed."""
        return self._engine.has_witness()

    def history(
        self,
        scope: str = "",
        *,
        person: str = "",
        since: When = "",
        until: When = "",
        after: Count = -1,
        most: Optional[Count] = None,
        before: Optional[Count] = None,
        last: Optional[Count] = None,
        of: str = "log",
    ) -> Iterator[LedgerEntry]:
        """Iterates over the entries of the log, the oldest first: those of a scope and of everything within it, of a
        person, ``since`` a time and before the time ``until``, ``after`` an entry and ``before`` another one, at
        ``most`` so many, or the ``last`` so many. They are ``of`` the "log", of the "pending" reservations, which are
        neither opened nor gone back, or of the "releases", which committed a ticket with an output."""
        words = to_text("scope", scope), to_text("person", person), _when("since", since), _when("until", until)
        what = to_text("of", of, _OF)
        if what not in _HISTORIES:
            raise InvalidArgument("of", repr(of), _OF)
        start, end = to_int("after", after), -1 if before is None else to_int("before", before)
        if before is not None and end < 0:
            raise InvalidArgument("before", str(end), "an integer from 0, or None")
        if last is not None and most is not None:
            raise InvalidArgument("last", repr(last), "nothing beside most")
        name, left = ("last", last) if most is None else ("most", most)
        size = None if left is None else to_int(name, left)
        if size is not None and size < 0:
            raise InvalidArgument(name, str(size), "an integer from 0, or None")
        if last is not None and size is not None:
            return self._pages_back(words, start, end, size, what)
        return self._pages(words, start, end, size, what)

    def _pages(
        self, words: tuple[str, str, str, str], start: int, end: int, left: Optional[int], of: str
    ) -> Iterator[LedgerEntry]:
        while left is None or left > 0:
            size = _PAGE if left is None else min(_PAGE, left)
            rows = self._engine.history((*words, start, size, end, 0, of))
            yield from (LedgerEntry(*row) for row in rows)
            if len(rows) < size:
                return
            start, left = rows[-1][0], None if left is None else left - size

    def _pages_back(
        self, words: tuple[str, str, str, str], start: int, end: int, left: int, of: str
    ) -> Iterator[LedgerEntry]:
        pages = []
        while left > 0:
            size = min(_PAGE, left)
            pages.append(self._engine.history((*words, start, 0, end, size, of)))
            if len(pages[-1]) < size:
                break
            end, left = pages[-1][0][0], left - size
        for rows in reversed(pages):
            yield from (LedgerEntry(*row) for row in rows)

    def verify(self, head: Optional[LedgerHead] = None, *, resume: bool = False) -> LedgerVerification:
        """Replays the log with the filters, and compares the balances. With a head that was kept elsewhere, nothing up
        to it may be missing or changed. With ``resume``, it goes on after the last entry that this ledger (or server)
        has verified since it was opened: what was changed before that is found from the beginning only."""
        return LedgerVerification._read(self._engine.verify(None if head is None else head._row(), bool(resume)))

    def export(self, path: Path) -> LedgerHead:
        """Writes the log into a new file, one entry a line, and returns the head of what was written. Secrets and
        stored outputs are no part of it."""
        last, name = self.head(), os.fsdecode(path)
        with open(name, "x", encoding="utf-8", newline="\n") as file:
            try:
                for entry in self.history(most=last.entry + 1):
                    file.write(entry.text + "\n")
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(name)
                raise
        _settle_folder(name)
        return last

    def _named_request(self, charge: dict[str, Any]) -> _ChargeRow:
        names = ("scope", "step", "count", "noise_multiplier", "sampling_rate", "blocks", "key", "person", "comment")
        if not isinstance(charge, dict) or not set(charge) <= set(names) or "scope" not in charge:
            allowed = f"dictionaries with the scope, and any of {', '.join(names)}"
            raise InvalidArgument("charges", repr(charge), allowed)
        noise, rate = charge.get("noise_multiplier"), charge.get("sampling_rate")
        given = charge.get("step"), charge.get("count", 1), noise, rate, charge.get("blocks", ())
        return self._request(charge["scope"], *given, None)

    def _request(
        self,
        scope: str,
        step: object,
        count: object,
        noise_multiplier: Optional[Number],
        sampling_rate: Optional[Number],
        blocks: Sequence[str],
        steps: object,
    ) -> _ChargeRow:
        neighbors, unit = self._relation(to_text("scope", scope))
        what = planlike(step, noise_multiplier, sampling_rate, neighbors, unit, "ledger")
        plan = what if isinstance(what, Plan) else to_plan(what, neighbors, unit)
        return scope, plan._engine, to_count(count, steps), _blocks(blocks)

    def _relation(self, scope: str) -> tuple[str, int]:
        if scope not in self._relations:
            found = self.scope(scope)
            self._relations[scope] = found.neighbors, found.unit
        return self._relations[scope]


class Ledger(AnyLedger):
    """Privacy budgets in a file (a path) or in PostgreSQL ("postgresql://..."). A charge is on the disk before a call
    returns, every change is an entry of a log that shows tampering, and balances can be computed from the log alone.

    >>> import os, renyi, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = renyi.Ledger.create(os.path.join(folder.name, "clinic.ledger"))
    >>> done = ledger.add_scope("clinic", renyi.Budget.zcdp(0.5))
    >>> done = ledger.add_scope("clinic/2026-11", renyi.Budget.zcdp(0.25))
    >>> with ledger.charge("clinic/2026-11", renyi.Gaussian(2.0)) as ticket:
    ...     ticket.receipt.entry  # paid for: data may be read now
    3
    >>> try:
    ...     ledger.charge("clinic/2026-11", renyi.Gaussian(1.0))
    ... except renyi.BudgetExceeded as error:
    ...     print(error)
    clinic/2026-11: rho would be 0.625, its limit is 0.25, and 0.125 is left; would run with noise_multiplier 2
    >>> ledger.scope("clinic").balances
    <Balances: rho has 0.375 of 0.5 left>
    >>> bool(ledger.verify())
    True
    >>> folder.cleanup()

    ``Ledger(location)`` opens a ledger, and ``Ledger.create`` makes one. ``witness`` is a second file or database that
    learns of each entry before it is acknowledged, so that an older copy of the ledger is noticed; it is given at
    creation, and afterwards only to say where it is now. ``patience`` is how many seconds to wait for other writers.

    Calls that write take a ``key``: the same key with the same content gives the stored answer again, and with another
    content it raises ``InvalidArgument``. They also take the ``person`` who asked and a ``comment``, which are
    recorded.

    Refusals are recorded and change nothing; they raise ``BudgetExceeded`` or ``Refused``. If the file or the database
    fails, ``StoreFailure`` is raised. Several threads may use one ledger, and several processes one file. A process
    that was forked opens the ledger again.
    """

    def __init__(self, location: Path, witness: Optional[Path] = None, *, patience: Number = 10) -> None:
        self._begin(_native.Ledger(*_place(location, witness, patience)))

    @classmethod
    def _of(cls, engine: _native.Ledger) -> Ledger:
        ledger = cls.__new__(cls)
        ledger._begin(engine)
        return ledger

    @classmethod
    def create(cls, location: Path, witness: Optional[Path] = None, *, patience: Number = 10) -> Ledger:
        """Makes a new ledger. Raises ``InvalidArgument`` if there is one at this place."""
        return cls._of(_native.Ledger.create(*_place(location, witness, patience)))

    @classmethod
    def import_log(cls, path: Path, location: Path, witness: Optional[Path] = None, *, patience: Number = 10) -> Ledger:
        """Makes a new ledger from the file that ``export`` wrote, for example after the ledger was restored from a
        backup. The log is verified first. The new ledger has a new id, and names its predecessor."""
        with open(path, encoding="utf-8") as file:
            lines = file.read()
        return cls._of(_native.Ledger.import_log(lines, *_place(location, witness, patience)))

    @staticmethod
    def verify_log(path: Path, head: Optional[LedgerHead] = None) -> LedgerVerification:
        """Verifies a file that ``export`` wrote, without a ledger."""
        with open(path, encoding="utf-8") as file:
            return LedgerVerification._read(_native.verify_log(file.read(), None if head is None else head._row()))

    def __repr__(self) -> str:
        head = self.head()
        return f"<Ledger {head.ledger[:8]} after entry {head.entry}>"


def _place(location: object, witness: object, patience: object) -> tuple[str, str, float]:
    seconds = to_float("patience", patience)
    if not 0 <= seconds <= 1e6:
        raise InvalidArgument("patience", repr(patience), "seconds, from 0 to 1e6")
    return _location("location", location), "" if witness is None else _location("witness", witness), seconds


def _location(field: str, value: object) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise InvalidArgument(field, repr(type(value).__name__), 'a path, or "postgresql://..."')
    return to_text(field, os.fspath(value), 'a path, or "postgresql://..."')


def _call(key: object, person: object, comment: object) -> tuple[str, str, str]:
    return to_text("key", key), to_text("person", person), to_text("comment", comment)


def _blocks(blocks: object) -> list[str]:
    if isinstance(blocks, str) or not isinstance(blocks, Iterable):
        raise InvalidArgument("blocks", repr(blocks), "a list of names")
    return [to_text(f"blocks[{index}]", block) for index, block in enumerate(blocks)]


def _seconds(field: str, value: object) -> int:
    if isinstance(value, datetime.timedelta):
        return int(value.total_seconds())
    return to_int(field, value)


def _when(field: str, value: object) -> str:
    """Returns a time as the log writes it. A time without time zone is a local one, as everywhere in Python."""
    if isinstance(value, datetime.datetime):
        start = value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
        return f"{start}.{value.microsecond // 1000:03}Z"
    return to_text(field, value, 'a time, or its beginning as text, such as "2026-11"')
