"""Batches: the records of one step. Which records they are is secret, and so is how many."""

from __future__ import annotations

from typing import Any, Iterator, NoReturn, Optional

import numpy as np
from numpy.typing import NDArray

from .._numbers import Count, to_int
from ..errors import InvalidArgument, Unsupported
from .draws import Indices

Mask = NDArray[np.bool_]


class Batch:
    """The records of one step, as a loader hands them out: ``data[batch]`` selects the rows of an array.

    >>> import numpy as np, renyi
    >>> loader = renyi.loaders.FixedSizeLoader(4, batch_size=4, steps=1, neighbors="zero-out")
    >>> batch = next(iter(loader))
    >>> batch
    <Batch 1 of a FixedSizeLoader: its records are secret>
    >>> np.array([10, 11, 12, 13])[batch]
    array([10, 11, 12, 13])

    ``indices`` are the records, ascending, and ``mask`` says which of them count: all, unless the loader pads its
    batches. ``number`` counts the batches of the training from 1. A batch is neither printed nor pickled, and has no
    ``len``: its size depends on the data set and on the draw, and a mean over it is not what the account is about.
    """

    __slots__ = ("_indices", "_loader", "_mask", "_number")

    def __init__(self, indices: Indices, number: int, loader: str, mask: Optional[Mask] = None) -> None:
        self._indices, self._number, self._loader, self._mask = indices, number, loader, mask

    @property
    def indices(self) -> Indices:
        """The records. Where the batch is padded, places that do not count have record 0: use ``mask``, or ``take``."""
        return self._indices

    @property
    def mask(self) -> Mask:
        """Which of the indices count: False where the batch is padded."""
        return np.ones(len(self._indices), dtype=np.bool_) if self._mask is None else self._mask

    @property
    def number(self) -> int:
        """Which batch of the training this is, from 1. It is public."""
        return self._number

    def take(self, array: NDArray[Any]) -> NDArray[Any]:
        """Returns the rows of the records; where the batch is padded, the rows that do not count are zero."""
        values = np.asarray(array)
        if self._mask is None:
            return values[self._indices]
        rows = np.zeros((len(self._indices), *values.shape[1:]), dtype=values.dtype)
        rows[self._mask] = values[self._indices[self._mask]]
        return rows

    def __iter__(self) -> Iterator[Any]:
        """Unpacks the batch: ``indices, mask = batch``."""
        return iter((self.indices, self.mask))

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if self._mask is not None:
            instead = "batch.take(data), or data[batch.indices] with batch.mask"
            raise Unsupported("batch", "a padded batch selects rows that do not count", instead)
        return np.array(self._indices, dtype=dtype)

    def __len__(self) -> int:
        why = "the size of a sampled batch depends on the draw, and the account is about sums with noise, not means"
        raise Unsupported("batch", why, "divide by loader.expected_batch_size, as loader.mean(total) does")

    def __reduce__(self) -> NoReturn:
        why = "which records a batch holds is secret, so that it is not pickled"
        raise Unsupported("batch", why, "keep batch.indices")

    def __repr__(self) -> str:
        return f"<Batch {self._number} of a {self._loader}: its records are secret>"


def microbatches(batch: Batch, size: Count) -> Iterator[Batch]:
    """Cuts one batch into parts of at most ``size`` records, for gradients that do not fit into memory at once. The
    sums of the parts are added before noise is drawn, once for the batch: the parts are one step of the account.

    >>> import renyi
    >>> loader = renyi.loaders.FixedSizeLoader(100, batch_size=10, steps=1, neighbors="zero-out")
    >>> [part.indices.size for part in renyi.loaders.microbatches(next(iter(loader)), 4)]
    [4, 4, 2]

    An empty batch has no parts, and gets its noise all the same.
    """
    if not isinstance(batch, Batch):
        raise InvalidArgument("batch", type(batch).__name__, "a batch of a loader")
    step = to_int("size", size)
    if step < 1:
        raise InvalidArgument("size", str(step), "an integer of at least 1")
    return _parts(batch, step)


def _parts(batch: Batch, size: int) -> Iterator[Batch]:
    for begin in range(0, len(batch._indices), size):
        mask = None if batch._mask is None else batch._mask[begin : begin + size]
        yield Batch(batch._indices[begin : begin + size], batch._number, batch._loader, mask)
