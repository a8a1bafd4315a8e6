"""loss: the privacy loss distribution."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import TYPE_CHECKING, Any, Optional, Union, overload

from numpy.typing import NDArray

from .. import _format
from .._ask import Question
from .._decode import decode
from .._export import Table
from .._grid import Grid
from .._numbers import Count, Counts, Floats, Number, Numbers, to_text_or_none
from .._report import Columns, Ends, Report, Section, Texts, absent, ends_text
from .._timed import timed
from ..plan import Plan
from ..questions import Planlike, Planlikes
from ..run import Scheme, Sizes
from ._figure import Figure, Points
from ._request import Json, List, answers, numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclasses.dataclass(frozen=True, eq=False)
class LogMoments(Columns):
    """The log-moments ln E[exp(s L)] at each order s, in [lower, upper]; lower is -inf if only a bound is known."""

    order: Floats
    lower: Floats = dataclasses.field(metadata=absent(-math.inf))
    upper: Floats


@dataclasses.dataclass(frozen=True, eq=False)
class Tails(Columns):
    """The probabilities Pr[L >= loss], in [lower, upper]. The method is "closed-form", "contour", "lattice" or
    "chernoff" (a bound)."""

    loss: Floats
    lower: Floats
    upper: Floats
    method: Texts


@dataclasses.dataclass(frozen=True, eq=False)
class Within(Columns):
    """The probabilities Pr[|L| <= epsilon], in [lower, upper]. The method is "closed-form", "contour", "lattice" or
    "chernoff" (a bound)."""

    epsilon: Floats
    lower: Floats
    upper: Floats
    method: Texts


@dataclasses.dataclass(frozen=True, eq=False)
class DirectionLoss:
    """The privacy loss L in one direction."""

    #: Whether the privacy loss distribution is known; if not, there are only bounds on its moments.
    known: bool
    mean: Ends
    #: The variance; None if only bounds are known.
    variance: Optional[Ends]
    #: The skewness; None also if the loss is constant.
    skewness: Optional[Ends]
    log_mgf: LogMoments
    at_least: Tails
    within: Within

    def _rows(self) -> list[list[str]]:
        facts = {"mean": self.mean, "variance": self.variance, "skewness": self.skewness}
        rows = [[name, repr(ends), ""] for name, ends in facts.items() if ends is not None]
        moments, tails, within = self.log_mgf, self.at_least, self.within
        for s, low, high in zip(moments.order, moments.lower, moments.upper):
            rows.append([f"ln E[exp({_format.plain(float(s))} L)]", ends_text(low, high), ""])
        for at, low, high, method in zip(tails.loss, tails.lower, tails.upper, tails.method):
            rows.append([f"Pr[L >= {_format.plain(float(at))}]", ends_text(low, high), method])
        for at, low, high, method in zip(within.epsilon, within.lower, within.upper, within.method):
            rows.append([f"Pr[|L| <= {_format.plain(float(at))}]", ends_text(low, high), method])
        return rows


    def _cells(self) -> list[list[Any]]:
        """Returns the rows of a table with all digits: what, at, the ends, and the method."""
        facts = {"mean": self.mean, "variance": self.variance, "skewness": self.skewness}
        rows: list[list[Any]] = [[name, None, *ends, None] for name, ends in facts.items() if ends is not None]
        moments, tails, within = self.log_mgf, self.at_least, self.within
        rows += [["log_mgf", *row, None] for row in zip(*_lists(moments.order, moments.lower, moments.upper))]
        rows += [["at_least", *row] for row in zip(*_lists(tails.loss, tails.lower, tails.upper, tails.method))]
        rows += [["within", *row] for row in zip(*_lists(within.epsilon, within.lower, within.upper, within.method))]
        return [[*row[:2], None if row[2] == -math.inf else row[2], *row[3:]] for row in rows]


def _lists(*columns: NDArray[Any]) -> list[list[Any]]:
    return [column.tolist() for column in columns]


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Loss(Report):
    """The privacy loss of a plan: the answer of ``renyi.loss``.

    ``remove`` compares the output with the record to the output without it; ``add`` compares them the other way round.

    >>> import renyi
    >>> renyi.loss(renyi.Gaussian(2.0), at_least=[1]).remove.mean
    [0.125, 0.125]
    """

    #: The plan that the losses belong to.
    plan: Plan
    #: None if only the other direction was requested.
    remove: Optional[DirectionLoss]
    add: Optional[DirectionLoss]
    #: The members of the request besides the plan.
    _asked: Json

    def plot(self, ax: Optional[Axes] = None, **options: Any) -> Axes:
        """Plots the tail probabilities between the smallest and the largest loss of this report, and its points on
        them, as ``renyi.plot.loss_tails`` does."""
        from ..plot import loss_tails

        return loss_tails(self, ax, **options)

    def _figure(self) -> Figure:
        known = [one.at_least for one in (self.add, self.remove) if one is not None]
        points = [Points("highlight", tails.loss, tails.upper) for tails in known]
        return Figure("loss-tails", {"direction": self._asked["direction"]}, points)

    def _table(self) -> Table:
        directions = {"remove": self.remove, "add": self.add}
        rows = [[name, *row] for name, one in directions.items() if one is not None for row in one._cells()]
        return Table(["direction", "what", "at", "lower", "upper", "method"], rows)

    def _title(self) -> str:
        return f"privacy loss of {_format.plan_text(self.plan)}"

    def _sections(self) -> list[Section]:
        directions = {"remove": self.remove, "add": self.add}
        return [Section([name, "", "method"], one._rows()) for name, one in directions.items() if one is not None]


@overload
def loss(  # pyright: ignore[reportOverlappingOverload]
    plan: Optional[Planlike] = None,
    *,
    direction: Optional[str] = None,
    orders: Optional[List] = None,
    at_least: Optional[List] = None,
    within: Optional[List] = None,
    sampling_rate: Optional[Number] = None,
    noise_multiplier: Optional[Number] = None,
    steps: Optional[Count] = None,
    dataset_size: Optional[Count] = None,
    batch_size: Optional[Count] = None,
    epochs: Optional[Number] = None,
    accumulation: Optional[Count] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Count] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    timeout: Optional[float] = None,
) -> Loss: ...


@overload
def loss(
    plan: Optional[Planlikes] = None,
    *,
    direction: Optional[str] = None,
    orders: Optional[List] = None,
    at_least: Optional[List] = None,
    within: Optional[List] = None,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    timeout: Optional[float] = None,
) -> Grid[Loss]: ...


@timed
def loss(
    plan: Optional[Planlikes] = None,
    *,
    direction: Optional[str] = None,
    orders: Optional[List] = None,
    at_least: Optional[List] = None,
    within: Optional[List] = None,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    timeout: Optional[float] = None,
) -> Union[Loss, Grid[Loss]]:
    """Computes the privacy loss L of a plan: its mean, variance and skewness, and intervals for its probabilities.

    >>> import renyi
    >>> found = renyi.loss(renyi.Gaussian(2.0), at_least=[1.0])
    >>> found.remove.mean, found.remove.at_least.upper.round(4)
    ([0.125, 0.125], array([0.0401]))

    direction: "remove" or "add" (default: both).
    orders: the orders s of ln E[exp(s L)], at least 0.
    at_least: the losses t of Pr[L >= t].
    within: the epsilons of Pr[|L| <= epsilon].

    The plan is given as for ``renyi.epsilon``. Arrays in its numbers, or a list of plans, give a ``Grid``.
    """
    sizes = Sizes(dataset_size, batch_size, epochs, accumulation, sampling, batch_limit).told()
    question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, sizes)
    fixed = {
        "direction": to_text_or_none("direction", direction, "one of remove, add"),
        "orders": numbers("orders", orders),
        "at_least": numbers("at_least", at_least),
        "within": numbers("within", within),
    }
    return answers("loss", question, fixed, functools.partial(_read, fixed))  # type: ignore[no-any-return]


def _read(fixed: Json, plan: Plan, answer: Json, _: Json) -> Loss:
    found: Loss = decode(Loss, answer, plan=plan, _asked=fixed)
    return found
