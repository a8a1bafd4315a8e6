"""Solve a plan for one number: noise, steps, rate."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Sequence, Union, overload

import numpy as np

from . import _native, _show
from ._ask import WANT, Question, for_each, options_for
from ._grid import Grid
from ._numbers import Count, Counts, Number, Numbers, Orders, to_int, to_text, to_text_or_none
from ._words import in_words
from .answers import Exact
from .errors import InvalidArgument, Unsupported
from .mechanisms import engine_name
from .plan import Plan
from .questions import Planlike, Planlikes

#: The place of a step: an index, or one a level where plans are nested.
Path = Union[int, "np.integer[Any]", Sequence[int]]
#: What a training run can be solved for, and what stands in its place meanwhile.
_RUN = {"noise_multiplier": 1.0, "sampling_rate": 0.5, "steps": 1}


@dataclasses.dataclass(frozen=True, repr=False)
class Calibration:
    """The value that spends the target and no more. ``float(found)`` is the value."""

    #: What was solved for.
    parameter: str
    #: On the private side, within 1e-9 of the best; a whole number for counts. See ``unspent``.
    value: Union[float, int]
    #: Whose epsilon meets the target: "exact" or "renyi".
    by: str
    #: The Rényi bound that the value gives.
    renyi: float
    #: The order that gave it.
    order: float
    #: The exact interval that the value gives; None if calibrated by the Rényi bound.
    exact: Optional[Exact]
    #: Of the target, at most, where wide exact intervals hide the boundary; 0: within 1e-6.
    unspent: float
    #: The plan with the value in its place.
    plan: Plan

    @classmethod
    def _of(cls, parameter: str, found: _native.Calibration) -> Calibration:
        value = found.count if parameter in ("count", "steps") else found.value
        exact = None if found.exact is None else Exact._of(found.exact)
        plan = Plan._of(found.plan)
        return cls(parameter, value, found.by, found.renyi, found.order, exact, found.unspent, plan)

    def __float__(self) -> float:
        return float(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def _rows(self) -> list[tuple[str, str]]:
        rows = [("by", self.by), ("plan", repr(self.plan))]
        if self.exact is not None:
            rows.append(("exact epsilon", repr(self.exact)))
        rows.append(("Rényi bound", f"{_show.up(self.renyi)} at order {_show.plain(self.order)}"))
        return rows

    def __repr__(self) -> str:
        return f"<{self.parameter} = {self.value!r}: {', '.join(f'{name} {text}' for name, text in self._rows())}>"

    def _repr_html_(self) -> str:
        return _show.table(f"{self.parameter} = {self.value!r}", self._rows())


@overload
def calibrate(  # type: ignore[overload-overlap]
    plan: Optional[Planlike] = None,
    *,
    epsilon: Number,
    delta: Number,
    solve: str = "noise_multiplier",
    step: Path = 0,
    sampling_rate: Optional[Number] = None,
    noise_multiplier: Optional[Number] = None,
    steps: Optional[Count] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    by: Optional[str] = None,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
) -> Calibration: ...


@overload
def calibrate(
    plan: Optional[Planlikes] = None,
    *,
    epsilon: Numbers,
    delta: Numbers,
    solve: str = "noise_multiplier",
    step: Path = 0,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    by: Optional[str] = None,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
) -> Grid[Calibration]: ...


def calibrate(
    plan: Optional[Planlikes] = None,
    *,
    epsilon: Numbers,
    delta: Numbers,
    solve: str = "noise_multiplier",
    step: Path = 0,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    by: Optional[str] = None,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
) -> Union[Calibration, Grid[Calibration]]:
    """The value of one number that spends (``epsilon``, ``delta``) and no more: the least noise, the most steps.

    Of a training run, ``solve`` is "noise_multiplier" (default), "steps" or "sampling_rate", and the others are given.
    Of a plan, it is a parameter of the mechanism at ``step`` (a path of indices where plans are nested), or "count".
    ``by`` is "exact" or "renyi" (default: exact, or renyi where the plan has no exact answer).
    """
    options = options_for(WANT, orders, conversion, tolerance, memory)
    to_text("solve", solve, "the name of a parameter")
    accounting = to_text_or_none("by", by, "one of exact, renyi")
    if plan is None:
        question = _run_question(solve, sampling_rate, noise_multiplier, steps, neighbors, unit, epsilon, delta)
    else:
        question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, epsilon=epsilon, delta=delta)
    path = _path(step)
    parameter = solve if plan is not None else {"steps": "count"}.get(solve, solve)
    epsilons, deltas = question.column("epsilon"), question.column("delta")

    def ask(index: int) -> Calibration:
        native = question.plan(index)._engine
        name = _engine_name(native, path, parameter)
        with in_words({name: solve, "parameter": "solve", "path": "step"}):
            found = _native.calibrate(native, path, name, epsilons[index], deltas[index], accounting, options)
        return Calibration._of(solve, found)

    return for_each(question, ask, fixed=("by",))  # type: ignore[no-any-return]


def _path(step: object) -> list[int]:
    """A path, from an index or several."""
    several = isinstance(step, Sequence) and not isinstance(step, str)
    path = [to_int("step", index) for index in (step if several else [step])]  # type: ignore[attr-defined]
    if any(index < 0 for index in path):
        raise InvalidArgument("step", repr(step), "indices of at least 0")
    return path


def _run_question(
    solve: str,
    sampling_rate: Optional[Numbers],
    noise_multiplier: Optional[Numbers],
    steps: Optional[Counts],
    neighbors: Optional[str],
    unit: Optional[Count],
    epsilon: Numbers,
    delta: Numbers,
) -> Question:
    """The run with a stand-in for the number sought."""
    if solve not in _RUN:
        raise InvalidArgument("solve", repr(solve), f"one of {', '.join(_RUN)}, or a parameter of a plan's mechanism")
    given = {"sampling_rate": sampling_rate, "noise_multiplier": noise_multiplier, "steps": steps}
    if given[solve] is not None:
        raise InvalidArgument(solve, repr(given[solve]), "nothing: it is solved for")
    if solve != "steps" and steps is None:
        raise InvalidArgument("steps", "nothing", "an integer: how often the mechanism runs")
    run = {**given, solve: _RUN[solve]}
    return Question(None, **run, neighbors=neighbors, unit=unit, epsilon=epsilon, delta=delta)  # type: ignore[arg-type]


def _engine_name(native: _native.Plan, path: Sequence[int], parameter: str) -> str:
    """The engine's name: a Gaussian's noise multiplier is its standard deviation at sensitivity 1."""
    if parameter != "noise_multiplier":
        return engine_name(parameter)
    found: object = native
    try:
        for index in path:
            found = found.steps[index][0]  # type: ignore[attr-defined]
    except (AttributeError, IndexError):
        raise InvalidArgument("step", repr(list(path)), "the place of a step in the plan") from None
    if isinstance(found, _native.Mechanism) and found.kind == "gaussian":
        if dict(found.parameters)["l2_sensitivity"] != 1:
            raise Unsupported(
                "noise_multiplier", "the step has a sensitivity of its own", "solve for stddev or l2_sensitivity"
            )
        return "stddev"
    return parameter
