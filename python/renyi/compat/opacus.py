"""An accountant for Opacus. Importing this module registers it: ``PrivacyEngine(accountant="renyi")``.

``get_noise_multiplier`` of this module solves for the exact epsilon; the function of Opacus accepts
``accountant="renyi"`` too. ``make_exact`` replaces the noise of a training by exact noise, and its sums by exact sums.
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
from ..records import plain, whole
from ._ranges import orders_from_one, orders_within_range, plan_of_history
from .opacus_noise import ExactDPOptimizer, make_exact

__all__ = ["ExactDPOptimizer", "RenyiAccountant", "get_noise_multiplier", "make_exact"]

_NAME = "renyi"
_BOUNDS = ("exact", "renyi")
#: Names of fields in renyi's errors, and those that Opacus uses: for the first row of a history, and for targets.
_STEP_WORDS = {"history[0][0]": "noise_multiplier", "history[0][1]": "sample_rate"}
_TARGET_WORDS = {"epsilon": "target_epsilon", "delta": "target_delta", "sampling_rate": "sample_rate"}
#: This exceeds the rounding errors of a rate and of a division by it, and is less than any step.
_ROUNDING = 1e-15


class RenyiAccountant(IAccountant):  # type: ignore[misc]
    """An Opacus accountant that computes the exact epsilon of DP-SGD on Poisson samples.

    Its history has the format of the accountants of Opacus.
    """

    def __init__(self) -> None:
        super().__init__()

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """Records one step of the optimizer."""
        noise, rate = to_float("noise_multiplier", noise_multiplier), to_float("sample_rate", sample_rate)
        if self.history and tuple(self.history[-1][:2]) == (noise, rate):
            self.history[-1] = (noise, rate, self.history[-1][2] + 1)
        else:
            with renamed_errors(_STEP_WORDS):
                plan_of_history([(noise, rate, 1)])  # refuses bad numbers before they are in the history
            self.history.append((noise, rate, 1))

    def get_epsilon(
        self,
        delta: float,
        bound: str = "exact",
        alphas: Optional[Sequence[float]] = None,
        eps_error: Optional[float] = None,
        delta_error: Optional[float] = None,
    ) -> float:
        """Returns an upper bound on the epsilon of the steps so far at ``delta``. It is inf if delta is 0, or below the
        probability that a step without noise reveals a record.

        bound: "exact" (the upper bound of the exact interval) or "renyi" (the Rényi bound).
        alphas: the orders at which the Rényi bound is evaluated (default: the best of all orders). If they are given,
          the Rényi bound is returned. 1 is replaced by 1 + 1e-9.
        eps_error, delta_error: accepted, as by the PRV accountant of Opacus, and ignored.
        """
        _check_bound(bound)
        orders = None if alphas is None else orders_within_range(orders_from_one("alphas", alphas))
        plan, at = plan_of_history(self.history), to_float("delta", delta)
        return float(questions.epsilon(plan, delta=at, want="renyi" if orders else bound, orders=orders))

    def __len__(self) -> int:
        """Returns the number of steps so far."""
        return int(sum(steps for _, _, steps in self.history))

    @classmethod
    def mechanism(cls) -> str:
        return _NAME

    def state_dict(self, destination: Any = None) -> Any:
        """Returns the history and the name of this accountant, as numbers and text that every version of Opacus
        reads."""
        destination = OrderedDict() if destination is None else destination
        destination["history"] = [tuple(row) for row in plain(self.history)]
        destination["mechanism"] = self.mechanism()
        return destination

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Continues from the result of ``state_dict()``. Raises ``ValueError``, and changes nothing, for the state of
        another accountant."""
        if not isinstance(state_dict, Mapping):
            raise InvalidArgument("state_dict", repr(state_dict), "what state_dict() gave")
        for key in ("history", "mechanism"):
            if key not in state_dict:
                raise InvalidArgument("state_dict", f"no key {key!r}", "what state_dict() gave")
        name, history = state_dict["mechanism"], state_dict["history"]
        if name != _NAME:
            raise InvalidArgument("mechanism", repr(name), f"{_NAME!r}: the state of a RenyiAccountant")
        plan_of_history(history)
        self.history = [tuple(row) for row in plain(history)]


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
    """Returns the least noise multiplier that satisfies (``target_epsilon``, ``target_delta``)-DP, within 1e-9 of it.

    With sampling it is at least 0.01, although a large target may need less. The arguments are those of
    ``opacus.accountants.utils.get_noise_multiplier``, which is called for other accountants. ``epsilon_tolerance`` is
    ignored: the search does not stop early. ``bound`` is "exact" or "renyi".
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
    """Returns the number of whole steps in ``epochs``, as Opacus counts them, except that no step is lost to rounding:
    3 epochs of 75 steps are 225."""
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
    """Registers the accountant under its name: in Opacus's table of accountants or, if it has none (1.4), by wrapping
    ``create_accountant``."""
    if hasattr(opacus.accountants, "register_accountant"):
        opacus.accountants.register_accountant(_NAME, RenyiAccountant, force=True)
        return
    current = opacus.accountants.create_accountant
    original: Callable[..., Any] = getattr(current, "__wrapped__", current)

    @functools.wraps(original)
    def create_accountant(mechanism: str) -> Any:
        return RenyiAccountant() if mechanism == _NAME else original(mechanism=mechanism)

    for module in list(sys.modules.values()):  # modules that imported the function have their own reference to it
        if getattr(module, "__dict__", {}).get("create_accountant") is current:
            module.create_accountant = create_accountant  # type: ignore[attr-defined]


_register()
