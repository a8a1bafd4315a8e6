"""A table of answers as colours."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from .._format import formatted_up, up
from .._numbers import Floats, Numbers, to_floats, to_text
from ..answer_arrays import DeltaArray, EpsilonArray
from ..errors import InvalidArgument
from ..sweeps import Sweep
from ._look import Fonts, new_axes, number, set_ticks, wrapped
from ._request import scale as checked_scale, symbol

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = "cividis_r"  # even steps of lightness, for all kinds of sight; dark is much, as in the command's maps
_MOST_NAMED = 12  # an axis with more cells is a scale of numbers


def heat_map(
    answers: Any,
    x: Optional[Numbers] = None,
    y: Optional[Numbers] = None,
    ax: Optional[Axes] = None,
    *,
    xlabel: Optional[str] = None,
    ylabel: Optional[str] = None,
    label: Optional[str] = None,
    levels: Optional[Numbers] = None,
    title: Optional[str] = None,
    xscale: Optional[str] = None,
    yscale: Optional[str] = None,
    **mesh: Any,
) -> Axes:
    """Plots a table of answers as colours on a logarithmic scale, the larger the darker, and as numbers if few.

    answers: a sweep over two axes, or a two-dimensional array: an answer of ``renyi.epsilon``, from which the axes are
        known too, or numbers.
    x, y: the numbers of the columns and of the rows, with ``xlabel`` and ``ylabel``.
    label: what the colours mean.
    levels: values at which lines are drawn.
    mesh: properties of matplotlib's ``pcolormesh``, such as ``cmap``.

    >>> import renyi
    >>> ax = renyi.plot.heat_map(renyi.sweep(noise_multiplier=[1.0, 2.0], steps=[10, 100], delta=1e-5))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('steps', 'noise multiplier σ')
    """
    if title is not None:
        to_text("title", title, "a text, or None for none")
    if isinstance(answers, Sweep):
        table = _SweepTable(answers)
        x, y = table.columns if x is None else x, table.rows if y is None else y
        xlabel, ylabel = table.xlabel if xlabel is None else xlabel, table.ylabel if ylabel is None else ylabel
        answers, label = table.values, table.label if label is None else label
    values = np.asarray(answers, dtype=np.float64)
    if values.ndim != 2 or not values.size:
        raise InvalidArgument("answers", f"an array of shape {values.shape}", "a two-dimensional array")
    columns, xname = _along("x", answers, x, values.shape[1], 1)
    rows, yname = _along("y", answers, y, values.shape[0], 0)
    if not ((values > 0) & np.isfinite(values)).any():
        raise InvalidArgument("answers", "no finite number above 0", "at least one")
    across, upwards = np.argsort(columns), np.argsort(rows)
    axes = _CellAxis("xscale", columns[across], xscale), _CellAxis("yscale", rows[upwards], yscale)
    page = new_axes() if ax is None else ax
    fonts = Fonts(page)
    cells = _draw_cells(page, fonts, axes, values[np.ix_(upwards, across)], levels, mesh)
    for one, axis, given, name in zip(axes, (page.xaxis, page.yaxis), (xlabel, ylabel), (xname, yname)):
        set_ticks(axis, one.described, fonts.letters(fonts.text))
        axis.set_tick_params(which="both", labelsize=fonts.text)
        axis.set_label_text(name if given is None else given, fontsize=fonts.label)
    page.set_title(wrapped(title or "", fonts.letters(fonts.title)), fontsize=fonts.title)
    _add_scale(page, fonts, cells, _quantity(answers) if label is None else label)
    return page


class _CellAxis:
    """An axis of cells: few have one size and a tick each, others lie on a scale of numbers."""

    def __init__(self, field: str, at: Floats, scale: Optional[str]) -> None:
        self.named = scale is None and at.size <= _MOST_NAMED
        usual = "linear" if self.named else _usual_scale(at)
        self.described: dict[str, Any] = {"scale": usual if scale is None else checked_scale(field, scale)}
        if self.named:
            self.described["names"] = [number(float(f"{value:.4g}")) for value in at]
        self.at = np.arange(1.0, at.size + 1) if self.named else at
        self.edges = _edges(self.at, self.described["scale"] == "log")


class _SweepTable:
    """A sweep over two axes as a table: the second axis, which varies fastest, gives the columns."""

    def __init__(self, sweep: Sweep) -> None:
        if len(sweep.axes) != 2:
            raise InvalidArgument("answers", f"a sweep over {len(sweep.axes)} axes", "a sweep over two axes")
        first, last = (sweep[name] for name in sweep.axes)
        changes = np.flatnonzero(first != first[0])
        width = int(changes[0]) if changes.size else first.size
        self.columns, self.rows = last[:width], first[::width]
        self.values = sweep.upper.reshape(-1, width)
        self.ylabel, self.xlabel = (_axis_words(name) for name in sweep.axes)
        self.label = _sweep_quantity(sweep)


def _axis_words(name: str) -> str:
    letter, words = symbol(name), name.replace("_", " ")
    return words if letter == words else f"{words} {letter}"


def _draw_cells(
    ax: Axes, fonts: Fonts, axes: tuple[_CellAxis, _CellAxis], values: Floats, levels: Optional[Numbers], mesh: Any
) -> Any:
    """Draws the cells, and levels or numbers upon them; returns the cells."""
    from matplotlib.colors import LogNorm

    x, y = axes
    ax.set(xscale=x.described["scale"], yscale=y.described["scale"])
    shown = np.ma.masked_where(~np.isfinite(values) | (values <= 0), values)
    norm = LogNorm(shown.min(), shown.max() if shown.max() > shown.min() else 1.1 * shown.min())
    ax.set_facecolor("0.75")  # cells without a finite number
    cells = ax.pcolormesh(x.edges, y.edges, shown, **{"norm": norm, "cmap": _COLOURS, **mesh})
    ax.set(xlim=x.edges[[0, -1]], ylim=y.edges[[0, -1]])
    if levels is not None:
        at = np.sort(to_floats("levels", levels).ravel())
        lines = ax.contour(x.at, y.at, shown, at, colors=[_ink(norm(level)) for level in at], linewidths=1)
        ax.clabel(lines, fmt=number, fontsize=fonts.text)
    elif x.named and y.named and 12 * values.shape[1] <= fonts.letters(fonts.text):
        how: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": fonts.text}
        for (row, column), value in np.ndenumerate(values):
            coloured = np.isfinite(value) and value > 0
            ink = _ink(norm(value) if coloured else 0.0)
            ax.text(float(x.at[column]), float(y.at[row]), _short(float(value)), color=ink, **how)
    return cells


def _ink(along: float) -> str:
    """Returns the colour of what is drawn upon a cell that is so far along the scale of colours."""
    return "white" if along > 0.5 else "black"


def _short(value: float) -> str:
    """Writes an upper bound with three digits, rounded up, for a cell."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "nan"
    return formatted_up(value, ".3g") if value < 1000 else number(float(up(math.ceil(value))))


def _add_scale(ax: Axes, fonts: Fonts, cells: Any, label: str) -> None:
    """Adds the bar that says what the colours mean."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    bar = ax.figure.colorbar(cells, ax=ax)
    decades = math.log10(cells.norm.vmax / cells.norm.vmin)
    bar.ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if decades < 3 else (1.0,)))
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    bar.ax.yaxis.set_minor_formatter(NullFormatter())
    bar.ax.tick_params(labelsize=fonts.text)
    bar.set_label(label, fontsize=fonts.label)


def _along(field: str, answers: Any, given: Optional[Numbers], size: int, dimension: int) -> tuple[Floats, str]:
    """Returns the numbers along an axis and their name: those given, or those that the answers were asked with."""
    if given is not None:
        numbers = to_floats(field, given).ravel()
        if numbers.size != size or np.unique(numbers).size != size or not np.isfinite(numbers).all():
            raise InvalidArgument(field, f"{numbers.size} numbers", f"{size} different finite numbers")
        return numbers, ""
    if isinstance(answers, (EpsilonArray, DeltaArray)) and answers._index.shape == answers._question.shape:
        for name, column in answers._question._columns.items():
            own = np.moveaxis(column, dimension, 0)
            if name != "plan" and size > 1 and np.unique(own[:, 0]).size == size and (own == own[:, :1]).all():
                return own[:, 0].astype(np.float64), _axis_words(name)
    raise InvalidArgument(field, "nothing", f"{size} numbers: the answers do not say what differs along this axis")


def _quantity(answers: Any) -> str:
    """Names the answers: epsilon with its delta, or delta with its epsilon, if that is one number."""
    if not isinstance(answers, (EpsilonArray, DeltaArray)):
        return ""
    name, other = ("ε", "δ") if isinstance(answers, EpsilonArray) else ("δ", "ε")
    at = np.unique(answers.at)
    return f"{name} at {other} = {number(float(at[0]))}" if at.size == 1 else name


def _sweep_quantity(sweep: Sweep) -> str:
    """Names the numbers of a sweep, with the epsilon and the delta that all rows have."""
    request = json.loads(sweep._grid)["request"]
    name = symbol(sweep.quantity)
    others = [other for other in ("epsilon", "delta") if isinstance(request.get(other), (int, float))]
    fixed = " and ".join(f"{symbol(other)} = {number(float(request[other]))}" for other in others)
    return f"{name} at {fixed}" if fixed else name


def _usual_scale(values: Floats) -> str:
    """Returns "log" for numbers that are spread by ratios rather than by differences."""
    if values.size < 3 or values[0] <= 0:
        return "linear"
    ratios, differences = np.diff(np.log(values)), np.diff(values)
    return "log" if np.ptp(ratios) / ratios.mean() < np.ptp(differences) / differences.mean() else "linear"


def _edges(centres: Floats, is_log: bool) -> Floats:
    """Returns the edges of cells around these centres."""
    at = np.log(centres) if is_log else centres
    if at.size == 1:
        edges = at[0] + np.array([-0.5, 0.5])
    else:
        middle = (at[1:] + at[:-1]) / 2
        edges = np.concatenate([[at[0] - (middle[0] - at[0])], middle, [at[-1] + (at[-1] - middle[-1])]])
    found: Floats = np.exp(edges) if is_log else edges
    return found
