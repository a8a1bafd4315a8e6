"""An optimizer for Opacus whose clipped sums and noise are exact, so that what is run is what was accounted for.

``renyi.compat.opacus`` has the same names.
"""

from __future__ import annotations

import functools
import math
import warnings
from typing import Any, Callable, Optional

import numpy as np

try:
    import torch
    from opacus.optimizers import DPOptimizer
    from opacus.optimizers.optimizer import _check_processed_flag, _mark_as_processed
except ImportError as error:
    raise ImportError(f"renyi.compat.opacus_noise needs Opacus (pip install opacus): {error}") from error

from .._numbers import to_float, to_int
from ..errors import InvalidArgument
from ..noise import ClippedSum, effective_noise_multiplier, float_sum_sensitivity, gaussian, noise_like

_SUMS = ("exact", "float")
#: The attribute of an optimizer whose divisor Opacus computed from the number of records.
_COMPUTED = "_renyi_size_is_computed"
_DIVISOR = (
    "Opacus divides the noisy sums by an expected batch size that it computed from the number of records. That number"
    " is private under add-or-remove-one, and the size of the noise shows it. State a public size, chosen without a"
    " look at the data: with_public_size(optimizer, expected_batch_size=...), or make_exact(optimizer,"
    ' expected_batch_size=...); or, if the number of records is public, set accountant.neighbors = "zero-out" before'
    " make_private"
)


class ExactDPOptimizer(DPOptimizer):  # type: ignore[misc]
    """A ``DPOptimizer`` that clips and adds gradients in integers and draws its noise exactly, with bits of the kernel.

    ``make_exact`` makes one. Skipped steps, virtual batches, schedules, scaling by the expected batch size and step
    hooks work as in Opacus. Hooks, and so accountants, see ``accounted_noise_multiplier`` as the noise multiplier.

    A record whose gradient has NaN or an infinite number counts as zero. ``p.summed_grad`` is None with exact sums,
    because they are integers.
    """

    #: How gradients are added: "exact", in integers, or "float", by Opacus, with a bound on its rounding errors.
    sums: str
    #: The most records of a step, for sums in floats.
    greatest_batch: Optional[int]
    #: What the accountant must be told: the standard deviation over a bound on the sensitivity.
    accounted_noise_multiplier: float
    #: True if a step had more records than ``greatest_batch``: then the cost is an estimate.
    is_estimate: bool
    #: The sum over all steps of the probabilities that their time depended on the noise; it adds to delta if the time
    #: can be observed.
    timing_delta: float

    def __init__(
        self, optimizer: Any, *, sums: str = "exact", greatest_batch: Optional[int] = None, **settings: Any
    ) -> None:
        if sums not in _SUMS:
            raise InvalidArgument("sums", repr(sums), " or ".join(map(repr, _SUMS)))
        if settings.get("generator") is not None:
            raise InvalidArgument("generator", "a generator", "None: exact noise takes its bits from the kernel")
        super().__init__(optimizer, **settings)
        if any(p.dtype not in (torch.float32, torch.float64) for p in self.params):
            raise InvalidArgument("optimizer", "parameters of fewer bits", "parameters of float32 or float64")
        self.sums = sums
        self.greatest_batch = None if greatest_batch is None else to_int("greatest_batch", greatest_batch)
        if sums == "float" and (self.greatest_batch is None or self.greatest_batch < 1):
            raise InvalidArgument("greatest_batch", repr(greatest_batch), "the most records of a step, at least 1")
        self.is_estimate = False
        self.timing_delta = 0.0
        self._dimension = sum(p.numel() for p in self.params)
        self._records = 0
        self._is_released = False
        self._sum: Optional[ClippedSum] = None
        self.accounted_noise_multiplier = float("nan")
        if sums == "exact":
            self._sum = ClippedSum(self._dimension, clip_norm=self.max_grad_norm)
            self.accounted_noise_multiplier = to_float("noise_multiplier", self.noise_multiplier)
        else:
            self.accounted_noise_multiplier = self._effective_multiplier()

    def attach_step_hook(self, fn: Callable[[Any], None]) -> None:
        """Attaches a hook, which sees the noise multiplier to account for."""

        @functools.wraps(fn)  # with the attributes by which the accountant is told of skipped steps
        def told(optimizer: Any) -> None:
            wanted = optimizer.noise_multiplier
            optimizer.noise_multiplier = optimizer.accounted_noise_multiplier
            try:
                fn(optimizer)
            finally:
                optimizer.noise_multiplier = wanted

        super().attach_step_hook(told)

    def clip_and_accumulate(self) -> None:
        """Clips the gradients of the records and adds them up."""
        if self._sum is None:
            self._records += len(self.grad_samples[0])
            self._drop_records_that_are_not_finite()
            super().clip_and_accumulate()
            return
        for p in self.params:
            _check_processed_flag(p.grad_sample)
        if self._sum.clip_norm != self.max_grad_norm and self._records == 0:  # a schedule changed it
            self._sum = ClippedSum(self._dimension, clip_norm=self.max_grad_norm)
        self._records += len(self.grad_samples[0])
        self._sum.add_parts(self.grad_samples)
        for p in self.params:
            _mark_as_processed(p.grad_sample)

    def add_noise(self) -> None:
        """Adds exact noise to the clipped sums, and stores the result in ``p.grad``."""
        if self._sum is None:
            self._add_noise_to_floats()
            return
        if self._is_released:
            raise ValueError("Gradients haven't been cleared since the last step: call optimizer.zero_grad()")
        kind = np.float64 if any(p.dtype == torch.float64 for p in self.params) else np.float32
        noisy = noise_like(self._sum, noise_multiplier=self.noise_multiplier, dtype=kind)
        self._is_released = True
        self.accounted_noise_multiplier = to_float("noise_multiplier", self.noise_multiplier)
        self.timing_delta += noisy.timing_delta
        self._store(noisy.values)

    def scale_grad(self) -> None:
        """Divides by the expected batch size, if gradients are those of a mean."""
        warn_of_divisor(self)
        super().scale_grad()

    def zero_grad(self, set_to_none: bool = False) -> None:
        """Clears gradients and, unless the last step was skipped, the clipped sums."""
        if not self._is_last_step_skipped:
            self._records = 0
            self._is_released = False
            if self._sum is not None:
                self._sum.clear()
        super().zero_grad(set_to_none)

    def _store(self, values: Any) -> None:
        first = 0
        for p in self.params:
            part = torch.from_numpy(values[first : first + p.numel()])
            p.grad = part.to(device=p.device, dtype=p.dtype).view_as(p)
            first += p.numel()

    def _add_noise_to_floats(self) -> None:
        for p in self.params:
            _check_processed_flag(p.summed_grad)
        assert self.greatest_batch is not None
        if self._records > self.greatest_batch and not self.is_estimate:
            self.is_estimate = True
            warnings.warn("a step had more records than greatest_batch: the cost is an estimate", stacklevel=3)
        sums = torch.cat([p.summed_grad.detach().reshape(-1).double().cpu() for p in self.params]).numpy()
        noisy = gaussian(sums, stddev=self._stddev())
        self.timing_delta += noisy.timing_delta
        self.accounted_noise_multiplier = self._effective_multiplier()
        self._store(noisy.values)
        for p in self.params:
            _mark_as_processed(p.summed_grad)

    def _stddev(self) -> float:
        return to_float("noise_multiplier", self.noise_multiplier) * to_float("max_grad_norm", self.max_grad_norm)

    def _effective_multiplier(self) -> float:
        assert self.greatest_batch is not None
        sensitivity = float_sum_sensitivity(
            clip_norm=self.max_grad_norm, records=self.greatest_batch, dimension=self._dimension
        )
        return effective_noise_multiplier(stddev=self._stddev(), sensitivity=sensitivity)

    def _drop_records_that_are_not_finite(self) -> None:
        """One such record would make the whole sum NaN, which no noise hides."""
        batches = [p.grad_sample if isinstance(p.grad_sample, list) else [p.grad_sample] for p in self.params]
        with torch.no_grad():
            for parts in zip(*batches):
                finite = torch.stack([part.reshape(len(part), -1).isfinite().all(dim=1) for part in parts]).all(dim=0)
                for part in parts:
                    part[~finite] = 0


def size_is_computed(optimizer: Any) -> None:
    """Notes that the optimizer's divisor, if it has one, was computed from the number of records, which is private."""
    setattr(optimizer, _COMPUTED, optimizer.loss_reduction == "mean")


def warn_of_divisor(optimizer: Any) -> None:
    """Warns, once, of a divisor that was computed from a private number. The warning has no number."""
    if getattr(optimizer, _COMPUTED, False):
        setattr(optimizer, _COMPUTED, False)
        warnings.warn(_DIVISOR, UserWarning, stacklevel=4)


def with_public_size(optimizer: Any, *, expected_batch_size: float) -> Any:
    """Makes an optimizer of Opacus divide by a stated number, and returns it.

    Opacus divides noisy sums by ``int(len(dataset) * sample_rate)``. Under add-or-remove-one the number of records is
    private, and the noise of two trainings whose divisors differ tells them apart; a constant that is chosen without a
    look at the data shows nothing, even if it is far from the mean size of a batch. Under distributed training it is
    the size of the part of one worker, as in Opacus.
    """
    if not isinstance(optimizer, DPOptimizer) or optimizer.loss_reduction != "mean":
        reduction = getattr(optimizer, "loss_reduction", None)
        given = type(optimizer).__name__ + (f" with loss_reduction={reduction!r}" if reduction else "")
        raise InvalidArgument("optimizer", given, "a DPOptimizer that divides: loss_reduction='mean'")
    size = to_float("expected_batch_size", expected_batch_size)
    if not 0 < size < math.inf:
        raise InvalidArgument("expected_batch_size", repr(expected_batch_size), "a positive number")
    optimizer.expected_batch_size = size
    setattr(optimizer, _COMPUTED, False)
    return optimizer


def make_exact(
    optimizer: Any,
    *,
    sums: str = "exact",
    greatest_batch: Optional[int] = None,
    expected_batch_size: Optional[float] = None,
) -> ExactDPOptimizer:
    """Returns an optimizer with exact noise in the place of the one that ``PrivacyEngine.make_private`` returned.

    Its accountant goes on counting, and is told the multiplier that holds.

    sums: "exact" adds clipped gradients in integers: the sensitivity is ``max_grad_norm``, exactly. "float" leaves
      clipping and adding to Opacus, and charges a bound on its rounding errors: the accountant is told a smaller
      noise multiplier, ``accounted_noise_multiplier``. It must have a ``greatest_batch`` (public), and is of use for
      small batches and models only.
    expected_batch_size: a public number to divide by, as in ``with_public_size``; without it, that of ``optimizer``.
    """
    # Later versions of Opacus can divide clipped gradients by the norm, which changes what the noise is relative to.
    if type(optimizer) is not DPOptimizer or getattr(optimizer, "normalize_clipping", False):
        given, allowed = type(optimizer).__name__, "a DPOptimizer: flat clipping on one machine, not normalized"
        raise InvalidArgument("optimizer", given, allowed)
    made = ExactDPOptimizer(
        optimizer.original_optimizer,
        sums=sums,
        greatest_batch=greatest_batch,
        noise_multiplier=optimizer.noise_multiplier,
        max_grad_norm=optimizer.max_grad_norm,
        expected_batch_size=optimizer.expected_batch_size,
        loss_reduction=optimizer.loss_reduction,
        generator=optimizer.generator,
        secure_mode=optimizer.secure_mode,
    )
    setattr(made, _COMPUTED, getattr(optimizer, _COMPUTED, False))
    if optimizer.step_hook is not None:
        made.attach_step_hook(optimizer.step_hook)
    if expected_batch_size is not None:
        with_public_size(made, expected_batch_size=expected_batch_size)
    return made
