"""An Opacus accountant that charges a ledger as the model trains."""

from __future__ import annotations

import datetime
from typing import Any, Callable, Iterator, Optional, Union

from .._error_names import renamed_errors
from .._numbers import Count
from ..errors import InvalidArgument
from ..ledger import AnyLedger
from ..ledger_accountant import _A_DAY, LedgerAccountant
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
    beyond its steps, or with other noise. ``get_epsilon`` and checkpoints are about the steps that were taken, and
    those of every other accountant of renyi. ``run``, ``epochs``, ``person`` and ``expires_in`` are those of
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
        super().__init__()
        self._payer = LedgerAccountant(
            ledger, scope, steps_per_epoch=1, run=run, epochs=epochs, person=person, expires_in=expires_in
        )
        self._rate: Optional[float] = None

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
        return self._payer.paid(
            loader,
            noise_multiplier=optimizer.noise_multiplier,
            sampling_rate=self._rate,
            steps=len(loader) if steps is None else steps,
        )

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """Takes one step of the epoch. Opacus calls it after the noise was added and before the model changes."""
        with renamed_errors(_WORDS):
            self._payer.step(noise_multiplier=noise_multiplier, sampling_rate=sample_rate)
        super().step(noise_multiplier=noise_multiplier, sample_rate=sample_rate)
