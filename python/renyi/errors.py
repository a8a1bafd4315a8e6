"""The errors that renyi raises. Every error is a ``ValueError`` that names the field it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Mapping, Optional

if TYPE_CHECKING:
    from .balances import Balances
    from .filters import FilterVerdict, FittingStep
    from .receipts import Receipt


class Error(ValueError):
    """Base of renyi's errors. ``field`` names what is wrong: an argument, or a path such as ``steps[2].count``.

    >>> import renyi
    >>> try:
    ...     renyi.epsilon(noise_multiplier=-1.0, delta=1e-5)
    ... except renyi.Error as error:
    ...     print(error.field)
    noise_multiplier
    """

    field: str = ""

    def _about(self, field: str) -> Error:
        """Changes ``field`` to the name that the caller uses, and returns this error."""
        self.field, self.args = field, (field, *self.args[1:])
        return self

    def __str__(self) -> str:
        return self._message()

    def _message(self) -> str:
        return super().__str__()


class InvalidArgument(Error):
    """The input is invalid. The error states the field, its value and what is allowed.

    >>> import renyi
    >>> try:
    ...     renyi.Gaussian(-1)
    ... except renyi.InvalidArgument as error:
    ...     print(error)
    noise_multiplier: got -1, allowed: a number in [1e-50, 1e+50]
    """

    def __init__(self, field: str, value: str, allowed: str) -> None:
        super().__init__(field, value, allowed)
        self.field, self.value, self.allowed = field, value, allowed

    def _message(self) -> str:
        return f"{self.field}: got {self.value}, allowed: {self.allowed}"


class Unsupported(Error):
    """The input is valid, but no sound answer is available. The error states why, and what to do instead.

    >>> import renyi
    >>> try:
    ...     renyi.tradeoff(renyi.Zcdp(0.1))
    ... except renyi.Unsupported as error:
    ...     print(error)
    steps: a step enters by bounds on its divergences only, not by the law of its loss; give the mechanism itself
    """

    def __init__(self, field: str, why: str, instead: str) -> None:
        super().__init__(field, why, instead)
        self.field, self.why, self.instead = field, why, instead

    def _message(self) -> str:
        return f"{self.field}{': ' if self.field else ''}{self.why}; {self.instead}"


class NotConverged(Error):
    """A numerical method did not reach its accuracy. The message states where.

    >>> import math, renyi
    >>> rising = lambda x: math.log(2 * x) if x > 0 else -math.inf
    >>> try:
    ...     renyi.divergence(lambda x: 0.0, rising, support=(0, 1), orders=[2])  # it is infinite
    ... except renyi.NotConverged as error:
    ...     print(type(error).__name__)
    NotConverged
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(field, message)
        self.field, self.message = field, message

    def _message(self) -> str:
        return self.message


class LimitReached(Error):
    """A limit of time or memory was reached before any bound was known. ``limit`` is "time" or "memory", ``why`` states
    the limit, and ``instead`` what to do. Where a bound is known already, it is returned, and the answer says so.

    >>> import renyi
    >>> step = renyi.Laplace(2).sampled(renyi.Poisson(0.1))
    >>> try:
    ...     renyi.epsilon(step * 10, delta=1e-5, timeout=0)
    ... except renyi.LimitReached as error:
    ...     print(error.limit)
    time
    """

    def __init__(self, field: str, limit: str, why: str, instead: str) -> None:
        super().__init__(field, limit, why, instead)
        self.field, self.limit, self.why, self.instead = field, limit, why, instead

    def _message(self) -> str:
        return f"{self.why}; {self.instead}"


class BudgetExceeded(Error):
    """A filter or a ledger refused a step. ``verdict`` has the balances, and ``would_fit`` a change with which the step
    would run, or None. Nothing was charged.

    >>> import renyi
    >>> filter = renyi.Filter(renyi.Budget.zcdp(0.5))
    >>> try:
    ...     with filter.step(renyi.SampledGaussian(0.01, 0.8), count=2):
    ...         pass  # does not run
    ... except renyi.BudgetExceeded as error:
    ...     print(error)
    rho would be 1.5625, its limit is 0.5, and 0.5 is left; would run with noise_multiplier 1.415

    ``receipt`` is the entry of a ledger that records the refusal; None for a filter.
    """

    def __init__(
        self,
        field: str,
        verdict: FilterVerdict,
        would_fit: Optional[FittingStep],
        receipt: Optional[Receipt] = None,
    ) -> None:
        super().__init__(field, verdict, would_fit, receipt)
        self.field, self.verdict, self.would_fit, self.receipt = field, verdict, would_fit, receipt

    @property
    def fitting_step(self) -> Optional[FittingStep]:
        """The same as ``would_fit``; for a ledger, the change with which one such step would have been accepted."""
        return self.would_fit

    @property
    def left(self) -> Mapping[str, Balances]:
        """What is left of each scope of a ledger that the charge had to fit; empty for a filter."""
        return {} if self.receipt is None else self.receipt.left

    def _message(self) -> str:
        where = "" if self.receipt is None else f"{self.receipt.refused_by}: "
        fits = "" if self.would_fit is None else f"; would run with {self.would_fit}"
        return where + self.verdict.reason + fits


class Refused(Error):
    """A ledger refused what was asked about a ticket, for example to open a reservation that has expired. ``receipt``
    is the entry that records the refusal, which changed nothing.

    >>> import os, renyi, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = renyi.Ledger.create(os.path.join(folder.name, "clinic.ledger"))
    >>> done = ledger.add_scope("clinic", renyi.Budget.zcdp(0.5))
    >>> ticket = ledger.reserve("clinic", renyi.Gaussian(2.0))
    >>> try:
    ...     ticket.commit()
    ... except renyi.Refused as error:
    ...     print(error)
    ticket 2 was reserved by entry 2: open it first, before data is touched
    >>> folder.cleanup()
    """

    def __init__(self, field: str, receipt: Receipt) -> None:
        super().__init__(field, receipt)
        self.field, self.receipt = field, receipt

    def _message(self) -> str:
        return self.receipt.reason


class AlreadyOpened(Refused):
    """A ticket was opened before, by an earlier call with the same key or by another process. What it pays for must not
    run again, because a second draw of noise is not paid for. ``output`` is what was published, if it was stored, and
    ``receipt`` is that of the charge or of the reservation.

    >>> import os, renyi, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = renyi.Ledger.create(os.path.join(folder.name, "clinic.ledger"))
    >>> done = ledger.add_scope("clinic", renyi.Budget.zcdp(0.5))
    >>> ran = []
    >>> try:
    ...     for attempt in range(2):
    ...         with ledger.charge("clinic", renyi.Gaussian(2.0), key="november"):
    ...             ran.append(attempt)
    ... except renyi.AlreadyOpened as error:
    ...     print(error)
    ticket 2 was opened before: what it pays for must not run again, and no output was stored
    >>> ran
    [0]
    >>> folder.cleanup()
    """

    def __init__(self, field: str, receipt: Receipt, output: Optional[bytes]) -> None:
        super().__init__(field, receipt)
        self.args = (field, receipt, output)
        self.output = output

    def _message(self) -> str:
        stored = "and no output was stored" if self.output is None else "and its output is stored"
        return f"ticket {self.receipt.ticket} was opened before: what it pays for must not run again, {stored}"


class StoreFailure(Error):
    """The file or the database of a ledger failed. Nothing that was acknowledged is lost, and nothing was charged,
    except perhaps if ``fault`` is "unknown": repeat the call with its key then.

    ``fault`` is "busy", "full", "read_only", "unsuitable", "corrupt", "newer", "unreachable", "unknown", "rolled_back"
    or "copied". The message says what to do. It never contains a connection string.

    >>> import os, renyi, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "clinic.ledger")
    >>> with open(path, "w") as file:
    ...     done = file.write("This is no ledger." * 100)
    >>> try:
    ...     renyi.Ledger(path)
    ... except renyi.StoreFailure as error:
    ...     print(error.fault)
    corrupt
    >>> folder.cleanup()
    """

    def __init__(self, fault: str, message: str) -> None:
        super().__init__(fault, message)
        self.field, self.fault, self.message = "ledger", fault, message

    def _about(self, field: str) -> Error:
        self.field = field
        return self

    def _message(self) -> str:
        return self.message
