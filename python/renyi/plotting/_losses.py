"""The privacy loss: its tail probabilities, and its density with the part that delta covers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from .._numbers import Floats, to_float
from ..errors import InvalidArgument, Unsupported
from ..plan import Plan
from ..questions import epsilon
from ..reports import DirectionLoss, Loss, loss
from ._curves import USUAL_DELTA
from ._page import PALETTE, SMALLEST, Page, style
from ._points import between, evenly, refined
from ._subjects import Subject, one_subject, subjects
from ._words import bound, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TAIL_POINTS = 41
_BINS = 240
_SPREADS = 5  # standard deviations to both sides of the mean
_LARGE_DELTA = 1e-2


def plot_loss_tails(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    labels: Optional[Sequence[str]] = None,
    title: Optional[str] = None,
    xscale: Optional[str] = None,
    yscale: Optional[str] = None,
    **run: Any,
) -> Axes:
    """Plots the probability that the privacy loss is at least t against t, in both directions.

    plans: plans, or reports of ``renyi.loss``, whose points are drawn on their curves.

    >>> import renyi
    >>> ax = renyi.plot_loss_tails(renyi.Gaussian(2.0) * 4)
    >>> ax.get_ylabel()
    'Pr[privacy loss ≥ t]'
    """
    about = subjects(plans, labels, run, (Loss,))
    page = Page(ax, title, (xscale, yscale), "linear", "log")
    ranges = [_loss_range(one.plan) for one in about if one.report is None]
    for one in about:
        if one.report is None:
            start = np.linspace(min(low for low, _ in ranges), max(high for _, high in ranges), _TAIL_POINTS)
            _tail_lines(page, one, loss(one.plan, at_least=[0.0]), start, len(about) == 1)
        else:
            tails = [each.at_least for _, each in _directions(one.report)]
            _tail_lines(page, one, one.report, between(tails[0].loss, _TAIL_POINTS), len(about) == 1)
    page.probabilities()
    return page.finish("Tail of the privacy loss", about, "t", "Pr[privacy loss ≥ t]")


def _tail_lines(page: Page, one: Subject, report: Loss, at: Floats, alone: bool) -> None:
    known = _directions(report)

    def figures(losses: Floats) -> Floats:
        tails = [each.at_least for _, each in _directions(report._at(losses))]
        return np.array([end for each in tails for end in (each.lower, each.upper)])

    at, ends = refined(figures, at, SMALLEST if page.logy else None)
    if len(known) == 2 and np.array_equal(ends[:2], ends[2:]):
        known = [("both directions", known[0][1])]
    drawn = []
    for (name, each), lower, upper in zip(known, ends[::2], ends[1::2]):
        label = name if each.known else f"{name} (upper bound)"
        how = page.line(at, upper, label if alone else f"{one.label}, {label}", lower if each.known else None)
        drawn.append((each.at_least, how["color"]))
    if one.report is not None:
        for tails, color in drawn[::-1]:  # where both coincide, the first one is drawn last and remains visible
            page.dots(tails.loss, tails.upper, color)


def _directions(report: Loss) -> list[tuple[str, DirectionLoss]]:
    return [(name, one) for name, one in (("remove", report.remove), ("add", report.add)) if one is not None]


def _loss_range(plan: Plan) -> tuple[float, float]:
    """Returns the range of losses to plot: from where the probability is almost 1 to where a Rényi bound is small."""
    usual = loss(plan, at_least=[0.0], within=[1.0], orders=[1.0])
    lowest = 0.0
    for _, one in _directions(usual):
        if one.variance is not None:
            lowest = min(lowest, one.mean.lower - 4 * math.sqrt(max(0.0, one.variance.upper)))
    highest = epsilon(plan, delta=SMALLEST, want="renyi").renyi
    return lowest, highest if math.isfinite(highest) and highest > lowest else lowest + 10.0


def plot_loss(
    plan: Any = None,
    ax: Optional[Axes] = None,
    *,
    delta: float = USUAL_DELTA,
    direction: Optional[str] = None,
    title: Optional[str] = None,
    xscale: Optional[str] = None,
    yscale: Optional[str] = None,
    **run: Any,
) -> Axes:
    """Plots the density of the privacy loss L, its tail beyond the epsilon at ``delta``, and the part of the tail whose
    area is delta: the density times 1 - exp(epsilon - L).

    The density is a histogram of the exact distribution, so atoms of the distribution are bars as wide as a bin. A
    delta below 0.01 is visible on a logarithmic axis only, which is then the usual one. ``Unsupported`` is raised if
    the distribution is not known.

    direction: "remove" or "add" (default: the one with the larger epsilon).

    >>> import renyi
    >>> ax = renyi.plot_loss(renyi.Gaussian(2.0) * 4, delta=1e-5)
    >>> ax.get_xlabel()
    'privacy loss'
    """
    if direction not in (None, "remove", "add"):
        raise InvalidArgument("direction", repr(direction), 'one of "remove", "add"')
    one, at = one_subject(plan, run), to_float("delta", delta)
    answer = epsilon(one.plan, delta=at, want="exact").exact
    worst = answer.direction if direction is None else direction
    limit = getattr(answer, worst).upper
    if not math.isfinite(limit):
        raise Unsupported("delta", "epsilon is infinite at this delta", "a larger delta")
    page = Page(ax, title, (xscale, yscale), "linear", "log" if at < _LARGE_DELTA else "linear")
    edges, density = _histogram(one.plan, worst, limit)
    page.ax.stairs(density, edges, baseline=None, label=f"density of the loss ({worst})", linewidth=1.5, **style(0))
    _shade(page, edges, density, limit, at)
    highest = float(np.nanmax(density))
    if page.logy:
        spread = (edges[-1] - edges[0]) / (2 * _SPREADS)
        page.ax.set_ylim(min(1e-2 * max(at, 1e-300) / spread, 1e-3 * highest), 3 * highest)
    else:
        page.ax.set_ylim(0, 1.6 * highest)  # the legend is above the curve
    page.ax.set_xlim(edges[0], edges[-1])
    where = "lower center" if page.logy else "upper right"
    heading = f"Privacy loss, and the tail that δ = {number(at)} covers"
    return page.finish(heading, [one], "privacy loss", "density", where)


def _histogram(plan: Plan, direction: str, limit: float) -> tuple[Floats, Floats]:
    """Returns the edges of the bins, five standard deviations to both sides and the tail above ``limit``, and the
    probability of each bin per unit of the loss; NaN where the errors of the tails hide it."""
    known = _one_direction(loss(plan, direction=direction, at_least=[0.0], within=[1.0], orders=[1.0]))
    if not known.known or known.variance is None or not math.isfinite(known.variance.upper):
        raise Unsupported("plan", "the distribution of its privacy loss is not known", "plot_loss_tails draws bounds")
    mean, deviation = known.mean.upper, math.sqrt(max(0.0, known.variance.upper))
    spread = max(deviation, 1e-3 * max(1.0, abs(mean)))
    edges = evenly(mean - _SPREADS * spread, max(mean + _SPREADS * spread, limit + 1.5 * spread), _BINS + 1)
    tails = _one_direction(loss(plan, direction=direction, at_least=edges, within=[1.0], orders=[1.0])).at_least
    middle, error = (tails.lower + tails.upper) / 2, tails.upper - tails.lower
    mass, doubt = middle[:-1] - middle[1:], error[:-1] + error[1:]
    reliable = np.where(mass > 0, doubt <= 0.2 * mass, doubt < 1e-12)
    return edges, np.where(reliable, np.maximum(0.0, mass) / np.diff(edges), np.nan)


def _one_direction(report: Loss) -> DirectionLoss:
    return _directions(report)[0][1]


def _shade(page: Page, edges: Floats, density: Floats, limit: float, delta: float) -> None:
    """Shades the tail above ``limit``, and the part of it that delta covers."""
    first = int(np.searchsorted(edges, limit, side="right"))  # the bin that contains the limit ends here
    ends = np.concatenate([[limit], edges[first:]])
    tail, middle = density[first - 1 :], (ends[:-1] + ends[1:]) / 2
    page.ax.stairs(tail, ends, fill=True, color=PALETTE[5], alpha=0.45, label="loss above ε")
    label = f"area δ = {number(delta)}, ε ≤ {bound(limit)}"
    hatched: dict[str, Any] = {"hatch": "////", "edgecolor": "white", "linewidth": 0}  # visible in grey print too
    covered = tail * -np.expm1(limit - middle)
    page.ax.stairs(covered, ends, fill=True, color=PALETTE[1], label=label, **hatched)
    page.rule(limit, "_ε")
