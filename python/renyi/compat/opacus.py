"""An accountant for Opacus. Importing this module registers it: ``PrivacyEngine(accountant="renyi")``.

``get_noise_multiplier`` of this module solves for the exact epsilon; the function of Opacus accepts
``accountant="renyi"`` too. ``make_exact`` replaces the noise of a training by exact noise, and its sums by exact sums.
"""

from __future__ import annotations

import functools
import math
import sys
import warnings
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
from ..plan import ADD_OR_REMOVE_ONE
from ..records import plain, whole
from ._opacus_draws import Place, Watched, check_accumulation, check_adaptive, drawn_by, rate_of
from ._opacus_engine import wrap_engine
from ._opacus_parts import PLACE, first_and_last
from ._ranges import orders_from_one, orders_within_range, plan_of_history
from .opacus_noise import ExactDPOptimizer, make_exact, warn_of_divisor, with_public_size

__all__ = ["ExactDPOptimizer", "RenyiAccountant", "get_noise_multiplier", "make_exact", "with_public_size"]

_NAME = "renyi"
#: The name in the state of an accountant under replace-one.
_REPLACING = "renyi replace-one"
_RELATIONS = (ADD_OR_REMOVE_ONE, "zero-out", "replace-one")
_UNKNOWN = "the data loader is not known; accountant.watch(data_loader) checks what it draws, as make_private does"
_BOUNDS = ("exact", "renyi")
#: Names of fields in renyi's errors, and those that Opacus uses: for the first row of a history, and for targets.
_STEP_WORDS = {"history[0][0]": "noise_multiplier", "history[0][1]": "sample_rate"}
_TARGET_WORDS = {"epsilon": "target_epsilon", "delta": "target_delta", "sampling_rate": "sample_rate"}
#: This exceeds the rounding errors of a rate and of a division by it, and is less than any step.
_ROUNDING = 1e-15


class RenyiAccountant(IAccountant):  # type: ignore[misc]
    """An Opacus accountant that computes the exact epsilon of DP-SGD, of what its data loader draws.

    ``make_private`` tells it the loader; ``watch`` does where there is no engine. Poisson samples are accounted for at
    the rate at which they are drawn, and shuffled epochs, if ``neighbors`` is "zero-out" or "replace-one", as whole
    epochs without amplification; other loaders are refused. Where the loader is not known, the steps are taken for
    Poisson samples at the rate that was recorded, and ``get_epsilon`` warns of that.

    The history has the format of the accountants of Opacus. A row of rate 1 is a step on all records: a pass over a
    loader that draws each record once is one, however many steps the optimizer takes.
    """

    def __init__(self, *, neighbors: str = ADD_OR_REMOVE_ONE) -> None:
        super().__init__()
        self._neighbors = _relation(neighbors)
        self._watched: Optional[Watched] = None
        self._loaders: list[Watched] = []
        self._rates: set[float] = set()
        self._hook: dict[str, Watched] = {}
        self._has_warned = False
        self._valid: Optional[tuple[float, float]] = None

    @property
    def neighbors(self) -> str:
        """The neighbouring relation: "add-or-remove-one" (the default), "zero-out" or "replace-one". It is set before
        ``make_private``. The latter two say that the number of records is public."""
        return self._neighbors

    @neighbors.setter
    def neighbors(self, neighbors: str) -> None:
        if _relation(neighbors) != self._neighbors and (self._loaders or self.history):
            allowed = f"{self._neighbors!r}; another relation is set before make_private, watch and the first step"
            raise InvalidArgument("neighbors", repr(neighbors), allowed)
        self._neighbors = neighbors

    def check_loader(self, data_loader: Any) -> None:
        """Raises ``Unsupported``, which says what to do, for a loader that this accountant cannot account for."""
        drawn_by(data_loader, self._neighbors)

    def watch(self, data_loader: Any) -> None:
        """Accounts, from now on, for what this loader draws: in steps of the hook that was made last, and in those
        recorded by ``step``. The loader counts its passes from now on. ``make_private`` calls it."""
        watched = Watched(data_loader, self._neighbors)
        self._watched = self._hook["loader"] = watched
        self._loaders.append(watched)
        self._rates |= watched.rates

    def get_optimizer_hook_fn(self, sample_rate: float) -> Callable[[Any], None]:
        """Returns a hook for ``DPOptimizer.attach_step_hook``, which records each step."""
        bound = self._hook = {}

        def place() -> Optional[Place]:
            loader = bound.get("loader", self._watched)
            return None if loader is None else loader.place()

        def hook(optimizer: Any) -> None:
            check_adaptive(optimizer)
            loader = bound.get("loader", self._watched)
            if loader is not None:
                loader.check_parts(first_and_last(optimizer))
            self._take(loader, optimizer.noise_multiplier, sample_rate, optimizer.accumulated_iterations)
            warn_of_divisor(optimizer)

        setattr(hook, PLACE, place)
        return hook

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """Records one step of the optimizer, on one batch."""
        self._take(self._watched, noise_multiplier, sample_rate, 1)

    def _take(self, loader: Optional[Watched], noise_multiplier: float, sample_rate: float, batches: int) -> None:
        """Records a step on so many batches, which are one unless gradients were accumulated."""
        noise, rate = to_float("noise_multiplier", noise_multiplier), to_float("sample_rate", sample_rate)
        if loader is None:
            self._add(noise, rate * batches)
            return
        self._check_row(noise, rate)
        if loader.rate is not None:
            check_accumulation(batches)
            loader.check_rate()
            self._add(noise, max(rate, loader.rate))
            loader.take(batches)
            return
        # A history that was replaced may have lost the current pass, which is charged anew then.
        begins_pass = loader.begins_pass(batches) or self._row_of(loader.noise, 1.0) is None
        self._add_to_pass(loader, noise, begins_pass)
        loader.noise = noise if begins_pass else min(loader.noise, noise)
        loader.take(batches)

    def _add_to_pass(self, loader: Watched, noise: float, begins_pass: bool) -> None:
        """Charges a pass at its least noise. Each record is in one step of it; whichever that is, the others being
        given, it costs at most what it costs there, and a mixture of steps no more than the dearest of them."""
        if begins_pass:
            self._begin_pass(noise)
        elif noise < loader.noise:
            self._check_row(noise, 1.0)
            self._remove(loader.noise, 1.0)
            self._add(noise, 1.0)

    def _begin_pass(self, noise: float) -> None:
        self._add(noise, 1.0)

    def _check_row(self, noise: float, rate: float) -> None:
        """Refuses bad numbers before they are in the history. Those of the last step are not looked at again."""
        if self._valid != (noise, rate):
            with renamed_errors(_STEP_WORDS):
                plan_of_history([(noise, rate, 1)], self._neighbors)
            self._valid = (noise, rate)

    def _add(self, noise: float, rate: float) -> None:
        if self.history and tuple(self.history[-1][:2]) == (noise, rate):
            self.history[-1] = (noise, rate, self.history[-1][2] + 1)
        else:
            self._check_row(noise, rate)
            self.history.append((noise, rate, 1))

    def _remove(self, noise: float, rate: float) -> None:
        """Takes one step of a row out of the history."""
        index = self._row_of(noise, rate)
        if index is not None:
            left = self.history[index][2] - 1
            self.history[index : index + 1] = [(noise, rate, left)] if left else []

    def _row_of(self, noise: float, rate: float) -> Optional[int]:
        """Returns where such steps are in the history. They are all the same, wherever they stand."""
        rows = reversed(range(len(self.history)))
        return next((row for row in rows if tuple(self.history[row][:2]) == (noise, rate)), None)

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
        plan, at = plan_of_history(self.history, self._neighbors), to_float("delta", delta)
        self._warn_of_assumption()
        return float(questions.epsilon(plan, delta=at, want="renyi" if orders else bound, orders=orders))

    def _warn_of_assumption(self) -> None:
        """Warns, once, if steps were recorded at a rate at which no known loader draws."""
        rates = {float(rate) for _, rate, steps in self.history if 0 < rate < 1 and steps > 0} - self._rates
        if rates and not self._has_warned:
            self._has_warned = True
            told = " and ".join(f"{rate:.6g}" for rate in sorted(rates)[:3]) + (" and others" if len(rates) > 3 else "")
            warnings.warn(f"Poisson samples at the rate {told} are assumed: {_UNKNOWN}", UserWarning, stacklevel=3)

    def noise_multiplier_of(
        self,
        data_loader: Any,
        *,
        target_epsilon: float,
        target_delta: float,
        epochs: float,
        bound: str = "exact",
        alphas: Optional[Sequence[float]] = None,
        **ignored: Any,
    ) -> float:
        """Returns the least noise multiplier with which ``epochs`` passes over this loader, and nothing else, satisfy
        (``target_epsilon``, ``target_delta``)-DP, for what the loader draws. ``make_private_with_epsilon`` calls it."""
        _check_bound(bound)
        found = drawn_by(data_loader, self._neighbors)
        rate = rate_of(found) or 1.0
        count = to_float("epochs", epochs) * (found.batches if found.samples_each_batch else 1)
        if not 0 < count < 2**63:
            raise InvalidArgument("epochs", repr(epochs), "a number above 0")
        orders = None if alphas is None else orders_within_range(orders_from_one("alphas", alphas))
        with renamed_errors(_TARGET_WORDS):
            return _least_noise(
                rate,
                math.ceil(count),
                self._neighbors,
                epsilon=to_float("target_epsilon", target_epsilon),
                delta=to_float("target_delta", target_delta),
                by="renyi" if orders else bound,
                orders=orders,
            )

    def __len__(self) -> int:
        """Returns the number of steps in the history: those of the optimizer on Poisson samples, and passes over a
        loader that draws each record once."""
        return int(sum(steps for _, _, steps in self.history))

    @classmethod
    def mechanism(cls) -> str:
        return _NAME

    def state_dict(self, destination: Any = None) -> Any:
        """Returns the history and the name of this accountant, as numbers and text that every version of Opacus
        reads, and ``neighbors`` if it is not add-or-remove-one. The name of one under replace-one is another, because
        the history alone, which older versions read, would say too small an epsilon."""
        destination = OrderedDict() if destination is None else destination
        destination["history"] = [tuple(row) for row in plain(self.history)]
        destination["mechanism"] = _REPLACING if self._neighbors == "replace-one" else self.mechanism()
        if self._neighbors != ADD_OR_REMOVE_ONE:
            destination["neighbors"] = self._neighbors
        return destination

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Continues from the result of ``state_dict()``. Raises ``ValueError``, and changes nothing, for the state of
        another accountant, and for one of another relation where steps or loaders are already accounted for."""
        if not isinstance(state_dict, Mapping):
            raise InvalidArgument("state_dict", repr(state_dict), "what state_dict() gave")
        for key in ("history", "mechanism"):
            if key not in state_dict:
                raise InvalidArgument("state_dict", f"no key {key!r}", "what state_dict() gave")
        name, history = state_dict["mechanism"], state_dict["history"]
        if name not in (_NAME, _REPLACING):
            raise InvalidArgument("mechanism", repr(name), f"{_NAME!r}: the state of a RenyiAccountant")
        neighbors = _relation(state_dict.get("neighbors", "replace-one" if name == _REPLACING else self._neighbors))
        plan_of_history(history, neighbors)
        self.neighbors = neighbors
        self.history = [tuple(row) for row in plain(history)]
        for loader in self._loaders:
            loader.restart()


def _relation(neighbors: Any) -> str:
    if neighbors not in _RELATIONS:
        raise InvalidArgument("neighbors", repr(neighbors), ", ".join(map(repr, _RELATIONS)))
    return str(neighbors)


def _least_noise(rate: float, steps: int, neighbors: str, **targets: Any) -> float:
    """Returns the least noise multiplier of so many steps, relative to the norm to which one record is clipped."""
    if rate != 1:
        return float(calibrate(sampling_rate=rate, steps=steps, neighbors=neighbors, **targets))
    # Without sampling the engine takes noise beside the sensitivity, and a replaced record moves a sum by two norms.
    return float(calibrate(steps=steps, neighbors=neighbors, **targets)) * (2 if neighbors == "replace-one" else 1)


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
    neighbors: str = ADD_OR_REMOVE_ONE,
    **kwargs: Any,
) -> float:
    """Returns the least noise multiplier that satisfies (``target_epsilon``, ``target_delta``)-DP, within 1e-9 of it.

    With sampling it is at least 0.01, although a large target may need less. The arguments are those of
    ``opacus.accountants.utils.get_noise_multiplier``, which is called for other accountants. ``epsilon_tolerance`` is
    ignored: the search does not stop early. ``bound`` is "exact" or "renyi", ``neighbors`` that of the accountant.
    Poisson samples are assumed; shuffled epochs, where ``neighbors`` allows them, are steps at a ``sample_rate`` of 1.
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
        return _least_noise(rate, count, _relation(neighbors), epsilon=epsilon, delta=delta, by=bound)


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
wrap_engine()
