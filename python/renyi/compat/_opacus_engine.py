"""Tells the accountants of this package which data loader ``PrivacyEngine`` made, and which steps of an optimizer were
skipped, by wrapping methods of Opacus once."""

from __future__ import annotations

import functools
import warnings
from typing import Any

from opacus import PrivacyEngine
from opacus.data_loader import DPDataLoader
from opacus.optimizers import DPOptimizer

from ..plan import ADD_OR_REMOVE_ONE
from ._opacus_parts import check_skip_next_step, signal_skip_step
from .opacus_noise import size_is_computed

_ORIGINAL = "_renyi_original"
_TARGETS = ("target_epsilon", "target_delta", "epochs")
_CALIBRATION = ("alphas", "bound", "delta_error", "eps_error", "epsilon_tolerance")
_SPENT = (
    "steps were taken before: the noise multiplier is for those that follow alone, and the epsilon of all is larger"
)


def wrap_engine() -> None:
    """Wraps methods of Opacus; a second call replaces the wrappers of the first."""
    for kind, name, wrapper in (
        (PrivacyEngine, "make_private", _make_private),
        (PrivacyEngine, "make_private_with_epsilon", _make_private_with_epsilon),
        (DPOptimizer, "signal_skip_step", signal_skip_step),
        (DPOptimizer, "_check_skip_next_step", check_skip_next_step),
    ):
        current = getattr(kind, name)
        original = getattr(current, _ORIGINAL, current)
        wrapped = wrapper(original)
        setattr(wrapped, _ORIGINAL, original)
        setattr(kind, name, wrapped)


def _watches(accountant: Any) -> bool:
    """Says whether this is an accountant of this package."""
    return hasattr(accountant, "noise_multiplier_of")


def _make_private(original: Any) -> Any:
    @functools.wraps(original)
    def make_private(self: Any, *args: Any, **settings: Any) -> Any:
        watches = _watches(self.accountant)
        data_loader = settings.get("data_loader")
        if watches and data_loader is not None and not settings.get("poisson_sampling", True):
            self.accountant.check_loader(data_loader)  # refuses it before the model is changed
        made = original(self, *args, **settings)
        optimizer, loader = made[1], made[-1]
        if watches:
            self.accountant.watch(loader)
        if not watches or self.accountant.neighbors == ADD_OR_REMOVE_ONE:
            size_is_computed(optimizer)
        return made

    return make_private


def _make_private_with_epsilon(original: Any) -> Any:
    @functools.wraps(original)
    def make_private_with_epsilon(self: Any, *args: Any, **settings: Any) -> Any:
        if not _watches(self.accountant) or not {"data_loader", *_TARGETS} <= settings.keys():
            return original(self, *args, **settings)  # which says what is missing
        targets = {name: settings.pop(name) for name in _TARGETS}
        told = {name: settings.pop(name) for name in _CALIBRATION if name in settings}
        if len(self.accountant) > 0:
            warnings.warn(_SPENT, UserWarning, stacklevel=2)
        loader = settings["data_loader"]
        if settings.get("poisson_sampling", True):
            loader = DPDataLoader.from_data_loader(loader)
        noise = self.accountant.noise_multiplier_of(loader, **targets, **told)
        return self.make_private(*args, noise_multiplier=noise, **settings)

    return make_private_with_epsilon
