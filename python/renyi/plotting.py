"""Plots of plans and reports (matplotlib): the exact interval as a line with its band, the Rényi bound beside it.

``plot_...`` asks about a plan, finely; ``draw_...`` draws what a report has. All draw on ``ax``, or on a new figure,
and return the axes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Optional, cast

import numpy as np

from . import _show
from ._numbers import Floats, Numbers, to_floats
from .plan import Plan, to_plan
from .questions import Planlike, epsilon, rdp
from .reports import Comparison, DirectionLoss, Loss, Profile, Tradeoff, loss, profile, tradeoff

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_EXACT, _RENYI, _OTHER, _QUIET = "tab:blue", "tab:orange", "tab:green", "0.6"
_SMALLEST = 1e-10  # of the probabilities that plots are about


def plot_profile(plan: Planlike, ax: Optional[Axes] = None, mark: Optional[tuple[float, float]] = None) -> Axes:
    """delta against epsilon: the exact one and the Rényi bound. ``mark`` is a point (epsilon, delta) to show."""
    one = to_plan(plan)
    usual = profile(one, want="renyi").at[-1]
    last = usual if mark is None or not math.isfinite(mark[0]) else max(usual, 1.1 * mark[0])
    ax = draw_profile(profile(one, epsilons=np.linspace(0, last, 61)), ax, marker="")
    if mark is not None:
        _mark(ax, mark)
    return ax


def plot_rdp(plan: Planlike, ax: Optional[Axes] = None, orders: Optional[Numbers] = None) -> Axes:
    """The Rényi divergence against the order (default: 1.1 to 256)."""
    one = to_plan(plan)
    at = np.geomspace(1.1, 256, 81) if orders is None else np.sort(to_floats("orders", orders).ravel())
    at = at[np.isfinite(at)]
    ax = _axes(ax)
    found = rdp(one, orders=at)
    ax.plot(at, _drawable(found), color=_RENYI, label="Rényi divergence (upper bound)")
    ax.set(xscale="log", yscale="log", xlabel="order", ylabel="epsilon of (order, epsilon)-Rényi DP")
    return _finished(ax, one)


def plot_tradeoff(plan: Planlike, ax: Optional[Axes] = None) -> Axes:
    """The least type II error of any test against its type I error."""
    one = to_plan(plan)
    errors = np.sin(np.linspace(0, math.pi / 2, 41)) ** 2  # from 0 to 1, denser at the ends, where it bends
    return draw_tradeoff(tradeoff(one, type_1_errors=errors), ax, marker="")


def plot_loss(plan: Planlike, ax: Optional[Axes] = None) -> Axes:
    """The probability that the privacy loss is at least t, against t, in both directions."""
    one = to_plan(plan)
    lowest, highest = _loss_range(one)
    return draw_loss(loss(one, at_least=np.linspace(lowest, highest, 81)), ax, marker="")


def draw_profile(report: Profile, ax: Optional[Axes] = None, marker: str = ".") -> Axes:
    """The points of a profile."""
    ax = _axes(ax)
    sideways = report.given == "delta"
    if report.exact is not None:
        ends = report.exact.lower, report.exact.upper
        _band(ax, report.at, *ends, color=_EXACT, label="exact", marker=marker, sideways=sideways)
    if report.renyi is not None:
        _line(ax, report.at, report.renyi, sideways, color=_RENYI, label="Rényi bound", marker=marker, linestyle="--")
    ax.set(yscale="log", xlabel="epsilon", ylabel="delta")
    _keep_positive(ax)
    return _finished(ax, report.plan)


def draw_tradeoff(report: Tradeoff, ax: Optional[Axes] = None, marker: str = ".") -> Axes:
    """The points of a trade-off curve, the line of a blind guess, and the advantage."""
    ax = _axes(ax)
    by_error = np.argsort(report.type_1_error)
    at, ends = report.type_1_error[by_error], report.type_2_error
    ax.plot([0, 1], [1, 0], color=_QUIET, linestyle=":", label="blind guess")
    _band(ax, at, ends.lower[by_error], ends.upper[by_error], color=_EXACT, label="best test", marker=marker)
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="type I error", ylabel="least type II error", aspect="equal")
    return _finished(ax, report.plan)


def draw_loss(report: Loss, ax: Optional[Axes] = None, marker: str = ".") -> Axes:
    """The tails of a loss report."""
    ax = _axes(ax)
    for name, one, color in _directions(report):
        by_loss = np.argsort(one.at_least.loss)
        at, lower, upper = (getattr(one.at_least, part)[by_loss] for part in ("loss", "lower", "upper"))
        label = name if one.known else f"{name} (upper bound)"
        _band(ax, at, lower if one.known else upper, upper, color=color, label=label, marker=marker)
    ax.set(yscale="log", xlabel="t", ylabel="Pr[privacy loss ≥ t]")
    _keep_positive(ax)
    return _finished(ax, report.plan)


def draw_comparison(report: Comparison, ax: Optional[Axes] = None) -> Axes:
    """The epsilons of a comparison, the best one in another colour."""
    ax = _axes(ax)
    rows = [row for row in report.theorems if row.epsilon is not None and 0 < row.epsilon < math.inf]
    for place, row in enumerate(rows):
        bound, color = cast(float, row.epsilon), _EXACT if row.name == report.best else _QUIET
        ax.plot([bound], [place], "o", color=color)
        ax.annotate(_show.up(bound), (bound, place), xytext=(8, 0), textcoords="offset points", va="center")
    ax.set_yticks(range(len(rows)), [row.name for row in rows])
    ax.set(xscale="log", xlabel=f"epsilon at delta {report.delta:g} (upper bound)")
    ax.invert_yaxis()
    ax.margins(x=0.25, y=0.1)
    ax.grid(True, alpha=0.3)
    return _titled(ax, report.plan)


def _axes(ax: Optional[Axes]) -> Axes:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("plots need matplotlib, which is not installed; the arrays of a report do not") from None
    return pyplot.subplots()[1]


def _line(ax: Axes, at: Floats, values: Floats, sideways: bool, **style: Any) -> None:
    shown = _drawable(values)
    ax.plot(*((shown, at) if sideways else (at, shown)), **style)


def _band(
    ax: Axes, at: Floats, lower: Floats, upper: Floats, *, color: str, sideways: bool = False, **style: Any
) -> None:
    """The upper end as a line, and what lies between the ends as a band."""
    fill = ax.fill_betweenx if sideways else ax.fill_between
    low, high = _drawable(lower, zero_too=True), _drawable(upper, zero_too=True)
    fill(at, low, high, where=np.isfinite(low) & np.isfinite(high), color=color, alpha=0.25, linewidth=0)
    _line(ax, at, upper, sideways, color=color, **style)


def _drawable(values: Floats, zero_too: bool = False) -> Floats:
    """Infinity has no place on an axis, and 0 none on one of logarithms."""
    return np.where(np.isfinite(values) & (zero_too | (values > 0)), values, np.nan)


def _keep_positive(ax: Axes) -> None:
    """From the smallest probability that plots are about, or a little above what there is, up to 1."""
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
    """The number itself where six digits say it, or rounded up."""
    return _show.plain(value) if float(_show.plain(value)) == value else _show.up(value)


def _finished(ax: Axes, plan: Plan) -> Axes:
    ax.grid(True, alpha=0.3)
    ax.legend()
    return _titled(ax, plan)


def _titled(ax: Axes, plan: Plan) -> Axes:
    text = ", ".join(f"{count} × {what!r}" for what, count in plan.steps)
    ax.set_title(text if len(text) <= 80 else text[:79] + "…", fontsize="small")
    return ax


def _directions(report: Loss) -> list[tuple[str, DirectionLoss, str]]:
    """Each direction, or one line for both where they are the same."""
    if report.remove is not None and report.add is not None:
        ends = [(one.at_least.lower, one.at_least.upper) for one in (report.remove, report.add)]
        if np.array_equal(ends[0], ends[1]):
            return [("both directions", report.remove, _EXACT)]
    named = ("remove", report.remove, _EXACT), ("add", report.add, _OTHER)
    return [(name, one, color) for name, one, color in named if one is not None]


def _loss_range(plan: Plan) -> tuple[float, float]:
    """From where the probability is nearly 1 to where a Rényi bound says it is small."""
    usual = loss(plan, at_least=[0.0], within=[1.0], orders=[1.0])
    lowest = 0.0
    for one in (usual.remove, usual.add):
        if one is not None and one.variance is not None:
            lowest = min(lowest, one.mean.lower - 4 * math.sqrt(max(0.0, one.variance.upper)))
    highest = epsilon(plan, delta=_SMALLEST, want="renyi").renyi
    return lowest, highest if math.isfinite(highest) and highest > lowest else lowest + 10.0
