"""Plans: compositions of mechanisms, with counts and nested groups."""

from __future__ import annotations

import dataclasses
from typing import Any, Iterator, Optional, Sequence, Union

from . import _native
from ._numbers import Count, shown_step, to_int, to_text
from ._format import plan_html, plan_text
from .errors import InvalidArgument
from .mechanisms import Mechanism, from_native

ADD_OR_REMOVE_ONE = "add-or-remove-one"
RELATIONS = "one of add-or-remove-one, replace-one, zero-out"
_A_NAME = "a text of 1 to 200 bytes of UTF-8 without control characters"
_A_COMMENT = "a text of up to 2000 bytes of UTF-8, of control characters only line ends and tabs"


@dataclasses.dataclass(frozen=True)
class Step:
    """A mechanism or a plan that runs ``count`` times; ``what, count = step`` unpacks it. The name and the comment, or
    None, are for readers: no figure depends on them.

    >>> import renyi
    >>> (renyi.Gaussian(2.0) * 10).steps
    (Step(what=Gaussian(stddev=2.0, l2_sensitivity=1.0), count=10),)
    """

    what: Union[Mechanism, Plan]
    count: int
    name: Optional[str] = None
    comment: Optional[str] = None

    def __iter__(self) -> Iterator[Any]:
        return iter((self.what, self.count))

    def __repr__(self) -> str:
        named = "" if self.name is None else f", name={self.name!r}"
        remarked = "" if self.comment is None else f", comment={self.comment!r}"
        return f"Step(what={self.what!r}, count={self.count!r}{named}{remarked})"


class Plan:
    """The list of steps of a run, with the neighbouring relation and the unit of privacy.

    ``Plan(a, b)`` runs a, then b. A plan is a value: ``plan + step`` and ``plan * 10`` are new plans. ``neighbors`` is
    the neighbouring relation: "add-or-remove-one" (default), "replace-one" or "zero-out". ``unit`` is the unit of
    privacy: neighbouring datasets differ in up to that many records, for example all records of one user.

    >>> import renyi
    >>> renyi.Plan(renyi.Gaussian(2.0), renyi.Laplace(1.0), neighbors="replace-one")
    <Plan: 1 x Gaussian(stddev=2.0, l2_sensitivity=1.0), 1 x Laplace(scale=1.0, l1_sensitivity=1.0) (replace-one)>
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
        """The unit of privacy: the number of records in which neighbouring datasets may differ."""
        return self._engine.unit

    @property
    def assumption(self) -> Optional[str]:
        """What all answers about the plan assume although it does not state it, or None. For tree and matrix mechanisms
        under "add-or-remove-one" it is that the other records keep their rounds."""
        return self._engine.assumption or None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps as they were specified; a group of steps is a plan."""
        return self._in_python(self._engine.steps)

    def merged(self) -> tuple[Step, ...]:
        """Returns the steps with nested groups multiplied out and equal mechanisms merged, in the order of first
        use."""
        return self._in_python([(what, count, "", "") for what, count in self._engine.merged()])

    def _in_python(self, steps: Sequence[tuple[Any, int, str, str]]) -> tuple[Step, ...]:
        return tuple(
            Step(_to_python(what, self.neighbors), count, name or None, comment or None)
            for what, count, name, comment in steps
        )

    def add(
        self,
        step: Mechanism | Plan,
        count: Count = 1,
        *,
        name: Optional[str] = None,
        comment: Optional[str] = None,
    ) -> Plan:
        """Returns a new plan with one more step: a mechanism, or a plan as a group, that runs ``count`` times. Its name
        and its comment go into plan files and are shown in reports; no figure depends on them.

        >>> import renyi
        >>> renyi.Plan().add(renyi.Laplace(20.0), 3, name="ages")
        <Plan: "ages": 3 x Laplace(scale=20.0, l1_sensitivity=1.0) (add-or-remove-one)>

        name: at most 200 bytes of UTF-8 without control characters.
        comment: at most 2,000 bytes, which may have several lines.
        """
        named = to_text("name", name, _A_NAME) if name is not None else ""
        remarked = to_text("comment", comment, _A_COMMENT) if comment is not None else ""
        if name is not None and not named:
            raise InvalidArgument("name", "''", _A_NAME)
        longer = self._engine.copy()
        _add(longer, step, to_int("count", count), named, remarked)
        return Plan._of(longer)

    def __add__(self, other: Mechanism | Plan) -> Plan:
        if not isinstance(other, (Mechanism, Plan)):
            return NotImplemented
        check_relation(other, self.neighbors, self.unit)
        joined = self._engine.copy()
        for step in other._engine.steps if isinstance(other, Plan) else [(other._engine, 1)]:
            joined.add(*step)
        return Plan._of(joined)

    def __radd__(self, nothing: int) -> Plan:
        """Makes ``sum`` work for plans, which starts with 0."""
        return self if isinstance(nothing, int) and nothing == 0 else NotImplemented

    def __mul__(self, count: Count) -> Plan:
        times = to_int("count", count)
        repeated = _native.Plan(self.neighbors, self.unit)
        steps = self._engine.steps
        if len(steps) == 1 and steps[0][1] == 1:
            what, _, name, comment = steps[0]
            repeated.add(what, times, name, comment)
        else:
            repeated.add(self._engine, times)
        return Plan._of(repeated)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        """Plans are equal if they have the same steps, names and comments in the same order and nesting, the same
        relation and unit."""
        if not isinstance(other, Plan):
            return NotImplemented
        same = self.neighbors == other.neighbors and self.unit == other.unit
        return same and self.steps == other.steps

    __hash__ = None  # type: ignore[assignment]

    def to_json(self) -> str:
        """Returns the plan file: canonical JSON text from which ``from_json`` makes an equal plan."""
        return self._engine.to_json()

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Reads a plan file. Unknown keys and invalid values raise an error."""
        return cls._of(_native.Plan.from_json(to_text("text", text, "a plan file, as text")))

    def __copy__(self) -> Plan:
        return self

    def __deepcopy__(self, memo: object) -> Plan:
        """Returns the plan itself, which never changes. Plans with custom mechanisms can therefore be copied too."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        return f"<Plan: {plan_text(self)}>"

    def _repr_html_(self) -> str:
        return plan_html(self)


def _add(native: _native.Plan, step: object, count: int, name: str = "", comment: str = "") -> None:
    if isinstance(step, (Mechanism, Plan)):
        check_relation(step, native.neighbors, native.unit)
        native.add(step._engine, count, name, comment)
    else:
        several = ", one by one: Plan(*steps)" if isinstance(step, (list, tuple)) else ""
        raise InvalidArgument("steps", shown_step(step), f"mechanisms and plans{several}")


def check_relation(step: Mechanism | Plan, neighbors: str, unit: int, where: str = "plan it is added to") -> None:
    """Raises ``InvalidArgument`` if a step is meant for another neighbouring relation or unit: plans, parallel steps
    and selections have a relation of their own. ``where`` says what has the other one."""
    meant = getattr(step, "neighbors", neighbors)
    if meant != neighbors:
        raise InvalidArgument("neighbors", meant, f"{neighbors}, as in the {where}")
    if isinstance(step, Plan) and step.unit != unit:
        raise InvalidArgument("unit", str(step.unit), f"{unit}, as in the {where}")


def _to_python(what: _native.Mechanism | _native.Plan, neighbors: str) -> Mechanism | Plan:
    return Plan._of(what) if isinstance(what, _native.Plan) else from_native(what, neighbors)


def to_plan(value: object, neighbors: Optional[str] = None, unit: Optional[int] = None) -> Plan:
    """Converts a mechanism to a plan, and returns a plan unchanged, whose relation and unit no other may contradict.
    Unless ``neighbors`` is given, the relation is that of the mechanism's parallel parts or selection, if it has any."""
    if isinstance(value, Plan):
        if neighbors is not None and neighbors != value.neighbors:
            raise InvalidArgument("neighbors", repr(neighbors), f"{value.neighbors!r}, as in the plan, or nothing")
        if unit is not None and unit != value.unit:
            raise InvalidArgument("unit", repr(unit), f"{value.unit}, as in the plan, or nothing")
        return value
    if isinstance(value, Mechanism):
        relation = getattr(value, "neighbors", ADD_OR_REMOVE_ONE) if neighbors is None else neighbors
        return Plan(value, neighbors=relation, unit=1 if unit is None else unit)
    raise InvalidArgument("plan", shown_step(value), "a plan, a mechanism, or a list of them")
