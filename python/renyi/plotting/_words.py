"""Plans and numbers as figures show them: Greek letters, and powers of ten as 10 to a power."""

from __future__ import annotations

import math
import re
from typing import Any

from .. import _format
from ..mechanisms import Mechanism
from ..plan import ADD_OR_REMOVE_ONE, Plan

#: The letters of the literature for numbers of plans and runs; other numbers have their names.
SYMBOLS = {
    "sampling_rate": "q",
    "rate": "q",
    "noise_multiplier": "σ",
    "stddev": "σ",
    "epsilon": "ε",
    "delta": "δ",
    "order": "α",
    "lambda": "α",
    "mu": "μ",
    "rho": "ρ",
}
_USUAL = {"l1_sensitivity": 1.0, "l2_sensitivity": 1.0, "categories": 2.0, "xi": 0.0}
_NAMES = {"gaussian": "Gaussian", "laplace": "Laplace", "dp": "DP", "gdp": "GDP", "rdp": "RDP", "poisson": "Poisson"}
_MOST_STEPS = 8
_PLAIN_FROM, _PLAIN_TO = 1e-3, 1e5


def number(value: float) -> str:
    """Writes a number that is no bound: "0.01", "20000" or, by mathtext, 2.5 times ten to a power."""
    return _written(value, _format.plain(value))


def bound(value: float) -> str:
    """Writes an upper bound, rounded up, in the same style."""
    return _written(value, _format.up(value))


def lower_bound(value: float) -> str:
    """Writes a lower bound, rounded down, in the same style."""
    return _written(value, _format.down(value))


def _written(value: float, text: str) -> str:
    if not math.isfinite(value):
        return "∞" if value > 0 else text
    if value == 0 or _PLAIN_FROM <= abs(value) < _PLAIN_TO:
        return f"{float(text):.{_format.DIGITS}g}"
    mantissa, exponent = f"{float(text):.{_format.DIGITS - 1}e}".split("e")
    digits = re.sub(r"\.?0*$", "", mantissa) if "." in mantissa else mantissa
    power = f"10^{{{int(exponent)}}}"
    return f"${power}$" if digits == "1" else rf"${digits}\times{power}$"


def symbol(name: str) -> str:
    """Returns the letter for a number, or its name in words."""
    return SYMBOLS.get(name, name.replace("_", " "))


def plan_words(plan: Plan) -> str:
    """Describes a plan: "10000 × sampled Gaussian, q = 0.01, σ = 1.1"."""
    steps = plan.steps
    shown = [_step_words(what, count) for what, count in steps[:_MOST_STEPS]]
    if len(steps) > _MOST_STEPS:
        shown.append(f"and {len(steps) - _MOST_STEPS} more kinds of step")
    words = "; ".join(shown) or "nothing"
    if plan.neighbors != ADD_OR_REMOVE_ONE:
        words += f"; {plan.neighbors}"
    return words if plan.unit == 1 else f"{words}; {plan.unit} records a person"


def _step_words(what: Any, count: int) -> str:
    words = f"({plan_words(what)})" if isinstance(what, Plan) else _mechanism_words(what)
    return words if count == 1 else f"{count} × {words}"


def _mechanism_words(what: Mechanism) -> str:
    if what.kind in ("parallel", "select", "own"):
        return repr(what)
    numbers = {name: value for name, value in what.parameters.items() if _USUAL.get(name) != value}
    parts = [_kind_words(what.kind), *_equations(numbers)]
    sampling = getattr(what, "sampling", None)
    if sampling is not None:
        parts += [f"{_kind_words(sampling.scheme)} sampling", *_equations(dict(sampling._numbers()))]
    return ", ".join(parts)


def _equations(numbers: dict[str, float]) -> list[str]:
    return [f"{symbol(name)} = {number(value)}" for name, value in numbers.items()]


def _kind_words(kind: str) -> str:
    return " ".join(_NAMES.get(word, word) for word in kind.split("-"))
