"""Where the unknown number of a calibration is: the step it belongs to, and its name there."""

from __future__ import annotations

from typing import Any, Sequence, Union

import numpy as np

from . import _native
from ._numbers import to_int
from .errors import InvalidArgument
from .mechanisms import own_name

#: The position of a step: an index, or one index per level of nested plans. Inside a parallel step there are two: the
#: index of the part, then that of the step in the part.
Path = Union[int, "np.integer[Any]", Sequence[int]]
#: The numbers, besides the noise, that a run described by its sizes can be solved for.
OPEN_SIZES = ("steps", "sampling_rate", "epochs", "dataset_size", "batch_size", "batch_limit")


def not_solvable(solve: str, names: Sequence[str], besides: str = "") -> InvalidArgument:
    """Returns the error for a number that is none of those that can be solved for, with what may have been meant."""
    meant = _native.did_you_mean(solve, names)
    return InvalidArgument("solve", f"{solve!r}{meant}", f"one of {', '.join(names)}{besides}")


def to_path(step: object) -> list[int]:
    """Converts an index, or a sequence of them, to a list."""
    several = isinstance(step, Sequence) and not isinstance(step, str)
    path = [to_int("step", index) for index in (step if several else [step])]  # type: ignore[attr-defined]
    if any(index < 0 for index in path):
        raise InvalidArgument("step", repr(step), "indices of at least 0")
    return path


def engine_name(native: _native.Plan, path: Sequence[int], parameter: str) -> str:
    """Returns the engine's name of a parameter: that of an order may differ."""
    if parameter != "order":
        return parameter
    found, _ = _step_at(native, path)
    if not isinstance(found, _native.Mechanism):
        return parameter
    return next((name for name, _ in found.parameters if own_name(name) == parameter), parameter)


def json_place(native: _native.Plan, path: Sequence[int]) -> str:
    """Returns the path of a step in a plan file: "steps[1].plan[0]"."""
    return _step_at(native, path)[1]


def _step_at(native: _native.Plan, path: Sequence[int]) -> tuple[object, str]:
    """Returns the step at a path, which leads through groups, parts of parallel steps, and runs of selections, and the
    same path in a plan file."""
    plan, places, place = native, list(path), "steps"
    relation = (native.neighbors, native.unit)
    try:
        while True:
            index = places.pop(0)
            what, place = plan.steps[index][0], f"{place}[{index}]"
            if not places:
                return what, place
            if isinstance(what, _native.Plan):
                plan, place = what, f"{place}.plan"
            elif what.kind == "parallel":
                part = places.pop(0)
                plan, place = _native.parts_of(what, *relation)[part], f"{place}.parallel[{part}]"
            elif what.kind == "select":
                plan, place = _native.run_of(what, *relation)[0], f"{place}.select"
            else:
                raise IndexError
    except IndexError:
        raise InvalidArgument("step", repr(list(path)), "the place of a step in the plan") from None
