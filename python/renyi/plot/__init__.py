"""Figures of plans, reports and runs (needs matplotlib): the pictures of ``renyi plot``, with the same numbers.

Every function draws on ``ax``, or on a new figure, and returns the axes. The engine computes the figure
(docs/format/figure.md); matplotlib draws what it says: a curve that is an upper bound is nowhere drawn below the true
bound, between its points either. What the functions have in common:

plans: a plan, a mechanism, or a list of up to eight, each of which becomes a line with a label; in place of it, the
  numbers of a run as keywords, as in ``renyi.epsilon``. A number may be an array: ``noise_multiplier=[0.8, 1.1, 2]``
  draws three lines.
labels: the labels of the lines in the legend (default: the plans in words, or the numbers that differ).
range: both ends of the x axis.
xscale, yscale: "linear" or "log". Points are placed for the scale that is drawn: give it here, not to the axes later.
title: the title, whole and in as many lines as it needs; "" for none (default: what is drawn, of which plan).
quality: "fine" (default: within 0.5 % of the height of the axis) or "coarse" (3 %, sooner).
orders, conversion, tolerance, memory: as in ``renyi.epsilon``, where the figure contains such a number.
timeout: the time that the figure may take, in seconds.

All other keywords are properties of the lines, such as ``linewidth``, ``alpha`` and ``color``. Sizes of figures, their
resolution and their fonts are matplotlib's; ``style`` has those of papers.

>>> import renyi
>>> ax = renyi.plot.profile(sampling_rate=0.01, noise_multiplier=[1.1, 2], steps=10_000, range=(0, 3), linewidth=1)
>>> [line.get_label() for line in ax.get_lines()]
['σ = 1.1', 'σ = 2']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .. import _deprecation
from .._numbers import Number, Numbers
from ..questions import Want
from ..requests import ask
from ._draw import draw
from ._heat_map import heat_map
from ._look import new_axes, style
from ._request import asked

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LONG = 1e6  # seconds: the usual limit of small requests is none of figures

__all__ = [
    "accountants",
    "closed_form",
    "composition",
    "draw",
    "epochs",
    "epsilon",
    "filter",
    "heat_map",
    "loss",
    "loss_tails",
    "outcomes",
    "profile",
    "rdp",
    "roc",
    "steps",
    "style",
    "tradeoff",
]


def _drawn(kind: str, plans: Any, ax: Optional[Axes], options: dict[str, Any], **own: Any) -> Axes:
    if "mark" in options and kind == "profile":
        _deprecation.warn("renyi.plot_profile(mark=)", stacklevel=3)
        own["delta"] = options.pop("mark")[1]
    found = asked(kind, plans, {**own, **options})
    page = new_axes() if ax is None else ax  # without matplotlib, nothing is computed
    figure = ask(found.request, timeout=_LONG if found.timeout is None else found.timeout)["figure"]
    figure["series"] += found.points
    return draw(figure, page, title=found.title, **found.line)


def profile(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    delta: Optional[Number] = None,
    epsilon: Optional[Number] = None,
    want: Optional[Want] = None,
    **options: Any,
) -> Axes:
    """Plots delta against epsilon, up to the epsilon at which delta is 1e-12.

    plans: also reports of ``renyi.profile``, whose points are drawn on their curves.
    delta, epsilon: marks the point of the curve that has this delta or this epsilon.
    want: "exact", "renyi" or both (default: both for one plan, for several the exact curve where there is one).

    >>> import renyi
    >>> ax = renyi.plot.profile(renyi.Gaussian(2.0) * 10, delta=1e-5)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('ε', 'δ')
    """
    return _drawn("profile", plans, ax, options, delta=delta, epsilon=epsilon, want=want)


def epsilon(plans: Any = None, ax: Optional[Axes] = None, *, want: Optional[Want] = None, **options: Any) -> Axes:
    """Plots epsilon against delta: the privacy profile, read the other way.

    want: as for ``profile``.

    >>> import renyi
    >>> ax = renyi.plot.epsilon(renyi.Gaussian(2.0) * 10, range=(1e-8, 1e-2))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('δ', 'ε')
    """
    return _drawn("epsilon", plans, ax, options, want=want)


def rdp(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    orders: Optional[Numbers] = None,
    delta: Optional[Number] = None,
    method: Optional[str] = None,
    **options: Any,
) -> Axes:
    """Plots the Rényi divergence against the order.

    orders: shows the divergences at these orders as points; ``range=(1, 32)`` gives the ends of the axis.
    delta: the delta whose best order is marked, with the epsilon that follows (default: 1e-5).
    method: as in ``renyi.rdp``.

    >>> import renyi
    >>> ax = renyi.plot.rdp([renyi.Gaussian(2.0), renyi.Laplace(2.0)], labels=["Gaussian", "Laplace"], range=(1, 32))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('order α', 'Rényi divergence')
    """
    return _drawn("rdp", plans, ax, options, orders=orders, delta=delta, method=method)


def closed_form(plans: Any = None, ax: Optional[Axes] = None, **options: Any) -> Axes:
    """Plots the Rényi curve of sampled Gaussians beside the closed form of Mironov, Talwar and Zhang (2019, Theorem
    11), as Figure 1 of that paper does.

    >>> import renyi
    >>> ax = renyi.plot.closed_form(sampling_rate=[0.001, 0.01], noise_multiplier=4.0)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('order α', 'Rényi divergence')
    """
    return _drawn("closed-form", plans, ax, options)


def steps(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    delta: Optional[Number] = None,
    want: Optional[Want] = None,
    **options: Any,
) -> Axes:
    """Plots epsilon at ``delta`` against the number of steps, from a hundredth to ten times the given number. A plan of
    several kinds of step is repeated as a whole.

    delta: 1e-5 unless given.
    want: as for ``profile``.

    >>> import renyi
    >>> ax = renyi.plot.steps(sampling_rate=0.01, noise_multiplier=[0.8, 1.1], steps=1000, delta=1e-6)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['σ\xa0=\xa00.8', 'σ\xa0=\xa01.1']
    """
    return _drawn("steps", plans, ax, options, delta=delta, want=want)


def epochs(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    delta: Optional[Number] = None,
    want: Optional[Want] = None,
    **options: Any,
) -> Axes:
    """Plots epsilon at ``delta`` after each epoch of a training run, up to its end.

    delta: 1e-5 unless given.
    want: as for ``profile``.

    >>> import renyi
    >>> ax = renyi.plot.epochs(dataset_size=60_000, batch_size=256, epochs=10, noise_multiplier=1.1)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('epochs', 'ε')
    """
    return _drawn("epochs", plans, ax, options, delta=delta, want=want)


def composition(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    delta: Optional[Number] = None,
    **options: Any,
) -> Axes:
    """Plots epsilon at ``delta`` against the number of steps, by every composition theorem.

    >>> import renyi
    >>> ax = renyi.plot.composition(renyi.Laplace(20.0) * 100)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('steps', 'ε')
    """
    return _drawn("composition", plans, ax, options, delta=delta)


def accountants(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    delta: Optional[Number] = None,
    **options: Any,
) -> Axes:
    """Plots the epsilon that each composition theorem proves at ``delta``, the smallest at the top.

    plans: one plan, or a report of ``renyi.compare``.
    delta: 1e-5 unless given.

    >>> import renyi
    >>> ax = renyi.plot.accountants(sampling_rate=0.01, noise_multiplier=1.1, steps=1000)
    >>> [label.get_text() for label in ax.get_yticklabels()][-1]
    'exact'
    """
    return _drawn("accountants", plans, ax, options, delta=delta)


def filter(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    delta: Optional[Number] = None,
    epsilon: Optional[Number] = None,
    **options: Any,
) -> Axes:
    """Plots the epsilon that each kind of filter needs for steps that are chosen on the way, against their number.

    delta: 1e-5 unless given.
    epsilon: the target, which is drawn too.

    >>> import renyi
    >>> ax = renyi.plot.filter(renyi.Gaussian(20.0) * 100)
    >>> ax.get_xlabel()
    'steps'
    """
    return _drawn("filter", plans, ax, options, delta=delta, epsilon=epsilon)


def tradeoff(plans: Any = None, ax: Optional[Axes] = None, **options: Any) -> Axes:
    """Plots the trade-off function: the smallest type II error of any test against its type I error.

    plans: also reports of ``renyi.tradeoff``, whose points are drawn on their curves.

    >>> import renyi
    >>> renyi.plot.tradeoff(renyi.Gaussian(2.0)).get_ylim()
    (0.0, 1.0)
    """
    return _drawn("tradeoff", plans, ax, options)


def roc(plans: Any = None, ax: Optional[Axes] = None, **options: Any) -> Axes:
    """Plots the largest true positive rate of an attacker who looks for a record, against the false positive rate.

    >>> import renyi
    >>> renyi.plot.roc(renyi.Gaussian(2.0)).get_xlabel()
    'false positive rate'
    """
    return _drawn("roc", plans, ax, options)


def outcomes(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    baseline: Optional[Numbers] = None,
    want: Optional[Want] = None,
    **options: Any,
) -> Axes:
    """Plots how likely an outcome may become, and how unlikely, by one person's records, against how likely it is
    without them.

    baseline: probabilities without the records, from the least of which on the curves are drawn.
    want: as for ``profile``.

    >>> import renyi
    >>> ax = renyi.plot.outcomes(renyi.Gaussian(2.0))
    >>> ax.get_xscale(), ax.get_yscale()
    ('log', 'log')
    """
    return _drawn("outcomes", plans, ax, options, baseline=baseline, want=want)


def loss(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    delta: Optional[Number] = None,
    direction: Optional[str] = None,
    **options: Any,
) -> Axes:
    """Plots the density of the privacy loss, and the part of its tail that delta weighs: the density times
    1 - exp(epsilon - loss). The probabilities of single losses stand on an axis of their own. The density is a picture
    and no bound. ``Unsupported`` is raised if the distribution is not known.

    delta: 1e-5 unless given; below 0.01 the y axis is logarithmic unless ``yscale`` is given.
    direction: "remove" or "add" (default: the one with the larger epsilon).

    >>> import renyi
    >>> renyi.plot.loss(renyi.Gaussian(2.0) * 4, delta=1e-5).get_ylabel()
    'density'
    """
    return _drawn("loss", plans, ax, options, delta=delta, direction=direction)


def loss_tails(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    direction: Optional[str] = None,
    **options: Any,
) -> Axes:
    """Plots the probability that the privacy loss is at least t against t.

    plans: also reports of ``renyi.loss``, whose points are drawn on their curves.
    direction: "remove" or "add" (default: both, for one plan).

    >>> import renyi
    >>> renyi.plot.loss_tails(renyi.Gaussian(2.0) * 4).get_ylabel()
    'Pr[privacy loss ≥ t]'
    """
    return _drawn("loss-tails", plans, ax, options, direction=direction)
