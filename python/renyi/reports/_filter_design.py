"""design_filter: which kind of filter lets most steps of an expected workload run within a target."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Union, overload

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
from ._request import Json, answers, given


@dataclasses.dataclass(frozen=True)
class FilterKind:
    """What one kind of budget can do for the workload."""

    #: "pure", "zcdp", "tcdp", "gdp", "approx", "order", "curve" or "shares".
    kind: str
    #: The smallest epsilon with which a filter of this kind admits the expected workload.
    epsilon: Optional[float]
    #: The largest budget of this kind that meets the target, as in filter files (docs/format/filter.md).
    budget: Optional[dict[str, Any]]
    #: How many steps, or repetitions of the workload, a filter with this budget admits.
    count: int
    #: Why there is no epsilon or no budget.
    unavailable: Optional[str]

    @classmethod
    def _from_json(cls, value: Any) -> FilterKind:
        epsilon = value.get("epsilon")
        return cls(
            decode(str, value["kind"]),
            None if epsilon is None else decode(float, epsilon),
            value.get("budget"),
            decode(int, value["count"]),
            value.get("unavailable"),
        )


@dataclasses.dataclass(frozen=True)
class FixedSteps:
    """The same steps if they were fixed in advance, which is no bound for steps that are chosen on the way."""

    epsilon: Optional[float]
    count: Optional[int]
    unavailable: Optional[str]

    @classmethod
    def _from_json(cls, value: Any) -> FixedSteps:
        epsilon = value.get("epsilon")
        return cls(None if epsilon is None else decode(float, epsilon), value.get("count"), value.get("unavailable"))


@dataclasses.dataclass(frozen=True)
class FixedInAdvance:
    """The same steps if they were fixed in advance, by the exact epsilon and by the Rényi bound."""

    exact: FixedSteps
    renyi: FixedSteps

    @classmethod
    def _from_json(cls, value: Any) -> FixedInAdvance:
        return cls(decode(FixedSteps, value["exact"]), decode(FixedSteps, value["renyi"]))


@dataclasses.dataclass(frozen=True, repr=False)
class FilterDesign(Report):
    """What each kind of filter costs for a workload: the answer of ``renyi.design_filter``.

    >>> import renyi
    >>> found = renyi.design_filter(renyi.Gaussian(20.0) * 100, epsilon=2, delta=1e-6)
    >>> found.best, found["gdp"].budget, found["gdp"].count, found["zcdp"].count
    ('gdp', {'kind': 'gdp', 'mu': 0.448}, 80, 70)
    """

    #: The expected workload.
    plan: Plan
    #: The target.
    epsilon: float
    delta: float
    #: What counts count: "steps" if the workload is one step, else "repetitions" of the whole plan.
    counted: str
    #: How many of these the workload consists of.
    expected: int
    kinds: tuple[FilterKind, ...]
    #: The kind that lets most steps run; None if no kind admits any.
    best: Optional[str]
    if_fixed_in_advance: FixedInAdvance

    def __getitem__(self, kind: str) -> FilterKind:
        """Returns what is known about a kind by its name."""
        for one in self.kinds:
            if one.kind == kind:
                return one
        raise KeyError(kind)

    def _rows(self) -> list[tuple[str, Union[FilterKind, FixedSteps]]]:
        fixed = self.if_fixed_in_advance
        kinds: list[tuple[str, Union[FilterKind, FixedSteps]]] = [(one.kind, one) for one in self.kinds]
        return [*kinds, ("renyi, fixed in advance", fixed.renyi), ("exact, fixed in advance", fixed.exact)]

    def _share(self, count: Optional[int]) -> Optional[float]:
        most = self.if_fixed_in_advance.exact.count
        return None if count is None or not most else count / most

    def _table(self) -> Table:
        rows = []
        for name, one in self._rows():
            budget = one.budget if isinstance(one, FilterKind) else None
            rows.append([name, budget, one.epsilon, one.count, self._share(one.count), one.unavailable])
        return Table(["kind", "budget", "epsilon", "count", "share_of_exact", "unavailable"], rows)

    def _title(self) -> str:
        best = "" if self.best is None else f"; best: {self.best}"
        target = f"epsilon {_format.plain(self.epsilon)} at delta {_format.plain(self.delta)}"
        return f"filters within {target} for {_format.plan_text(self.plan)}{best}"

    def _sections(self) -> list[Section]:
        rows = []
        for name, one in self._rows():
            budget = one.budget if isinstance(one, FilterKind) else None
            says = one.unavailable or ("" if budget is None else _words(budget))
            epsilon = "" if one.epsilon is None else _format.up(one.epsilon)
            rows.append([name, epsilon, "" if one.count is None else str(one.count), says])
        return [Section(["kind", "epsilon needed <=", self.counted, "budget"], rows)]


def _words(budget: dict[str, Any]) -> str:
    parts = []
    for name, value in budget.items():
        if isinstance(value, list):
            parts.append(f"{len(value)} {name}")
        elif name != "kind":
            parts.append(f"{name} {_format.plain(value)}")
    return ", ".join(parts)


@overload
def design_filter(  # type: ignore[overload-overlap]
    plan: Optional[Planlike] = None,
    *,
    epsilon: Number,
    delta: Number,
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
) -> FilterDesign: ...


@overload
def design_filter(
    plan: Optional[Planlikes] = None,
    *,
    epsilon: Numbers,
    delta: Numbers,
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
) -> Grid[FilterDesign]: ...


@timed
def design_filter(
    plan: Optional[Planlikes] = None,
    *,
    epsilon: Numbers,
    delta: Numbers,
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
) -> Union[FilterDesign, Grid[FilterDesign]]:
    """Finds the kind of filter that lets most steps of an expected workload run within (``epsilon``, ``delta``).

    Steps that are chosen on the way, after earlier results were seen, need a filter, which decides before each step
    whether it may run. Each kind of budget has its price, which the answer shows beside the same steps fixed in
    advance.

    >>> import renyi
    >>> found = renyi.design_filter(sampling_rate=0.01, noise_multiplier=1.1, steps=10_000, epsilon=6, delta=1e-5)
    >>> found.best, found["order"].count, found.if_fixed_in_advance.exact.count
    ('order', 11192, 12875)

    The plan is given as for ``renyi.epsilon``. Every number may be an array; the answer is then a ``Grid``.
    """
    columns = given(epsilon=epsilon, delta=delta)
    sizes = Sizes(dataset_size, batch_size, epochs, accumulation, sampling, batch_limit).told()
    question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, sizes, **columns)
    return answers("filter-design", question, {}, _read, each=dict.fromkeys(columns, float))  # type: ignore[no-any-return]


def _read(plan: Plan, answer: Json, asked: Json) -> FilterDesign:
    found: FilterDesign = decode(FilterDesign, answer, plan=plan, epsilon=asked["epsilon"], delta=asked["delta"])
    return found
