"""explain: what a plan promises to one record, and to a group."""

from __future__ import annotations

import dataclasses
from typing import Optional, Sequence, Union, overload

from .. import _number_text
from .._ask import Question
from .._decode import decode
from .._grid import Grid
from .._numbers import Count, Counts, Number, Numbers, Orders, to_ints
from .._report import Ends, Report, Section, ends_text
from ..plan import Plan
from ..questions import Planlike, Planlikes
from ..run import Scheme, Sizes
from ._request import Json, List, answers, given, numbers, orders_of


@dataclasses.dataclass(frozen=True)
class OrderPromise:
    """Rényi DP at one order: the divergence, and the bound on that moment of the Bayes factor."""

    order: float
    epsilon: float
    bayes_moment: float


@dataclasses.dataclass(frozen=True, repr=False)
class ExactEnds(Ends):
    """The exact interval of one direction, and the engine that found it."""

    engine: str


@dataclasses.dataclass(frozen=True, repr=False)
class ExactEpsilon(ExactEnds):
    """The exact interval: of the larger direction, and of both."""

    direction: str
    remove: ExactEnds
    add: ExactEnds
    #: Whether it is "attained" by what was run, or that of a promise ("promised") or a pair ("dominated") above it.
    standing: str
    #: What keeps it from being as narrow as asked.
    note: Optional[str]


@dataclasses.dataclass(frozen=True)
class ApproximateDp:
    """(epsilon, delta)-DP by the Rényi bound, the order that gave it and the formula; and the exact epsilon."""

    epsilon: float
    order: float
    conversion: str
    #: The probability of an infinite loss, which is part of delta: ``delta_apart`` in answers to requests.
    infinite_mass: Optional[float] = dataclasses.field(metadata={"key": "delta_apart"})
    exact: Optional[ExactEpsilon]
    #: Why ``exact`` is not there.
    unavailable: dict[str, str]

    @property
    def upper(self) -> float:
        """The figure itself: the upper end of the exact interval, or the Rényi bound."""
        return self.epsilon if self.exact is None else self.exact.upper


@dataclasses.dataclass(frozen=True)
class RenyiRange:
    """Ends by the best order each; a form is "direct", or "complement" where the event's complement gave it."""

    lower: float
    lower_order: float
    lower_form: str
    upper: float
    upper_order: float
    upper_form: str


@dataclasses.dataclass(frozen=True)
class OrderRange:
    """Ends by one order."""

    order: float
    lower: float
    upper: float


@dataclasses.dataclass(frozen=True)
class Outcome:
    """An outcome of probability ``baseline`` without the record: between what it can lie with it."""

    baseline: float
    #: By the best order.
    renyi: RenyiRange
    #: By each order of the report.
    orders: tuple[OrderRange, ...]
    #: By pure DP; None where the loss is unbounded, or not known to be bounded.
    pure: Optional[Ends]
    #: By (epsilon, delta)-DP, where a delta was given.
    approximate: Optional[Ends]
    #: The best possible.
    exact: Optional[Ends]
    #: Why ``pure`` or ``exact`` is not there.
    unavailable: dict[str, str]


@dataclasses.dataclass(frozen=True, repr=False)
class ExactTail(Ends):
    """A probability by the law of the privacy loss, and the method that found it."""

    method: str


@dataclasses.dataclass(frozen=True)
class BayesTail:
    """The probability that the odds of the truth grow more than ``factor`` times: a bound, and its order."""

    factor: float
    probability: float
    order: float
    #: By the law of the privacy loss.
    exact: Optional[ExactTail]
    #: Why ``exact`` is not there.
    unavailable: dict[str, str]

    @property
    def upper(self) -> float:
        """The smallest bound there is."""
        return self.probability if self.exact is None else self.exact.upper


@dataclasses.dataclass(frozen=True)
class Bayes:
    """By how much the results multiply the odds of the true dataset against a neighbour: upper bounds."""

    expected_log_factor: float
    largest_factor: float
    tails: tuple[BayesTail, ...]


@dataclasses.dataclass(frozen=True)
class GroupOrder:
    """Rényi DP of a group, from that of one record at a larger order."""

    order: float
    from_order: float
    epsilon: float


@dataclasses.dataclass(frozen=True)
class Group:
    """What ``size`` records together are promised; ``stability`` is the next power of two."""

    size: int
    stability: int
    orders: tuple[GroupOrder, ...]
    pure_epsilon: float
    #: With a delta, and where there is one.
    approximate: Optional[ApproximateDp]
    scaled: Optional[ApproximateDp]


@dataclasses.dataclass(frozen=True)
class Property:
    """What every plan has."""

    name: str
    statement: str
    source: str


@dataclasses.dataclass(frozen=True, repr=False)
class Explanation(Report):
    """What a plan promises. Members called ``lower`` are lower bounds, every other bound is an upper one."""

    #: What it is about.
    plan: Plan
    #: The delta asked with, if there was one.
    delta: Optional[float]
    orders: tuple[OrderPromise, ...]
    pure_epsilon: float
    #: (epsilon, delta)-DP, where a delta was given.
    approximate: Optional[ApproximateDp]
    outcomes: tuple[Outcome, ...]
    bayes: Bayes
    #: Where a group size was given.
    group: Optional[Group]
    #: Whose figures the exact ones are, where what was run may promise more.
    note: Optional[str]
    always: tuple[Property, ...]

    def _title(self) -> str:
        title = f"promises of {_number_text.plan_text(self.plan)}: pure epsilon <= {_number_text.up(self.pure_epsilon)}"
        if self.approximate is None or self.delta is None:
            return title
        return f"{title}, epsilon <= {_number_text.up(self.approximate.upper)} at delta {_number_text.plain(self.delta)}"

    def _sections(self) -> list[Section]:
        outcomes = Section(["baseline", "Rényi", "exact"], [_outcome_row(outcome) for outcome in self.outcomes])
        tails = [_tail_row(tail) for tail in self.bayes.tails]
        bayes = Section(["odds grow more than", "probability <=", "by", "Rényi <=", "order"], tails)
        found = [self._orders(), outcomes, bayes]
        return found if self.group is None else [*found, _group_section(self.group)]

    def _orders(self) -> Section:
        rows = [[_number_text.plain(at.order), _number_text.up(at.epsilon), _number_text.up(at.bayes_moment)] for at in self.orders]
        return Section(["order", "divergence <=", "Bayes moment <="], rows)


def _outcome_row(outcome: Outcome) -> list[str]:
    why = outcome.unavailable.get("exact", "")
    exact = repr(outcome.exact) if outcome.exact is not None else why and f"unavailable: {why}"
    return [_number_text.plain(outcome.baseline), ends_text(outcome.renyi.lower, outcome.renyi.upper), exact]


def _tail_row(tail: BayesTail) -> list[str]:
    method = "Rényi" if tail.exact is None else f"exact, {tail.exact.method}"
    renyi = [_number_text.up(tail.probability), _number_text.plain(tail.order)]
    return [_number_text.plain(tail.factor), _number_text.up(tail.upper), method, *renyi]


def _group_section(group: Group) -> Section:
    rows = [[_number_text.plain(at.order), _number_text.up(at.epsilon), _number_text.plain(at.from_order)] for at in group.orders]
    rows.append(["inf", _number_text.up(group.pure_epsilon), ""])
    for name, bound in (("at the delta", group.approximate), ("at the delta, scaled", group.scaled)):
        if bound is not None:
            order = _number_text.plain(bound.order) if bound.exact is None else "exact"
            rows.append([name, _number_text.up(bound.upper), order])
    return Section([f"group of {group.size}: order", "epsilon <=", "from order"], rows)


@overload
def explain(
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
) -> Grid[Explanation]: ...


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
) -> Union[Explanation, Grid[Explanation]]:
    """What a plan promises, in terms of outcomes and of odds.

    baseline: probabilities of an outcome without the record.
    orders: of the Rényi divergences; numbers of at least 1, inf among them, or "traditional".
    factors: how many times the odds of the truth might grow, at least 1.
    delta: adds (epsilon, delta)-DP. group_size: adds what a group of that many records is promised.

    The plan as for ``renyi.epsilon``. Arrays in its numbers, delta or group_size give a ``Grid``.
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
