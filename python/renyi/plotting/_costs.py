"""Epsilon against the number of steps or epochs and by each theorem, and the Rényi curve beside the closed form."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Optional, Sequence, cast

import numpy as np

from .. import _native
from .._ask import WANT, parts_of
from .._numbers import Floats, to_float
from ..answer_arrays import EpsilonArray
from .._mechanisms import SampledGaussian
from ..errors import InvalidArgument, Unsupported
from ..mechanisms import Sampled
from ..plan import Plan
from ..questions import Want, epsilon
from ..reports import Comparison, Theorem, compare
from ..sampling import Shuffled
from ._curves import EXACT, RENYI, USUAL_DELTA, part_label
from ._page import PALETTE, Page
from ._points import by_ratio, evenly
from ._subjects import Subject, one_subject, subjects
from ._words import bound, lower_bound, number, plan_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STEP_POINTS, _CLOSED_FORM_POINTS = 80, 400
_MOST_STEPS = 9e18  # counts are below 2^63
_LEAST_ORDER, _MOST_ORDER, _BEYOND = 1.05, 1e4, 16.0


def plot_steps(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    delta: float = USUAL_DELTA,
    want: Optional[Want] = None,
    labels: Optional[Sequence[str]] = None,
    title: Optional[str] = None,
    xscale: Optional[str] = None,
    yscale: Optional[str] = None,
    **run: Any,
) -> Axes:
    """Plots epsilon at ``delta`` against the number of steps, from a hundredth to ten times the given number. A plan of
    several kinds of step is repeated as a whole.

    want: "exact", "renyi" or both (default: both for one plan, for several the exact curve where there is one).

    >>> import renyi
    >>> ax = renyi.plot_steps(sampling_rate=0.01, noise_multiplier=1.1, steps=1000, delta=1e-5)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('steps', 'ε')
    """
    about, at = subjects(plans, labels, run), to_float("delta", delta)
    chosen = None if want is None else parts_of(want)
    page = Page(ax, title, (xscale, yscale), "log", "log")
    counts = _counts([_count(one.plan) for one in about])
    for one in about:
        repeated = [_repeated(one.plan, int(count)) for count in counts]
        found = epsilon(repeated, delta=at, want=WANT if chosen is None else chosen)
        _cost_lines(page, one, counts, found, alone=len(about) == 1, best_only=len(about) > 1 and chosen is None)
    for count in sorted({_count(one.plan) for one in about}) if len(about) == 1 else ():
        page.rule(count, f"this run: {count}")
    if not page.logy:
        page.ax.set_ylim(bottom=0)
    words = {_unit_of_count(one.plan) for one in about}
    what = words.pop() if len(words) == 1 else "repetitions"
    return page.finish(f"ε at δ = {number(at)}, against {what}", about, what, "ε")


def _cost_lines(page: Page, one: Subject, counts: Floats, found: EpsilonArray, *, alone: bool, best_only: bool) -> None:
    parts: list[tuple[str, Floats, Optional[Floats]]] = []
    if found._wanted.exact and (found.unavailable == "").any():
        missing = found.unavailable != ""
        parts.append((EXACT, np.where(missing, np.nan, found.exact.upper), found.exact.lower))
    if found._wanted.renyi:
        parts.append((RENYI, found.renyi, None))
    for name, upper, lower in parts[:1] if best_only else parts:
        page.line(counts, upper, name if alone else part_label(one.label, name, best_only), lower)


def _count(plan: Plan) -> int:
    return plan.steps[0].count if len(plan.steps) == 1 else 1


def _unit_of_count(plan: Plan) -> str:
    """Names what is counted. With shuffled epochs, a step is an epoch."""
    if len(plan.steps) != 1:
        return "runs of the whole plan"
    return "epochs" if isinstance(getattr(plan.steps[0].what, "sampling", None), Shuffled) else "steps"


def _repeated(plan: Plan, count: int) -> Plan:
    """Returns the plan with its only step ``count`` times, or repeated as a whole if it has several."""
    whole = Plan(plan) if len(plan.steps) != 1 else Plan(plan.steps[0].what, neighbors=plan.neighbors, unit=plan.unit)
    return whole * count


def _counts(given: list[int]) -> Floats:
    """Returns counts from a hundredth of the smallest to ten times the largest given one, and the given ones."""
    start = max(1.0, round(min(given) / 100))
    end = min(_MOST_STEPS, max(100.0, max(given) * 10.0))
    return np.unique(np.concatenate([np.rint(by_ratio(start, end, _STEP_POINTS)), np.array(given, dtype=float)]))


def plot_epochs(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    delta: float = USUAL_DELTA,
    want: Optional[Want] = None,
    labels: Optional[Sequence[str]] = None,
    title: Optional[str] = None,
    xscale: Optional[str] = None,
    yscale: Optional[str] = None,
    **run: Any,
) -> Axes:
    """Plots epsilon at ``delta`` after each epoch of a training run, up to its end.

    want: "exact", "renyi" or both (default: both for one plan, for several the exact curve where there is one).

    >>> import renyi
    >>> ax = renyi.plot_epochs(dataset_size=60_000, batch_size=256, epochs=10, noise_multiplier=1.1, delta=1e-5)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('epochs', 'ε')
    """
    about, at = subjects(plans, labels, run), to_float("delta", delta)
    chosen = None if want is None else parts_of(want)
    page = Page(ax, title, (xscale, yscale), "linear", "linear")
    for one in about:
        share, last = _epochs_a_step(one.plan), _count(one.plan)
        parts = evenly(0, 1, _STEP_POINTS) ** 2  # closer at the beginning, where the curve is steep
        counts = np.unique(np.maximum(1.0, np.append(np.rint(parts * last)[:-1], last)))
        repeated = [_repeated(one.plan, int(count)) for count in counts]
        found = epsilon(repeated, delta=at, want=WANT if chosen is None else chosen)
        best_only = len(about) > 1 and chosen is None
        _cost_lines(page, one, counts * share, found, alone=len(about) == 1, best_only=best_only)
    if not page.logx:
        page.ax.set_xlim(left=0)
    if not page.logy:
        page.ax.set_ylim(bottom=0)
    return page.finish(f"ε after each epoch, at δ = {number(at)}", about, "epochs", "ε")


def _epochs_a_step(plan: Plan) -> float:
    """Returns the part of the records that a step uses on average."""
    what = plan.steps[0].what if len(plan.steps) == 1 else None
    if isinstance(what, SampledGaussian):
        return what.sampling_rate
    numbers = dict(what.sampling._numbers()) if isinstance(what, Sampled) else {}
    if isinstance(what, Sampled) and isinstance(what.sampling, Shuffled):
        return 1.0
    if "rate" in numbers:
        return numbers["rate"]
    if {"batch_size", "dataset_size"} <= set(numbers):
        return numbers["batch_size"] / numbers["dataset_size"]
    raise InvalidArgument(
        "plan", plan_words(plan), "one kind of step on samples of the records; plot_steps draws others"
    )


def plot_accountants(
    plan: Any = None,
    ax: Optional[Axes] = None,
    *,
    delta: float = USUAL_DELTA,
    title: Optional[str] = None,
    xscale: Optional[str] = None,
    **run: Any,
) -> Axes:
    """Plots the epsilon that each composition theorem proves at ``delta``, the smallest at the top.

    plan: a plan, or a report of ``renyi.compare``.

    >>> import renyi
    >>> ax = renyi.plot_accountants(sampling_rate=0.01, noise_multiplier=1.1, steps=1000, delta=1e-5)
    >>> [label.get_text() for label in ax.get_yticklabels()][:2]
    ['exact', 'prv']
    """
    one = one_subject(plan, run, (Comparison,))
    report = one.report or compare(one.plan, delta=delta)
    rows = sorted((row for row in report.theorems if _is_finite(row)), key=lambda row: cast(float, row.epsilon))
    if not rows:
        raise Unsupported("", "no theorem gives a finite epsilon at this delta", "a larger delta")
    costs = [cast(float, row.epsilon) for row in rows]
    page = Page(ax, title, (xscale, "linear"), "log" if costs[0] > 0 else "linear", "linear")
    _set_cost_range(page, costs[0], costs[-1])
    for place, (row, cost) in enumerate(zip(rows, costs)):
        color = PALETTE[0] if row.name == report.best else PALETTE[1]
        page.ax.plot([page.ax.get_xlim()[0], cost], [place, place], color=color, linewidth=1, alpha=0.5)
        page.dots(np.array([cost]), np.array([place]), color, row.name)
        page.annotate(bound(cost), cost, place)
    page.ax.set_yticks(range(len(rows)), [row.name for row in rows])
    page.ax.set_ylim(len(rows) - 0.5, -0.5)
    label = "\n".join(["ε (upper bounds, rounded up)", *_left_out(page, report)])
    heading = f"The ε that each theorem proves at δ = {number(report.delta)}"
    return page.finish(heading, [one], label, "", legend="")


def _is_finite(row: Theorem) -> bool:
    return row.epsilon is not None and math.isfinite(row.epsilon)


def _left_out(page: Page, report: Comparison) -> list[str]:
    """Names the theorems that are not drawn, and says why."""
    infinite = [row.name for row in report.theorems if row.epsilon is not None and math.isinf(row.epsilon)]
    estimates = [row.name for row in report.theorems if row.epsilon_estimate is not None]
    missing = [row.name for row in report.theorems if row.epsilon is None and row.epsilon_estimate is None]
    named = (("infinite", infinite), ("no bound", estimates), ("no answer", missing))
    return [page.wrapped(f"{why}: {', '.join(names)}") for why, names in named if names]


def _set_cost_range(page: Page, least: float, most: float) -> None:
    """Leaves space to the left of the smallest epsilon, where lines start, and to the right of the largest one for its
    number."""
    if page.logx:
        ratio = most / least
        page.ax.set_xlim(least / max(1.6, ratio**0.1), most * max(1.8, ratio**0.3))
    else:
        page.ax.set_xlim(0, 1.35 * max(most, 1e-300))


def plot_closed_form(
    plan: Any = None,
    ax: Optional[Axes] = None,
    *,
    title: Optional[str] = None,
    xscale: Optional[str] = None,
    yscale: Optional[str] = None,
    **run: Any,
) -> Axes:
    """Plots the Rényi curve of sampled Gaussians beside the closed form of Mironov, Talwar and Zhang (2019, Theorem
    11), as Figure 1 of that paper does.

    >>> import renyi
    >>> ax = renyi.plot_closed_form(sampling_rate=0.01, noise_multiplier=4.0, steps=100)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('order α', 'Rényi divergence')
    """
    one = one_subject(plan, run)
    page = Page(ax, title, (xscale, yscale), "log", "log")
    first = _closed_form(one.plan)
    end = min((_number(step["order"]) for step in first["conditions_end"]), default=math.inf)
    last = max(order for order in map(_number, first["orders"]) if math.isfinite(order))
    if 1 < end < math.inf:
        last = min(_MOST_ORDER, max(last, _BEYOND * end))
    asked = by_ratio(_LEAST_ORDER, last, _CLOSED_FORM_POINTS).tolist()
    found = _closed_form(one.plan, orders=asked)
    orders = np.array([_number(order) for order in found["orders"]])
    page.line(orders, np.array([_number(value) for value in found["rdp"]]), "exact curve (upper bound)")
    closed = np.array([np.nan if isinstance(each, dict) else _number(each) for each in found["closed_form"]])
    if not np.isnan(closed).all():
        page.line(orders, closed, "closed form 2q²α/σ² a step, where it holds")
    if 1 < end < math.inf:
        page.rule(end, f"its conditions end: α = {lower_bound(end)}")
    heading = "Closed form and exact Rényi curve"
    if math.isinf(end):
        heading += "; the conditions hold at every order"
    return page.finish(heading, [one], "order α", "Rényi divergence")


def _number(value: Any) -> float:
    """Reads a number of an answer, in which infinity is a text."""
    return float(value)


def _closed_form(plan: Plan, **asked: Any) -> dict[str, Any]:
    request = json.dumps({"op": "rdp", "compare": "closed-form", **asked})
    answer: dict[str, Any] = json.loads(_native.ask(plan._engine, request))
    return answer
