"""Private selection: steps run a random number of times, as in tuning, and only the best result is published."""

from __future__ import annotations

from typing import Any, ClassVar, Optional, Sequence, Union

from . import _native
from ._numbers import Number, to_float, to_text_or_none
from .errors import InvalidArgument
from .mechanisms import Mechanism
from .plan import ADD_OR_REMOVE_ONE, RELATIONS, Plan

LAWS = "one of geometric, logarithmic, negative-binomial, poisson"


class Select(Mechanism):
    """Private selection: a plan runs a random number of times, and only the best result is published.

    ``law`` is the distribution of the number of runs: ``"geometric"`` and ``"poisson"`` take ``mean``,
    ``"logarithmic"`` takes ``gamma``, and ``"negative-binomial"`` takes ``eta`` and ``gamma``. The number of runs is
    drawn beforehand and kept secret.

    >>> import renyi
    >>> renyi.Select(renyi.Gaussian(2.0), law="geometric", mean=20).numbers
    {'mean': 20.0}
    """

    __slots__ = ("_engine", "law", "numbers", "run")
    kind: ClassVar[str] = "select"
    #: The plan of one run.
    run: Plan
    #: The distribution of the number of runs, and its parameters by name.
    law: str
    numbers: dict[str, float]

    def __init__(
        self,
        run: Union[Plan, Mechanism, Sequence[Union[Plan, Mechanism]]],
        *,
        law: str,
        neighbors: Optional[str] = None,
        **numbers: Number,
    ) -> None:
        self.run = _as_plan(run, to_text_or_none("neighbors", neighbors, RELATIONS))
        named = to_text_or_none("law", law, LAWS)
        if named is None:
            raise InvalidArgument("law", "None", LAWS)
        self.law = named
        self.numbers = {name: to_float(name, value) for name, value in numbers.items()}
        self._engine = _native.select(self.run._engine, named, list(self.numbers.items()))

    @classmethod
    def _of(cls, native: _native.Mechanism, neighbors: str) -> Select:
        """Converts a selection of the engine, in a plan with this neighbouring relation."""
        made = cls.__new__(cls)
        made._engine = native
        run, made.law, numbers = _native.run_of(native, neighbors, 1)
        made.run = Plan._of(run)
        made.numbers = dict(numbers)
        return made

    @property
    def neighbors(self) -> str:
        """The neighbouring relation of a run."""
        return self.run.neighbors

    def _alone(self) -> Plan:
        return Plan(self, neighbors=self.neighbors)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Select):
            return NotImplemented
        return (self.run, self.law, self.numbers) == (other.run, other.law, other.numbers)

    def __hash__(self) -> int:
        return hash((self.kind, self.neighbors, self.law, tuple(sorted(self.numbers.items()))))

    def __copy__(self) -> Select:
        return self

    def __deepcopy__(self, memo: object) -> Select:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.run, self.law, self.numbers)

    def __repr__(self) -> str:
        numbers = "".join(f", {name}={value!r}" for name, value in self.numbers.items())
        return f"Select({self.run!r}, law={self.law!r}{numbers})"


def _restored(run: Plan, law: str, numbers: dict[str, float]) -> Select:
    return Select(run, law=law, neighbors=None, **numbers)


def _as_plan(run: object, neighbors: Optional[str]) -> Plan:
    if isinstance(run, Plan):
        if run.unit != 1 or neighbors not in (None, run.neighbors):
            shown = run.neighbors if run.unit == 1 else f"{run.neighbors} for {run.unit} records"
            raise InvalidArgument("neighbors", shown, f"{neighbors or run.neighbors} for one record")
        return run
    relation = ADD_OR_REMOVE_ONE if neighbors is None else neighbors
    if isinstance(run, Mechanism):
        return Plan(run, neighbors=relation)
    if isinstance(run, Sequence) and not isinstance(run, str):
        return Plan(*run, neighbors=relation)
    raise InvalidArgument("run", repr(run), "a plan, a mechanism, or a list of them")
