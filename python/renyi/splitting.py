"""Solves for several noise parameters of a plan that share one budget."""

from __future__ import annotations

import dataclasses
import functools
import json
from typing import Any, Callable, Optional, Sequence, Union

from . import _native, _format
from ._error_names import renamed_errors
from ._export import Table, Tabular, at_path, cell
from ._numbers import to_float, to_floats
from ._unknown import json_place, to_path
from .answers import Exact, with_assumption
from .errors import Error, InvalidArgument
from .plan import Plan

#: How a budget is split: shares in the order of the unknowns, "equal-shares", or "equal-error".
Split = Union[str, Sequence[float]]
#: One of several unknowns: the position of its step, as in ``step`` of ``renyi.calibrate``, and its name.
Place = tuple[Union[int, Sequence[int]], str]

_RULES = 'shares such as [60, 40], "equal-shares" or "equal-error"'


@dataclasses.dataclass(frozen=True)
class SplitValue:
    """One of several noise parameters that were solved for.

    >>> import renyi
    >>> plan = renyi.Gaussian(1) + renyi.Laplace(1)
    >>> renyi.calibrate(plan, split="equal-error", epsilon=1, delta=1e-6).values[1].parameter
    'scale'
    """

    #: The position of the step: one index per level of nested plans.
    step: tuple[int, ...]
    #: The name of the parameter.
    parameter: str
    #: The value.
    value: float
    #: The value rounded up to three digits.
    rounded: float
    #: The standard deviation of this noise, in the units of the query.
    stddev: float


@dataclasses.dataclass(frozen=True, repr=False)
class SplitCalibration(Tabular):
    """The result of ``renyi.calibrate`` with ``split``: the noise of several steps that share one budget.

    >>> import renyi
    >>> plan = renyi.Gaussian(1) * 12 + renyi.Gaussian(1) * 3        # 12 counts and 3 histograms
    >>> found = renyi.calibrate(plan, split=[60, 40], epsilon=1, delta=1e-6)
    >>> [(each.step, each.parameter, each.rounded) for each in found.values]
    [((0,), 'stddev', 18.9), ((1,), 'stddev', 11.6)]
    >>> [each.rounded for each in renyi.calibrate(plan, split="equal-error", epsilon=1, delta=1e-6).values]
    [16.4, 16.4]
    """

    #: The values, in the order of the steps or of ``solve``.
    values: tuple[SplitValue, ...]
    #: Which epsilon meets the target: the "exact" one or the Rényi bound ("renyi").
    by: str
    #: The Rényi bound on epsilon that the values give.
    renyi: float
    #: The order at which the Rényi bound is attained.
    order: float
    #: The exact interval that the values give; None if the Rényi bound was used to calibrate.
    exact: Optional[Exact]
    #: An upper bound on the epsilon that the rounded values give.
    rounded_epsilon: float
    #: An upper bound on the part of the target that is not used because exact intervals are wide; 0 if within 1e-6.
    unspent: float
    #: The plan with the values inserted.
    plan: Plan

    def to_dict(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self._written())  # type: ignore[attr-defined]
        return with_assumption(document, self.plan.assumption)

    def _table(self) -> Table:
        answer = self.to_dict()
        shared = (self.by, self.renyi, at_path(answer, "exact", "upper"), self.rounded_epsilon)
        names = ("path", "value", "rounded", "stddev", "by", "renyi_epsilon", "exact_upper", "rounded_epsilon")
        rows = [[*(cell(value[name]) for name in names[:4]), *shared] for value in answer["values"]]
        return Table(names, rows)

    def __getstate__(self) -> dict[str, Any]:
        text = self._written()  # type: ignore[attr-defined]
        return {**self.__dict__, "_written": functools.partial(str, text)}

    def _rows(self) -> list[tuple[str, str]]:
        rows = [(f"step {_shown(each.step)}", f"{each.parameter} = {each.value!r}") for each in self.values]
        rows.append(("by", self.by))
        rows.append(("three digits", f"epsilon {_format.up(self.rounded_epsilon)}"))
        if self.exact is not None:
            rows.append(("exact epsilon", repr(self.exact)))
        rows.append(("Rényi bound", f"{_format.up(self.renyi)} at order {_format.plain(self.order)}"))
        return rows

    def __repr__(self) -> str:
        return f"<{', '.join(f'{name} {text}' for name, text in self._rows())}>"

    def _repr_html_(self) -> str:
        return _format.table("Noise for one budget", self._rows())


def _shown(step: Sequence[int]) -> str:
    return str(step[0]) if len(step) == 1 else str(tuple(step))


def places_text(places: Sequence[tuple[Sequence[int], str]]) -> str:
    """Returns the positions of steps as text: "0, (1, 0)"."""
    return ", ".join(_shown(path) for path, _ in places)


def _rule(split: object) -> tuple[str, list[float]]:
    if isinstance(split, str):
        if split not in ("equal-shares", "equal-error"):
            raise InvalidArgument("split", repr(split), _RULES)
        return ("equal-error" if split == "equal-error" else "shares"), []
    shares = to_floats("split", split)
    if shares.ndim != 1 or shares.size == 0:
        raise InvalidArgument("split", repr(split), _RULES)
    return "shares", shares.tolist()


def _unknowns(native: _native.Plan, solve: object) -> list[tuple[list[int], str]]:
    if solve is None:
        found = _native.noise_unknowns(native)
        if not found:
            raise InvalidArgument("plan", "no noise", "a step with a noise that a budget can be split over")
        return found
    if isinstance(solve, str):
        found = _native.unknowns_named(native, solve)
        if not found:
            raise InvalidArgument("solve", repr(solve), "a parameter of some step of the plan")
        return found
    places: Any = solve
    try:
        pairs = [(step, name) for step, name in places]
    except (TypeError, ValueError):
        pairs = []
    if not pairs or not all(isinstance(name, str) for _, name in pairs):
        raise InvalidArgument("solve", repr(solve), 'pairs of a step and a name, such as [(0, "stddev"), (1, "scale")]')
    with renamed_errors({"step": "solve"}):
        return [(to_path(step), name) for step, name in pairs]


def calibrate_split(
    plan: Plan,
    solve: object,
    split: object,
    epsilon: object,
    delta: object,
    by: Optional[str],
    options: _native.Options,
) -> SplitCalibration:
    """Solves a plan for several noise parameters; ``solve`` is None for all of them."""
    rule, shares = _rule(split)
    for name, value in (("epsilon", epsilon), ("delta", delta)):
        if value is None:
            raise InvalidArgument(name, "nothing", "a number")
    unknowns = _unknowns(plan._engine, solve)
    target = to_float("epsilon", epsilon), to_float("delta", delta)
    try:
        with renamed_errors({"path": "solve", "parameter": "solve"}):
            found = _native.calibrate_split(plan._engine, unknowns, rule, shares, *target, by, options)
    except Error as error:
        if error.field.startswith("unknowns["):
            error._about(f"solve{error.field[len('unknowns'):]}")
        raise
    calibration = SplitCalibration(
        tuple(SplitValue(tuple(path), name, *each) for (path, name), each in zip(unknowns, found.values)),
        found.by,
        found.renyi,
        found.order,
        None if found.exact is None else Exact._of(found.exact),
        found.rounded_epsilon,
        found.unspent,
        Plan._of(found.plan),
    )
    places = [f"{json_place(plan._engine, path)}.{name}" for path, name in unknowns]
    written: Callable[[], str] = functools.partial(found.to_json, places)
    object.__setattr__(calibration, "_written", written)
    return calibration
