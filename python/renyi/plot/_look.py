"""The look of all figures: colours and dashes, fonts, ticks, and texts that are broken where they do not fit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from .. import _format
from ..errors import InvalidArgument

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Okabe and Ito's colours, which the colour-blind can tell apart, on light and on dark paper, with dashes of their own,
#: so that lines differ when they are printed in grey.
RUNS: tuple[tuple[str, str, Any], ...] = (
    ("#0072B2", "#4FB0F0", "-"),
    ("#D55E00", "#FF8F45", (0, (4.5, 1.7))),
    ("#009E73", "#2FD0A2", (0, (4.5, 1.5, 1, 1.5))),
    ("#CC79A7", "#EBA6CC", (0, (1.2, 1.2))),
    ("#000000", "#F2F2F2", (0, (8, 1.5))),
    ("#E69F00", "#F7BE3B", (0, (8, 1.5, 1, 1.5, 1, 1.5))),
    ("#56B4E9", "#A6DBFA", (0, (2.5, 1.2))),
    ("#8A8A8A", "#9C9C9C", (0, (1, 2.4))),
)
ROLES: dict[str, tuple[str, str, Any]] = {
    "exact": RUNS[0],
    "renyi": RUNS[1],
    "other": RUNS[2],
    "reference": ("#707070", "#A0A0A0", (0, (2, 2))),
    "highlight": ("#000000", "#FFFFFF", "-"),
}
_APART: Any = (0, (2, 1.2))  # the dashes of a series that has to differ from another one of its run
_SIZES = {"column": ((3.3, 2.4), 8.0), "two-column": ((6.9, 3.6), 9.0), "slide": ((10.0, 5.6), 18.0)}
_USUAL, _NARROW = 30, 22  # axes with less space than for so many letters M get a smaller title, and smaller text
_LETTER = 0.52  # the mean width of a letter, in units of the font size


def style(
    size: Union[str, Sequence[float]] = "column",
    *,
    font: Optional[str] = None,
    font_size: Optional[float] = None,
    dpi: float = 300,
) -> dict[str, Any]:
    """Returns settings of matplotlib for figures of papers, of the sizes of ``renyi plot --size``.

    >>> import matplotlib, renyi
    >>> with matplotlib.rc_context(renyi.plot.style("column")):
    ...     ax = renyi.plot.steps(sampling_rate=0.01, noise_multiplier=1.1, steps=1000, title="")
    >>> ax.figure.get_size_inches().tolist()
    [3.3, 2.4]

    size: "column" (3.3 by 2.4 inches, 8 points), "two-column" (6.9 by 3.6, 9 points), "slide" (10 by 5.6, 18 points),
        or width and height in inches.
    font, font_size: the font of all text, and its size in points.
    dpi: pixels an inch of saved PNGs.
    """
    if isinstance(size, str):
        if size not in _SIZES:
            raise InvalidArgument("size", repr(size), f"one of {', '.join(_SIZES)}, or width and height in inches")
        inches, points = _SIZES[size]
    else:
        inches, points = (float(size[0]), float(size[1])), _SIZES["column"][1]
    points = points if font_size is None else float(font_size)
    thin = points / 12
    settings: dict[str, Any] = {"figure.figsize": inches, "font.size": points, "savefig.dpi": dpi}
    settings.update({"pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none"})  # texts stay texts
    settings.update({"axes.linewidth": thin, "patch.linewidth": thin})
    settings.update({"lines.linewidth": 1.8 * thin, "lines.markersize": 5.5 * thin})
    for axis in ("xtick", "ytick"):
        settings.update({f"{axis}.major.width": thin, f"{axis}.minor.width": 0.75 * thin})
        settings.update({f"{axis}.major.size": 5 * thin, f"{axis}.minor.size": 3 * thin})
    return settings if font is None else {**settings, "font.family": font}


def is_dark(ax: Axes) -> bool:
    """Returns true if the paper is dark."""
    from matplotlib.colors import to_rgba

    red, green, blue, opaque = to_rgba(ax.get_facecolor())
    return bool(opaque > 0 and 0.3 * red + 0.59 * green + 0.11 * blue < 0.5)


def look_of(ax: Axes, one: Mapping[str, Any], dashed: bool = False) -> dict[str, Any]:
    """Returns the colour and the dashes of a series or a mark. In a figure with ``dashed`` series, dashes tell these
    from the others, and colours the runs."""
    run = one.get("run")
    light, dark, dashes = ROLES[one["role"]] if run is None else RUNS[run % len(RUNS)]
    if dashed:
        dashes = _APART if one.get("dashed") else "-"
    return {"color": dark if is_dark(ax) else light, "linestyle": dashes}


def new_axes() -> Axes:
    """Returns the axes of a new figure."""
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("plots need matplotlib, which is not installed; the arrays of a report do not") from None
    return pyplot.subplots(layout="constrained")[1]


class Fonts:
    """The sizes of the texts of axes: matplotlib's, or smaller on narrow axes."""

    def __init__(self, ax: Axes) -> None:
        import matplotlib

        size = float(matplotlib.rcParams["font.size"])
        self.width, self.height = (float(side / ax.figure.dpi * 72) for side in (ax.bbox.width, ax.bbox.height))
        self.title, self.label, self.text = size, size, 0.85 * size
        if self.width < _USUAL * size:
            self.title, self.label = 0.85 * size, 0.9 * size
        if self.width < _NARROW * size:
            self.label, self.text = 0.85 * size, 0.75 * size

    def letters(self, size: float, upwards: bool = False) -> int:
        """Returns the number of letters of this size that fit into the width of the axes, or into their height."""
        return max(16, int((self.height if upwards else self.width) / (_LETTER * size)))

    def points(self, text: str) -> float:
        """Returns the width of small text."""
        return 1.2 * _LETTER * self.text * len(text)


def wrapped(text: str, width: int) -> str:
    """Breaks a text into lines of about this many letters; equations stay whole."""
    lines = []
    for line in text.splitlines():
        words, shown = re.sub(r" ([=≤×]) ", "\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", line).split(" "), ""
        for word in words:
            if shown and len(f"{shown} {word}") > width:
                lines.append(shown)
                shown = word
            else:
                shown = f"{shown} {word}" if shown else word
        lines.append(shown)
    return "\n".join(lines)


def number(value: float) -> str:
    """Writes a number that is no bound, by mathtext: "0.01", "20000" or 2.5 times ten to a power."""
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{float(_format.plain(value)):.{_format.DIGITS}g}"
    mantissa, exponent = f"{value:.{_format.DIGITS - 1}e}".split("e")
    digits = re.sub(r"\.?0*$", "", mantissa)
    power = f"10^{{{int(exponent)}}}"
    return f"${power}$" if digits == "1" else rf"${digits}\times{power}$"


def set_ticks(axis: Any, described: Mapping[str, Any], letters: int) -> None:
    """Sets the ticks of an axis: its names, or numbers; on logarithmic axes powers of ten, and 2 and 5 times them if
    these are few."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

    names = described.get("names")
    if names:
        axis.set_ticks(range(1, len(names) + 1), names)
        return
    if described["scale"] == "linear":
        axis.set_major_locator(MaxNLocator(nbins=8 if letters > 50 else 5, steps=[1, 2, 2.5, 5, 10]))
        return
    low, high = axis.get_view_interval()
    few = high / low < 1e3 if low > 1e-300 else False
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,), numticks=12 if few else 7))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axis.set_minor_locator(LogLocator(subs=tuple(range(2, 10)), numticks=99) if low * 1e7 > high else NullLocator())
    axis.set_minor_formatter(NullFormatter())
