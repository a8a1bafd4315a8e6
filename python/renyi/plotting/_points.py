"""Where curves are evaluated: the points of ``renyi plot``, and further ones where a curve bends."""

from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np

from .._numbers import Floats

MOST_POINTS = 1000  # the largest number of points that the engine evaluates at once
_ROUNDS = 6  # how often points are inserted between others
_NEAR = 0.0025  # points are inserted where a line misses the curve by more than this, relative to its value


def evenly(start: float, end: float, n: int) -> Floats:
    """Returns n values from ``start`` to ``end`` at equal distances, by the arithmetic of ``renyi plot``."""
    values = start + (end - start) * np.arange(n) / (n - 1)
    values[-1] = end
    return values


def by_ratio(start: float, end: float, n: int) -> Floats:
    """Returns n values from ``start`` to ``end`` at equal ratios."""
    values = np.exp(evenly(float(np.log(start)), float(np.log(end)), n))
    values[0], values[-1] = start, end
    return values


def refined(ask: Callable[[Floats], Floats], at: Floats, least: Optional[float]) -> tuple[Floats, Floats]:
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
        if not 0 < len(where) <= MOST_POINTS:
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


def between(points: Floats, n: int) -> Floats:
    """Returns n equally spaced points from the smallest to the largest finite given point (0 to 1 if none is finite),
    and the given points."""
    finite = points[np.isfinite(points)]
    ends = finite if finite.size else np.array([0.0, 1.0])
    return joined(np.linspace(ends.min(), ends.max(), n), finite)


def joined(curve: Floats, points: Floats) -> Floats:
    """Merges the points of a curve with those of a report, in order and without duplicates. If they are too many, the
    points of the report alone form the curve."""
    apart = np.array([np.all(np.abs(points - one) > 1e-9 * np.ptp(curve)) for one in curve])
    both = np.union1d(curve[apart], points)
    return both if both.size <= MOST_POINTS else np.unique(points)


def drawable(values: Floats, zero_too: bool = False) -> Floats:
    """Replaces by NaN what cannot be drawn: infinity and, unless ``zero_too``, 0."""
    return np.where(np.isfinite(values) & (zero_too | (values > 0)), values, np.nan)
