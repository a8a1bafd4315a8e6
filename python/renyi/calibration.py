"""Solves a plan for one number: the noise, the steps, a size of the run, the unit of privacy, or epsilon or delta."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import operator
from typing import Any, Callable, Optional, Sequence, Union, overload

from . import _native, _format
from ._ask import WANT, Question, for_each, options_for
from ._export import Table, Tabular, at_path
from ._grid import Grid
from ._numbers import Count, Counts, Number, Numbers, Orders, to_int, to_text, to_text_or_none
from ._error_names import renamed_errors
from ._unknown import OPEN_SIZES, Path, engine_name, json_place, not_solvable, to_path
from ._timed import timed
from .answers import Exact, with_assumption
from .errors import InvalidArgument, Unsupported
from .mechanisms import Mechanism
from .plan import Plan, to_plan
from .questions import Planlike, Planlikes
from .run import PrivacyWarning, Scheme, Sizes, issue
from .splitting import Place, Split, SplitCalibration, calibrate_split, places_text

#: The numbers that a training run can be solved for, and the value that each has until it is solved.
_RUN = {"noise_multiplier": 1.0, "sampling_rate": 0.5, "steps": 1}
#: Unknowns that belong to the whole plan or to the target, not to one step.
_WHOLE_PLAN = ("unit", "epsilon", "delta")


@dataclasses.dataclass(frozen=True)
class Rounded:
    """The result of a calibration, rounded to three digits towards more privacy.

    >>> import renyi
    >>> renyi.calibrate(solve="steps", noise_multiplier=10, epsilon=3, delta=1e-5).rounded.value
    51
    """

    #: The rounded value; an ``int`` for counts.
    value: Union[float, int]
    #: An upper bound on the epsilon that the rounded value gives, or on delta if delta was solved for.
    spent: float
    #: The part of the target that the rounded value does not use; if epsilon or delta was solved for, what rounding
    #: adds.
    unspent: float


@dataclasses.dataclass(frozen=True, repr=False)
class Calibration(Tabular):
    """The result of ``renyi.calibrate``: the value with which a plan meets its target. ``float(found)`` is the value.

    >>> import renyi
    >>> found = renyi.calibrate(sampling_rate=0.01, steps=10_000, epsilon=3, delta=1e-5)
    >>> round(found.value, 6), found.rounded.value
    (1.564966, 1.57)
    """

    #: The name of the number that was solved for.
    parameter: str
    #: The value, within 1e-9 of the best one and rounded towards more privacy; an ``int`` for whole numbers. See
    #: ``unspent``.
    value: Union[float, int]
    #: The value rounded to three digits, and what that costs.
    rounded: Rounded
    #: Which epsilon meets the target: the "exact" one or the Rényi bound ("renyi").
    by: str
    #: The Rényi bound that the value gives: on epsilon, or on delta if delta was solved for.
    renyi: float
    #: The order at which the Rényi bound is attained.
    order: float
    #: The exact interval that the value gives; None if the Rényi bound was used to calibrate.
    exact: Optional[Exact]
    #: An upper bound on the part of the target that is not used because exact intervals are wide; 0 if within 1e-6.
    unspent: float
    #: Why the next values are not supported; empty if they are, and exceed the target.
    beyond: str
    #: For the noise of a single Gaussian: the noise that the classical theorem demands, sqrt(2 ln(1.25/delta))/epsilon
    #: (Dwork, Roth 2014, Theorem A.1), which holds for epsilon below 1. None otherwise.
    classical: Optional[float]
    #: The plan with the value inserted.
    plan: Plan
    #: Warnings about a run that is described by its sizes.
    warnings: tuple[PrivacyWarning, ...] = ()
    #: Whether the value is the smallest one that meets the target (noise), or the largest (steps).
    is_smallest: bool = True
    #: Whether it is the smallest, or the largest, of all. Otherwise, for a batch size with epochs given, the cost is not
    #: monotone: the next larger batch sizes exceed the target, and some smaller ones may.
    is_extreme: bool = True

    @classmethod
    def _of(
        cls,
        parameter: str,
        found: _native.Calibration,
        warnings: tuple[PrivacyWarning, ...],
        written: Callable[[], str],
    ) -> Calibration:
        """``written`` returns the answer as JSON; it is called when that is asked for."""
        exact = None if found.exact is None else Exact._of(found.exact)
        calibration = cls(
            parameter,
            found.value,
            Rounded(*found.rounded),
            found.by,
            found.renyi,
            found.order,
            exact,
            found.unspent,
            found.beyond,
            found.classical,
            Plan._of(found.plan),
            warnings,
            found.is_smallest,
            found.is_extreme,
        )
        object.__setattr__(calibration, "_written", written)
        return calibration

    def to_dict(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self._written())  # type: ignore[attr-defined]
        return with_assumption(document, self.plan.assumption)

    def _table(self) -> Table:
        answer = self.to_dict()
        spent = "delta" if self.parameter == "delta" else "epsilon"
        columns: dict[str, tuple[str, ...]] = {
            "parameter": ("parameter",),
            "value": ("value",),
            f"renyi_{spent}": ("renyi", spent),
            "renyi_order": ("renyi", "order"),
            "renyi_conversion": ("renyi", "conversion"),
            "by": ("by",),
            "exact_lower": ("exact", "lower"),
            "exact_upper": ("exact", "upper"),
            "engine": ("exact", "engine"),
            "rounded": ("rounded", "value"),
            f"rounded_{spent}": ("rounded", spent),
            "unspent": ("rounded", "unspent"),
        }
        return Table(list(columns), [[at_path(answer, *path) for path in columns.values()]])

    def __getstate__(self) -> dict[str, Any]:
        text = self._written()  # type: ignore[attr-defined]
        return {**self.__dict__, "_written": functools.partial(str, text)}

    def __round__(self, ndigits: Optional[int] = None) -> Union[float, int]:
        """Rounds the value towards more privacy: noise up, steps down; to ``ndigits`` decimals, or to an integer.

        If the cost is not monotone (``is_extreme`` is False), a value is not rounded unseen: ``rounded`` has one that
        was evaluated.
        """
        if not self.is_extreme and ndigits is not None and operator.index(ndigits) < 0:
            raise Unsupported("round", "a smaller batch size may cost more", "rounded.value, which was evaluated")
        if ndigits is None:
            return math.ceil(self.value) if self.is_smallest else math.floor(self.value)
        rounded = _format.rounded_up if self.is_smallest else _format.rounded_down
        return rounded(self.value, operator.index(ndigits))

    def __float__(self) -> float:
        return float(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def _rows(self) -> list[tuple[str, str]]:
        rows = [("by", self.by), ("plan", repr(self.plan))]
        if self.rounded.value != self.value:
            rows.append(("three digits", f"{self.rounded.value!r} leaves {_format.up(self.rounded.unspent)} unspent"))
        if self.classical is not None:
            rows.append(("classical", _format.up(self.classical)))
        if self.exact is not None:
            rows.append((f"exact {'delta' if self.parameter == 'delta' else 'epsilon'}", repr(self.exact)))
        rows.append(("Rényi bound", f"{_format.up(self.renyi)} at order {_format.plain(self.order)}"))
        return rows

    def __repr__(self) -> str:
        return f"<{self.parameter} = {self.value!r}: {', '.join(f'{name} {text}' for name, text in self._rows())}>"

    def _repr_html_(self) -> str:
        return _format.table(f"{self.parameter} = {self.value!r}", self._rows())


@overload
def calibrate(
    plan: Planlike,
    *,
    epsilon: Number,
    delta: Number,
    split: Split,
    solve: Union[str, Sequence[Place], None] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    by: Optional[str] = None,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    timeout: Optional[float] = None,
) -> SplitCalibration: ...


@overload
def calibrate(  # pyright: ignore[reportOverlappingOverload]
    plan: Optional[Planlike] = None,
    *,
    epsilon: Optional[Number] = None,
    delta: Optional[Number] = None,
    solve: Optional[str] = None,
    step: Optional[Path] = None,
    sampling_rate: Optional[Number] = None,
    noise_multiplier: Optional[Number] = None,
    steps: Optional[Count] = None,
    dataset_size: Optional[Count] = None,
    batch_size: Optional[Count] = None,
    epochs: Optional[Number] = None,
    accumulation: Optional[Count] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Count] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    by: Optional[str] = None,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    timeout: Optional[float] = None,
) -> Calibration: ...


@overload
def calibrate(
    plan: Optional[Planlikes] = None,
    *,
    epsilon: Optional[Numbers] = None,
    delta: Optional[Numbers] = None,
    solve: Optional[str] = None,
    step: Optional[Path] = None,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    by: Optional[str] = None,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    timeout: Optional[float] = None,
) -> Grid[Calibration]: ...


@timed
def calibrate(
    plan: Optional[Planlikes] = None,
    *,
    epsilon: Optional[Numbers] = None,
    delta: Optional[Numbers] = None,
    solve: Union[str, Sequence[Place], None] = None,
    step: Optional[Path] = None,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    by: Optional[str] = None,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    split: Optional[Split] = None,
    timeout: Optional[float] = None,
) -> Union[Calibration, Grid[Calibration], SplitCalibration]:
    """Solves for one number so that a plan satisfies (``epsilon``, ``delta``)-DP: the least noise, the most steps, ...

    >>> import renyi
    >>> round(renyi.calibrate(sampling_rate=0.01, steps=10_000, epsilon=3, delta=1e-5), 6)
    1.564966

    ``solve`` names the number to solve for:

    - For a training run it is "noise_multiplier" (default), "steps" or "sampling_rate"; the others are given.
    - For a run described by its sizes, as in ``renyi.epsilon``, it may also be "epochs", "batch_size", "batch_limit"
      or, with samples of fixed size, "dataset_size". Epochs are the largest number that takes the most steps. If
      ``epochs`` are given, the cost of a run is not monotone in the batch size: the value meets the target, the next
      one does not, and neither do the smallest batches of the next 16 smaller numbers of steps.
    - For a plan it is a number of the mechanism at ``step``: a parameter, "steps" or "count" (how often it runs), a
      number of its sampling ("sampling.rate"), or one of a selection's number of runs ("runs.mean"). ``step`` is an
      index, or several: one for each level of nesting; inside a parallel step, the index of the part comes first. It
      may be left out if only one step has such a number.
    - In all cases it may be "unit"; or "epsilon" or "delta", which is then computed from the other one.

    With ``split``, the noise of several steps shares the budget: [60, 40] are shares of it, "equal-shares" are equal
    ones, and with "equal-error" the noise of all of them has the same standard deviation. ``solve`` is then a list of
    pairs of a step and a name, [(0, "stddev"), (1, "scale")], or left out for all noise of the plan. The result is a
    ``SplitCalibration``.

    ``by`` is "exact" or "renyi" (default: exact, or renyi if the plan has no exact answer). Every number may be an
    array; the result is then a ``Grid``.
    """
    options = options_for(WANT, orders, conversion, tolerance, memory)
    accounting = to_text_or_none("by", by, "one of exact, renyi")
    if split is not None:
        given = (step, sampling_rate, noise_multiplier, steps, dataset_size, batch_size, epochs, accumulation, sampling)
        if not isinstance(plan, (Plan, Mechanism)) or any(each is not None for each in (*given, batch_limit)):
            raise InvalidArgument("split", repr(split), "together with one plan, and nothing else that describes a run")
        whole = to_plan(plan, neighbors, None if unit is None else to_int("unit", unit))
        return calibrate_split(whole, solve, split, epsilon, delta, accounting, options)
    solve = to_text("solve", "noise_multiplier" if solve is None else solve, "the name of a parameter")
    path = None if step is None else to_path(step)
    of_target = solve in ("epsilon", "delta") and _is_of_target(solve, epsilon, delta)
    of_plan = of_target or solve == "unit"
    target = _target(solve if of_target else "", epsilon, delta)
    if solve == "unit" and unit is not None:
        raise InvalidArgument("unit", repr(unit), "nothing: it is solved for")
    sizes = Sizes(dataset_size, batch_size, epochs, accumulation, sampling, batch_limit).told()
    if plan is None and not of_plan and (sizes is not None or solve in OPEN_SIZES[2:]):
        question = _sizes_question(
            solve, sizes or Sizes(), sampling_rate, noise_multiplier, steps, neighbors, unit, target
        )
    elif plan is None and not of_plan:
        question = _run_question(solve, sampling_rate, noise_multiplier, steps, neighbors, unit, target)
    else:
        question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, sizes, None, **target)
    question.placeholders = (solve,)
    parameter = {"steps": "count"}.get(solve, solve)
    epsilons, deltas = question.column("epsilon"), question.column("delta")

    def ask(index: int) -> Calibration:
        native = question.plan(index)._engine
        run = question.run(index)
        size = run._engine if run is not None and not of_plan and solve in OPEN_SIZES else None
        place = [] if of_plan else path if path is not None else _only_path(native, parameter)
        name = solve if of_plan else engine_name(native, place, parameter)
        words = {"sampling.rate": solve, f"sampling.{solve}": solve, "count": solve} if size is not None else {}
        with renamed_errors({name: solve, "parameter": "solve", "path": "step", **words}):
            found = _native.calibrate(native, place, name, epsilons[index], deltas[index], accounting, options, size)
        # The request names a Gaussian's noise as the caller does, not as the engine.
        spelled = solve if size is not None else name if name in ("count", solve) or "." in name else solve
        where = solve if of_plan else f"run.{solve}" if size is not None else f"{json_place(native, place)}.{spelled}"
        written = functools.partial(found.to_json, spelled, where)
        return Calibration._of(solve, found, () if solve == "delta" else question.warnings(index), written)

    found = for_each(question, ask, fixed=("by",))
    if solve != "delta":
        issue(question.all_warnings(), stacklevel=3)
    return found  # type: ignore[no-any-return]


def _is_of_target(solve: str, epsilon: object, delta: object) -> bool:
    """Returns true if the target's own epsilon or delta is unknown. A mechanism may have a parameter of the same name;
    when that is solved for, the target's number is given."""
    return (epsilon if solve == "epsilon" else delta) is None


def _target(solved: str, epsilon: Optional[Numbers], delta: Optional[Numbers]) -> dict[str, Numbers]:
    """Returns epsilon and delta of the target, with 0 for the one that is solved for."""
    numbers: dict[str, Numbers] = {}
    for name, value in (("epsilon", epsilon), ("delta", delta)):
        if value is None and name != solved:
            raise InvalidArgument(name, "nothing", "a number, unless it is solved for")
        numbers[name] = 0.0 if value is None else value
    return numbers


def _run_question(
    solve: str,
    sampling_rate: Optional[Numbers],
    noise_multiplier: Optional[Numbers],
    steps: Optional[Counts],
    neighbors: Optional[str],
    unit: Optional[Count],
    target: dict[str, Numbers],
) -> Question:
    """Returns the question about a run, with a placeholder for the number that is solved for."""
    if solve not in _RUN:
        raise not_solvable(solve, (*_RUN, *_WHOLE_PLAN), ", or a parameter of a plan's mechanism")
    given = {"sampling_rate": sampling_rate, "noise_multiplier": noise_multiplier, "steps": steps}
    if given[solve] is not None:
        raise InvalidArgument(solve, repr(given[solve]), "nothing: it is solved for")
    if solve != "steps" and steps is None:
        raise InvalidArgument("steps", "nothing", "an integer: how often the mechanism runs")
    run = {**given, solve: _RUN[solve]}
    return Question(None, **run, neighbors=neighbors, unit=unit, **target)  # type: ignore[arg-type]


def _sizes_question(
    solve: str,
    sizes: Sizes,
    sampling_rate: Optional[Numbers],
    noise_multiplier: Optional[Numbers],
    steps: Optional[Counts],
    neighbors: Optional[str],
    unit: Optional[Count],
    target: dict[str, Numbers],
) -> Question:
    """Returns the question about a run described by its sizes; the engine inserts a placeholder for the unknown."""
    if solve not in (*_RUN, *OPEN_SIZES):
        raise not_solvable(solve, ("noise_multiplier", *OPEN_SIZES, *_WHOLE_PLAN))
    given = {**sizes._asdict(), "sampling_rate": sampling_rate, "noise_multiplier": noise_multiplier, "steps": steps}
    if given[solve] is not None:
        raise InvalidArgument(solve, repr(given[solve]), "nothing: it is solved for")
    noise = _RUN["noise_multiplier"] if solve == "noise_multiplier" else noise_multiplier
    left_open = solve if solve in OPEN_SIZES else None
    return Question(None, sampling_rate, noise, steps, neighbors, unit, sizes, left_open, **target)


def _only_path(native: _native.Plan, parameter: str) -> list[int]:
    """Returns the position of the only step that has a number of this name. If there is none, the first step is
    named: the error says which numbers it has."""
    found = _native.unknowns_named(native, parameter)
    if len(found) > 1:
        allowed = f"one of the {len(found)} steps with {parameter}: {places_text(found)}"
        raise InvalidArgument("step", "nothing", allowed)
    return found[0][0] if found else [0]
