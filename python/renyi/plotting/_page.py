"""The style of all figures: colours, lines, ticks, fonts, title and legend."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from .._numbers import Floats
from ..errors import InvalidArgument
from ._points import drawable
from ._subjects import Subject
from ._words import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Okabe and Ito's colours, which the colour-blind can tell apart.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
#: One line style for every colour, so that lines differ when they are printed in grey.
DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (9, 2)), (0, (4, 1, 1, 1, 1, 1)), (0, (1, 4)))
QUIET = "0.45"
SMALLEST = 1e-12  # the smallest probability that figures show
_NARROW = 22  # axes with less space than for this many letters M get smaller text
_LETTER = 0.52  # the mean width of a letter, in units of the font size


def style(place: int) -> dict[str, Any]:
    """Returns the colour and the dashes of the line at this place; the second round of colours has other dashes."""
    rounds, index = divmod(place, len(PALETTE))
    return {"color": PALETTE[index], "linestyle": DASHES[(index + rounds) % len(DASHES)]}


class Page:
    """The axes of a figure while it is drawn. Lines get the next colour and dashes unless they have their own."""

    def __init__(
        self, ax: Optional[Axes], title: Optional[str], scales: tuple[Optional[str], Optional[str]], *usual: str
    ) -> None:
        xscale, yscale = (_scale(*each) for each in zip(("xscale", "yscale"), scales, usual))
        if title is not None and not isinstance(title, str):
            raise InvalidArgument("title", repr(title), "a text, or None for the usual one")
        self.ax = _new_axes() if ax is None else ax
        self.title, self.logx, self.logy = title, xscale == "log", yscale == "log"
        self.ax.set(xscale=xscale, yscale=yscale)
        self._lines = 0
        self.title_size, self.label_size, self.text_size = _fonts(self.ax)

    def line(self, x: Floats, upper: Floats, label: str, lower: Optional[Floats] = None, **how: Any) -> dict[str, Any]:
        """Draws a curve, with the band between ``lower`` and it if that is given. Returns the style of the line."""
        how = how or style(self._next())
        if np.isinf(upper).any():
            label += " (infinite where not drawn)"
        if lower is not None:
            low, high = drawable(lower, not self.logy), drawable(upper, not self.logy)
            self.band(x, low, high, how["color"])
        self.ax.plot(drawable(x, not self.logx), drawable(upper, not self.logy), label=label, **how)
        return how

    def band(self, x: Floats, low: Floats, high: Floats, color: str) -> None:
        seen = np.isfinite(low) & np.isfinite(high)
        self.ax.fill_between(x, low, high, where=seen, color=color, alpha=0.25, linewidth=0)

    def reference(self, x: Any, y: Any, label: str) -> None:
        """Draws a thin grey line to compare with."""
        self.ax.plot(x, y, color=QUIET, linewidth=1, linestyle=(0, (2, 2)), label=label)

    def rule(self, x: float, label: str) -> None:
        """Draws a vertical line."""
        self.ax.axvline(x, color=QUIET, linewidth=1, linestyle=(0, (2, 2)), label=label)

    def dots(self, x: Floats, y: Floats, color: str, label: str = "_points") -> None:
        """Draws points, except infinite ones and, on logarithmic axes, zeros."""
        x, y = drawable(np.asarray(x), not self.logx), drawable(np.asarray(y), not self.logy)
        self.ax.plot(x, y, marker="o", markersize=4, linestyle="none", color=color, label=label, zorder=3)

    def probabilities(self, least: float = SMALLEST) -> None:
        """Sets the limits of an axis of probabilities: up to a little above 1, from the smallest one that is drawn, but
        not below ``least``, on a logarithmic axis."""
        if not self.logy:
            self.ax.set_ylim(bottom=0)
            return
        heights = [np.asarray(line.get_ydata(), dtype=np.float64) for line in self.ax.get_lines()]
        drawn = np.concatenate(heights or [np.ones(1)])
        drawn = drawn[drawn > 0]
        smallest = max(least, float(drawn.min()) / 2) if drawn.size else least
        self.ax.set_ylim(min(smallest, 0.1), 1.5)

    def finish(self, heading: str, about: list[Subject], xlabel: str, ylabel: str, legend: str = "best") -> Axes:
        """Labels the axes, and adds the grid, the ticks, the legend and the title."""
        label_size, text_size = self.label_size, self.text_size
        self.ax.set_xlabel(xlabel, fontsize=label_size)
        self.ax.set_ylabel(ylabel, fontsize=label_size)
        self.ax.grid(True, color="0.87", linewidth=0.6)
        self.ax.set_axisbelow(True)
        self.ax.tick_params(which="both", labelsize=text_size)
        for axis, is_log in ((self.ax.xaxis, self.logx), (self.ax.yaxis, self.logy)):
            _set_ticks(axis, is_log, self._letters(text_size))
        if legend and self.ax.get_legend_handles_labels()[0]:
            self._legend(legend)
        subtitle = about[0].label if len(about) == 1 else ""
        title = "\n".join(part for part in (heading, subtitle) if part) if self.title is None else self.title
        self.ax.set_title(_wrapped(title, self._letters(self.title_size)), fontsize=self.title_size)
        return self.ax

    def annotate(self, text: str, x: float, y: float) -> None:
        """Writes a text to the right of a point."""
        how: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": self.text_size}
        self.ax.annotate(text, (x, y), xytext=(6, 0), **how)

    def name_ticks(self, axis: str, names: list[str]) -> Floats:
        """Gives an axis these names as ticks, and returns their places."""
        places = np.arange(len(names), dtype=np.float64)
        (self.ax.set_xticks if axis == "x" else self.ax.set_yticks)(places, names)
        return places

    def wrapped(self, text: str) -> str:
        """Breaks a text at the width of the axes."""
        return _wrapped(text, self._letters(self.label_size))

    def fits(self, columns: int, letters: int) -> bool:
        """Returns true if so many columns of text fit beside each other."""
        return columns * letters <= self._letters(self.text_size)

    def _next(self) -> int:
        self._lines += 1
        return self._lines - 1

    def _legend(self, where: str) -> None:
        handles, labels = self.ax.get_legend_handles_labels()
        width = max(19, int(0.52 * self._letters(self.text_size)))
        broken = [_wrapped(label, width) for label in labels]
        how: dict[str, Any] = {"framealpha": 0.85, "handlelength": 2.6, "borderpad": 0.35}
        how.update(handles=handles, labels=broken, loc=where, fontsize=self.text_size)
        self.ax.legend(**how)

    def _letters(self, size: float) -> int:
        """Returns the number of letters of this size that fit into the width of the axes."""
        return max(16, int(_width(self.ax) / (_LETTER * size)))


def _wrapped(text: str, width: int) -> str:
    """Breaks a text into lines of about this many letters; equations stay whole."""
    lines = []
    for line in text.splitlines():
        words, shown = re.sub(r" ([=≤×]) ", "\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", line).split(" "), ""
        for word in words:
            if shown and _length(f"{shown} {word}") > width:
                lines.append(shown)
                shown = word
            else:
                shown = f"{shown} {word}" if shown else word
        lines.append(shown)
    return "\n".join(lines)


def _length(text: str) -> int:
    """Returns the number of letters that a text shows: mathtext writes some of them with several."""
    return len(re.sub(r"[$^{}]", "", text.replace(r"\times", "×")))


def _scale(field: str, given: Optional[str], usual: str) -> str:
    if given not in (None, "linear", "log"):
        raise InvalidArgument(field, repr(given), 'one of "linear", "log"')
    return usual if given is None else given


def _new_axes() -> Axes:
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("plots need matplotlib, which is not installed; the arrays of a report do not") from None
    return pyplot.subplots(layout="constrained")[1]


def _width(ax: Axes) -> float:
    """Returns the width of the axes in points."""
    return float(ax.bbox.width / ax.figure.dpi * 72)


def _fonts(ax: Axes) -> tuple[float, float, float]:
    """Returns the font sizes of the title, of labels and of other text: matplotlib's, or smaller on narrow axes."""
    import matplotlib

    size = float(matplotlib.rcParams["font.size"])
    return (size, size, 0.85 * size) if _width(ax) >= _NARROW * size else (0.72 * size, 0.8 * size, 0.7 * size)


def _set_ticks(axis: Any, is_log: bool, letters: int) -> None:
    """Sets the ticks of an axis: on logarithmic axes powers of ten, and 2 and 5 times them if these are few."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

    if not is_log:
        if isinstance(axis.get_major_locator(), MaxNLocator):
            axis.set_major_locator(MaxNLocator(nbins=8 if letters > 50 else 5, steps=[1, 2, 2.5, 5, 10]))
        return
    low, high = axis.get_view_interval()
    decades = np.log10(high / low)
    few = decades < 3
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,), numticks=12 if few else 7))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axis.set_minor_locator(LogLocator(subs=tuple(range(2, 10)), numticks=99) if decades < 7 else NullLocator())
    axis.set_minor_formatter(NullFormatter())
