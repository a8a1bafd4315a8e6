"""The errors that renyi raises. Every error is a ``ValueError`` that names the field it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .filters import FilterVerdict, FittingStep


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
    """The input is valid, but no proven answer is available. The error states why, and what to do instead.

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


class BudgetExceeded(Error):
    """A filter refused a step. ``verdict`` has the balances, and ``would_fit`` a change with which the step would run,
    or None. Nothing was charged.

    >>> import renyi
    >>> filter = renyi.Filter(renyi.Budget.zcdp(0.5))
    >>> try:
    ...     with filter.step(renyi.SampledGaussian(0.01, 0.8), count=2):
    ...         pass  # does not run
    ... except renyi.BudgetExceeded as error:
    ...     print(error)
    rho would be 1.5625, its limit is 0.5, and 0.5 is left; would run with noise_multiplier 1.415
    """

    def __init__(self, field: str, verdict: FilterVerdict, would_fit: Optional[FittingStep]) -> None:
        super().__init__(field, verdict, would_fit)
        self.field, self.verdict, self.would_fit = field, verdict, would_fit

    def _message(self) -> str:
        fits = "" if self.would_fit is None else f"; would run with {self.would_fit}"
        return self.verdict.reason + fits
