"""Custom mechanisms, which can be used in plans together with the built-in ones."""

from __future__ import annotations

from typing import Any, Callable, ClassVar, Optional, Sequence, Union

from . import _native
from ._numbers import Number, Numbers, to_float, to_text
from .errors import InvalidArgument, Unsupported
from .mechanisms import Mechanism
from .pair import REAL_LINE, Law, Pair, pair_of


class CustomMechanism(Mechanism):
    """A mechanism that ``custom_curve`` or ``custom_pair`` made.

    It is equal to itself only, because functions cannot be compared. A plan that contains one has no JSON form; keep
    the program that makes it instead.

    >>> import renyi
    >>> type(renyi.custom_curve(lambda order: order / 200, name="from a paper")).__name__
    'CustomMechanism'
    """

    __slots__ = ("_engine", "name")
    kind: ClassVar[str] = "own"

    def __init__(self, engine: _native.Mechanism) -> None:
        self._engine = engine
        #: The name of the mechanism in reports.
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
        raise Unsupported(self.name, "a custom mechanism has no stored form", "keep the program that makes it")

    def __repr__(self) -> str:
        return f"<CustomMechanism: {self.name}>"


def custom_curve(divergence: Callable[[float], Number], *, name: str = "custom curve") -> CustomMechanism:
    """Defines a mechanism by a bound on its Rényi divergences.

    ``divergence(order)`` returns an upper bound on the Rényi divergence of any order in [1, inf], for both directions;
    ``math.inf`` if nothing is known. An exception that it raises is passed on to the caller of the question.

    >>> import renyi
    >>> mine = renyi.custom_curve(lambda order: order / 8, name="mine")
    >>> round(renyi.rdp(mine * 10, orders=2), 6)
    2.5
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
    """Defines a mechanism by the distributions of its output on two neighbouring datasets: P with the record, Q
    without.

    For two probability vectors all answers are exact. An outcome that is possible under one of them only has an
    infinite privacy loss; its probability is charged to delta separately, also in the Rényi bound. For two
    log-densities, or two distributions of a family, only Rényi divergences are used. Give a dominating pair: for all
    other neighbours, the divergences must not be larger.

    p, q: two probability vectors; two functions that return the natural logarithm of a density at a float; two
        distributions of a family, such as ``NormalLaw``; or one ``Pair`` instead of both.
    name: the name of the mechanism in reports.
    normalize: for vectors, whether they are weights, to be divided by their sum. Otherwise each must add up to 1 within
        1e-9. Log-densities are never normalized: each density must integrate to 1 within 1e-8.
    support: for log-densities, the two ends of the interval outside of which both densities are 0 (default: the real
        line).
    points: for log-densities, points where mass lies or a function is not smooth, if known: quadrature may miss narrow
        peaks far from 0.

    >>> import renyi
    >>> renyi.epsilon(renyi.custom_pair([0.75, 0.25], [0.25, 0.75]) * 10, delta=1e-5).exact
    [10.9859, 10.986] by lattice
    """
    pair = pair_of(p, q, normalize=normalize, support=support, points=points)
    return CustomMechanism(_native.custom_pair(_checked_name(name), pair._engine))


def _checked_name(name: str) -> str:
    if to_text("name", name) == "":
        raise InvalidArgument("name", repr(name), "text")
    return name
