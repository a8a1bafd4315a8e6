"""Formats answers for printing. Bounds are rounded outwards, so that the printed number is still a bound."""

from __future__ import annotations

import decimal
import html
import math
from typing import TYPE_CHECKING, Callable, Iterable, Optional

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .plan import Plan

DIGITS = 6
NEXT_TO = 1e-12
MOST_STEPS = 8
MOST_CELLS = 20
_LARGEST_POWER = 308  # the largest power of ten among doubles has this exponent


def _rounded(value: float, rounding: str) -> str:
    short = f"{value:.{DIGITS}g}"
    if not math.isfinite(value) or abs(float(short) - value) <= NEXT_TO * abs(value):  # differs negligibly
        return short
    context = decimal.Context(prec=DIGITS, rounding=rounding)
    return f"{float(context.create_decimal(decimal.Decimal(value))):.{DIGITS}g}"


def up(value: float) -> str:
    """Formats an upper bound, rounded up."""
    return _rounded(value, decimal.ROUND_CEILING)


def down(value: float) -> str:
    """Formats a lower bound, rounded down."""
    return _rounded(value, decimal.ROUND_FLOOR)


def plain(value: float) -> str:
    """Formats a number that is not a bound, rounded to nearest."""
    return _rounded(value, decimal.ROUND_HALF_EVEN)


def counted(count: int, noun: str) -> str:
    """Formats a number of things: "1 step", "2 steps"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def formatted_up(value: float, spec: str) -> str:
    """Formats an upper bound by the caller's format specification, rounded up."""
    text = format(value, spec)
    if not math.isfinite(value) or _says_at_least(text, value):
        return text
    if spec.endswith("n"):  # a Decimal would show every digit
        spec = f"{spec[:-1]}g"
    if "." not in spec and spec[-1] in "eEfFgG%":
        spec = f"{spec[:-1]}.6{spec[-1]}"
    with decimal.localcontext() as context:
        context.rounding = decimal.ROUND_CEILING
        # A Decimal groups digits by commas only.
        text = format(decimal.Decimal(value), spec.replace("_", ","))
    return text.replace(",", "_") if "_" in spec else text


def rounded_up(value: float, digits: int) -> float:
    """Rounds an upper bound to ``digits`` decimals, as ``round`` does, but never below the bound."""
    nearest = round(value, digits)
    if not math.isfinite(value) or nearest >= value:
        return nearest
    if digits < -_LARGEST_POWER:
        return math.inf  # no double is a multiple of that unit, except 0
    with decimal.localcontext() as context:
        context.prec = 1100  # enough for every digit of a double
        return float(decimal.Decimal(value).quantize(decimal.Decimal(1).scaleb(-digits), decimal.ROUND_CEILING))


def rounded_down(value: float, digits: int) -> float:
    """Does the same for a lower bound, which stays one."""
    return -rounded_up(-value, digits)


def _says_at_least(text: str, value: float) -> bool:
    try:
        return float(text) >= value
    except ValueError:  # "12%"
        return False


def table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Returns a small HTML table for notebooks; ``title`` and the cells are plain text."""
    left = "style='text-align:left'"
    body = "".join(
        f"<tr><th {left}>{html.escape(name)}</th><td {left}>{html.escape(value)}</td></tr>" for name, value in rows
    )
    return f"<table><caption style='text-align:left'><b>{html.escape(title)}</b></caption>{body}</table>"


def array_text(values: NDArray[np.float64], rounded: Callable[[float], str]) -> str:
    """Formats an array as NumPy does, with long arrays abbreviated; ``rounded`` formats each number."""
    return np.array2string(values, separator=", ", formatter={"float_kind": lambda value: rounded(float(value))})


def cells_table(title: str, shape: tuple[int, ...], text: Callable[[int], str]) -> str:
    """Returns an HTML table of the first elements of an array; ``text`` formats the element at a flat index."""
    size = math.prod(shape)
    rows = [(place_text(flat, shape), text(flat)) for flat in range(min(size, MOST_CELLS))]
    return table(title, rows if size <= MOST_CELLS else [*rows, ("…", f"and {size - MOST_CELLS} more")])


def place_text(flat: int, shape: tuple[int, ...]) -> str:
    """Formats a flat index as an index into ``shape``: "[2, 3]"."""
    return str([int(index) for index in np.unravel_index(flat, shape)])


def plan_text(plan: Plan) -> str:
    """Describes a plan on one line; long plans are abbreviated."""
    steps = plan.steps
    shown = [f"{_name_text(step.name)}{step.count} x {step.what!r}" for step in steps[:MOST_STEPS]]
    if len(steps) > MOST_STEPS:
        shown.append(f"and {len(steps) - MOST_STEPS} more kinds of step")
    return f"{', '.join(shown) or 'nothing'} ({relation_text(plan)})"


def _name_text(name: Optional[str]) -> str:
    return "" if name is None else f'"{name}": '


def relation_text(plan: Plan) -> str:
    """Describes the neighbouring relation, as in "zero-out, units of 4", with what the plan assumes about records."""
    units = "" if plan.unit == 1 else f", units of {plan.unit}"
    assumed = "" if plan.assumption is None else f", assuming that {plan.assumption}"
    return f"{plan.neighbors}{units}{assumed}"


def plan_html(plan: Plan) -> str:
    return table(f"plan, {relation_text(plan)}", ((f"{_name_text(step.name)}{step.count} x", repr(step.what)) for step in plan.steps))
