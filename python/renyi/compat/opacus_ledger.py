"""An Opacus accountant that charges a ledger as the model trains."""

from __future__ import annotations

import datetime
from typing import Any, Callable, Iterator, Optional, Union

from .._error_names import renamed_errors
from .._numbers import Count, to_float, to_int
from ..accountant import _noise
from ..errors import InvalidArgument
from ..ledger import AnyLedger
from ..ledger_accountant import _A_DAY, LedgerAccountant
from ..sampling import Poisson
from ._opacus_draws import Watched
from .opacus import RenyiAccountant

_WORDS = {"sampling_rate": "sample_rate"}


class OpacusLedgerAccountant(RenyiAccountant):
    """An accountant of Opacus that pays for each epoch before it begins. ``paid`` reserves the steps of an epoch in the
    ledger and opens them before the first batch is read, and commits after the last one. If the ledger refuses,
    ``renyi.BudgetExceeded`` is raised, and the model of the epochs before is paid for.

        engine = PrivacyEngine()
        engine.accountant = OpacusLedgerAccountant(renyi.Ledger("models.ledger"), "models/digits")
        model, optimizer, loader = engine.make_private(...)
        for epoch in range(20):
            for features, labels in engine.accountant.paid(loader, optimizer):
                ...
                optimizer.step()

    A step that was not paid for raises ``InvalidArgument`` before it changes the model: in an epoch that was not begun,
    beyond its steps, in a second pass over a shuffled loader, or with other noise. ``neighbors`` is that of the scope,
    which decides what loaders are accounted for. ``get_epsilon`` and checkpoints are about the steps that were taken,
    and those of every other accountant of renyi. ``run``, ``epochs``, ``person`` and ``expires_in`` are those of
    ``renyi.LedgerAccountant``.
    """

    def __init__(
        self,
        ledger: AnyLedger,
        scope: str,
        *,
        run: str = "",
        epochs: Count = 0,
        person: str = "",
        expires_in: Union[datetime.timedelta, Count] = _A_DAY,
    ) -> None:
        self._payer = LedgerAccountant(
            ledger, scope, steps_per_epoch=1, run=run, epochs=epochs, person=person, expires_in=expires_in
        )
        super().__init__(neighbors=self._payer.plan.neighbors)
        self._rate: Optional[float] = None
        self._has_paid_pass = False

    @property
    def payer(self) -> LedgerAccountant:
        """What was paid for: epochs and their plan."""
        return self._payer

    def get_optimizer_hook_fn(self, sample_rate: float) -> Callable[[Any], None]:
        """Opacus calls it once, with the rate of the loader that it made."""
        self._rate = sample_rate
        hook: Callable[[Any], None] = super().get_optimizer_hook_fn(sample_rate)
        return hook

    def paid(self, loader: Any, optimizer: Any, *, steps: Optional[Count] = None) -> Iterator[Any]:
        """Iterates over the batches of one epoch, which is paid for first. ``steps`` is how many steps the optimizer
        takes; without it, one for each batch. It has to be given where a batch is divided, for example by the
        ``BatchMemoryManager``: ``len`` of the loader that ``make_private`` returned."""
        if self._rate is None:
            raise InvalidArgument("loader", "one that is not private yet", "what make_private returned")
        size = len(loader) if steps is None else steps
        noise, watched = optimizer.noise_multiplier, self._watched
        if watched is not None and watched.rate is None:
            return self._pass_paid(loader, to_float("noise_multiplier", noise), to_int("steps", size))
        rate = self._rate if watched is None or watched.rate is None else max(self._rate, watched.rate)
        return self._payer.paid(loader, noise_multiplier=noise, sampling_rate=rate, steps=size)

    def _pass_paid(self, loader: Any, noise: float, steps: int) -> Iterator[Any]:
        """Pays for one pass over a loader that draws each record once: one step on all records."""
        step = _noise(noise, None).sampled(Poisson(rate=1.0))
        with self._payer._begun(self._payer._open(step, 1, steps, (noise, None))):
            self._has_paid_pass = True
            try:
                yield from loader
            finally:
                self._has_paid_pass = False

    def _begin_pass(self, noise: float) -> None:
        if not self._has_paid_pass:
            raise InvalidArgument("loader", "a second pass in one epoch", "the pass that was paid for")
        super()._begin_pass(noise)
        self._has_paid_pass = False

    def _take(self, loader: Optional[Watched], noise_multiplier: float, sample_rate: float, batches: int) -> None:
        """Takes one step of the epoch. Opacus calls it after the noise was added and before the model changes."""
        paid: Optional[float] = sample_rate * batches
        if loader is not None:
            paid = None if loader.rate is None else max(sample_rate, loader.rate)
        with renamed_errors(_WORDS):
            self._payer.step(noise_multiplier=noise_multiplier, sampling_rate=paid)
        super()._take(loader, noise_multiplier, sample_rate, batches)
