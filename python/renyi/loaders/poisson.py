"""Poisson samples, with and without a limit on the batch."""

from __future__ import annotations

from typing import ClassVar, NamedTuple, Optional

import numpy as np

from .._numbers import Count, Number, to_float
from ..errors import InvalidArgument
from ..sampling import Poisson, TruncatedPoisson
from . import draws
from .batches import Mask
from .loader import Loader
from .size import Records, at_least_one, records_of

_OF_THE_RATE = "the sampling rate of a batch_size"


class PoissonLoader(Loader):
    """Poisson sampling: each record enters each batch with probability ``rate``, independently of all else.

    >>> import renyi
    >>> loader = renyi.loaders.PoissonLoader(61_234, batch_size=256, nominal_size=64_000, steps=1000)
    >>> account = renyi.Accountant()
    >>> done = account.observe(loader, noise_multiplier=1.1)
    >>> for batch in loader:
    ...     pass  # clip the gradients of data[batch], add, add noise, loader.mean(total), update
    >>> account.steps, loader
    (1000, PoissonLoader(rate=0.004, steps=1000, nominal_size=64000))

    dataset_size: the number of records, for drawing.
    rate: the sampling rate, a public number; or ``batch_size``, the expected number of records of a batch if there are
    ``nominal_size`` of them, which need not be whole.
    steps: the number of batches of the training, a public number. Batches differ in size, and may be empty: an empty
    one is a step too, with noise.
    nominal_size: a public number that stands for the number of records in what is computed: the rate of a
    ``batch_size``, and the divisor of ``mean``.
    neighbors, size_is_public: under "zero-out" (``size_is_public=True`` in short) and "replace-one" the number of
    records is public, and is used where no nominal size is stated.
    """

    kind: ClassVar[str] = "poisson"

    def __init__(
        self,
        dataset_size: Count,
        *,
        rate: Optional[Number] = None,
        batch_size: Optional[Number] = None,
        steps: Count,
        nominal_size: Optional[Count] = None,
        neighbors: Optional[str] = None,
        size_is_public: bool = False,
    ) -> None:
        needed_for = "" if batch_size is None else _OF_THE_RATE
        records = records_of(dataset_size, nominal_size, neighbors, size_is_public, needed_for)
        self._drawn, given = _rate_of(records, rate, batch_size), at_least_one("steps", steps)
        super().__init__(records, given, Poisson(self._drawn.rate), {"rate": self._drawn.rate, "steps": given})

    @property
    def rate(self) -> float:
        """The sampling rate."""
        return self._drawn.rate

    @property
    def expected_batch_size(self) -> float:
        """The rate times the nominal size."""
        return self._drawn.expected(self._records)

    def _batches_for_all(self) -> float:
        return 1 / self._drawn.rate

    def _draw(self, position: int, epoch: str) -> tuple[draws.Indices, Optional[Mask]]:
        return draws.poisson_records(self._records.count, self._drawn.rate), None


class TruncatedPoissonLoader(Loader):
    """Poisson sampling with a limit: if more than ``batch_limit`` records are drawn, that many of them are kept at
    random. Every batch has ``batch_limit`` places, as compiled training steps need: ``mask`` says which count.

    >>> import renyi
    >>> sizes = {"batch_size": 256, "batch_limit": 384, "nominal_size": 64_000}
    >>> loader = renyi.loaders.TruncatedPoissonLoader(61_234, **sizes, steps=1000)
    >>> indices, mask = next(iter(loader))
    >>> indices.shape, mask.shape
    ((384,), (384,))

    Gradients of places that do not count are multiplied by 0: those of record 0, which fills them, must not enter.

    The account has the probability that a batch overflows, which grows with the number of records. ``nominal_size`` is
    therefore an upper bound on that number, which the user promises and the account repeats.
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
        nominal_size: Optional[Count] = None,
        neighbors: Optional[str] = None,
        size_is_public: bool = False,
    ) -> None:
        records = records_of(dataset_size, nominal_size, neighbors, size_is_public, "the probability of an overflow")
        self._drawn, given = _rate_of(records, rate, batch_size), at_least_one("steps", steps)
        self._limit = at_least_one("batch_limit", batch_limit)
        most = records.count if records.is_public else records.nominal_for("the probability of an overflow")
        scheme = TruncatedPoisson(rate=self._drawn.rate, dataset_size=most, batch_limit=self._limit)
        parameters = {"rate": self._drawn.rate, "batch_limit": self._limit, "steps": given}
        super().__init__(records, given, scheme, parameters)

    @property
    def rate(self) -> float:
        """The sampling rate before records are left out."""
        return self._drawn.rate

    @property
    def batch_limit(self) -> int:
        """The number of places of every batch."""
        return self._limit

    @property
    def expected_batch_size(self) -> float:
        """The rate times the nominal size: what is expected before records are left out."""
        return self._drawn.expected(self._records)

    def _batches_for_all(self) -> float:
        return 1 / self._drawn.rate

    def _draw(self, position: int, epoch: str) -> tuple[draws.Indices, Optional[Mask]]:
        drawn = draws.truncated_poisson_records(self._records.count, self._drawn.rate, self._limit)
        indices, mask = np.zeros(self._limit, dtype=np.int64), np.zeros(self._limit, dtype=np.bool_)
        indices[: len(drawn)], mask[: len(drawn)] = drawn, True
        return indices, mask


class _Drawn(NamedTuple):
    """How a batch is drawn: the rate, and the expected batch size if that is what was given."""

    rate: float
    batch_size: Optional[float]

    def expected(self, records: Records) -> float:
        if self.batch_size is not None:
            return self.batch_size
        return self.rate * records.nominal_for("the divisor of a mean, the expected batch size,")


def _rate_of(records: Records, rate: Optional[Number], batch_size: Optional[Number]) -> _Drawn:
    """Returns the sampling rate, which is given or that of the batch size."""
    if (rate is None) == (batch_size is None):
        given = "nothing" if rate is None else "both rate and batch_size"
        raise InvalidArgument("rate", given, "one of rate and batch_size")
    if batch_size is None:
        found = to_float("rate", rate)
        if not 0 < found <= 1:
            raise InvalidArgument("rate", repr(rate), "a number in (0, 1]")
        return _Drawn(found, None)
    expected, size = to_float("batch_size", batch_size), records.nominal_for(_OF_THE_RATE)
    if not 0 < expected <= size:
        raise InvalidArgument("batch_size", repr(batch_size), f"a number above 0, at most {records.nominal_in_words()}")
    return _Drawn(expected / size, expected)
