"""Batches of a fixed size, drawn anew for each step."""

from __future__ import annotations

from typing import ClassVar, Optional

from .._numbers import Count
from ..errors import InvalidArgument
from ..sampling import FixedSize
from . import draws
from .batches import Mask
from .loader import Loader
from .size import at_least_one, records_of


_OF_THE_RATE = "the rate of a batch of fixed size"


class FixedSizeLoader(Loader):
    """Fixed-size sampling: every batch is a set of ``batch_size`` records, all sets equally likely, drawn anew.

    >>> import renyi
    >>> loader = renyi.loaders.FixedSizeLoader(60_000, batch_size=256, steps=1000, neighbors="zero-out")
    >>> loader.sampling, next(iter(loader)).indices.size
    (FixedSize(dataset_size=60000, batch_size=256), 256)

    This is not what a usual data loader does, which shuffles once an epoch. Poisson samples of the same expected size
    cost less.

    The account has the number of records. Where that is private, ``nominal_size`` stands for it: the batch is drawn
    from so many places, or from as many as there are records if these are more, and places without a record stay
    empty, so that a batch may have less than ``batch_size`` records.

    >>> loader = renyi.loaders.FixedSizeLoader(61_234, batch_size=256, steps=1000, nominal_size=60_000)
    >>> loader.sampling
    FixedSize(dataset_size=60000, batch_size=256, padded=True)
    """

    kind: ClassVar[str] = "fixed-size"

    def __init__(
        self,
        dataset_size: Count,
        batch_size: Count,
        steps: Count,
        *,
        nominal_size: Optional[Count] = None,
        neighbors: Optional[str] = None,
        size_is_public: bool = False,
    ) -> None:
        records = records_of(dataset_size, nominal_size, neighbors, size_is_public, _OF_THE_RATE)
        batch, given = at_least_one("batch_size", batch_size), at_least_one("steps", steps)
        self._batch_size, self._size = batch, records.nominal_for(_OF_THE_RATE)
        if batch > self._size:
            allowed = f"an integer from 1 to {records.nominal_in_words()}"
            raise InvalidArgument("batch_size", str(batch), allowed)
        scheme = FixedSize(self._size, batch, padded=records.stated is not None)
        super().__init__(records, given, scheme, {"batch_size": batch, "steps": given})

    @property
    def batch_size(self) -> int:
        """The number of records of every batch, less those whose places are empty."""
        return self._batch_size

    @property
    def expected_batch_size(self) -> float:
        """The batch size, which sums are divided by, also where places are empty."""
        return float(self._batch_size)

    def _batches_for_all(self) -> float:
        return self._size / self._batch_size

    def _draw(self, position: int, epoch: str) -> tuple[draws.Indices, Optional[Mask]]:
        places = draws.fixed_size_records(max(self._records.count, self._size), self._batch_size)
        return places[places < self._records.count], None
