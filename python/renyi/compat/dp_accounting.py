"""Accountants with the interface of dp_accounting that compute their results with renyi.

``RdpAccountant`` replaces ``dp_accounting.rdp.RdpAccountant``, and ``ExactAccountant`` replaces
``dp_accounting.pld.PLDAccountant``, also inside ``dp_accounting.calibrate_dp_mechanism``. Results are upper bounds.
"""

from __future__ import annotations

import math
from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

try:
    from dp_accounting import dp_event, privacy_accountant
except ImportError as error:
    raise ImportError(f"renyi.compat.dp_accounting needs dp-accounting (pip install dp-accounting): {error}") from error

from .. import questions
from .._error_names import renamed_errors
from ..accountant import Accountant
from ..answers import Delta, Epsilon, Interval
from ..errors import InvalidArgument, Unsupported
from ..mechanisms import mechanism
from ..plan import Plan
from ..records import decode, plain
from ._ranges import event_within_range, orders_from_one, orders_within_range

NeighboringRelation = privacy_accountant.NeighboringRelation
_Refusal = privacy_accountant.PrivacyAccountant.CompositionErrorDetails

_NEIGHBORS = {
    NeighboringRelation.ADD_OR_REMOVE_ONE: "add-or-remove-one",
    NeighboringRelation.REPLACE_ONE: "replace-one",
    NeighboringRelation.REPLACE_SPECIAL: "zero-out",
}
_MOST_STEPS = 2**63 - 1
_NON_PRIVATE = mechanism("non-private")
#: Names of fields in renyi's errors, and those that dp_accounting uses.
_EVENT_WORDS = {"record": "event"}
_TARGET_WORDS = {"delta": "target_delta", "epsilon": "target_epsilon"}


class _Account(privacy_accountant.PrivacyAccountant):  # type: ignore[misc]
    """Base of both accountants: it converts events to a plan, and records whether some step has no privacy."""

    def __init__(self, neighboring_relation: Any) -> None:
        super().__init__(neighboring_relation)
        if neighboring_relation not in _NEIGHBORS:
            allowed = ", ".join(str(known) for known in _NEIGHBORS)
            raise InvalidArgument("neighboring_relation", repr(neighboring_relation), allowed)
        self._neighbors = _NEIGHBORS[neighboring_relation]
        self._steps = Accountant(neighbors=self._neighbors)
        #: Whether some step has no privacy: dp_accounting then returns inf and 1 for every question, at delta 1 too.
        self._non_private = False
        #: Whether the plan costs more than the events, because unsupported numbers were moved to supported ones.
        self._widened = False
        #: The event that was checked last, which the composition that follows uses.
        self._checked: Optional[tuple[Any, Plan, bool]] = None

    @property
    def plan(self) -> Plan:
        """The plan of all events that were composed so far."""
        return self._steps.plan

    def supports(self, event: Any) -> bool:
        """Returns true if the event can be composed, and False also for values out of range."""
        try:
            return bool(super().supports(event))
        except InvalidArgument:
            return False

    def compose(self, event: Any, count: int = 1) -> Any:
        """Adds the event ``count`` times.

        Raises the errors that the accountants of dp_accounting raise, and changes nothing then:
        ``UnsupportedEventError`` for events that are not supported, ``ValueError`` for values out of range.
        """
        return super().compose(event, count)

    def _maybe_compose(self, event: Any, count: int, do_compose: bool) -> Optional[Any]:
        checked, self._checked = self._checked, None
        if do_compose and checked is not None and checked[0] is event:
            self._add(checked[1], checked[2], count)
            return None
        try:
            with renamed_errors(_EVENT_WORDS):
                found, widened = _decode(event, self._neighbors)
            self._check(found, count)
        except ValueError as error:  # raised by renyi, or by an event that has no named tuple
            return self._refusal(event, count, error)
        if do_compose:
            self._add(found, widened, count)
        else:
            self._checked = event, found, widened
        return None

    def _add(self, found: Plan, widened: bool, count: int) -> None:
        self._steps.step(found, count=count)
        self._non_private |= any(what == _NON_PRIVATE for what, _ in found.merged())
        self._widened |= widened

    def _check(self, plan: Plan, count: int) -> None:
        """Raises ``Unsupported`` for a plan that would make the composition fail after the ledger was written, and for
        one that needs an assumption: results here are plain numbers, which cannot state assumptions."""
        if plan.assumption is not None:
            raise Unsupported("event", f"its figures would assume that {plan.assumption}", "use REPLACE_SPECIAL")
        if self._steps.steps + count * sum(times for _, times in plan.merged()) > _MOST_STEPS:
            raise Unsupported("count", "more than 2^63-1 steps", "compose fewer")

    def _refusal(self, event: Any, count: int, error: ValueError) -> Any:
        """Returns dp_accounting's description of the innermost event that is refused. Invalid values raise instead."""
        for inner in _parts(event):
            refusal = self._maybe_compose(inner, count, False)
            if refusal is not None:
                return refusal
        if isinstance(error, InvalidArgument) and type(event).__module__ == dp_event.__name__:
            raise error
        return _Refusal(invalid_event=event, error_message=str(error))


class RdpAccountant(_Account):
    """Computes the Rényi bound, with the interface of ``dp_accounting.rdp.RdpAccountant``.

    orders: the orders at which the bound is evaluated (default: the best of all orders). 1 is replaced by 1 + 1e-9.
    """

    def __init__(
        self,
        orders: Optional[Sequence[float]] = None,
        neighboring_relation: Any = NeighboringRelation.ADD_OR_REMOVE_ONE,
    ) -> None:
        super().__init__(neighboring_relation)
        self._orders = None if orders is None else orders_from_one("orders", orders)

    def get_epsilon(self, target_delta: float) -> float:
        """Returns the Rényi bound on epsilon; inf if a step has no privacy."""
        return self.get_epsilon_and_optimal_order(target_delta)[0]

    def get_epsilon_and_optimal_order(self, target_delta: float) -> tuple[float, float]:
        """Returns the Rényi bound on epsilon and the order at which it is attained (0 if epsilon is infinite)."""
        with renamed_errors(_TARGET_WORDS):
            found = self._steps.epsilon(target_delta, want="renyi", orders=self._given())
        if self._non_private or math.isinf(found.renyi):
            return math.inf, 0.0
        return found.renyi, found.order

    def get_delta(self, target_epsilon: float) -> float:
        """Returns the Rényi bound on delta; 1 if a step has no privacy."""
        return self.get_delta_and_optimal_order(target_epsilon)[0]

    def get_delta_and_optimal_order(self, target_epsilon: float) -> tuple[float, float]:
        """Returns the Rényi bound on delta and the order at which it is attained (0 if a step has no privacy)."""
        with renamed_errors(_TARGET_WORDS):
            found = self._steps.delta(target_epsilon, want="renyi", orders=self._given())
        return (1.0, 0.0) if self._non_private else (found.renyi, found.order)

    def _given(self) -> Optional[list[float]]:
        return None if self._orders is None else orders_within_range(self._orders)

    @property
    def orders(self) -> NDArray[np.float64]:
        """The given orders; if none were given, the default orders of dp_accounting, although the bound then uses the
        best of all orders."""
        if self._orders is not None:
            return self._orders.copy()
        from dp_accounting.rdp import rdp_privacy_accountant

        return np.array(rdp_privacy_accountant.DEFAULT_RDP_ORDERS, dtype=np.float64)

    @property
    def rdp(self) -> NDArray[np.float64]:
        """Upper bounds on the Rényi divergences at ``orders``."""
        return np.asarray(questions.rdp(self.plan, orders=self.orders))


class ExactAccountant(_Account):
    """Computes the upper bound of the exact interval, with the interface of ``dp_accounting.pld.PLDAccountant``.

    value_discretization_interval: accepted for compatibility and ignored; the exact interval is narrower than what any
      useful value would give.
    """

    def __init__(
        self,
        neighboring_relation: Any = NeighboringRelation.ADD_OR_REMOVE_ONE,
        value_discretization_interval: float = 1e-4,
    ) -> None:
        super().__init__(neighboring_relation)

    def get_epsilon(self, target_delta: float) -> float:
        """Returns an upper bound on epsilon; inf if a step has no privacy."""
        return self.get_epsilon_interval(target_delta).upper

    def get_epsilon_lower_bound(self, target_delta: float) -> float:
        """Returns a lower bound on epsilon; 0 if nothing is known, as for a step without noise or unsupported
        numbers."""
        return self.get_epsilon_interval(target_delta).lower

    def get_epsilon_interval(self, target_delta: float) -> Interval:
        """Returns the interval that contains the exact epsilon."""
        with renamed_errors(_TARGET_WORDS):
            return self._interval(self._steps.epsilon(target_delta, want="exact"), math.inf)

    def get_delta(self, target_epsilon: float) -> float:
        """Returns an upper bound on delta; 1 if a step has no privacy."""
        return self.get_delta_interval(target_epsilon).upper

    def get_delta_interval(self, target_epsilon: float) -> Interval:
        """Returns the interval that contains the exact delta."""
        with renamed_errors(_TARGET_WORDS):
            return self._interval(self._steps.delta(target_epsilon, want="exact"), 1.0)

    def _interval(self, found: Epsilon | Delta, worst: float) -> Interval:
        exact = found.exact
        if self._non_private:
            return Interval(0.0, worst, "bounds", False)
        return Interval(0.0, exact.upper, "bounds", False) if self._widened else exact

    def _check(self, plan: Plan, count: int) -> None:
        super()._check(plan, count)
        unavailable = questions.epsilon(plan, delta=1.0).unavailable
        if unavailable is not None:
            raise Unsupported("event", f"there is no exact figure: {unavailable}", "use RdpAccountant")


def _decode(event: Any, neighbors: str) -> tuple[Plan, bool]:
    """Returns the plan of the event, and whether its numbers had to be moved to supported ones."""
    record = plain(event)
    try:
        return decode(record, "dp_accounting", neighbors), False
    except InvalidArgument:
        moved = event_within_range(record, neighbors)
        if moved == record:
            raise
        return decode(moved, "dp_accounting", neighbors), True


def _parts(event: Any) -> Sequence[Any]:
    if isinstance(event, dp_event.ComposedDpEvent):
        return list(event.events)
    holds_one = isinstance(event, (dp_event.SelfComposedDpEvent, dp_event.RepeatAndSelectDpEvent))
    return [event.event] if holds_one else []
