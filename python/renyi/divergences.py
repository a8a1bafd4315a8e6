"""divergence: Rényi and other divergences of two distributions."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Generic, Optional, Sequence, TypeVar, Union

import numpy as np

from . import _format
from ._export import Table, number
from ._numbers import Floats, Number, Numbers, to_floats
from ._report import Ends, EndsColumns, Report, Section
from ._timed import timed
from .pair import REAL_LINE, Law, Pair, pair_of

Part = TypeVar("Part")


@dataclasses.dataclass(frozen=True, eq=False)
class Both(Generic[Part]):
    """A divergence in both directions: of P from Q, and of Q from P."""

    p_q: Part
    q_p: Part


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Divergence(Report):
    """The divergences of two distributions, each as an interval that contains it: the result of
    ``renyi.divergence``.

    >>> import renyi
    >>> found = renyi.divergence([0.5, 0.5], [0.25, 0.75], epsilons=[0.5])
    >>> found.total_variation, found.hockey_stick.p_q
    ([0.25, 0.25], [[0.0878196, 0.0878197]])
    """

    #: The two distributions.
    pair: Pair
    #: The orders of ``renyi``, in the shape in which they were given.
    orders: Floats
    renyi: Both[EndsColumns]
    #: The Kullback-Leibler divergence.
    kl: Both[Ends]
    total_variation: Ends
    #: The epsilons of ``hockey_stick``.
    epsilons: Floats
    hockey_stick: Both[EndsColumns]

    def to_dict(self) -> dict[str, Any]:
        sticks = _row_dicts("epsilon", self.epsilons, self.hockey_stick)
        total = _ends_dict(self.total_variation)
        kl = {"p_q": _ends_dict(self.kl.p_q), "q_p": _ends_dict(self.kl.q_p)}
        renyi = _row_dicts("order", self.orders, self.renyi)
        return {"renyi": renyi, "kl": kl, "total_variation": total, "hockey_stick": sticks}

    def _table(self) -> Table:
        total = self.total_variation
        rows: list[list[Any]] = [["renyi", *row] for row in _rows(self.orders, self.renyi)]
        rows.append(["kl", 1.0, *self.kl.p_q, *self.kl.q_p])
        rows.append(["total-variation", 0.0, *total, *total])
        rows += [["hockey-stick", *row] for row in _rows(self.epsilons, self.hockey_stick)]
        return Table(["divergence", "at", "p_q_lower", "p_q_upper", "q_p_lower", "q_p_upper"], rows)

    def _title(self) -> str:
        kind = self.pair.family + (" (ends are estimates by quadrature)" if self.pair.family == "densities" else "")
        return f"divergences, {kind}; total variation {self.total_variation}"

    def _sections(self) -> list[Section]:
        renyi = zip(_plain(self.orders), self.renyi.p_q.texts(), self.renyi.q_p.texts())
        sticks = zip(_plain(self.epsilons), self.hockey_stick.p_q.texts(), self.hockey_stick.q_p.texts())
        kl = ("KL", repr(self.kl.p_q), repr(self.kl.q_p))
        return [
            Section(["Rényi order", "P from Q", "Q from P"], [*renyi, kl]),
            Section(["hockey-stick epsilon", "P from Q", "Q from P"], list(sticks)),
        ]


@timed
def divergence(
    p: Union[Law, Pair],
    q: Optional[Law] = None,
    *,
    orders: Optional[Numbers] = None,
    epsilons: Numbers = (),
    normalize: bool = False,
    support: Sequence[Number] = REAL_LINE,
    points: Numbers = (),
    timeout: Optional[float] = None,
) -> Divergence:
    """Computes Rényi, Kullback-Leibler, total-variation and hockey-stick divergences of P and Q, in both directions.

    >>> import renyi
    >>> renyi.divergence(renyi.NormalLaw(0, 1), renyi.NormalLaw(1, 1), orders=[2]).kl.p_q
    [0.5, 0.5]

    p, q: two values of ``NormalLaw``, ``LaplaceLaw``, ``BernoulliLaw`` or ``MultivariateNormalLaw``; two probability
        vectors (or weights, with ``normalize``); or two functions that return the log-density at a float. One ``Pair``
        may be given instead of both.
    orders: orders in [1e-100, inf] (default 0.5, 1, 2, inf; inf is not supported for densities).
    epsilons: the epsilons of the hockey-stick divergences.
    normalize: for vectors, whether they are weights, to be divided by their sum.
    support, points: for log-densities, the interval on which they are defined, and points where mass lies or where they
        are not smooth, if known. Intervals for log-densities are estimates: quadrature may miss mass. If their
        divergence is infinite in one direction, ``NotConverged`` is raised; use a ``Pair`` for the other direction.
    """
    pair = pair_of(p, q, normalize=normalize, support=support, points=points)
    return _measured(pair, _orders(pair, orders), np.atleast_1d(to_floats("epsilons", epsilons)))


def _orders(pair: Pair, orders: Optional[Numbers]) -> Floats:
    if orders is not None:
        return np.atleast_1d(to_floats("orders", orders))
    return np.array([0.5, 1, 2] if pair.family == "densities" else [0.5, 1, 2, math.inf])


def _measured(pair: Pair, orders: Floats, epsilons: Floats) -> Divergence:
    both = pair, pair.swapped()
    return Divergence(
        pair=pair,
        orders=orders,
        renyi=Both(*(one.renyi(orders) for one in both)),
        kl=Both(*(_first(one.renyi(1.0)) for one in both)),
        total_variation=_first(pair.hockey_stick(0.0)),
        epsilons=epsilons,
        hockey_stick=Both(*(one.hockey_stick(epsilons) for one in both)),
    )


def _rows(at: Floats, both: Both[EndsColumns]) -> list[list[float]]:
    """Returns a row for each number: the number, and the ends in both directions."""
    ends = (both.p_q.lower, both.p_q.upper, both.q_p.lower, both.q_p.upper)
    return [list(row) for row in zip(*(column.ravel().tolist() for column in (at, *ends)))]


def _row_dicts(name: str, at: Floats, both: Both[EndsColumns]) -> list[dict[str, Any]]:
    return [
        {name: number(row[0]), "p_q": _ends_dict(Ends(*row[1:3])), "q_p": _ends_dict(Ends(*row[3:]))}
        for row in _rows(at, both)
    ]


def _ends_dict(ends: Ends) -> dict[str, Any]:
    return {"lower": number(ends.lower), "upper": number(ends.upper)}


def _first(columns: EndsColumns) -> Ends:
    return Ends(float(columns.lower[0]), float(columns.upper[0]))


def _plain(values: Floats) -> list[str]:
    return [_format.plain(float(value)) for value in values.flat]
