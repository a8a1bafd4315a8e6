"""An accountant for Opacus. Importing this module registers it: ``PrivacyEngine(accountant="renyi")``.

``get_noise_multiplier`` here is solved exactly; Opacus's own takes ``accountant="renyi"`` too.
"""

from __future__ import annotations

import functools
import sys
from collections import OrderedDict
from typing import Any, Callable, Mapping, Optional, Sequence

try:
    import opacus.accountants
    from opacus.accountants import IAccountant
    from opacus.accountants import utils as _opacus_utils
except ImportError as error:
    raise ImportError(f"renyi.compat.opacus needs Opacus (pip install opacus): {error}") from error

from .. import questions
from .._numbers import to_float, to_int
from .._error_names import renamed_errors
from ..calibration import calibrate
from ..errors import InvalidArgument
from ..plan import ADD_OR_REMOVE_ONE, Plan
from ..records import decode, plain, whole
from ._ranges import history_within_range, orders_from_one, orders_within_range

_NAME = "renyi"
_BOUNDS = ("exact", "renyi")
#: Our words, and those of Opacus: for the first row of a history, and for targets.
_STEP_WORDS = {"history[0][0]": "noise_multiplier", "history[0][1]": "sample_rate"}
_TARGET_WORDS = {"epsilon": "target_epsilon", "delta": "target_delta", "sampling_rate": "sample_rate"}
#: More than the rounding errors of a rate and of a division by it, and less than any step.
_ROUNDING = 1e-15


class RenyiAccountant(IAccountant):  # type: ignore[misc]
    """Epsilon of DP-SGD on Poisson samples, exactly. The history is that of Opacus's own accountants."""

    def __init__(self) -> None:
        super().__init__()

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """One step of the optimizer."""
        noise, rate = to_float("noise_multiplier", noise_multiplier), to_float("sample_rate", sample_rate)
        if self.history and tuple(self.history[-1][:2]) == (noise, rate):
            self.history[-1] = (noise, rate, self.history[-1][2] + 1)
        else:
            with renamed_errors(_STEP_WORDS):
                _decoded([(noise, rate, 1)])  # refuses bad numbers before they are in the history
            self.history.append((noise, rate, 1))

    def get_epsilon(
        self,
        delta: float,
        bound: str = "exact",
        alphas: Optional[Sequence[float]] = None,
        eps_error: Optional[float] = None,
        delta_error: Optional[float] = None,
    ) -> float:
        """What the steps so far cost at ``delta``: an upper bound. inf if delta is 0, or below the probability that a
        step without noise shows a record.

        bound: "exact" (the upper end of the exact interval) or "renyi" (the Rényi bound).
        alphas: the orders to take the Rényi bound at (default: the best of all); giving them asks for it. 1 is taken
          as 1 + 1e-9.
        eps_error, delta_error: taken as Opacus's PRV accountant takes them, without effect.
        """
        _check_bound(bound)
        orders = None if alphas is None else orders_within_range(orders_from_one("alphas", alphas))
        plan, at = _decoded(self.history), to_float("delta", delta)
        return float(questions.epsilon(plan, delta=at, want="renyi" if orders else bound, orders=orders))

    def __len__(self) -> int:
        """How many steps so far."""
        return int(sum(steps for _, _, steps in self.history))

    @classmethod
    def mechanism(cls) -> str:
        return _NAME

    def state_dict(self, destination: Any = None) -> Any:
        """The history, and the name of this accountant: numbers and text, the same in every version of Opacus."""
        destination = OrderedDict() if destination is None else destination
        destination["history"] = [tuple(row) for row in plain(self.history)]
        destination["mechanism"] = self.mechanism()
        return destination

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Goes on from ``state_dict()``. ``ValueError``, with nothing changed, for what another accountant wrote."""
        if not isinstance(state_dict, Mapping):
            raise InvalidArgument("state_dict", repr(state_dict), "what state_dict() gave")
        for key in ("history", "mechanism"):
            if key not in state_dict:
                raise InvalidArgument("state_dict", f"no key {key!r}", "what state_dict() gave")
        name, history = state_dict["mechanism"], state_dict["history"]
        if name != _NAME:
            raise InvalidArgument("mechanism", repr(name), f"{_NAME!r}: the state of a RenyiAccountant")
        _decoded(history)
        self.history = [tuple(row) for row in plain(history)]


def _decoded(history: Any) -> Plan:
    """The plan, by the one decoder of histories; numbers beyond the engine's ranges moved within reach."""
    record = plain({"history": history})  # as a state: errors then say history[0][1]
    try:
        return decode(record, "opacus", ADD_OR_REMOVE_ONE)
    except InvalidArgument:
        moved = {key: history_within_range(rows) for key, rows in record.items()}
        if moved == record:
            raise
        return decode(moved, "opacus", ADD_OR_REMOVE_ONE)


def _check_bound(bound: str) -> None:
    if bound not in _BOUNDS:
        raise InvalidArgument("bound", repr(bound), " or ".join(map(repr, _BOUNDS)))


def get_noise_multiplier(
    *,
    target_epsilon: float,
    target_delta: float,
    sample_rate: float,
    epochs: Optional[float] = None,
    steps: Optional[float] = None,
    accountant: str = _NAME,
    epsilon_tolerance: float = 0.01,
    bound: str = "exact",
    **kwargs: Any,
) -> float:
    """The least noise multiplier that keeps to (``target_epsilon``, ``target_delta``), within 1e-9 of it; where samples
    are taken, no less than 0.01, although a large target may need less.

    As ``opacus.accountants.utils.get_noise_multiplier``, which it calls for other accountants. ``epsilon_tolerance``
    has no effect: the search does not stop early. ``bound`` is "exact" or "renyi".
    """
    if accountant != _NAME:
        given = {"sample_rate": sample_rate, "epochs": epochs, "steps": steps, **kwargs}
        return float(
            _opacus_utils.get_noise_multiplier(
                target_epsilon=target_epsilon,
                target_delta=target_delta,
                accountant=accountant,
                epsilon_tolerance=epsilon_tolerance,
                **given,
            )
        )
    if kwargs:
        raise TypeError(f"get_noise_multiplier() got an unexpected keyword argument {next(iter(kwargs))!r}")
    _check_bound(bound)
    epsilon, delta = to_float("target_epsilon", target_epsilon), to_float("target_delta", target_delta)
    rate = to_float("sample_rate", sample_rate)
    count = _steps(steps, epochs, rate)
    with renamed_errors(_TARGET_WORDS):
        sampled = None if rate == 1 else rate
        found = calibrate(epsilon=epsilon, delta=delta, sampling_rate=sampled, steps=count, by=bound)
    return float(found)


def _steps(steps: Optional[float], epochs: Optional[float], rate: float) -> int:
    """The whole steps in ``epochs``, as Opacus counts them, but none is lost to rounding: 3 epochs of 75 are 225."""
    if (steps is None) == (epochs is None):
        given = "nothing" if steps is None else f"{steps!r} beside epochs"
        raise InvalidArgument("steps", given, "either steps or epochs")
    if epochs is None:
        return to_int("steps", whole(steps))
    if not 0 < rate <= 1:
        raise InvalidArgument("sample_rate", repr(rate), "a number above 0 and at most 1, where epochs are given")
    count = to_float("epochs", epochs) / rate * (1 + _ROUNDING)
    if not 1 <= count < 2**63:
        raise InvalidArgument("epochs", repr(epochs), "from 1 to 2^63-1 steps of sample_rate")
    return int(count)


def _register() -> None:
    """By name: in Opacus's table of accountants or, where it has none (1.4), around ``create_accountant``."""
    if hasattr(opacus.accountants, "register_accountant"):
        opacus.accountants.register_accountant(_NAME, RenyiAccountant, force=True)
        return
    current = opacus.accountants.create_accountant
    original: Callable[..., Any] = getattr(current, "__wrapped__", current)

    @functools.wraps(original)
    def create_accountant(mechanism: str) -> Any:
        return RenyiAccountant() if mechanism == _NAME else original(mechanism=mechanism)

    for module in list(sys.modules.values()):  # those that imported the function hold it by themselves
        if getattr(module, "__dict__", {}).get("create_accountant") is current:
            module.create_accountant = create_accountant  # type: ignore[attr-defined]


_register()
