"""Budgets for steps that are chosen on the way."""

from __future__ import annotations

import json
import math
from typing import Any, Iterable, Mapping, Optional, Sequence, Tuple, Union

from . import _native, questions
from ._numbers import Number, Numbers, to_float, to_floats, to_text
from .answers import Epsilon
from .errors import Error, InvalidArgument
from .plan import ADD_OR_REMOVE_ONE, RELATIONS, Plan, to_plan
from .questions import Planlike

#: A number for each order: a dictionary, or pairs.
ByOrder = Union[Mapping[Any, Any], Iterable[Tuple[Any, Any]]]
#: A budget, or its stored form: a dictionary, or JSON text.
BudgetLike = Union["Budget", Mapping[str, Any], str]


_A_BUDGET = 'a budget, for example Budget.zcdp(0.5), {"kind": "zcdp", "rho": 0.5}, or its JSON'


class Budget:
    """What all steps of an adaptive interaction may cost together. A budget is a value; ``Filter`` enforces it.

    Each kind has a proof that holds for steps chosen after earlier results were seen:

    - ``pure(epsilon)``: the sum of the largest losses.
    - ``zcdp(rho)`` and ``tcdp(rho, omega)``: the divergence of every order a, or of those up to omega, by rho a.
    - ``gdp(mu)``: the sum of mu squared of mu-GDP steps.
    - ``approx(epsilon, delta)``: by the constants of advanced composition, from the steps' own epsilons.
    - ``order(order, epsilon)``, ``curve({order: epsilon})``, ``curve_of(plan)``: the divergence of one order, or of
      several, each by its own limit.
    - ``shares(epsilon, {order: delta})``: delta is divided among orders, and one of them must stay within its limit.

    >>> import renyi
    >>> renyi.Budget.zcdp(0.5)
    <Budget: zcdp, rho 0.5>
    >>> renyi.Budget.zcdp(0.5).epsilon(1e-5) <= 4.73  # what the whole interaction costs at most
    True
    >>> renyi.Budget.zcdp(0.5).with_infinite_mass(1e-9).to_dict()  # approximate zCDP
    {'kind': 'zcdp', 'rho': 0.5, 'infinite_mass': 1e-09}
    """

    __slots__ = ("_engine",)
    _engine: _native.Budget

    def __init__(self) -> None:
        raise InvalidArgument("budget", "Budget()", "a budget by its kind, for example Budget.zcdp(0.5)")

    @classmethod
    def _of(cls, native: _native.Budget) -> Budget:
        budget = cls.__new__(cls)
        budget._engine = native
        return budget

    @classmethod
    def pure(cls, epsilon: Number) -> Budget:
        """The sum of the largest losses of all steps is at most ``epsilon``."""
        return cls._of(_native.Budget.pure(to_float("epsilon", epsilon)))

    @classmethod
    def zcdp(cls, rho: Number) -> Budget:
        """The sum of rho over all steps is at most ``rho``: the divergence of every order a is at most rho a. Sampling
        does not make a step cheaper here."""
        return cls._of(_native.Budget.zcdp(to_float("rho", rho)))

    @classmethod
    def tcdp(cls, rho: Number, omega: Number) -> Budget:
        """The same as ``zcdp`` at the orders up to ``omega``."""
        return cls._of(_native.Budget.tcdp(to_float("rho", rho), to_float("omega", omega)))

    @classmethod
    def gdp(cls, mu: Number) -> Budget:
        """The sum of mu squared over all steps is at most that of ``mu``. Sampling does not make a step cheaper here.
        The guarantee converts by the exact profile of GDP."""
        return cls._of(_native.Budget.gdp(to_float("mu", mu)))

    @classmethod
    def approx(cls, epsilon: Number, delta: Number) -> Budget:
        """(epsilon, delta) from the largest losses of the steps, by the constants of advanced composition."""
        return cls._of(_native.Budget.approx(to_float("epsilon", epsilon), to_float("delta", delta)))

    @classmethod
    def order(cls, order: Number, epsilon: Number) -> Budget:
        """The Rényi divergence of one order is at most ``epsilon``."""
        return cls._of(_native.Budget.order(to_float("order", order), to_float("epsilon", epsilon)))

    @classmethod
    def curve(cls, limits: ByOrder) -> Budget:
        """The Rényi divergence of each order is at most its epsilon: {order: epsilon}, or pairs. A step runs only if
        every order stays within its limit. The guarantee converts by the Rényi conversion only."""
        return cls._of(_native.Budget.curve(_pairs("limits", limits, "epsilon")))

    @classmethod
    def curve_of(cls, plan: Planlike, orders: Optional[Numbers] = None) -> Budget:
        """The limits are the divergences of a plan: "whatever this plan would cost". ``orders`` are fixed before the
        run; a default list is used without them."""
        chosen = None if orders is None else to_floats("orders", orders).ravel().tolist()
        return cls._of(_native.Budget.curve_of(to_plan(plan)._engine, chosen))

    @classmethod
    def shares(
        cls,
        epsilon: Number,
        shares: Optional[ByOrder] = None,
        *,
        delta: Optional[Number] = None,
        orders: Optional[Numbers] = None,
    ) -> Budget:
        """(epsilon, delta) by several orders, of which one must stay within the limit that its part of delta gives it:
        {order: delta}, or pairs. ``delta`` in their place is divided equally among ``orders``."""
        limit = to_float("epsilon", epsilon)
        if shares is not None:
            for name, value in (("delta", delta), ("orders", orders)):
                if value is not None:
                    raise InvalidArgument(name, repr(value), "nothing beside shares")
            return cls._of(_native.Budget.shares(limit, _pairs("shares", shares, "delta")))
        if delta is None:
            raise InvalidArgument("shares", "nothing", "{order: delta}, or delta= and orders= for equal shares")
        return cls.from_json(_equal_shares(limit, to_float("delta", delta), orders))

    def with_infinite_mass(self, mass: Number) -> Budget:
        """Returns the same budget with a probability of an infinite privacy loss that all steps together may have. It
        is a part of delta. Without it, steps that may have an infinite loss are refused."""
        return Budget._of(self._engine.with_infinite_mass(to_float("infinite_mass", mass)))

    def is_within(self, cap: BudgetLike) -> bool:
        """Returns whether both are of the same kind, with the same orders, and no number is above that of ``cap``."""
        return self._engine.is_within(to_budget("cap", cap)._engine)

    def guarantee(self, neighbors: str = ADD_OR_REMOVE_ONE) -> Plan:
        """Returns what a run within the budget satisfies, as a plan of promised steps, so that every question can be
        asked about it."""
        return Plan._of(self._engine.guarantee(to_text("neighbors", neighbors, RELATIONS)))

    def epsilon(self, delta: Number) -> Epsilon:
        """Returns the epsilon at ``delta`` of every run within the budget: that of the guarantee."""
        return questions.epsilon(self.guarantee(), delta=delta)

    @property
    def kind(self) -> str:
        """ "pure", "zcdp", "tcdp", "gdp", "approx", "order", "curve" or "shares"."""
        return str(self.to_dict()["kind"])

    def to_dict(self) -> dict[str, Any]:
        """Returns the stored form, as in filter files."""
        found: dict[str, Any] = json.loads(self.to_json())
        return found

    def to_json(self) -> str:
        """Returns the stored form as JSON, from which ``from_json`` makes an equal budget."""
        return self._engine.to_json()

    @classmethod
    def from_json(cls, text: str) -> Budget:
        """Reads the stored form. A curve may also be given by a "plan", and shares by "delta" and "orders"."""
        return cls._of(_native.Budget.from_json(to_text("text", text, "a budget, as JSON text")))

    def __eq__(self, other: object) -> bool:
        return self._engine.equals(other._engine) if isinstance(other, Budget) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __copy__(self) -> Budget:
        return self

    def __deepcopy__(self, memo: object) -> Budget:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Budget.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        return f"<Budget: {self._text()}>"

    def _text(self) -> str:
        parts = []
        for name, value in self.to_dict().items():
            if name == "kind":
                parts.append(value)
            elif isinstance(value, list):
                parts.append(f"{len(value)} orders from {value[0]['order']} to {value[-1]['order']}")
            else:
                parts.append(f"{name} {value}")
        return ", ".join(parts)


def to_budget(field: str, value: object) -> Budget:
    """Converts the stored form, as a dictionary or JSON text, to a budget."""
    if isinstance(value, Budget):
        return value
    try:
        text = json.dumps(dict(value), allow_nan=False) if isinstance(value, Mapping) else value
    except (TypeError, ValueError):
        text = None
    if not isinstance(text, str) or not text.lstrip().startswith("{"):
        raise InvalidArgument(field, repr(value), _A_BUDGET)
    try:
        return Budget.from_json(text)
    except Error as error:
        place = ", " if error.field.startswith("byte ") else "."  # where text is not JSON, or a member
        raise error._about(f"{field}{place}{error.field}" if error.field else field) from None


def _pairs(field: str, value: object, name: str) -> list[tuple[float, float]]:
    """Converts {order: number} or pairs; the engine checks the numbers."""
    items = list(value.items() if isinstance(value, Mapping) else value if isinstance(value, Iterable) else [None])
    pairs = []
    for index, item in enumerate(items):
        if not isinstance(item, Sequence) or isinstance(item, str) or len(item) != 2:
            raise InvalidArgument(field, repr(value), f"{{order: {name}}}, or pairs of them")
        pairs.append((to_float(f"{field}[{index}].order", item[0]), to_float(f"{field}[{index}].{name}", item[1])))
    return pairs


def _equal_shares(epsilon: float, delta: float, orders: Optional[Numbers]) -> str:
    """Returns the budget as JSON. The engine divides delta, so that the sum of the shares is not above it."""
    chosen = _native.default_filter_orders() if orders is None else to_floats("orders", orders).ravel().tolist()
    for name, value in (("epsilon", epsilon), ("delta", delta), *(("orders", order) for order in chosen)):
        if not 0 < value < (1 if name == "delta" else math.inf):
            raise InvalidArgument(name, str(value), "a number in (0, 1)" if name == "delta" else "a number above 0")
    if not chosen:
        raise InvalidArgument("orders", "nothing", "orders above 1")
    return json.dumps({"kind": "shares", "epsilon": epsilon, "delta": delta, "orders": chosen})
