"""Moves numbers that the engine does not support to supported ones that cost at least as much.

A plan with unsupported numbers is refused. An accountant that replaces another tool's answers instead, with a valid
upper bound: less noise and a higher sampling rate never cost less, because the distributions with more noise, or with a
lower rate, are post-processings of the others by one kernel (add noise; or discard the output and draw it anew from the
distribution without the record). For the same reason the sampling may be dropped: Gaussian noise on all records costs
at least what it costs on a Poisson sample of them and, under replace-one, on any sample without replacement. (Under the
other relations, a sample of fixed size may cost more than all records: another record takes the place of a removed
one.)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._mechanisms import Gaussian
from .._numbers import Floats, to_floats
from ..errors import Error, InvalidArgument
from ..plan import ADD_OR_REMOVE_ONE, Plan
from ..records import decode, plain

LEAST_NOISE, MOST_NOISE = 1e-50, 1e50
LEAST_SAMPLED_NOISE, MOST_SAMPLED_NOISE = 0.01, 1e6
LEAST_RATE = 1e-100
LEAST_ORDER = 1 + 1e-9
_ROUNDING = 1e-9
_FIXED_SIZE = ("SampledWithoutReplacementDpEvent", "SampledWithReplacementDpEvent")


def orders_from_one(field: str, orders: Any) -> Floats:
    """Checks orders as the other tools take them; order 1 is allowed."""
    values = to_floats(field, orders).ravel()
    for value in values:
        if not value >= 1:
            raise InvalidArgument(field, repr(float(value)), "numbers of at least 1, inf among them")
    if not values.size:
        raise InvalidArgument(field, "none", "at least one order")
    return values


def orders_within_range(orders: Floats) -> list[float]:
    """Replaces order 1 by the least supported order above it. No Rényi bound gives an epsilon at order 1 itself; it is
    the limit from above, and the bound at every order above 1 is valid."""
    above: list[float] = np.maximum(orders, LEAST_ORDER).tolist()
    return above


def plan_of_history(history: Any, neighbors: str = ADD_OR_REMOVE_ONE) -> Plan:
    """Returns the plan of an Opacus history; numbers that the engine does not support are moved to supported ones."""
    record = plain({"history": history})  # a state, so that errors name history[0][1]
    try:
        return decode(record, "opacus", neighbors)
    except InvalidArgument:
        moved = {key: history_within_range(rows) for key, rows in record.items()}
        if moved == record:
            raise
        return decode(moved, "opacus", neighbors)


def history_within_range(history: Any) -> Any:
    """Moves the rows (noise_multiplier, sample_rate, steps) of an Opacus history to supported numbers."""
    if not isinstance(history, list):
        return history
    return [_row(*row) if isinstance(row, list) and len(row) == 3 else row for row in history]


def _row(noise: Any, rate: Any, steps: Any) -> list[Any]:
    if not _is_number(noise) or not _is_number(rate):
        return [noise, rate, steps]
    if not 0 < rate < 1:
        return [_noise(noise, MOST_NOISE), rate, steps]
    if 0 < noise < LEAST_SAMPLED_NOISE:
        return [_noise(noise, MOST_NOISE), 1.0, steps]
    return [_noise(noise, MOST_SAMPLED_NOISE), max(rate, LEAST_RATE), steps]


def event_within_range(event: Any, neighbors: str, most: float = MOST_NOISE) -> Any:
    """Moves the numbers of a dp_accounting event, given as a dictionary, to supported ones."""
    if isinstance(event, list):
        return [event_within_range(item, neighbors, most) for item in event]
    if not isinstance(event, dict):
        return event
    kind = event.get("class_name")
    if kind in ("GaussianDpEvent", "LaplaceDpEvent") and _is_number(event.get("noise_multiplier")):
        return {**event, "noise_multiplier": _noise(event["noise_multiplier"], most)}
    rate: Any = event.get("sampling_probability")
    poisson = kind == "PoissonSampledDpEvent" and _is_number(rate) and 0 < rate < 1
    if poisson or kind in _FIXED_SIZE:
        inside = event_within_range(event.get("event"), neighbors, MOST_SAMPLED_NOISE)
        too_little = _joint_noise(inside, neighbors) < LEAST_SAMPLED_NOISE * (1 + _ROUNDING)
        if too_little and (poisson or (kind == _FIXED_SIZE[0] and neighbors == "replace-one")):
            return inside
        return {**event, **({"sampling_probability": max(rate, LEAST_RATE)} if poisson else {}), "event": inside}
    return {key: event_within_range(item, neighbors, most) for key, item in event.items()}


def _noise(noise: float, most: float) -> float:
    """Limits the noise to ``most``. Noise below the smallest supported one becomes 0, which means no privacy."""
    return 0.0 if 0 < noise < LEAST_NOISE else min(noise, most)


def _joint_noise(event: Any, neighbors: str) -> float:
    """Returns the joint noise of Gaussians on one sample, 1/sqrt(sum count/s^2) (docs/format/convert.md), and infinity
    for any other event."""
    try:
        steps = decode(event, "dp_accounting", neighbors).merged()
    except Error:
        return math.inf
    gaussians = [(what.stddev, count) for what, count in steps if isinstance(what, Gaussian)]
    if not gaussians or len(gaussians) < len(steps):
        return math.inf
    return float(sum(count / stddev**2 for stddev, count in gaussians) ** -0.5)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
