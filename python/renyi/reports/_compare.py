"""compare: the epsilon of one plan by every composition theorem."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any, Optional, Union, overload

from .. import _format
from .._ask import Question
from .._decode import decode
from .._export import Table
from .._grid import Grid
from .._numbers import Count, Counts, Number, Numbers
from .._report import Report, Section
from .._timed import timed
from ..plan import Plan
from ..questions import Planlike, Planlikes
from ..run import Scheme, Sizes
from ._figure import Figure
from ._request import Json, answers, given

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclasses.dataclass(frozen=True)
class LargestCount:
    """How many times the plan can run within the budget: ``count`` times, ``math.inf`` if there is no limit."""

    count: Union[int, float]
    #: Whether the search stopped before it found the largest count, which is then at least ``count``.
    or_more: bool

    @classmethod
    def _from_json(cls, value: Any) -> LargestCount:
        if value == "unlimited":
            return cls(math.inf, False)
        if isinstance(value, dict):
            return cls(decode(int, value["at_least"]), True)
        return cls(decode(int, value), False)

    def __str__(self) -> str:
        return ("unlimited" if self.count == math.inf else str(self.count)) + (" or more" if self.or_more else "")


@dataclasses.dataclass(frozen=True)
class StepGuarantee:
    """The (epsilon, delta)-DP guarantee that a theorem assumes for a step, which runs ``count`` times."""

    epsilon: float
    delta: float
    count: int


@dataclasses.dataclass(frozen=True)
class DeltaSplit:
    """How a theorem about (epsilon, delta)-DP steps divided the given delta."""

    #: The guarantees of the steps, in the order of the plan, with equal ones merged.
    steps: tuple[StepGuarantee, ...]
    #: The part of delta that the theorem uses as slack.
    slack: float


@dataclasses.dataclass(frozen=True)
class Theorem:
    """The result of one theorem or accountant.

    It is an epsilon, an estimate, the probability of an event, or the reason why it does not apply.
    """

    name: str
    source: str
    #: An upper bound on epsilon.
    epsilon: Optional[float]
    #: An estimate of epsilon that is no bound (the central limit theorem, for training runs).
    epsilon_estimate: Optional[float]
    #: If a budget was given: how many times the plan can run within it by this theorem.
    largest_count: Optional[LargestCount]
    #: How delta was divided, for theorems about (epsilon, delta)-DP steps if epsilon is finite.
    split: Optional[DeltaSplit]
    #: The probability of the event on the neighbouring dataset, and an upper bound on its probability on this dataset.
    event: Optional[float]
    probability: Optional[float]
    #: The condition of the theorem that is not satisfied.
    unavailable: Optional[str]
    note: Optional[str]

    def _cells(self) -> list[Any]:
        """Returns the row of a table with all digits."""
        counts = self.largest_count
        count: Any = None if counts is None else f">= {counts.count}" if counts.or_more else counts.count
        return [self.name, self.epsilon, count, self.probability, self.unavailable, self.epsilon_estimate]

    def _row(self) -> list[str]:
        says = f"unavailable: {self.unavailable}" if self.unavailable else ""
        if self.epsilon_estimate is not None:
            says = f"no bound; estimate {_format.plain(self.epsilon_estimate)}: {self.source}"
        if self.probability is not None and self.event is not None:
            says = f"event of {_format.plain(self.event)}: probability <= {_format.up(self.probability)}"
        epsilon = "" if self.epsilon is None else _format.up(self.epsilon)
        return [self.name, epsilon, "" if self.largest_count is None else str(self.largest_count), says or self.source]


@dataclasses.dataclass(frozen=True, repr=False)
class Comparison(Report):
    """The results of several composition theorems side by side: the answer of ``renyi.compare``.

    >>> import renyi
    >>> found = renyi.compare(renyi.PureDp(0.25) * 4, delta=1e-5)
    >>> found.best, round(found["basic"].epsilon, 6), round(found["exact"].epsilon, 6)
    ('exact', 1.0, 0.9999)
    """

    #: The plan that is compared.
    plan: Plan
    delta: float
    #: The budget, if there was one.
    epsilon: Optional[float]
    theorems: tuple[Theorem, ...]
    #: The name of the theorem with the smallest epsilon ("exact" if others have the same).
    best: Optional[str]
    #: The name of the theorem with the largest count, if that is above 0.
    best_for_count: Optional[str]

    def __getitem__(self, name: str) -> Theorem:
        """Returns the result of a theorem by the theorem's name."""
        for theorem in self.theorems:
            if theorem.name == name:
                return theorem
        raise KeyError(name)

    def plot(self, ax: Optional[Axes] = None, **options: Any) -> Axes:
        """Plots the epsilons, one row per theorem, as ``renyi.plot.accountants`` does."""
        from ..plot import accountants

        return accountants(self, ax, **options)

    def _figure(self) -> Figure:
        return Figure("accountants", {"delta": self.delta}, [])

    def _table(self) -> Table:
        names = ["theorem", "epsilon", "largest_count", "event_probability", "unavailable", "epsilon_estimate"]
        return Table(names, [theorem._cells() for theorem in self.theorems])

    def _title(self) -> str:
        budget = "" if self.epsilon is None else f", budget epsilon {_format.plain(self.epsilon)}"
        best = "" if self.best is None else f"; best: {self.best}"
        return f"comparison at delta {_format.plain(self.delta)}{budget} of {_format.plan_text(self.plan)}{best}"

    def _sections(self) -> list[Section]:
        rows = [theorem._row() for theorem in self.theorems]
        header = ["theorem", "epsilon <=", "count", ""]
        if self.epsilon is None:
            header, rows = header[:2] + header[3:], [row[:2] + row[3:] for row in rows]
        return [Section(header, rows)]


@overload
def compare(  # type: ignore[overload-overlap]
    plan: Optional[Planlike] = None,
    *,
    delta: Number,
    epsilon: Optional[Number] = None,
    event: Optional[Number] = None,
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
) -> Comparison: ...


@overload
def compare(
    plan: Optional[Planlikes] = None,
    *,
    delta: Numbers,
    epsilon: Optional[Numbers] = None,
    event: Optional[Numbers] = None,
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
) -> Grid[Comparison]: ...


@timed
def compare(
    plan: Optional[Planlikes] = None,
    *,
    delta: Numbers,
    epsilon: Optional[Numbers] = None,
    event: Optional[Numbers] = None,
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
) -> Union[Comparison, Grid[Comparison]]:
    """Computes the epsilon of a plan at ``delta`` by every composition theorem.

    If a budget ``epsilon`` is given, the answer also contains how many times the plan can run within it. ``event`` is
    the probability of the event that some theorems bound (default: delta).

    >>> import renyi
    >>> found = renyi.compare(renyi.Gaussian(2.0) * 10, delta=1e-5)
    >>> found.best, round(found["exact"].epsilon, 4)
    ('exact', 7.5113)

    The plan is given as for ``renyi.epsilon``. Every number may be an array; the answer is then a ``Grid``.
    """
    columns = given(delta=delta, epsilon=epsilon, event=event)
    sizes = Sizes(dataset_size, batch_size, epochs, accumulation, sampling, batch_limit).told()
    question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, sizes, **columns)
    return answers("compare", question, {}, _read, each=dict.fromkeys(columns, float))  # type: ignore[no-any-return]


def _read(plan: Plan, answer: Json, asked: Json) -> Comparison:
    found: Comparison = decode(Comparison, answer, plan=plan, delta=asked["delta"], epsilon=asked.get("epsilon"))
    return found
