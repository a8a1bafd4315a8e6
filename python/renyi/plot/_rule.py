"""A curve between its points: the values of its rule (docs/format/figure.md, "Rules"), and a polygon that bounds it."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple

import numpy as np

from .._numbers import Floats

_STEPS = ("next", "previous")
#: The rules that are straight lines on an axis: of x and of y, whether it is logarithmic.
_STRAIGHT = {
    ("linear", False, False),
    ("linear-in-log-x", True, False),
    ("linear-in-log-y", False, True),
    ("log-log", True, True),
}
_QUARTERS = np.array([[0.25], [0.5], [0.75]])
_CLOSE = 1 / 4000  # how far a chord may be from its curve, in heights of the frame: a fraction of a pixel
_NARROW = 1e-4  # a part of a curve as narrow as this, in widths of the frame, is drawn as a step
_ROUNDING = 1e-9  # more than logarithms and their inverses lose, in heights of the frame
_FAR = 0.5  # what is further beyond the frame, in its heights or widths, is drawn as if it were at this distance


class Curve(NamedTuple):
    """Points with ascending x, and the rule between them. A y may be infinite, and NaN if it is unknown."""

    x: Floats
    y: Floats
    rule: str

    @classmethod
    def of(cls, members: Mapping[str, Any]) -> Curve:
        """Reads the curve of a series, or of its lower ends."""
        x, y = (np.array([np.nan if one is None else float(one) for one in members[name]]) for name in ("x", "y"))
        return cls(x, y, members.get("rule", ""))


def value(curve: Curve, at: Floats, up: bool = True) -> Floats:
    """Returns the values of a curve, NaN outside of its points. Where it jumps, ``up`` selects the larger value."""
    first, last = (np.searchsorted(curve.x, at, side=side) for side in ("left", "right"))
    right = np.clip(first, 1, len(curve.x) - 1)
    found = between(curve.rule, curve.x[right - 1], curve.y[right - 1], curve.x[right], curve.y[right], at)
    found = np.where((at >= curve.x[0]) & (at <= curve.x[-1]), found, np.nan)
    for i in np.flatnonzero(last > first):
        found[i] = (np.max if up else np.min)(curve.y[first[i] : last[i]])
    return found


def between(rule: str, x0: Floats, y0: Floats, x1: Floats, y1: Floats, x: Floats) -> Floats:
    """Returns the values of a rule from the points (x0, y0) and (x1, y1), where x0 <= x <= x1. What is infinite at one
    of them is infinite between them, and unknown if unknown."""
    with np.errstate(all="ignore"):  # points may coincide, and values be 0 or infinite
        found = _inside(rule, x0, y0, x1, y1, x)
        if rule not in _STEPS:
            found = np.where(np.isinf(y0) | np.isinf(y1), np.inf, found)
            found = np.where(np.isnan(y0) | np.isnan(y1), np.nan, found)
    return np.where(x <= x0, y0, np.where(x >= x1, y1, found))


def _inside(rule: str, x0: Floats, y0: Floats, x1: Floats, y1: Floats, x: Floats) -> Any:
    if rule == "next":
        return y1 + 0 * x
    if rule == "previous":
        return y0 + 0 * x
    if rule == "log-log-complement":
        u, w = _weights(np.log1p(-x0), np.log1p(-x1), np.log1p(-x))
        return -np.expm1(_mixed(u, np.log1p(-y0), w, np.log1p(-y1)))
    if rule == "linear-in-exp-x":
        u, w = np.expm1(x - x1) / np.expm1(x0 - x1), np.exp(x - x1) * np.expm1(x0 - x) / np.expm1(x0 - x1)
    elif rule in ("linear-in-log-x", "log-log"):
        u, w = np.log(x1 / x) / np.log(x1 / x0), np.log(x / x0) / np.log(x1 / x0)
    else:
        u, w = _weights(x0, x1, x)
    if rule in ("linear-in-log-y", "log-log"):
        return np.exp(_mixed(u, np.log(y0), w, np.log(y1)))
    if rule == "linear-in-exp-y":
        most = np.maximum(y0, y1)
        return most + np.log(_mixed(u, np.exp(y0 - most), w, np.exp(y1 - most)))
    if rule == "log-moment":
        return np.where(x > 1, _mixed(u, (x0 - 1) * y0, w, (x1 - 1) * y1) / (x - 1), y1)
    if rule in ("linear", "linear-in-exp-x", "linear-in-log-x"):
        return _mixed(u, y0, w, y1)
    raise ValueError(f"unknown rule {rule!r}")


def _weights(x0: Floats, x1: Floats, x: Floats) -> tuple[Any, Any]:
    return (x1 - x) / (x1 - x0), (x - x0) / (x1 - x0)


def _mixed(u: Any, a: Any, w: Any, b: Any) -> Any:
    return u * a + w * b


class Scale(NamedTuple):
    """An axis with its range: places on it run from 0 to 1 within the frame."""

    log: bool
    start: float
    span: float

    @classmethod
    def of(cls, axis: Mapping[str, Any]) -> Scale:
        """Reads the scale of an axis of a figure."""
        log = axis["scale"] == "log"
        low, high = np.log(axis["range"]) if log else axis["range"]
        return cls(log, float(low), float(high - low))

    def place(self, values: Floats) -> Floats:
        """Returns the places of values; those far beyond the frame are taken as ``_FAR`` from it."""
        with np.errstate(divide="ignore", invalid="ignore"):
            places = ((np.log(values) if self.log else values) - self.start) / self.span
        found: Floats = np.clip(places, -_FAR, 1 + _FAR)
        return found

    def is_near(self, values: Floats) -> Any:
        """Returns which values are in the frame or near it."""
        places = self.place(values)
        return (places > -_FAR) & (places < 1 + _FAR)

    def back(self, places: Floats) -> Floats:
        """Returns the values at places."""
        values = self.start + self.span * places
        found: Floats = np.exp(values) if self.log else values
        return found


class _Parts(NamedTuple):
    """Parts of a curve: between which of its points they lie, their ends, and how far the chord has to move outwards."""

    where: Any  # the number of the point to the left
    x: Floats  # one row for each end
    y: Floats
    outwards: Floats  # in heights of the frame

    def chosen(self, which: Any) -> _Parts:
        return _Parts(self.where[which], self.x[:, which], self.y[:, which], self.outwards[which])


def polygon(curve: Curve, x: Scale, y: Scale, bound: str) -> tuple[Floats, Floats]:
    """Returns the corners of a polygon that follows the curve within a fraction of a pixel if it is drawn on these axes:
    within the frame it is nowhere below an ``upper`` bound, and nowhere above a ``lower`` one. NaN interrupts it.

    The curve is cut into quarters until each part is close to its chord. Then the chord moves outwards by twice the
    largest distance at three places, because a curve that bends one way is at most twice as far from its chord as in
    the middle. A rule is monotone between two points, so a part that is narrow and still high is drawn as a step.
    """
    if curve.rule in _STEPS:
        return _staircase(curve)
    side = {"upper": 1.0, "lower": -1.0, "estimate": 0.0}[bound]
    open_, closed = _segments(curve, x), []
    if (curve.rule, x.log, y.log) in _STRAIGHT:
        near = y.is_near(open_.y).all(axis=0)
        closed, open_ = [open_.chosen(near)], open_.chosen(~near)
    while open_.where.size:
        starts, ends = x.place(open_.x)
        inner_x = np.clip(x.back(starts + _QUARTERS * (ends - starts)), *open_.x)
        inner_y = _value_after(curve, open_.where, inner_x)
        low, high = y.place(open_.y)
        above = y.place(inner_y) - (low + _QUARTERS * (high - low))
        distance = np.abs(above).max(axis=0)
        moved = np.where((side * above).max(axis=0) > 0, 2 * distance + _ROUNDING, 0.0)
        far, wide = distance > _CLOSE, ends - starts > _NARROW
        closed.append(open_._replace(outwards=moved).chosen(~far))
        steps = open_.chosen(far & ~wide)
        closed.append(steps._replace(y=np.where(side == 0, steps.y, side * (side * steps.y).max(axis=0))))
        open_ = _quartered(open_, inner_x, inner_y).chosen(np.repeat(far & wide, 4))
    return _joined(_Parts._make(np.concatenate(column, axis=-1) for column in zip(*closed)), side, y)


def _staircase(curve: Curve) -> tuple[Floats, Floats]:
    """Returns the corners of a curve that is constant between its points."""
    x, y = np.repeat(curve.x, 2), np.repeat(np.where(np.isfinite(curve.y), curve.y, np.nan), 2)
    return (x[:-1], y[1:]) if curve.rule == "next" else (x[1:], y[:-1])


def _segments(curve: Curve, x: Scale) -> _Parts:
    """Returns the parts between neighbouring points that have values, cut off far beyond the frame."""
    known = np.isfinite(curve.y[:-1]) & np.isfinite(curve.y[1:])
    first, last = x.back(np.array([-_FAR, 1 + _FAR]))
    where = np.flatnonzero(known & (np.diff(curve.x) > 0) & (curve.x[1:] > first) & (curve.x[:-1] < last))
    ends = np.clip(np.stack([curve.x[where], curve.x[where + 1]]), first, last)
    return _Parts(where, ends, _value_after(curve, where, ends), np.zeros(where.size))


def _value_after(curve: Curve, where: Any, x: Floats) -> Floats:
    """Returns the values at x between the points ``where`` and the next ones."""
    return between(curve.rule, curve.x[where], curve.y[where], curve.x[where + 1], curve.y[where + 1], x)


def _quartered(parts: _Parts, inner_x: Floats, inner_y: Floats) -> _Parts:
    x, y = np.insert(parts.x, 1, inner_x, axis=0), np.insert(parts.y, 1, inner_y, axis=0)
    x, y = (np.stack([ends[:-1].T.ravel(), ends[1:].T.ravel()]) for ends in (x, y))
    return _Parts(np.repeat(parts.where, 4), x, y, np.repeat(parts.outwards, 4))


def _joined(parts: _Parts, side: float, y: Scale) -> tuple[Floats, Floats]:
    """Puts the parts into one polygon. A corner moves by the larger distance of the two parts that meet there."""
    parts = parts.chosen(np.lexsort((parts.x[0], parts.where)))
    touch = parts.x[1, :-1] == parts.x[0, 1:]
    meet = touch & (parts.y[1, :-1] == parts.y[0, 1:])
    moved = np.stack([parts.outwards, parts.outwards])
    moved[0, 1:][meet] = moved[1, :-1][meet] = np.maximum(parts.outwards[:-1], parts.outwards[1:])[meet]
    corners = np.where((moved == 0) & y.is_near(parts.y), parts.y, y.back(y.place(parts.y) + side * moved))
    gaps = 2 * np.flatnonzero(~touch) + 2
    return np.insert(parts.x.T.ravel(), gaps, np.nan), np.insert(corners.T.ravel(), gaps, np.nan)
