"""Composition: steps, counts, nesting."""

from __future__ import annotations

import dataclasses
from typing import Any, Iterator, Optional, Sequence, Union

from . import _native
from ._numbers import Count, to_int, to_text
from ._number_text import plan_html, plan_text
from .errors import InvalidArgument
from .mechanisms import Mechanism, from_native

ADD_OR_REMOVE_ONE = "add-or-remove-one"
RELATIONS = "one of add-or-remove-one, replace-one, zero-out"


@dataclasses.dataclass(frozen=True)
class Step:
    """A mechanism, or a plan, run ``count`` times; ``what, count = step`` takes it apart."""

    what: Union[Mechanism, Plan]
    count: int

    def __iter__(self) -> Iterator[Any]:
        return iter((self.what, self.count))


class Plan:
    """What was run, in all. A value: ``plan + step`` and ``plan * 10`` are new plans.

    ``Plan(a, b)`` runs a, then b. ``neighbors`` says which datasets are neighbours: "add-or-remove-one"
    (default), "replace-one" or "zero-out"; ``unit``, in up to how many records: those of one person.
    """

    __slots__ = ("_engine",)
    _engine: _native.Plan

    def __init__(self, *steps: Mechanism | Plan, neighbors: str = ADD_OR_REMOVE_ONE, unit: Count = 1) -> None:
        self._engine = _native.Plan(to_text("neighbors", neighbors, RELATIONS), to_int("unit", unit))
        for step in steps:
            _add(self._engine, step, 1)

    @classmethod
    def _of(cls, native: _native.Plan) -> Plan:
        plan = cls.__new__(cls)
        plan._engine = native
        return plan

    @property
    def neighbors(self) -> str:
        return self._engine.neighbors

    @property
    def unit(self) -> int:
        """Up to how many records are those of one person."""
        return self._engine.unit

    @property
    def assumption(self) -> Optional[str]:
        """What figures of the plan take for granted beyond what it says, or None: of trees and matrices under
        "add-or-remove-one", that the other records keep their rounds."""
        return self._engine.assumption or None

    @property
    def steps(self) -> tuple[Step, ...]:
        """As it was put together, groups as plans of their own."""
        return self._in_python(self._engine.steps)

    def merged(self) -> tuple[Step, ...]:
        """Nesting multiplied out, equal mechanisms merged, in order of first use."""
        return self._in_python(self._engine.merged())

    def _in_python(self, steps: Sequence[tuple[Any, int]]) -> tuple[Step, ...]:
        return tuple(Step(_to_python(what, self.neighbors), count) for what, count in steps)

    def __add__(self, other: Mechanism | Plan) -> Plan:
        if not isinstance(other, (Mechanism, Plan)):
            return NotImplemented
        check_relation(other, self.neighbors, self.unit)
        joined = self._engine.copy()
        for what, count in other._engine.steps if isinstance(other, Plan) else [(other._engine, 1)]:
            joined.add(what, count)
        return Plan._of(joined)

    def __radd__(self, nothing: int) -> Plan:
        """So that ``sum`` adds up plans: it begins with 0."""
        return self if isinstance(nothing, int) and nothing == 0 else NotImplemented

    def __mul__(self, count: Count) -> Plan:
        times = to_int("count", count)
        repeated = _native.Plan(self.neighbors, self.unit)
        steps = self._engine.steps
        if len(steps) == 1 and steps[0][1] == 1:
            repeated.add(steps[0][0], times)
        else:
            repeated.add(self._engine, times)
        return Plan._of(repeated)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        """The same steps in the same order and nesting."""
        if not isinstance(other, Plan):
            return NotImplemented
        same = self.neighbors == other.neighbors and self.unit == other.unit
        return same and self.steps == other.steps

    __hash__ = None  # type: ignore[assignment]

    def to_json(self) -> str:
        """The plan file: canonical text that reads back to an equal plan."""
        return self._engine.to_json()

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """A plan file, checked key by key."""
        return cls._of(_native.Plan.from_json(to_text("text", text, "a plan file, as text")))

    def __copy__(self) -> Plan:
        return self

    def __deepcopy__(self, memo: object) -> Plan:
        """Itself: a value. So plans with mechanisms of one's own can be copied too."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        return f"<Plan: {plan_text(self)}>"

    def _repr_html_(self) -> str:
        return plan_html(self)


def _add(native: _native.Plan, step: object, count: int) -> None:
    if isinstance(step, (Mechanism, Plan)):
        check_relation(step, native.neighbors, native.unit)
        native.add(step._engine, count)
    else:
        raise InvalidArgument("steps", repr(step), "mechanisms and plans")


def check_relation(step: Mechanism | Plan, neighbors: str, unit: int) -> None:
    """Plans, and parallel parts, say which relation they are meant for."""
    meant = getattr(step, "neighbors", neighbors)
    if meant != neighbors:
        raise InvalidArgument("neighbors", meant, f"{neighbors}, as in the plan it is added to")
    if isinstance(step, Plan) and step.unit != unit:
        raise InvalidArgument("unit", str(step.unit), f"{unit}, as in the plan it is added to")


def _to_python(what: _native.Mechanism | _native.Plan, neighbors: str) -> Mechanism | Plan:
    return Plan._of(what) if isinstance(what, _native.Plan) else from_native(what, neighbors)


def to_plan(value: object, neighbors: Optional[str] = None, unit: int = 1) -> Plan:
    """A plan from a plan or a mechanism; of the relation its parallel parts have, unless another is given."""
    if isinstance(value, Plan):
        return value
    if isinstance(value, Mechanism):
        relation = getattr(value, "neighbors", ADD_OR_REMOVE_ONE) if neighbors is None else neighbors
        return Plan(value, neighbors=relation, unit=unit)
    raise InvalidArgument("plan", repr(value), "a plan, a mechanism, or a list of them")
