"""Batches of a fixed size, drawn anew for each step."""

from __future__ import annotations

from typing import ClassVar, Optional

from .._numbers import Count
from ..errors import InvalidArgument
from ..sampling import FixedSize
from . import draws
from .batches import Mask
from .loader import Loader, at_least_one


class FixedSizeLoader(Loader):
    """Fixed-size sampling: every batch is a set of ``batch_size`` records, all sets equally likely, drawn anew.

    >>> import renyi
    >>> loader = renyi.loaders.FixedSizeLoader(60_000, batch_size=256, steps=1000)
    >>> loader.sampling, next(iter(loader)).indices.size
    (FixedSize(dataset_size=60000, batch_size=256), 256)

    This is not what a usual data loader does, which shuffles once an epoch. Poisson samples of the same expected size
    cost less.
    """

    kind: ClassVar[str] = "fixed-size"

    def __init__(self, dataset_size: Count, batch_size: Count, steps: Count) -> None:
        size, batch, given = (
            at_least_one("dataset_size", dataset_size),
            at_least_one("batch_size", batch_size),
            at_least_one("steps", steps),
        )
        if batch > size:
            raise InvalidArgument("batch_size", str(batch), f"an integer from 1 to {size}, the number of records")
        self._batch_size = batch
        parameters = {"dataset_size": size, "batch_size": batch, "steps": given}
        super().__init__(size, given, FixedSize(size, batch), parameters)

    @property
    def batch_size(self) -> int:
        """The number of records of every batch."""
        return self._batch_size

    @property
    def expected_batch_size(self) -> float:
        """The batch size: all batches have it."""
        return float(self._batch_size)

    def _draw(self, position: int, epoch: str) -> tuple[draws.Indices, Optional[Mask]]:
        return draws.fixed_size_records(self._dataset_size, self._batch_size), None
