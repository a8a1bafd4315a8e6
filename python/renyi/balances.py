"""Balances: how much is spent and left of what a budget limits."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Sequence, Union, overload

from . import _format
from ._export import Table, Tabular, number
from .errors import InvalidArgument


@dataclasses.dataclass(frozen=True)
class Balance:
    """How much is spent of one number that a budget limits. ``spent`` is an upper bound, ``left`` what one more step may
    cost, rounded down (a root where squares add: mu, approx).

    >>> import renyi
    >>> filter = renyi.Filter(renyi.Budget.zcdp(0.5))
    >>> bool(filter.charge(renyi.Gaussian(2.0)))
    True
    >>> balance = filter.remaining()[0]
    >>> balance.name, round(balance.spent, 6), balance.limit, round(balance.left, 6), balance.within
    ('rho', 0.125, 0.5, 0.375, True)
    """

    #: "epsilon", "rho", "mu", "order 8" or "infinite mass".
    name: str
    order: Optional[float]
    spent: float
    limit: float
    left: float
    within: bool

    def to_dict(self) -> dict[str, Any]:
        """Returns the members as they are in JSON, without the order if there is none."""
        order = {} if self.order is None else {"order": number(self.order)}
        numbers = {name: number(getattr(self, name)) for name in ("spent", "limit", "left")}
        return {"name": self.name, **order, **numbers, "within": self.within}


class Balances(Tabular, Sequence[Balance]):
    """The balances of a filter, one ``Balance`` for each number that its budget limits; a sequence. A balance is also
    found by its name.

    >>> import renyi
    >>> filter = renyi.Filter(renyi.Budget.curve({2: 1.0, 8: 5.0}))
    >>> filter.remaining()
    <Balances: order 2 has 1 of 1 left, order 8 has 5 of 5 left>
    >>> [balance.name for balance in filter.remaining()]
    ['order 2', 'order 8']
    >>> filter.remaining()["order 8"].left
    5.0
    """

    __slots__ = ("_balances",)

    def __init__(self, balances: Sequence[Balance]) -> None:
        self._balances = tuple(balances)

    @classmethod
    def _read(cls, rows: Sequence[Any]) -> Balances:
        return cls([Balance(*row) for row in rows])

    def __len__(self) -> int:
        return len(self._balances)

    @overload
    def __getitem__(self, index: Union[int, str]) -> Balance: ...

    @overload
    def __getitem__(self, index: slice) -> Balances: ...

    def __getitem__(self, index: Union[int, str, slice]) -> Union[Balance, Balances]:
        if isinstance(index, str):
            return self._named(index)
        return Balances(self._balances[index]) if isinstance(index, slice) else self._balances[index]

    def _named(self, name: str) -> Balance:
        for balance in self._balances:
            if balance.name == name:
                return balance
        names = ", ".join(repr(balance.name) for balance in self._balances)
        raise InvalidArgument("name", repr(name), f"one of {names}" if names else "nothing: there are no balances")

    def __eq__(self, other: object) -> bool:
        return self._balances == other._balances if isinstance(other, Balances) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._balances)

    def to_dict(self) -> dict[str, Any]:
        """Returns {"balances": [...]}, with one object for each balance."""
        return {"balances": [balance.to_dict() for balance in self._balances]}

    def _table(self) -> Table:
        names = ("name", "order", "spent", "limit", "left", "within")
        return Table(names, [[getattr(balance, name) for name in names] for balance in self._balances])

    def __repr__(self) -> str:
        shown = [_balance_text(balance) for balance in self._balances[: _format.MOST_STEPS]]
        if len(self._balances) > len(shown):
            shown.append(f"and {len(self._balances) - len(shown)} more")
        return f"<Balances: {', '.join(shown)}>"

    def _repr_html_(self) -> str:
        rows = [(balance.name, _balance_text(balance)) for balance in self._balances]
        return _format.table("what is left", rows)


def _balance_text(balance: Balance) -> str:
    return f"{balance.name} has {_format.down(balance.left)} of {_format.down(balance.limit)} left"
