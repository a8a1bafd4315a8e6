"""What a guarantee means for one person: the probability of a bad outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from .._numbers import Floats
from ..reports import explain
from ._page import Page
from ._points import by_ratio
from ._subjects import Subject, subjects

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_POINTS = 60
_FIRST, _LAST = 1e-6, 0.9
_BELOW = 1e-4  # the y axis starts at this fraction of the first probability


def plot_outcomes(
    plans: Any = None,
    ax: Optional[Axes] = None,
    *,
    labels: Optional[Sequence[str]] = None,
    title: Optional[str] = None,
    xscale: Optional[str] = None,
    yscale: Optional[str] = None,
    **run: Any,
) -> Axes:
    """Plots how likely an outcome may become, and how unlikely, by one person's records, against how likely it is
    without them. For a single plan these are the exact range and the Rényi bounds; for several, the best known range.

    >>> import renyi
    >>> ax = renyi.plot_outcomes(renyi.Gaussian(2.0))
    >>> ax.get_xlabel()
    'probability without the record'
    """
    about = subjects(plans, labels, run)
    page = Page(ax, title, (xscale, yscale), "log", "log")
    for one in about:
        _range_lines(page, one, len(about) == 1)
    page.reference([_FIRST, 1], [_FIRST, 1], "nothing changes")
    page.ax.set(xlim=(_FIRST if page.logx else 0, 1), ylim=(_FIRST * _BELOW if page.logy else 0, 1))
    largest = max(one.plan.unit for one in about)
    records = "one record" if largest == 1 else f"{largest} records"
    its = "the record" if largest == 1 else "them"
    heading = f"How likely a bad outcome may be, by {records}"
    return page.finish(heading, about, f"probability without {its}", f"probability with {its}")


def _range_lines(page: Page, one: Subject, alone: bool) -> None:
    at = by_ratio(_FIRST, _LAST, _POINTS)
    found = explain(one.plan, baseline=at, orders=[2.0], factors=[2.0]).outcomes
    renyi = np.array([(outcome.renyi.lower, outcome.renyi.upper) for outcome in found]).T
    known = [outcome.exact for outcome in found]
    exact = np.array([(np.nan, np.nan) if each is None else (each.lower, each.upper) for each in known]).T
    if np.isnan(exact).all():
        _both_ends(page, at, renyi, "Rényi bounds" if alone else f"{one.label}, Rényi bounds")
        return
    color = _both_ends(page, at, exact, "exact" if alone else one.label)
    if alone:
        page.band(at, exact[0], exact[1], color)
        _both_ends(page, at, renyi, "Rényi bounds")


def _both_ends(page: Page, at: Floats, ends: Floats, label: str) -> str:
    """Draws the upper and the lower end of a range in one style, and returns its colour."""
    how = page.line(at, ends[1], label)
    page.line(at, ends[0], "_lower", **how)
    return str(how["color"])
