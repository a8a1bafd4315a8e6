"""Epochs of random allocation: every record takes part once an epoch, in a batch that it chooses at random."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar, Mapping, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .._numbers import Count
from ..errors import InvalidArgument
from ..sampling import RandomAllocation
from . import draws
from .batches import Mask
from .loader import Loader
from .size import at_least_one, records_of


class _Epoch(NamedTuple):
    """The allocation of one epoch. ``name`` is public; the rest is secret: the batch of each record, the records in the
    order of their batches, and where each batch begins in it."""

    name: str
    batch_of: NDArray[Any]
    order: draws.Indices
    begins: NDArray[np.int64]


class RandomAllocationLoader(Loader):
    """Random allocation, also called balls in bins: in each epoch, every record takes part in one of ``batches``
    batches, which it chooses at random and independently. One step of the plan is an epoch.

    >>> import renyi
    >>> loader = renyi.loaders.RandomAllocationLoader(60_000, batches=235, epochs=3)
    >>> account = renyi.Accountant()
    >>> done = account.observe(loader, noise_multiplier=2.0)
    >>> sum(batch.indices.size for batch in loader.epoch()), account.steps
    (60000, 1)

    An epoch is charged as a whole when its first batch is asked for, also if it is left early. A checkpoint holds the
    allocation of the epoch, so that resuming goes on with the same batches.

    ``batches`` is a public number, and not the number of records over a batch size, which is private under
    add-or-remove-one. Means need a ``nominal_size`` there: they are over ``nominal_size / batches``.
    """

    kind: ClassVar[str] = "random-allocation"

    def __init__(
        self,
        dataset_size: Count,
        batches: Count,
        epochs: Count = 1,
        *,
        nominal_size: Optional[Count] = None,
        neighbors: Optional[str] = None,
        size_is_public: bool = False,
    ) -> None:
        records = records_of(dataset_size, nominal_size, neighbors, size_is_public)
        per_epoch = at_least_one("batches", batches)
        self._per_epoch, self._epochs = per_epoch, at_least_one("epochs", epochs)
        self._epoch: Optional[_Epoch] = None
        parameters = {"batches": per_epoch, "epochs": self._epochs}
        super().__init__(records, per_epoch * self._epochs, RandomAllocation(per_epoch), parameters)

    @property
    def batches(self) -> int:
        """The number of batches of an epoch."""
        return self._per_epoch

    @property
    def epochs(self) -> int:
        """The number of epochs of the training."""
        return self._epochs

    @property
    def steps_per_epoch(self) -> int:
        """The number of batches of an epoch."""
        return self._per_epoch

    @property
    def expected_batch_size(self) -> float:
        """The nominal size over the number of batches."""
        return self._records.nominal_for("the divisor of a mean, the expected batch size,") / self._per_epoch

    @property
    def samples_each_batch(self) -> bool:
        """False: a step of the plan is an epoch."""
        return False

    def _epoch_of(self, position: int) -> str:
        if position % self._per_epoch == 0 or self._epoch is None:
            return secrets.token_hex(16)
        return self._epoch.name

    def _draw(self, position: int, epoch: str) -> tuple[draws.Indices, Optional[Mask]]:
        if self._epoch is None or self._epoch.name != epoch:
            self._epoch = self._drawn(epoch)
        batch = position % self._per_epoch
        begins = self._epoch.begins
        return self._epoch.order[begins[batch] : begins[batch + 1]].copy(), None

    def _drawn(self, name: str) -> _Epoch:
        try:
            return self._allocated(name, draws.allocation(self._records.count, self._per_epoch))
        except MemoryError:  # NumPy's says how many records there are
            raise MemoryError("there is no memory for the allocation of an epoch") from None

    def _allocated(self, name: str, batch_of: NDArray[Any]) -> _Epoch:
        order = np.argsort(batch_of, kind="stable")
        sizes = np.bincount(batch_of, minlength=self._per_epoch)
        return _Epoch(name, batch_of, order, np.concatenate([[0], np.cumsum(sizes)]))

    def _secrets(self) -> dict[str, Any]:
        within = self._position % self._per_epoch != 0
        if not within or self._epoch is None:
            return {"epoch": None, "allocation": None}
        return {"epoch": self._epoch.name, "allocation": self._epoch.batch_of.copy()}

    def _read_secrets(self, state: Mapping[str, Any]) -> Optional[_Epoch]:
        name, stored = state.get("epoch"), state.get("allocation")
        if state["position"] % self._per_epoch == 0:
            return None
        every = f"each of {self._records.count} records" if self._records.is_public else "each record"
        allowed = f"the batch of {every}, from 0 to {self._per_epoch - 1}"
        if not isinstance(name, str) or not name or stored is None:
            raise InvalidArgument("state.allocation", "nothing", allowed)
        try:
            batch_of = np.asarray(stored)
        except ValueError:
            raise InvalidArgument("state.allocation", "something else", allowed) from None
        # Errors do not repeat what the checkpoint says, which is secret.
        fits = batch_of.shape == (self._records.count,) and batch_of.dtype.kind in "iu"
        if not fits or ((batch_of < 0) | (batch_of >= self._per_epoch)).any():
            raise InvalidArgument("state.allocation", "something else", allowed)
        return self._allocated(name, batch_of.astype(np.min_scalar_type(self._per_epoch - 1)))

    def _restore(self, restored: Any) -> None:
        self._epoch = restored

    def _continue_epoch(self) -> None:
        """Notes that the epoch of a checkpoint has begun, so that what is left of it is no new one."""
        if self._epoch is not None and self._epoch.name not in self._progress.epochs:
            self._progress.epochs[self._epoch.name] = self._inherited[self._epoch.name] = self._position
