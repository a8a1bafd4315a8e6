"""Mechanisms of one's own, for plans beside the built-in ones."""

from __future__ import annotations

from typing import Any, Callable, ClassVar, Optional, Sequence, Union

from . import _native
from ._numbers import Number, Numbers, to_float, to_text
from .errors import InvalidArgument, Unsupported
from .mechanisms import Mechanism
from .pair import REAL_LINE, Law, Pair, pair_of


class CustomMechanism(Mechanism):
    """What ``custom_curve`` and ``custom_pair`` make. Each is equal to itself only: a function cannot be compared.

    Plans that hold one have no JSON form: keep the program that makes it.
    """

    __slots__ = ("_engine", "name")
    kind: ClassVar[str] = "own"

    def __init__(self, engine: _native.Mechanism) -> None:
        self._engine = engine
        #: What it is called in reports.
        self.name = engine.name

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CustomMechanism):
            return NotImplemented
        return self._engine == other._engine

    def __hash__(self) -> int:
        return hash(self.name)

    def __copy__(self) -> CustomMechanism:
        return self

    def __deepcopy__(self, memo: object) -> CustomMechanism:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        raise Unsupported(self.name, "a mechanism of one's own has no stored form", "keep the program that makes it")

    def __repr__(self) -> str:
        return f"<CustomMechanism: {self.name}>"


def custom_curve(divergence: Callable[[float], Number], *, name: str = "custom curve") -> CustomMechanism:
    """A mechanism by its Rényi curve.

    ``divergence(order)`` is an upper bound on the Rényi divergence of each order in [1, inf], in both directions;
    ``math.inf`` where nothing is known. What it raises reaches the caller of the question.
    """
    if not callable(divergence):
        raise InvalidArgument("divergence", repr(divergence), "a function of the order")
    _checked_name(name)
    return CustomMechanism(_native.custom_curve(name, lambda order: to_float(f"{name}({order!r})", divergence(order))))


def custom_pair(
    p: Union[Pair, Law],
    q: Optional[Law] = None,
    *,
    name: str = "custom pair",
    normalize: bool = False,
    support: Sequence[Number] = REAL_LINE,
    points: Numbers = (),
) -> CustomMechanism:
    """A mechanism by the laws of its output on two neighbours: P with the record, Q without.

    Two probability vectors are accounted for exactly. An outcome that one of them lacks has an infinite loss: its
    probability is paid for apart, by Rényi answers too. Two log-densities, or two laws of a family, are known by their
    Rényi divergences. Give the worst pair of neighbours: every other must be no further apart.
    """
    pair = pair_of(p, q, normalize=normalize, support=support, points=points)
    return CustomMechanism(_native.custom_pair(_checked_name(name), pair._engine))


def _checked_name(name: str) -> str:
    if to_text("name", name) == "":
        raise InvalidArgument("name", repr(name), "text")
    return name
