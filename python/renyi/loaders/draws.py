"""The draws of the loaders: which records take part, by the exact samplers of the engine.

Every draw has exactly the law that its name says, for the double that a rate is, from bits of the kernel and AES
(docs/math/noise-choices.md). Nothing here has a seed: who could repeat a draw would know the sample, and sampling
amplifies privacy only against those who do not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import _native

Indices = NDArray[np.int64]


def poisson_records(records: int, rate: float) -> Indices:
    """Returns the records of a Poisson sample, ascending: each one with probability ``rate``, independently.

    >>> poisson_records(4, 1.0), len(poisson_records(1000, 0.0))
    (array([0, 1, 2, 3]), 0)
    """
    return np.frombuffer(_native.noise_poisson_records(records, rate), dtype=np.int64)


def fixed_size_records(records: int, size: int) -> Indices:
    """Returns ``size`` different records, ascending; all sets are equally likely.

    >>> fixed_size_records(3, 3), len(fixed_size_records(1000, 7))
    (array([0, 1, 2]), 7)
    """
    return np.frombuffer(_native.noise_fixed_size_records(records, size), dtype=np.int64)


def truncated_poisson_records(records: int, rate: float, limit: int) -> Indices:
    """Returns the records of a Poisson sample, of which ``limit`` are kept at random where there are more.

    >>> len(truncated_poisson_records(1000, 1.0, 7))
    7
    """
    drawn = poisson_records(records, rate)
    return drawn if len(drawn) <= limit else drawn[fixed_size_records(len(drawn), limit)]


def allocation(records: int, batches: int) -> NDArray[np.unsignedinteger]:
    """Returns one of the batches 0, ..., batches - 1 for each record, all equally likely and independent.

    >>> allocation(4, 1)
    array([0, 0, 0, 0], dtype=uint8)
    """
    steps = np.empty(records, dtype=np.uint64)
    _native.noise_random_allocation(steps, batches)
    return steps.astype(np.min_scalar_type(batches - 1))
