"""Draws a figure (docs/format/figure.md) by matplotlib. Layout only: every number is that of the figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional

import numpy as np

from .._numbers import Floats
from ._look import Fonts, look_of, new_axes, set_ticks, wrapped
from ._rule import Curve, Scale, polygon, value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDE = 1 / 300  # a band that is as high as this, in heights of the frame, can be told from a line


def draw(figure: Mapping[str, Any], ax: Optional[Axes] = None, *, title: Optional[str] = None, **line: Any) -> Axes:
    """Draws a figure on ``ax``, or on a new one, and returns the axes.

    figure: the member "figure" of the answer to a request with "op": "figure", as ``renyi.ask`` gives it.
    title: the title, whole and in as many lines as it needs; "" for none (default: the figure's).
    line: properties of the curves, such as ``linewidth`` and ``alpha``.

    >>> import renyi
    >>> answer = renyi.ask({"op": "figure", "kind": "rdp", "steps": [{"mechanism": "pure-dp", "epsilon": 0.5}]})
    >>> renyi.plot.draw(answer["figure"]).get_ylabel()
    'Rényi divergence'
    """
    page = _Page(new_axes() if ax is None else ax, figure, line)
    for one in figure["series"]:
        page.series(one)
    for one in figure["marks"]:
        page.mark(one)
    page.finish(title)
    return page.ax


class _Page:
    """The axes of a figure while it is drawn. Everything is drawn on ``ax``, whose legend avoids it; a second y axis
    lends its scale and its ticks."""

    def __init__(self, ax: Axes, figure: Mapping[str, Any], line: Mapping[str, Any]) -> None:
        self.ax, self.figure, self.line = ax, figure, line
        self.dashed = any(one.get("dashed") for one in figure["series"])
        self.fonts = Fonts(ax)
        self.masses = ax.twinx() if "masses" in figure else None
        _set_axis(ax, "x", figure["x"])
        _set_axis(ax, "y", figure["y"])
        if self.masses is not None:
            _set_axis(self.masses, "y", figure["masses"])
            self.masses.set_xscale(figure["x"]["scale"])

    def series(self, one: Mapping[str, Any]) -> None:
        """Draws a series."""
        on_masses = one.get("axis") == "masses" and self.masses is not None
        scales = Scale.of(self.figure["x"]), Scale.of(self.figure["masses" if on_masses else "y"])
        where = {"transform": (self.masses if on_masses else self.ax).transData}  # type: ignore[union-attr]
        getattr(self, f"_{one['shape']}")(one, Curve.of(one), scales, where)

    def _line(self, one: Mapping[str, Any], curve: Curve, scales: tuple[Scale, Scale], where: dict[str, Any]) -> None:
        usual = {"linewidth": 1.0} if one["role"] == "reference" else {"linewidth": _usual_width(), **self.line}
        how = {**look_of(self.ax, one, self.dashed), **usual, **where}
        corners = polygon(curve, *scales, one["bound"])
        self.ax.plot(*corners, label=one["name"] or "_", **how)
        if "lower" in one:
            lower = Curve.of(one["lower"])
            if _is_wide(curve, lower, scales):
                below = polygon(lower, *scales, "lower")
                self.ax.fill(*_band(corners, below), color=how["color"], alpha=0.22, linewidth=0, **where)
                self.ax.plot(*below, label="_", **how)

    def _area(self, one: Mapping[str, Any], curve: Curve, scales: tuple[Scale, Scale], where: dict[str, Any]) -> None:
        x, y = polygon(curve, *scales, one["bound"])
        color = look_of(self.ax, one)["color"]
        ground = np.full(len(x), scales[1].back(np.zeros(1)))
        how: dict[str, Any] = {"facecolor": color, "alpha": 0.3, "linewidth": 0, "label": one["name"] or "_"}
        if one["role"] != "exact":
            how.update(alpha=0.85, hatch="////", edgecolor=self.ax.get_facecolor())  # can be seen in grey print too
        self.ax.fill(*_band((x, y), (x, ground)), **how, **where)
        if one["role"] == "exact":
            self.ax.plot(x, y, color=color, label="_", **{"linewidth": _usual_width(), **self.line, **where})

    def _points(self, one: Mapping[str, Any], curve: Curve, _: Any, where: dict[str, Any]) -> None:
        y = np.where(np.isfinite(curve.y), curve.y, np.nan)
        dots = {"marker": "o", "markersize": _dot(), "linestyle": "none", "zorder": 3, **where}
        self.ax.plot(curve.x, y, color=look_of(self.ax, one)["color"], label=one["name"] or "_points", **dots)

    def _rows(self, one: Mapping[str, Any], curve: Curve, scales: tuple[Scale, Scale], where: dict[str, Any]) -> None:
        color = look_of(self.ax, one)["color"]
        for x, y, text in zip(curve.x, curve.y, one["labels"]):
            start = float(scales[0].back(np.zeros(1))[0])
            self.ax.plot([start, x], [y, y], color=color, linewidth=1, alpha=0.5, label="_", **where)
            how: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": self.fonts.text}
            self.ax.annotate(text, (x, y), xytext=(6, 0), **how)
            self._make_room(scales[0], x, text)
        self._points(one, curve, scales, where)

    def _make_room(self, scale: Scale, x: float, text: str) -> None:
        """Moves the right end of the x axis as far as the text to the right of x needs it."""
        free = 1 - (10 + self.fonts.points(text)) / self.fonts.width
        end = scale.back(scale.place(np.array([x])) / max(0.2, free))
        self.ax.set_xlim(right=max(float(end[0]), self.ax.get_xlim()[1]))

    def _masses(self, one: Mapping[str, Any], curve: Curve, scales: tuple[Scale, Scale], where: dict[str, Any]) -> None:
        color = look_of(self.ax, one)["color"]
        gap, ground = np.full(len(curve.x), np.nan), np.full(len(curve.x), scales[1].back(np.zeros(1)))
        x, y = np.stack([curve.x, curve.x, gap]).T.ravel(), np.stack([ground, curve.y, gap]).T.ravel()
        self.ax.plot(x, y, color=color, linewidth=_usual_width(), label="_", **where)
        self._points(one, curve, scales, where)

    def mark(self, one: Mapping[str, Any]) -> None:
        """Draws a point, or a line at one coordinate."""
        color, label = look_of(self.ax, one)["color"], one["text"] or "_"
        if "x" in one and "y" in one:
            self.ax.plot([one["x"]], [one["y"]], "o", markersize=1.2 * _dot(), color=color, label=label, zorder=4)
            return
        how = {"color": color, "linewidth": 1.0, "linestyle": (0, (2, 2)), "label": label}
        self.ax.axvline(one["x"], **how) if "x" in one else self.ax.axhline(one["y"], **how)

    def finish(self, title: Optional[str]) -> None:
        """Adds ticks, labels, the grid, the legend, the note and the title."""
        ax, fonts, figure = self.ax, self.fonts, self.figure
        axes = {"x": ax.xaxis, "y": ax.yaxis}
        if self.masses is not None:
            axes["masses"] = self.masses.yaxis
        for name, axis in axes.items():
            set_ticks(axis, figure[name], fonts.letters(fonts.text))
            axis.set_tick_params(which="both", labelsize=fonts.text)
            letters = fonts.letters(fonts.label, upwards=name != "x")
            axis.set_label_text(wrapped(figure[name]["label"], letters), fontsize=fonts.label)
        if self.masses is not None and all(one.get("axis") == "masses" for one in figure["series"]):
            ax.yaxis.set_visible(False)  # it says nothing
        if figure.get("note"):
            how: dict[str, Any] = {"xycoords": ax.xaxis.label, "textcoords": "offset points", "fontsize": fonts.text}
            note = wrapped(figure["note"], fonts.letters(fonts.text))
            ax.annotate(note, (0.5, 0), xytext=(0, -2), ha="center", va="top", **how)
        ax.grid(True, color=ax.xaxis.label.get_color(), alpha=0.15, linewidth=0.6)
        ax.set_axisbelow(True)
        usual = "\n".join(part for part in (figure["title"], figure["subtitle"]) if part)
        ax.set_title(wrapped(usual if title is None else title, fonts.letters(fonts.title)), fontsize=fonts.title)
        handles, labels = ax.get_legend_handles_labels()
        if handles:
            width = max(19, int(0.52 * fonts.letters(fonts.text)))
            look: dict[str, Any] = {"framealpha": 0.85, "handlelength": 2.6, "borderpad": 0.35, "labelspacing": 0.35}
            ax.legend(handles, [wrapped(label, width) for label in labels], loc="best", fontsize=fonts.text, **look)


def _set_axis(ax: Axes, name: str, described: Mapping[str, Any]) -> None:
    ax.set(**{f"{name}scale": described["scale"], f"{name}lim": described["range"]})


def _usual_width() -> float:
    import matplotlib

    return float(matplotlib.rcParams["lines.linewidth"])


def _dot() -> float:
    import matplotlib

    return 0.7 * float(matplotlib.rcParams["lines.markersize"])


def _is_wide(upper: Curve, lower: Curve, scales: tuple[Scale, Scale]) -> bool:
    """Returns true if both ends can be told apart somewhere in the frame."""
    x = np.union1d(upper.x, lower.x)
    x = np.union1d(x, (x[1:] + x[:-1]) / 2)
    low, high = (np.clip(scales[1].place(value(curve, x, up)), 0, 1) for curve, up in ((lower, False), (upper, True)))
    with np.errstate(invalid="ignore"):
        return bool((high - low > _WIDE).any())


def _band(above: tuple[Floats, Floats], below: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Returns the outline of what lies between two polygons."""
    x, y = (np.concatenate([a, b[::-1]]) for a, b in zip(above, below))
    known = np.isfinite(x) & np.isfinite(y)
    return x[known], y[known]
