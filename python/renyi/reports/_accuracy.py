"""accuracy: the error of noise before it is drawn."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Union, overload

from .. import _format
from .._ask import Question
from .._decode import decode
from .._export import Table
from .._grid import Grid
from .._numbers import Floats, Number, to_float
from .._report import Columns, Ends, EndsColumns, Report, Section
from .._timed import timed
from ..errors import InvalidArgument
from ..plan import Plan
from ..questions import Planlike, Planlikes
from ._request import Json, List, answers, numbers


@dataclasses.dataclass(frozen=True, eq=False)
class HalfWidths(Columns):
    """The half-widths of confidence intervals: the smallest t with Pr[|error| <= t] of at least the level."""

    level: Floats
    half_width: EndsColumns


@dataclasses.dataclass(frozen=True, eq=False)
class ErrorProbabilities(Columns):
    """The probabilities Pr[|error| > bound]."""

    bound: Floats
    probability: EndsColumns


@dataclasses.dataclass(frozen=True, eq=False)
class RoundedError:
    """The error including the rounding to a grid. The intervals of ``levels`` and ``bounds`` hold for every input."""

    grid: float
    #: How many noises are rounded.
    roundings: int
    #: Rounding moves the sum by at most this.
    largest_shift: float
    #: Contains the largest root of the mean squared error over all inputs.
    stddev: Ends
    levels: HalfWidths
    bounds: ErrorProbabilities


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Accuracy(Report):
    """The error of the noise of a plan: the answer of ``renyi.accuracy``.

    >>> import renyi
    >>> renyi.accuracy(renyi.Laplace(10)).stddev
    [14.1421, 14.1422]
    """

    #: The plan that the noise belongs to.
    plan: Plan
    #: The standard deviation of the sum of all noises.
    stddev: Ends
    levels: HalfWidths
    bounds: ErrorProbabilities
    #: "closed-form" or "contour".
    method: str
    #: The error with the rounding; None without a grid.
    rounded: Optional[RoundedError]

    def _table(self) -> Table:
        rows = [row for name, one in self._parts() for row in _cells(name, one)]
        return Table(["of", "what", "at", "lower", "upper"], rows)

    def _parts(self) -> list[tuple[str, Any]]:
        return [("noise", self), *([("rounded", self.rounded)] if self.rounded is not None else [])]

    def _title(self) -> str:
        return f"error of the noise of {_format.plan_text(self.plan)}"

    def _sections(self) -> list[Section]:
        return [Section([name, ""], _rows(one)) for name, one in self._parts()]


def _cells(name: str, one: Any) -> list[list[Any]]:
    """Returns the rows of a table with all digits."""
    levels, bounds = one.levels, one.bounds
    rows: list[list[Any]] = [[name, "stddev", None, *one.stddev]]
    for at, low, high in zip(levels.level, levels.half_width.lower, levels.half_width.upper):
        rows.append([name, "half_width", float(at), float(low), float(high)])
    for at, low, high in zip(bounds.bound, bounds.probability.lower, bounds.probability.upper):
        rows.append([name, "probability", float(at), float(low), float(high)])
    return rows


def _rows(one: Any) -> list[list[str]]:
    rows = [["standard deviation", repr(one.stddev)]]
    for at, text in zip(one.levels.level, one.levels.half_width.texts()):
        rows.append([f"within, with probability {float(at)!r}", text])
    for at, text in zip(one.bounds.bound, one.bounds.probability.texts()):
        rows.append([f"Pr[|error| > {_format.plain(float(at))}]", text])
    return rows


@overload
def accuracy(  # type: ignore[overload-overlap]  # pyright: ignore[reportOverlappingOverload]
    plan: Planlike,
    *,
    levels: Optional[List] = None,
    bounds: Optional[List] = None,
    grid: Optional[Number] = None,
    timeout: Optional[float] = None,
) -> Accuracy: ...


@overload
def accuracy(
    plan: Planlikes,
    *,
    levels: Optional[List] = None,
    bounds: Optional[List] = None,
    grid: Optional[Number] = None,
    timeout: Optional[float] = None,
) -> Grid[Accuracy]: ...


@timed
def accuracy(
    plan: Planlikes,
    *,
    levels: Optional[List] = None,
    bounds: Optional[List] = None,
    grid: Optional[Number] = None,
    timeout: Optional[float] = None,
) -> Union[Accuracy, Grid[Accuracy]]:
    """Computes the error of the sum of the noises of a plan before they are drawn, exactly from their law: its standard
    deviation, confidence intervals, and the probability of an error above a bound.

    >>> import renyi
    >>> error = renyi.accuracy(renyi.Laplace(10) * 3, levels=[0.95], bounds=[50])
    >>> error.levels.half_width, error.bounds.probability
    ([[49.6859, 49.686]], [[0.0488501, 0.0488502]])

    levels: confidence levels in (0, 1) (default 0.95).
    bounds: errors t of Pr[|error| > t], at least 0.
    grid: a power of two; each Gaussian and Laplace noise is then rounded, with its input, to a multiple of it.

    The steps may be ``Gaussian``, ``Laplace``, ``DiscreteGaussian``, ``DiscreteLaplace`` and ``Skellam``; their
    sensitivities do not matter. A list of plans gives a ``Grid``. Raises ``Unsupported`` for other steps.
    """
    if plan is None:
        raise InvalidArgument("plan", "None", "a plan, a mechanism, or a list of them")
    question = Question(plan, None, None, None, None, None)
    fixed = {
        "levels": numbers("levels", levels),
        "bounds": numbers("bounds", bounds),
        "grid": None if grid is None else to_float("grid", grid),
    }
    return answers("accuracy", question, fixed, _read)  # type: ignore[no-any-return]


def _read(plan: Plan, answer: Json, _: Json) -> Accuracy:
    found: Accuracy = decode(Accuracy, answer, plan=plan)
    return found
