"""Plots of plans and reports (needs matplotlib). The exact interval is a line with a band, next to the Rényi bound.

``plot_...`` plots a curve of a plan; ``draw_...`` plots a report: its points, and the curve on which they lie. Curves
are drawn as straight lines between enough points to pass within 0.5 % of the curve. All functions draw on ``ax``, or on
a new figure, and return the axes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable, Optional, cast

import numpy as np

from . import _format
from ._numbers import Floats, Numbers, to_floats
from .plan import Plan, to_plan
from .questions import Planlike, epsilon, rdp
from .reports import Comparison, DirectionLoss, Loss, Profile, Tradeoff, loss, profile, tradeoff

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_EXACT, _RENYI, _OTHER, _QUIET = "tab:blue", "tab:orange", "tab:green", "0.6"
_SMALLEST = 1e-10  # the smallest probability that plots show
_POINTS = 41  # the number of points with which a curve starts
_MOST_POINTS = 1000  # the largest number of points that the engine evaluates at once
_ROUNDS = 6  # how often points are inserted between others; no two are then nearer than 1/2560 of an axis
_NEAR = 0.0025  # points are inserted where a line misses the curve by more than this, relative to its value
_ERRORS = np.sin(np.linspace(0, math.pi / 2, _POINTS)) ** 2  # from 0 to 1, denser near 0 and 1, where curves bend
_LOG_ORDERS = np.linspace(math.log(1.1), math.log(256), _POINTS)


def plot_profile(plan: Planlike, ax: Optional[Axes] = None, mark: Optional[tuple[float, float]] = None) -> Axes:
    """Plots delta against epsilon: the exact interval and the Rényi bound. ``mark`` is a point (epsilon, delta) to
    show."""
    one = to_plan(plan)
    usual = profile(one, want="renyi").at[-1]
    last = usual if mark is None or not math.isfinite(mark[0]) else max(usual, 1.1 * mark[0])
    ax = _profile_curve(profile(one, epsilons=[0.0]), np.linspace(0, last, _POINTS), _axes(ax))
    if mark is not None:
        _mark(ax, mark)
    return ax


def plot_rdp(plan: Planlike, ax: Optional[Axes] = None, orders: Optional[Numbers] = None) -> Axes:
    """Plots the Rényi divergence against the order: a curve from order 1.1 to 256, or the points at ``orders``."""
    one = to_plan(plan)
    ax = _axes(ax)
    if orders is None:
        logs, (found,) = _refined(lambda logs: rdp(one, orders=np.exp(logs))[np.newaxis], _LOG_ORDERS, 1e-300)
        at = np.exp(logs)
    else:
        at = np.sort(to_floats("orders", orders).ravel())
        at = at[np.isfinite(at)]
        found = rdp(one, orders=at)
    ax.plot(at, _drawable(found), color=_RENYI, label="Rényi divergence (upper bound)")
    ax.set(xscale="log", yscale="log", xlabel="order", ylabel="epsilon of (order, epsilon)-Rényi DP")
    return _finished(ax, one)


def plot_tradeoff(plan: Planlike, ax: Optional[Axes] = None) -> Axes:
    """Plots the trade-off function: the smallest type II error of any test against its type I error."""
    return _tradeoff_curve(tradeoff(to_plan(plan), type_1_errors=[0.5]), _ERRORS, _axes(ax))


def plot_loss(plan: Planlike, ax: Optional[Axes] = None) -> Axes:
    """Plots the probability that the privacy loss is at least t against t, in both directions."""
    one = to_plan(plan)
    return _loss_curve(loss(one, at_least=[0.0]), np.linspace(*_loss_range(one), _POINTS), _axes(ax))


def draw_profile(report: Profile, ax: Optional[Axes] = None) -> Axes:
    """Plots the privacy profile between the smallest and the largest epsilon of a report, and the report's points."""
    sideways = report.given == "delta"
    exact = None if report.exact is None else report.exact.upper
    known = [(values, color) for values, color in ((exact, _EXACT), (report.renyi, _RENYI)) if values is not None]
    epsilons = np.concatenate([values for values, _ in known]) if sideways and known else report.at
    ax = _profile_curve(report, _between(epsilons), _axes(ax))
    for values, color in known:
        x, y = (values, report.at) if sideways else (report.at, values)
        _dots(ax, x, y, color)
    _keep_positive(ax)
    return ax


def draw_tradeoff(report: Tradeoff, ax: Optional[Axes] = None) -> Axes:
    """Plots the whole trade-off curve, the points of a report on it, and the line of a test that guesses blindly."""
    ax = _tradeoff_curve(report, _joined(_ERRORS, report.type_1_error), _axes(ax))
    _dots(ax, report.type_1_error, report.type_2_error.upper, _EXACT)
    return ax


def draw_loss(report: Loss, ax: Optional[Axes] = None) -> Axes:
    """Plots the tail probabilities between the smallest and the largest loss of a report, and the report's points."""
    known = [(one.at_least, color) for _, one, color in _directions(report)]
    ax = _loss_curve(report, _between(known[0][0].loss), _axes(ax))
    for tails, color in known[::-1]:  # where both coincide, the first one is drawn last and remains visible
        _dots(ax, tails.loss, tails.upper, color)
    _keep_positive(ax)
    return ax


def draw_comparison(report: Comparison, ax: Optional[Axes] = None) -> Axes:
    """Plots the epsilons of a comparison as points, with the best one in another colour."""
    ax = _axes(ax)
    rows = [row for row in report.theorems if row.epsilon is not None and 0 < row.epsilon < math.inf]
    for place, row in enumerate(rows):
        bound, color = cast(float, row.epsilon), _EXACT if row.name == report.best else _QUIET
        ax.plot([bound], [place], "o", color=color)
        ax.annotate(_format.up(bound), (bound, place), xytext=(8, 0), textcoords="offset points", va="center")
    ax.set_yticks(range(len(rows)), [row.name for row in rows])
    ax.set(xscale="log", xlabel=f"epsilon at delta {report.delta:g} (upper bound)")
    ax.invert_yaxis()
    ax.margins(x=0.25, y=0.1)
    ax.grid(True, alpha=0.3)
    return _titled(ax, report.plan)


def _profile_curve(report: Profile, at: Floats, ax: Axes) -> Axes:
    """Plots the parts that a report has, at these epsilons and at as many others between them as are needed."""

    def figures(epsilons: Floats) -> Floats:
        found, missing = report._at(epsilons), np.full(len(epsilons), np.nan)
        exact = (missing, missing) if found.exact is None else (found.exact.lower, found.exact.upper)
        return np.array([*exact, missing if found.renyi is None else found.renyi])

    at, (lower, upper, bound) = _refined(figures, at, _SMALLEST)
    if not np.all(np.isnan(upper)):
        _band(ax, at, lower, upper, color=_EXACT, label="exact")
    if not np.all(np.isnan(bound)):
        ax.plot(at, _drawable(bound), color=_RENYI, label="Rényi bound", linestyle="--")
    ax.set(yscale="log", xlabel="epsilon", ylabel="delta")
    _keep_positive(ax)
    return _finished(ax, report.plan)


def _tradeoff_curve(report: Tradeoff, at: Floats, ax: Axes) -> Axes:
    def figures(errors: Floats) -> Floats:
        found = report._at(errors).type_2_error
        return np.array([found.lower, found.upper])

    at, ends = _refined(figures, at, None)
    ax.plot([0, 1], [1, 0], color=_QUIET, linestyle=":", label="blind guess")
    _band(ax, at, *ends, color=_EXACT, label="best test")
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="type I error", ylabel="least type II error", aspect="equal")
    return _finished(ax, report.plan)


def _loss_curve(report: Loss, at: Floats, ax: Axes) -> Axes:
    known = _directions(report)

    def figures(losses: Floats) -> Floats:
        found = report._at(losses)
        tails = [one.at_least for one in (found.remove, found.add) if one is not None]
        return np.array([end for each in tails for end in (each.lower, each.upper)])

    at, ends = _refined(figures, at, _SMALLEST)
    if len(known) == 2 and np.array_equal(ends[:2], ends[2:]):
        known = [("both directions", known[0][1], _EXACT)]
    for (name, one, color), lower, upper in zip(known, ends[::2], ends[1::2]):
        label = name if one.known else f"{name} (upper bound)"
        _band(ax, at, lower if one.known else upper, upper, color=color, label=label)
    ax.set(yscale="log", xlabel="t", ylabel="Pr[privacy loss ≥ t]")
    _keep_positive(ax)
    return _finished(ax, report.plan)


def _refined(ask: Callable[[Floats], Floats], at: Floats, least: Optional[float]) -> tuple[Floats, Floats]:
    """Returns points and the values of ``ask`` at them, one row per curve.

    The points are those given, and others halfway between them until straight lines are close to every curve: on a
    logarithmic axis that starts at ``least``, or on a linear axis from 0 to 1 if ``least`` is None.
    """

    def drawn(values: Floats) -> Floats:
        return values if least is None else np.log(np.maximum(values, least))

    def is_off(values: Floats, chord: Floats) -> Any:
        height = np.maximum(values, 0.1) if least is None else 1.0
        with np.errstate(invalid="ignore"):  # infinite and missing values are not drawn
            return np.any(np.abs(drawn(values) - chord) > _NEAR * height, axis=0)

    figures = ask(at)
    seen = np.any(figures > (-1.0 if least is None else least), axis=0)
    open_ = seen[:-1] | seen[1:]
    for _ in range(_ROUNDS):
        where = np.flatnonzero(open_)
        if not 0 < len(where) <= _MOST_POINTS:
            break
        between = (at[where] + at[where + 1]) / 2
        found = ask(between)
        with np.errstate(invalid="ignore"):
            chord = (drawn(figures[:, where]) + drawn(figures[:, where + 1])) / 2
        halves = np.where(open_, 2, 1)
        open_[where] = is_off(found, chord)
        open_ = np.repeat(open_, halves)
        at = np.insert(at, where + 1, between)
        figures = np.insert(figures, where + 1, found, axis=1)
    return at, figures


def _between(points: Floats) -> Floats:
    """Returns the points with which a curve starts: equally spaced ones from the smallest to the largest finite given
    point (0 to 1 if none is finite), and the given points."""
    finite = points[np.isfinite(points)]
    ends = finite if finite.size else np.array([0.0, 1.0])
    return _joined(np.linspace(ends.min(), ends.max(), _POINTS), finite)


def _joined(curve: Floats, points: Floats) -> Floats:
    """Merges the points of a curve with those of a report, in order and without duplicates. If they are too many, the
    points of the report alone form the curve."""
    apart = np.array([np.all(np.abs(points - one) > 1e-9 * np.ptp(curve)) for one in curve])
    both = np.union1d(curve[apart], points)
    return both if both.size <= _MOST_POINTS else np.unique(points)


def _dots(ax: Axes, x: Floats, y: Floats, color: str) -> None:
    """Draws the points of a report, except infinite values and, on a logarithmic axis, zeros."""
    ax.plot(_drawable(x, zero_too=True), _drawable(y), ".", color=color, label="_points")


def _axes(ax: Optional[Axes]) -> Axes:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("plots need matplotlib, which is not installed; the arrays of a report do not") from None
    return pyplot.subplots()[1]


def _band(ax: Axes, at: Floats, lower: Floats, upper: Floats, *, color: str, label: str) -> None:
    """Draws the upper bound as a line, and the interval as a band."""
    low, high = _drawable(lower, zero_too=True), _drawable(upper, zero_too=True)
    ax.fill_between(at, low, high, where=np.isfinite(low) & np.isfinite(high), color=color, alpha=0.25, linewidth=0)
    ax.plot(at, _drawable(upper), color=color, label=label)


def _drawable(values: Floats, zero_too: bool = False) -> Floats:
    """Replaces by NaN what cannot be drawn: infinity and, unless ``zero_too``, 0."""
    return np.where(np.isfinite(values) & (zero_too | (values > 0)), values, np.nan)


def _keep_positive(ax: Axes) -> None:
    """Sets the limits of a logarithmic axis of probabilities: from ``_SMALLEST``, or half the smallest drawn value if
    that is larger, to a little above 1."""
    drawn = np.concatenate([np.asarray(line.get_ydata(), dtype=float) for line in ax.get_lines()] or [np.array([1.0])])
    drawn = drawn[drawn > 0]
    least = max(_SMALLEST, float(drawn.min()) / 2) if drawn.size else _SMALLEST
    ax.set_ylim(min(least, 0.1), 1.5)


def _mark(ax: Axes, point: tuple[float, float]) -> None:
    if all(math.isfinite(part) for part in point) and point[1] > 0:
        label = f"epsilon {_read_back(point[0])}, delta {_read_back(point[1])}"
        ax.plot(*point, "o", color="black", label=label)
        ax.set_ylim(bottom=min(ax.get_ylim()[0], point[1] / 10))
        ax.legend()


def _read_back(value: float) -> str:
    """Formats a number with six digits: exactly if these suffice, else rounded up."""
    return _format.plain(value) if float(_format.plain(value)) == value else _format.up(value)


def _finished(ax: Axes, plan: Plan) -> Axes:
    ax.grid(True, alpha=0.3)
    ax.legend()
    return _titled(ax, plan)


def _titled(ax: Axes, plan: Plan) -> Axes:
    text = ", ".join(f"{count} × {what!r}" for what, count in plan.steps)
    ax.set_title(text if len(text) <= 80 else text[:79] + "…", fontsize="small")
    return ax


def _directions(report: Loss) -> list[tuple[str, DirectionLoss, str]]:
    """Returns the directions of a report, with their colours."""
    named = ("remove", report.remove, _EXACT), ("add", report.add, _OTHER)
    return [(name, one, color) for name, one, color in named if one is not None]


def _loss_range(plan: Plan) -> tuple[float, float]:
    """Returns the range of losses to plot: from where the probability is almost 1 to where a Rényi bound is small."""
    usual = loss(plan, at_least=[0.0], within=[1.0], orders=[1.0])
    lowest = 0.0
    for one in (usual.remove, usual.add):
        if one is not None and one.variance is not None:
            lowest = min(lowest, one.mean.lower - 4 * math.sqrt(max(0.0, one.variance.upper)))
    highest = epsilon(plan, delta=_SMALLEST, want="renyi").renyi
    return lowest, highest if math.isfinite(highest) and highest > lowest else lowest + 10.0
