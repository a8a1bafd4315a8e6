"""Parallel composition: steps on disjoint subsets of the records."""

from __future__ import annotations

from typing import Any, ClassVar, Optional, Sequence, Union

from . import _native
from ._numbers import to_text_or_none
from .errors import InvalidArgument
from .mechanisms import Mechanism
from .plan import ADD_OR_REMOVE_ONE, RELATIONS, Plan

#: The steps on one subset of the records: a plan, a mechanism, or several of them that run one after the other.
Part = Union[Plan, Mechanism, Sequence[Union[Plan, Mechanism]]]


class Parallel(Mechanism):
    """Parallel composition: several plans, each on its own subset of the records. The most expensive one counts.

    A record lies in one subset, always the same. A part is a plan, a mechanism, or a list of them. The neighbouring
    relation is that of the plans among the parts, or ``neighbors``.

    >>> import renyi
    >>> both = renyi.Parallel([renyi.Gaussian(2.0) * 10, renyi.Gaussian(5.0)])
    >>> renyi.epsilon(both, delta=1e-5).exact == renyi.epsilon(renyi.Gaussian(2.0) * 10, delta=1e-5).exact
    True
    """

    __slots__ = ("_engine", "parts")
    kind: ClassVar[str] = "parallel"
    #: The plan of each subset of the records.
    parts: tuple[Plan, ...]

    def __init__(self, parts: Sequence[Part], *, neighbors: Optional[str] = None) -> None:
        relation = to_text_or_none("neighbors", neighbors, RELATIONS)
        if isinstance(parts, (str, Plan, Mechanism)) or not isinstance(parts, Sequence) or not parts:
            raise InvalidArgument("parts", repr(parts), "a list of plans, mechanisms, or lists of them; one or more")
        if relation is None:
            given = [part.neighbors for part in parts if isinstance(part, Plan)]
            relation = given[0] if given else ADD_OR_REMOVE_ONE
        self.parts = tuple(_as_plan(part, relation) for part in parts)
        self._engine = _native.parallel([plan._engine for plan in self.parts])

    @classmethod
    def _of(cls, native: _native.Mechanism, neighbors: str) -> Parallel:
        """Converts a parallel step of the engine, in a plan with this neighbouring relation."""
        made = cls.__new__(cls)
        made._engine = native
        made.parts = tuple(map(Plan._of, _native.parts_of(native, neighbors, 1)))
        return made

    @property
    def neighbors(self) -> str:
        """The neighbouring relation of the parts."""
        return self.parts[0].neighbors

    def _alone(self) -> Plan:
        return Plan(self, neighbors=self.neighbors)

    def __eq__(self, other: object) -> bool:
        return self.parts == other.parts if isinstance(other, Parallel) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.kind, self.neighbors, len(self.parts)))

    def __copy__(self) -> Parallel:
        return self

    def __deepcopy__(self, memo: object) -> Parallel:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Parallel, (self.parts,)

    def __repr__(self) -> str:
        return f"Parallel({list(self.parts)!r})"


def _as_plan(part: Part, neighbors: str) -> Plan:
    if isinstance(part, Plan):
        if (part.neighbors, part.unit) != (neighbors, 1):
            shown = part.neighbors if part.unit == 1 else f"{part.neighbors} for {part.unit} records"
            raise InvalidArgument("neighbors", shown, f"{neighbors} for one record, as in the other parts")
        return part
    if isinstance(part, Mechanism):
        return Plan(part, neighbors=neighbors)
    if isinstance(part, Sequence) and not isinstance(part, str):
        return Plan(*part, neighbors=neighbors)
    raise InvalidArgument("parts", repr(part), "plans, mechanisms, or lists of them")
