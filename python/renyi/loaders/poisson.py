"""Poisson samples, with and without a limit on the batch."""

from __future__ import annotations

from typing import ClassVar, Optional

import numpy as np

from .._numbers import Count, Number, to_float
from ..errors import InvalidArgument
from ..sampling import Poisson, TruncatedPoisson
from . import draws
from .batches import Mask
from .loader import Loader, at_least_one


class PoissonLoader(Loader):
    """Poisson sampling: each record enters each batch with probability ``rate``, independently of all else.

    >>> import renyi
    >>> loader = renyi.loaders.PoissonLoader(60_000, batch_size=256, steps=1000)
    >>> account = renyi.Accountant()
    >>> done = account.observe(loader, noise_multiplier=1.1)
    >>> for batch in loader:
    ...     pass  # clip the gradients of data[batch], add, add noise, loader.mean(total), update
    >>> account.steps, loader
    (1000, PoissonLoader(dataset_size=60000, rate=0.004266666666666667, steps=1000))

    dataset_size: the number of records.
    rate: the sampling rate; or ``batch_size``, the expected number of records of a batch, which need not be whole.
    steps: the number of batches of the training. Batches differ in size, and may be empty: an empty one is a step too,
    with noise.
    """

    kind: ClassVar[str] = "poisson"

    def __init__(
        self,
        dataset_size: Count,
        *,
        rate: Optional[Number] = None,
        batch_size: Optional[Number] = None,
        steps: Count,
    ) -> None:
        size, given = at_least_one("dataset_size", dataset_size), at_least_one("steps", steps)
        self._rate, self._expected = _rate_of(size, rate, batch_size)
        parameters = {"dataset_size": size, "rate": self._rate, "steps": given}
        super().__init__(size, given, Poisson(self._rate), parameters)

    @property
    def rate(self) -> float:
        """The sampling rate."""
        return self._rate

    @property
    def expected_batch_size(self) -> float:
        """The rate times the number of records."""
        return self._expected

    def _draw(self, position: int, epoch: str) -> tuple[draws.Indices, Optional[Mask]]:
        return draws.poisson_records(self._dataset_size, self._rate), None


class TruncatedPoissonLoader(Loader):
    """Poisson sampling with a limit: if more than ``batch_limit`` records are drawn, that many of them are kept at
    random. Every batch has ``batch_limit`` places, as compiled training steps need: ``mask`` says which count.

    >>> import renyi
    >>> loader = renyi.loaders.TruncatedPoissonLoader(60_000, batch_size=256, batch_limit=384, steps=1000)
    >>> indices, mask = next(iter(loader))
    >>> indices.shape, mask.shape
    ((384,), (384,))

    Gradients of places that do not count are multiplied by 0: those of record 0, which fills them, must not enter.
    """

    kind: ClassVar[str] = "truncated-poisson"

    def __init__(
        self,
        dataset_size: Count,
        *,
        rate: Optional[Number] = None,
        batch_size: Optional[Number] = None,
        batch_limit: Count,
        steps: Count,
    ) -> None:
        size, given = at_least_one("dataset_size", dataset_size), at_least_one("steps", steps)
        self._rate, self._expected = _rate_of(size, rate, batch_size)
        self._limit = at_least_one("batch_limit", batch_limit)
        scheme = TruncatedPoisson(rate=self._rate, dataset_size=size, batch_limit=self._limit)
        parameters = {"dataset_size": size, "rate": self._rate, "batch_limit": self._limit, "steps": given}
        super().__init__(size, given, scheme, parameters)

    @property
    def rate(self) -> float:
        """The sampling rate before records are left out."""
        return self._rate

    @property
    def batch_limit(self) -> int:
        """The number of places of every batch."""
        return self._limit

    @property
    def expected_batch_size(self) -> float:
        """The rate times the number of records: what is expected before records are left out."""
        return self._expected

    def _draw(self, position: int, epoch: str) -> tuple[draws.Indices, Optional[Mask]]:
        drawn = draws.truncated_poisson_records(self._dataset_size, self._rate, self._limit)
        indices, mask = np.zeros(self._limit, dtype=np.int64), np.zeros(self._limit, dtype=np.bool_)
        indices[: len(drawn)], mask[: len(drawn)] = drawn, True
        return indices, mask


def _rate_of(dataset_size: int, rate: Optional[Number], batch_size: Optional[Number]) -> tuple[float, float]:
    """Returns the sampling rate and the expected batch size, of which one is given."""
    if (rate is None) == (batch_size is None):
        given = "nothing" if rate is None else "both rate and batch_size"
        raise InvalidArgument("rate", given, "one of rate and batch_size")
    if rate is not None:
        found, field, allowed = to_float("rate", rate), "rate", "a number in (0, 1]"
        expected = found * dataset_size
    else:
        assert batch_size is not None
        expected, field = to_float("batch_size", batch_size), "batch_size"
        found = expected / dataset_size
        allowed = f"a number in (0, {dataset_size}], the number of records"
    if not 0 < found <= 1:
        raise InvalidArgument(field, repr(rate if batch_size is None else batch_size), allowed)
    return found, expected
