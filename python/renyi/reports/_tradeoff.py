"""tradeoff: the errors of the best test for the presence of one record."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any, Optional, Union, overload

from .. import _format
from .._ask import Question
from .._decode import decode
from .._export import Table
from .._grid import Grid
from .._numbers import Count, Counts, Floats, Number, Numbers
from .._report import Columns, Ends, EndsColumns, Report, Section, Texts
from .._timed import timed
from ..plan import Plan
from ..questions import Planlike, Planlikes
from ..run import Scheme, Sizes
from ._figure import Figure, Points
from ._request import Json, List, accuracy, answers, numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclasses.dataclass(frozen=True, eq=False)
class LeastErrors(Columns):
    """The smallest type II error of any test, and the largest power, which is 1 minus that error."""

    type_2_error: EndsColumns
    power: EndsColumns


@dataclasses.dataclass(frozen=True, eq=False)
class _Points(Columns):
    type_1_error: Floats
    type_2_error: EndsColumns
    power: EndsColumns
    direction: Texts
    remove: LeastErrors
    add: LeastErrors


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Tradeoff(Report):
    """The trade-off function of a plan: the answer of ``renyi.tradeoff``. Arrays have one entry per point.

    >>> import renyi
    >>> renyi.tradeoff(renyi.Gaussian(2.0)).advantage
    [0.197412, 0.197413]
    """

    #: The plan that the trade-off function belongs to.
    plan: Plan
    #: The given type I errors.
    type_1_error: Floats
    #: The smallest type II error of any test with that type I error, for the direction with the better test.
    type_2_error: EndsColumns
    #: The largest power, 1 minus the type II error, computed without cancellation.
    power: EndsColumns
    #: The direction of the better test: "remove" (is the record there?) or "add" (is it not?).
    direction: Texts
    #: The errors of each direction separately.
    remove: LeastErrors
    add: LeastErrors
    #: The largest value of power - type I error, which is the total variation.
    advantage: Ends
    #: The reason why some interval is wide, or None.
    note: Optional[str]
    #: The members of the request besides the plan.
    _asked: Json

    def __len__(self) -> int:
        return len(self.type_1_error)

    def plot(self, ax: Optional[Axes] = None, **options: Any) -> Axes:
        """Plots the whole curve, and the points of this report on it, as ``renyi.plot.tradeoff`` does."""
        from ..plot import tradeoff

        return tradeoff(self, ax, **options)

    def _figure(self) -> Figure:
        options = {name: value for name, value in self._asked.items() if name != "type_1_errors"}
        return Figure("tradeoff", options, [Points("highlight", self.type_1_error, self.type_2_error.lower)])

    def _table(self) -> Table:
        names = ["type_1_error", "type_2_error_lower", "type_2_error_upper", "power_lower", "power_upper", "direction"]
        errors, power = self.type_2_error, self.power
        columns = (self.type_1_error, errors.lower, errors.upper, power.lower, power.upper, self.direction)
        return Table(names, list(zip(*(column.tolist() for column in columns))))

    def _title(self) -> str:
        note = f"; {self.note}" if self.note else ""
        return f"trade-off of {_format.plan_text(self.plan)}; advantage {self.advantage}{note}"

    def _sections(self) -> list[Section]:
        errors = [_format.plain(float(error)) for error in self.type_1_error]
        rows = zip(errors, self.type_2_error.texts(), self.power.texts(), self.direction.tolist())
        return [Section(["type I error", "least type II error", "largest power", "direction"], list(rows))]


@overload
def tradeoff(  # pyright: ignore[reportOverlappingOverload]
    plan: Optional[Planlike] = None,
    *,
    type_1_errors: Optional[List] = None,
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
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    timeout: Optional[float] = None,
) -> Tradeoff: ...


@overload
def tradeoff(
    plan: Optional[Planlikes] = None,
    *,
    type_1_errors: Optional[List] = None,
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
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    timeout: Optional[float] = None,
) -> Grid[Tradeoff]: ...


@timed
def tradeoff(
    plan: Optional[Planlikes] = None,
    *,
    type_1_errors: Optional[List] = None,
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
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    timeout: Optional[float] = None,
) -> Union[Tradeoff, Grid[Tradeoff]]:
    """Computes the trade-off function of a plan: the smallest type II error of any test for the presence of one record,
    at each of ``type_1_errors`` (default 1e-6 to 0.5), and the largest power.

    >>> import renyi
    >>> renyi.tradeoff(renyi.Gaussian(2.0), type_1_errors=[0.05]).type_2_error
    [[0.873865, 0.873866]]

    The plan is given as for ``renyi.epsilon``. Arrays in its numbers, or a list of plans, give a ``Grid``. Raises
    ``Unsupported`` if only bounds on the Rényi divergences of a step are known.
    """
    sizes = Sizes(dataset_size, batch_size, epochs, accumulation, sampling, batch_limit).told()
    question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, sizes)
    fixed = {"type_1_errors": numbers("type_1_errors", type_1_errors), **accuracy(tolerance, memory)}
    return answers("tradeoff", question, fixed, functools.partial(_read, fixed))  # type: ignore[no-any-return]


def _read(fixed: Json, plan: Plan, answer: Json, _: Json) -> Tradeoff:
    points = decode(_Points, answer.pop("points"))
    columns = {field.name: getattr(points, field.name) for field in dataclasses.fields(points)}
    found: Tradeoff = decode(Tradeoff, answer, plan=plan, _asked=fixed, **columns)
    return found
