"""explain: what the privacy of a plan means for one record, and for a group of records."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Optional, Sequence, Union, overload

from .. import _format
from .._ask import Question
from .._decode import decode
from .._export import Table
from .._grid import Grid
from .._numbers import Count, Counts, Number, Numbers, Orders, to_ints
from .._report import Ends, Report, Section, ends_text
from .._timed import timed
from ..plan import Plan
from ..questions import Planlike, Planlikes
from ..run import Scheme, Sizes
from ._request import Json, List, answers, given, numbers, orders_of


@dataclasses.dataclass(frozen=True)
class OrderPromise:
    """Rényi DP at one order: the divergence, and the bound on the corresponding moment of the Bayes factor."""

    order: float
    epsilon: float
    bayes_moment: float


@dataclasses.dataclass(frozen=True, repr=False)
class ExactEnds(Ends):
    """The exact interval of one direction, and the engine that computed it."""

    engine: str


@dataclasses.dataclass(frozen=True, repr=False)
class ExactEpsilon(ExactEnds):
    """The exact interval: that of the direction with the larger epsilon, and of each direction."""

    direction: str
    remove: ExactEnds
    add: ExactEnds
    #: What the interval is exact for: "attained", "promised" or "dominated" (see ``Epsilon.standing``).
    standing: str
    #: Why the interval is wider than requested.
    note: Optional[str]
    #: That two methods gave intervals that do not meet (see ``Epsilon.contradiction``).
    contradiction: Optional[str]


@dataclasses.dataclass(frozen=True)
class ApproximateDp:
    """(epsilon, delta)-DP: the Rényi bound with its order and conversion, and the exact interval of epsilon."""

    epsilon: float
    order: float
    conversion: str
    #: The probability of an infinite loss, which is part of delta: ``delta_apart`` in answers to requests.
    infinite_mass: Optional[float] = dataclasses.field(metadata={"key": "delta_apart"})
    exact: Optional[ExactEpsilon]
    #: The reason why ``exact`` is None.
    unavailable: dict[str, str]

    @property
    def upper(self) -> float:
        """The best upper bound on epsilon: that of the exact interval or, without one, the Rényi bound."""
        return self.epsilon if self.exact is None else self.exact.upper


@dataclasses.dataclass(frozen=True)
class RenyiRange:
    """Bounds on a probability, each at its best order. A form is "direct", or "complement" if the bound comes from the
    complement of the event."""

    lower: float
    lower_order: float
    lower_form: str
    upper: float
    upper_order: float
    upper_form: str


@dataclasses.dataclass(frozen=True)
class OrderRange:
    """Bounds on a probability from the Rényi divergence of one order."""

    order: float
    lower: float
    upper: float


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Bounds on the probability with the record of an outcome whose probability without the record is ``baseline``."""

    baseline: float
    #: The bounds at the best order.
    renyi: RenyiRange
    #: The bounds at each order of the report.
    orders: tuple[OrderRange, ...]
    #: The bounds by pure DP; None if the loss is unbounded, or not known to be bounded.
    pure: Optional[Ends]
    #: The bounds by (epsilon, delta)-DP, if a delta was given.
    approximate: Optional[Ends]
    #: The best possible bounds.
    exact: Optional[Ends]
    #: The reason why ``pure`` or ``exact`` is None.
    unavailable: dict[str, str]


@dataclasses.dataclass(frozen=True, repr=False)
class ExactTail(Ends):
    """A probability from the privacy loss distribution, and the method that computed it."""

    method: str


@dataclasses.dataclass(frozen=True)
class BayesTail:
    """An upper bound on the probability that the odds of the true dataset grow more than ``factor`` times, and the
    order at which the bound is attained."""

    factor: float
    probability: float
    order: float
    #: The probability from the privacy loss distribution.
    exact: Optional[ExactTail]
    #: The reason why ``exact`` is None.
    unavailable: dict[str, str]

    @property
    def upper(self) -> float:
        """The smallest upper bound that is available."""
        return self.probability if self.exact is None else self.exact.upper


@dataclasses.dataclass(frozen=True)
class Bayes:
    """Upper bounds on the Bayes factor: how much the output multiplies the odds of the true dataset against a
    neighbour."""

    expected_log_factor: float
    largest_factor: float
    tails: tuple[BayesTail, ...]


@dataclasses.dataclass(frozen=True)
class GroupOrder:
    """Rényi DP of a group of records at one order, derived from that of one record at a larger order."""

    order: float
    from_order: float
    epsilon: float


@dataclasses.dataclass(frozen=True)
class Group:
    """The guarantees for ``size`` records together; ``stability`` is the next power of two."""

    size: int
    stability: int
    orders: tuple[GroupOrder, ...]
    pure_epsilon: float
    #: (epsilon, delta)-DP of the group, if a delta was given and there is a guarantee.
    approximate: Optional[ApproximateDp]
    scaled: Optional[ApproximateDp]


@dataclasses.dataclass(frozen=True)
class StepShare:
    """A step of the plan, or of a group of its steps, and its share of the Rényi divergence."""

    #: "steps[0]", or "steps[1].plan[2]" for a step of a group.
    path: str
    name: Optional[str]
    comment: Optional[str]
    #: The kind of its mechanism, or "group".
    mechanism: str
    count: int
    #: An upper bound on the divergence of all its runs together.
    divergence: float
    #: Its part of the whole, from 0 to 1, or None if there is none.
    share: Optional[float]


@dataclasses.dataclass(frozen=True)
class StepShares:
    """How the steps share the Rényi divergence of the plan at the order of the Rényi bound. The shares of the steps
    have the sum 1, and those of the steps of a group that of the group. They describe that bound, and bound nothing
    themselves."""

    order: float
    #: The direction with the larger divergence, "remove" or "add".
    direction: str
    divergence: float
    #: Whether some loss may be infinite, and is left out.
    of_finite_parts: bool
    #: The steps in the order of the plan; the steps of a group follow below it.
    steps: tuple[StepShare, ...]
    #: Why no step has a share, or None.
    unavailable: Optional[str]


@dataclasses.dataclass(frozen=True)
class Property:
    """A property that every plan has, such as closure under post-processing, with its source."""

    name: str
    statement: str
    source: str


@dataclasses.dataclass(frozen=True, repr=False)
class Explanation(Report):
    """The guarantees of a plan: the answer of ``renyi.explain``. Members named ``lower`` are lower bounds; all other
    bounds are upper bounds.

    >>> import renyi
    >>> found = renyi.explain(renyi.Gaussian(2.0), baseline=[0.01])
    >>> found.outcomes[0].baseline, found.outcomes[0].exact
    (0.01, [0.0023541, 0.033899])
    """

    #: The plan that is explained.
    plan: Plan
    #: The given delta, or None.
    delta: Optional[float]
    orders: tuple[OrderPromise, ...]
    pure_epsilon: float
    #: (epsilon, delta)-DP, if a delta was given.
    approximate: Optional[ApproximateDp]
    outcomes: tuple[Outcome, ...]
    bayes: Bayes
    #: The guarantees for a group, if a group size was given.
    group: Optional[Group]
    #: The share of each step in the Rényi divergence, if a delta was given.
    shares: Optional[StepShares]
    #: What the exact intervals refer to, if the mechanism that was run may have a better guarantee.
    note: Optional[str]
    always: tuple[Property, ...]

    def _title(self) -> str:
        title = f"promises of {_format.plan_text(self.plan)}: pure epsilon <= {_format.up(self.pure_epsilon)}"
        if self.approximate is None or self.delta is None:
            return title
        return f"{title}, epsilon <= {_format.up(self.approximate.upper)} at delta {_format.plain(self.delta)}"

    def _sections(self) -> list[Section]:
        outcomes = Section(["baseline", "Rényi", "exact"], [_outcome_row(outcome) for outcome in self.outcomes])
        tails = [_tail_row(tail) for tail in self.bayes.tails]
        bayes = Section(["odds grow more than", "probability <=", "by", "Rényi <=", "order"], tails)
        found = [self._orders(), outcomes, bayes]
        if self.shares is not None and len(self.shares.steps) > 1:
            found.append(_shares_section(self.shares))
        return found if self.group is None else [*found, _group_section(self.group)]

    def _table(self) -> Table:
        rows = [_promise("epsilon-rdp", at.order, at.epsilon, at.order) for at in self.orders]
        rows.append(_promise("epsilon-pure", None, self.pure_epsilon, math.inf))
        rows += _epsilon_rows("epsilon-approximate", "epsilon-exact", None, self.approximate)
        for outcome in self.outcomes:
            rows += _outcome_rows(outcome)
        for tail in self.bayes.tails:
            rows.append(_promise("bayes-tail", tail.factor, tail.probability, tail.order))
            if tail.exact is not None:
                rows.append(["bayes-tail-exact", tail.factor, *tail.exact, None, None])
        rows += [_promise("bayes-moment", at.order, at.bayes_moment, at.order) for at in self.orders]
        rows.append(_promise("bayes-largest", None, self.bayes.largest_factor, math.inf))
        rows.append(_promise("bayes-log", None, self.bayes.expected_log_factor, 1.0))
        rows += [] if self.group is None else _group_rows(self.group)
        return Table(["promise", "at", "lower", "upper", "lower_order", "upper_order"], rows)

    def _orders(self) -> Section:
        rows = [[_format.plain(at.order), _format.up(at.epsilon), _format.up(at.bayes_moment)] for at in self.orders]
        return Section(["order", "divergence <=", "Bayes moment <="], rows)


def _promise(name: str, at: Optional[float], upper: float, order: Optional[float]) -> list[Any]:
    """Returns the row of an upper bound, which comes from an order."""
    return [name, at, None, upper, None, order]


def _epsilon_rows(name: str, exact: str, at: Optional[float], found: Optional[ApproximateDp]) -> list[list[Any]]:
    """Returns the row of the Rényi bound, and the row of the exact interval below it."""
    if found is None:
        return []
    rows = [_promise(name, at, found.epsilon, found.order)]
    return rows if found.exact is None else [*rows, [exact, at, *found.exact, None, None]]


def _outcome_rows(outcome: Outcome) -> list[list[Any]]:
    at, best = outcome.baseline, outcome.renyi
    rows = [["outcome-renyi", at, best.lower, best.upper, best.lower_order, best.upper_order]]
    rows += [["outcome-order", at, one.lower, one.upper, one.order, one.order] for one in outcome.orders]
    ranges = {"pure": (outcome.pure, math.inf), "exact": (outcome.exact, None)}
    ranges["approximate"] = (outcome.approximate, None)
    return rows + [[f"outcome-{name}", at, *ends, order, order] for name, (ends, order) in ranges.items() if ends]


def _group_rows(group: Group) -> list[list[Any]]:
    rows = [_promise("group-rdp", group.size, at.epsilon, at.order) for at in group.orders]
    rows.append(_promise("group-pure", group.size, group.pure_epsilon, math.inf))
    bound = group.approximate
    rows += [] if bound is None else [_promise("group-approximate", group.size, bound.epsilon, bound.order)]
    return rows + _epsilon_rows("group-scaled", "group-scaled-exact", group.size, group.scaled)


def _outcome_row(outcome: Outcome) -> list[str]:
    why = outcome.unavailable.get("exact", "")
    exact = repr(outcome.exact) if outcome.exact is not None else why and f"unavailable: {why}"
    return [_format.plain(outcome.baseline), ends_text(outcome.renyi.lower, outcome.renyi.upper), exact]


def _tail_row(tail: BayesTail) -> list[str]:
    method = "Rényi" if tail.exact is None else f"exact, {tail.exact.method}"
    renyi = [_format.up(tail.probability), _format.plain(tail.order)]
    return [_format.plain(tail.factor), _format.up(tail.upper), method, *renyi]


def _shares_section(shares: StepShares) -> Section:
    title = f"share of the Rényi divergence at order {_format.plain(shares.order)}"
    rows = [
        [step.name or step.path, step.mechanism, str(step.count), "" if step.share is None else f"{step.share:.3g}"]
        for step in shares.steps
    ]
    return Section(["step", "mechanism", "count", title], rows)


def _group_section(group: Group) -> Section:
    rows = [[_format.plain(at.order), _format.up(at.epsilon), _format.plain(at.from_order)] for at in group.orders]
    rows.append(["inf", _format.up(group.pure_epsilon), ""])
    for name, bound in (("at the delta", group.approximate), ("at the delta, scaled", group.scaled)):
        if bound is not None:
            order = _format.plain(bound.order) if bound.exact is None else "exact"
            rows.append([name, _format.up(bound.upper), order])
    return Section([f"group of {group.size}: order", "epsilon <=", "from order"], rows)


@overload
def explain(  # pyright: ignore[reportOverlappingOverload]
    plan: Optional[Planlike] = None,
    *,
    baseline: Optional[List] = None,
    orders: Optional[Orders] = None,
    factors: Optional[List] = None,
    delta: Optional[Number] = None,
    group_size: Optional[Count] = None,
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
) -> Explanation: ...


@overload
def explain(
    plan: Optional[Planlikes] = None,
    *,
    baseline: Optional[List] = None,
    orders: Optional[Orders] = None,
    factors: Optional[List] = None,
    delta: Optional[Numbers] = None,
    group_size: Optional[Counts] = None,
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
) -> Grid[Explanation]: ...


@timed
def explain(
    plan: Optional[Planlikes] = None,
    *,
    baseline: Optional[List] = None,
    orders: Optional[Orders] = None,
    factors: Optional[List] = None,
    delta: Optional[Numbers] = None,
    group_size: Optional[Counts] = None,
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
) -> Union[Explanation, Grid[Explanation]]:
    """Explains the guarantees of a plan in terms of the probabilities of outcomes, and of an adversary's odds.

    >>> import renyi
    >>> found = renyi.explain(renyi.Gaussian(2.0), baseline=[0.01])
    >>> found.outcomes[0].exact
    [0.0023541, 0.033899]

    baseline: probabilities of an outcome without the record.
    orders: the orders of the Rényi divergences: numbers of at least 1, including inf, or "traditional".
    factors: factors of at least 1 by which the odds of the true dataset may grow.
    delta: adds (epsilon, delta)-DP to the answer.
    group_size: adds the guarantees for a group of that many records.

    The plan is given as for ``renyi.epsilon``. Arrays in its numbers, delta or group_size give a ``Grid``.
    """
    sizes = None if group_size is None else to_ints("group_size", group_size)
    columns = given(delta=delta, group_size=sizes)
    run_sizes = Sizes(dataset_size, batch_size, epochs, accumulation, sampling, batch_limit).told()
    question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, run_sizes, **columns)
    fixed = {
        "baseline": numbers("baseline", baseline),
        "orders": orders_of(orders),
        "factors": numbers("factors", factors),
    }
    kinds = {name: int if name == "group_size" else float for name in columns}
    return answers("explain", question, fixed, _read, each=kinds)  # type: ignore[no-any-return]


def _read(plan: Plan, answer: Json, asked: Json) -> Explanation:
    found: Explanation = decode(Explanation, answer, plan=plan, delta=asked.get("delta"))
    return found
