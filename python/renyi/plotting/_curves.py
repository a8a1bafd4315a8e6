"""The curves of a plan: privacy profile, Rényi curve, trade-off function."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence

import numpy as np

from .._ask import WANT, parts_of
from .._numbers import Floats, Numbers, to_float, to_floats
from ..plan import Plan
from ..questions import Want, epsilon, rdp
from ..reports import Profile, Tradeoff, profile, tradeoff
from ._page import SMALLEST, Page
from ._points import between, by_ratio, evenly, joined, refined
from ._subjects import Subject, subjects
from ._words import bound, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

USUAL_DELTA = 1e-5
EXACT, RENYI = "exact", "Rényi bound"
_PROFILE_POINTS, _ORDERS, _TRADEOFF_POINTS = 200, 200, 100
_LEAST_ORDER, _LAST_ORDER = 1.01, 64.0  # the last order is used if no order is best
_MOST_TOGETHER = 256.0  # the best orders of several plans may be far apart
_VISIBLE = 0.01  # trade-off curves that differ by less look the same


def plot_profile(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    mark: Optional[tuple[float, float]] = None,
    want: Optional[Want] = None,
    labels: Optional[Sequence[str]] = None,
    title: Optional[str] = None,
    xscale: Optional[str] = None,
    yscale: Optional[str] = None,
    **run: Any,
) -> Axes:
    """Plots delta against epsilon, up to the epsilon at which delta is 1e-12.

    plans: plans, or reports of ``renyi.profile``, whose points are drawn on their curves.
    mark: a point (epsilon, delta) to show; ``renyi.epsilon(...).plot()`` shows the answer in this way.
    want: "exact", "renyi" or both (default: both for one plan, for several the exact curve where there is one).

    >>> import renyi
    >>> ax = renyi.plot_profile(renyi.Gaussian(2.0) * 10)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('ε', 'δ')
    """
    about = subjects(plans, labels, run, (Profile,))
    chosen = None if want is None else parts_of(want)
    page = Page(ax, title, (xscale, yscale), "linear", "log")
    bare = [one.plan for one in about if one.report is None]
    last = max([_last_epsilon(plan) for plan in bare] + [1.1 * mark[0] if mark and math.isfinite(mark[0]) else 0.0])
    for one in about:
        report, at = one.report, evenly(0, last, _PROFILE_POINTS)
        if report is None:
            report = profile(one.plan, epsilons=[0.0], want=WANT if chosen is None else chosen)
        else:
            at = between(_epsilons(report), _PROFILE_POINTS)
        _profile_lines(page, one, report, at, alone=len(about) == 1, best_only=len(about) > 1 and chosen is None)
    page.probabilities()
    if mark is not None and all(math.isfinite(part) for part in mark) and mark[1] > 0:
        label = f"ε = {bound(mark[0])}, δ = {bound(mark[1])}"
        page.dots(np.array(mark[:1]), np.array(mark[1:]), "black", label)
        if page.logy:
            page.ax.set_ylim(bottom=min(page.ax.get_ylim()[0], mark[1] / 10))
    return page.finish("Privacy profile: δ at every ε", about, "ε", "δ")


def _last_epsilon(plan: Plan) -> float:
    """Returns the right end of the axis: where delta is 1e-12, or as small as it becomes."""
    for best in profile(plan, deltas=[SMALLEST, 1e-9, 1e-6, 1e-3, 0.1, 0.5]).upper:
        if 0 < best < math.inf:
            return float(best)
    return 1.0


def _epsilons(report: Profile) -> Floats:
    """Returns the epsilons of a report: the given ones, or all bounds at the given deltas."""
    if report.given == "epsilon":
        return report.at
    known = [report.renyi, None if report.exact is None else report.exact.upper]
    return np.concatenate([values for values in known if values is not None] or [np.zeros(0)])


def part_label(label: str, name: str, best_only: bool) -> str:
    """Returns the label of one line among those of several plans."""
    return label if best_only and name == EXACT else f"{label}, {name}"


def _profile_lines(page: Page, one: Subject, report: Profile, at: Floats, *, alone: bool, best_only: bool) -> None:
    """Draws the parts that a report has at these epsilons and between them, or only the best of them."""

    def figures(epsilons: Floats) -> Floats:
        found, missing = report._at(epsilons), np.full(len(epsilons), np.nan)
        exact = (missing, missing) if found.exact is None else (found.exact.lower, found.exact.upper)
        return np.array([*exact, missing if found.renyi is None else found.renyi])

    at, (lower, upper, renyi) = refined(figures, at, SMALLEST if page.logy else None)
    given = {EXACT: None if report.exact is None else report.exact.upper, RENYI: report.renyi}
    for name, values, low in ((EXACT, upper, lower), (RENYI, renyi, None)):
        if np.all(np.isnan(values)):
            continue
        label = name if alone else part_label(one.label, name, best_only)
        how = page.line(at, values, label, low)
        points = given[name]
        if one.report is not None and points is not None:
            x, y = (report.at, points) if report.given == "epsilon" else (points, report.at)
            page.dots(x, y, how["color"])
        if best_only:
            return


def plot_rdp(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    orders: Optional[Numbers] = None,
    delta: Optional[float] = USUAL_DELTA,
    labels: Optional[Sequence[str]] = None,
    title: Optional[str] = None,
    xscale: Optional[str] = None,
    yscale: Optional[str] = None,
    **run: Any,
) -> Axes:
    """Plots the Rényi divergence against the order, up to four times the order that is best for ``delta``.

    orders: draws the divergences at these orders instead.
    delta: the delta whose best order is marked, with the epsilon that follows; None for no mark.

    >>> import renyi
    >>> ax = renyi.plot_rdp([renyi.Gaussian(2.0), renyi.Laplace(2.0)], labels=["Gaussian", "Laplace"])
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('order α', 'Rényi divergence')
    """
    about = subjects(plans, labels, run)
    page = Page(ax, title, (xscale, yscale), "log", "log")
    best = None if delta is None else [_best_order(one.plan, to_float("delta", delta)) for one in about]
    for place, one in enumerate(about):
        at, found = _rdp_points(one.plan, best, orders)
        how = page.line(at, found, one.label if len(about) > 1 else "Rényi divergence, upper bound")
        if best is not None and 1 <= best[place].order <= at[-1]:
            this = best[place]
            label = f"best for δ = {number(this.delta)}: α = {number(this.order)}, ε ≤ {bound(this.epsilon)}"
            value = np.array([rdp(one.plan, orders=this.order)])
            page.dots(np.array([this.order]), value, how["color"], label if len(about) == 1 else "_points")
    if best is not None and len(about) > 1:
        page.dots(np.array([np.nan]), np.array([np.nan]), "0.3", f"best order for δ = {number(best[0].delta)}")
    return page.finish("Rényi divergence at every order", about, "order α", "Rényi divergence")


class _Best(NamedTuple):
    order: float
    epsilon: float
    delta: float


def _best_order(plan: Plan, delta: float) -> _Best:
    found = epsilon(plan, delta=delta, want="renyi")
    return _Best(found.order, found.renyi, delta)


def _rdp_points(plan: Plan, best: Optional[list[_Best]], orders: Optional[Numbers]) -> tuple[Floats, Floats]:
    """Returns orders and divergences: the given orders, sorted, or those up to four times the largest best order."""
    if orders is not None:
        given = np.sort(to_floats("orders", orders).ravel())
        given = given[np.isfinite(given)]
        return given, rdp(plan, orders=given)
    known = [4 * one.order for one in best or [] if _LEAST_ORDER < one.order < math.inf]
    last = max(known, default=_LAST_ORDER)
    start = by_ratio(_LEAST_ORDER, last if len(known) < 2 else min(last, _MOST_TOGETHER), _ORDERS)
    logs, (found,) = refined(lambda logs: rdp(plan, orders=np.exp(logs))[np.newaxis], np.log(start), 1e-300)
    return np.exp(logs), found


def plot_tradeoff(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    labels: Optional[Sequence[str]] = None,
    title: Optional[str] = None,
    xscale: Optional[str] = None,
    yscale: Optional[str] = None,
    **run: Any,
) -> Axes:
    """Plots the trade-off function: the smallest type II error of any test against its type I error.

    plans: plans, or reports of ``renyi.tradeoff``, whose points are drawn on their curves. The two directions of a
      single plan are drawn separately if they differ visibly; several plans have the better test's curve each.

    >>> import renyi
    >>> ax = renyi.plot_tradeoff(renyi.Gaussian(2.0))
    >>> ax.get_xlabel()
    'type I error'
    """
    about = subjects(plans, labels, run, (Tradeoff,))
    page = Page(ax, title, (xscale, yscale), "linear", "linear")
    x = np.array([0.0, 1.0]) if not (page.logx or page.logy) else np.linspace(1e-4, 1 - 1e-4, 500)
    page.reference(x, 1 - x, "blind guess")
    reports = [tradeoff(one.plan, type_1_errors=[0.5]) if one.report is None else one.report for one in about]
    for one, report in zip(about, reports):
        _tradeoff_lines(page, one, report, len(about) == 1)
    if not page.logx and not page.logy:
        page.ax.set(xlim=(0, 1), ylim=(0, 1))
    advantage = f"; advantage ≤ {bound(reports[0].advantage.upper)}" if len(about) == 1 else ""
    heading = f"Best test for a record{advantage}"
    return page.finish(heading, about, "type I error", "least type II error")


def _tradeoff_lines(page: Page, one: Subject, report: Tradeoff, alone: bool) -> None:
    start = (1 - np.cos(evenly(0, math.pi, _TRADEOFF_POINTS))) / 2  # denser near 0 and 1, where curves bend
    at = start if one.report is None else joined(start, report.type_1_error)

    def figures(errors: Floats) -> Floats:
        found = report._at(errors)
        columns = (found.type_2_error, found.remove.type_2_error, found.add.type_2_error)
        return np.array([end for column in columns for end in (column.lower, column.upper)])

    at, ends = refined(figures, at, None)
    if alone and np.abs(ends[2:4] - ends[4:]).max() >= _VISIBLE:
        page.line(at, ends[3], "record removed", ends[2])
        page.line(at, ends[5], "record added", ends[4])
    else:
        page.line(at, ends[1], "best test" if alone else one.label, ends[0])
    if one.report is not None:
        page.dots(report.type_1_error, report.type_2_error.upper, "black")
