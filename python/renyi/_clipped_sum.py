"""Sums whose sensitivity is exact: of clipped vectors (``ClippedSum``) and of numbers (``ExactSum``), and noise on them.

A sum in floating point depends on the order of its numbers, and one record may move it by more than its own size. Here
records are added as integers, so that the sensitivity is what the accountant was told (docs/math/clipped-sums.md).
"""

from __future__ import annotations

import sys
from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._noise_values import real_values
from ._noisy import Noisy, noisy_of
from ._numbers import Count, Number, to_float, to_int
from .errors import InvalidArgument


class ClippedSum:
    """The sum of vectors, each clipped to an L2 norm: of the gradients of a step of DP-SGD, one for each record.

    >>> import numpy as np, renyi
    >>> total = renyi.noise.ClippedSum(3, clip_norm=1.0)
    >>> total.add(np.array([[3.0, 0.0, 4.0], [0.0, 0.5, 0.0], [np.nan, 0.0, 0.0]]))
    >>> (total.sums * total.grid).round(3)
    array([0.6, 0.5, 0.8])
    >>> renyi.noise.noise_like(total, noise_multiplier=1.1).step
    Gaussian(stddev=1.1, l2_sensitivity=1.0)

    Each vector is clipped, rounded toward zero to integers of the grid, and its norm checked in integers. One record
    moves the sum by at most ``clip_norm``, exactly. A vector with NaN or an infinite number counts as zero. Neither the
    order of the records nor how they were split into calls matters.

    dimension: the number of elements of a vector.
    clip_norm: the L2 norm to which each vector is clipped.
    grid: a power of two, from 2^-30 to 1 times the norm (default: the greatest one up to 2^-24 of it).
    """

    def __init__(self, dimension: Count, *, clip_norm: Number, grid: Optional[Number] = None) -> None:
        self._dimension, self._clip_norm = _size("dimension", dimension, 2**31), to_float("clip_norm", clip_norm)
        self._native = _native.ClippedSum(
            self._dimension, self._clip_norm, None if grid is None else to_float("grid", grid)
        )

    @property
    def dimension(self) -> int:
        """The number of elements of a vector."""
        return self._dimension

    @property
    def clip_norm(self) -> float:
        """The norm to which vectors are clipped: the L2 sensitivity of the sum."""
        return self._clip_norm

    @property
    def grid(self) -> float:
        """The unit of the integers."""
        return self._native.grid()

    @property
    def records(self) -> int:
        """The number of vectors that were added. Not for publication."""
        return self._native.records()

    @property
    def sums(self) -> NDArray[np.int64]:
        """The sums in units of the grid. Not for publication."""
        return np.frombuffer(self._native.sums(), dtype=np.int64)

    def add(self, records: Any) -> None:
        """Adds one vector, or the rows of an array or a tensor."""
        array = _reals("records", records)
        rows = array.reshape(1, -1) if array.ndim == 1 else array
        if rows.ndim != 2 or rows.shape[1] != self._dimension:
            raise InvalidArgument("records", f"an array of shape {array.shape}", f"rows of {self._dimension} numbers")
        self._native.add([np.ascontiguousarray(rows)])

    def add_parts(self, parts: Sequence[Any]) -> None:
        """Adds records whose vectors are in several arrays or tensors, such as the layers of a network: the first
        index of each is the record. A record is clipped as a whole, and nothing is copied that is contiguous."""
        arrays = [_reals("parts", part) for part in parts]
        if any(array.ndim < 1 for array in arrays) or len({len(array) for array in arrays}) > 1:
            raise InvalidArgument("parts", f"shapes {[array.shape for array in arrays]}", "one row for each record")
        sizes = [int(np.prod(array.shape[1:], dtype=np.int64)) for array in arrays]
        if sum(sizes) != self._dimension:
            raise InvalidArgument("parts", f"{sum(sizes)} numbers for a record", f"{self._dimension}, the dimension")
        kind = np.result_type(*arrays) if arrays else np.float64
        tables = [np.ascontiguousarray(a.reshape(len(a), n), dtype=kind) for a, n in zip(arrays, sizes)]
        self._native.add(tables)

    def merge(self, other: ClippedSum) -> None:
        """Adds the sum of other records, of the same dimension, norm and grid."""
        if not isinstance(other, ClippedSum):
            raise InvalidArgument("other", type(other).__name__, "a ClippedSum")
        self._native.merge(other._native)

    def clear(self) -> None:
        """Starts again from zero."""
        self._native.clear()


def noise_like(total: ClippedSum, *, noise_multiplier: Number, dtype: Any = np.float64) -> Noisy[NDArray[Any]]:
    """Returns the sum with Gaussian noise, whose standard deviation is ``noise_multiplier`` times the norm.

    >>> import numpy as np, renyi
    >>> total = renyi.noise.ClippedSum(2, clip_norm=0.5)
    >>> total.add(np.float32([[3.0, 4.0], [0.1, 0.0]]))
    >>> noisy = renyi.noise.noise_like(total, noise_multiplier=1.1, dtype=np.float32)
    >>> noisy.values.dtype, noisy.step
    (dtype('float32'), Gaussian(stddev=1.1, l2_sensitivity=1.0))

    Where that product is no double, the standard deviation is the next double above it, so that ``noise_multiplier`` is
    what the accountant must be told. dtype: float64 or float32.
    """
    if not isinstance(total, ClippedSum):
        raise InvalidArgument("total", type(total).__name__, "a ClippedSum")
    if np.dtype(dtype) not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise InvalidArgument("dtype", str(np.dtype(dtype)), "float32 or float64")
    out = np.empty((1, total.dimension), dtype=dtype)
    facts = total._native.noise_like(out, to_float("noise_multiplier", noise_multiplier))
    return noisy_of(out.reshape(-1), facts)


class ExactSum:
    """Exact sums of doubles, one for each column.

    >>> import renyi
    >>> incomes = renyi.noise.ExactSum(bound=1e6)
    >>> incomes.add([1e5, 3e7, float("nan"), 0.1])
    >>> incomes.rounded
    array([1100000.1])
    >>> incomes.laplace(scale=2e6).step
    Laplace(scale=2000000.0, l1_sensitivity=1000000.0)

    Every number is clamped to [-bound, bound]; NaN counts as 0. One number moves a sum by at most the bound, exactly,
    and their order does not matter.

    columns: how many sums.
    bound: the largest modulus of a number (default: of all doubles).
    """

    def __init__(self, columns: Count = 1, *, bound: Optional[Number] = None) -> None:
        self._columns = _size("columns", columns, 2**31)
        self._bound = sys.float_info.max if bound is None else to_float("bound", bound)
        self._native = _native.ExactSum(self._columns, self._bound)

    @property
    def columns(self) -> int:
        """The number of sums."""
        return self._columns

    @property
    def bound(self) -> float:
        """The largest modulus of a number."""
        return self._bound

    @property
    def rounded(self) -> NDArray[np.float64]:
        """The sums, rounded to the nearest doubles. Not for publication."""
        return np.frombuffer(self._native.rounded(), dtype=np.float64)

    def add(self, values: Any) -> None:
        """Adds the rows of an array or a tensor, of one number for each column; with one column, all its numbers."""
        array = _reals("values", values).astype(np.float64, copy=False)
        if self._columns == 1:
            array = array.reshape(-1, 1)
        rows = array.reshape(1, -1) if array.ndim == 1 else array
        if rows.ndim != 2 or rows.shape[1] != self._columns:
            raise InvalidArgument("values", f"an array of shape {array.shape}", f"rows of {self._columns} numbers")
        self._native.add(np.ascontiguousarray(rows))

    def merge(self, other: ExactSum) -> None:
        """Adds the sums of other numbers. The bound becomes the larger one of both."""
        if not isinstance(other, ExactSum) or other.columns != self._columns:
            raise InvalidArgument("other", type(other).__name__, f"an ExactSum of {self._columns} columns")
        self._native.merge(other._native)
        self._bound = max(self._bound, other.bound)

    def gaussian(
        self,
        *,
        stddev: Number,
        grid: Optional[Number] = None,
        range: Optional[Number] = None,
        sensitivity: Optional[Number] = None,
    ) -> Noisy[NDArray[Any]]:
        """Returns round(sum + noise) with Gaussian noise, rounded to the grid.

        sensitivity: the largest L2 distance by which one record moves the sums (default: one row that is added or
        removed, which is the bound for one column; sums without a bound have no default).
        """
        return self._released(self._native.gaussian, "stddev", stddev, grid, range, sensitivity)

    def laplace(
        self,
        *,
        scale: Number,
        grid: Optional[Number] = None,
        range: Optional[Number] = None,
        sensitivity: Optional[Number] = None,
    ) -> Noisy[NDArray[Any]]:
        """Returns round(sum + noise) with Laplace noise, rounded to the grid.

        sensitivity: the largest L1 distance by which one record moves the sums (default: one row that is added or
        removed, which is the bound for one column; sums without a bound have no default).
        """
        return self._released(self._native.laplace, "scale", scale, grid, range, sensitivity)

    def _released(
        self,
        draw: Any,
        parameter: str,
        scale: Number,
        grid: Optional[Number],
        limit: Optional[Number],
        sensitivity: Optional[Number],
    ) -> Noisy[NDArray[Any]]:
        out = np.empty((1, self._columns))
        given = {"grid": grid, "range": limit, "sensitivity": sensitivity}
        options = [None if value is None else to_float(name, value) for name, value in given.items()]
        return noisy_of(out.reshape(-1), draw(out, to_float(parameter, scale), *options))


def float_sum_sensitivity(*, clip_norm: Number, records: Count, dimension: Count) -> float:
    """Returns an upper bound on the L2 sensitivity of a sum that a framework clipped and added in float32, of at most
    ``records`` vectors. It is greater than ``clip_norm``, because floats are rounded.

    >>> import renyi
    >>> round(renyi.noise.float_sum_sensitivity(clip_norm=1.0, records=256, dimension=100_000), 4)
    1.0108

    Every operation must round to nearest with 24 bits (no TF32, no half precision), and all gradients must be finite.
    Raises ``Unsupported`` where the bound says nothing.
    """
    norm = to_float("clip_norm", clip_norm)
    return _native.float_sum_sensitivity(
        norm, _size("records", records, 2**63 - 1), _size("dimension", dimension, 2**63 - 1)
    )


def effective_noise_multiplier(*, stddev: Number, sensitivity: Number) -> float:
    """Returns ``stddev / sensitivity``, rounded down: the multiplier to account for.

    >>> import renyi
    >>> renyi.noise.effective_noise_multiplier(stddev=3.0, sensitivity=2.5)
    1.2
    """
    return _native.effective_noise_multiplier(to_float("stddev", stddev), to_float("sensitivity", sensitivity))


def _size(field: str, value: object, most: int) -> int:
    size = to_int(field, value)
    if not 1 <= size <= most:
        raise InvalidArgument(field, str(size), f"a whole number from 1 to {most}")
    return size


def _reals(field: str, values: Any) -> NDArray[Any]:
    """Converts to an array of float32 or float64. Whether that fails depends on types and shapes only."""
    torch = sys.modules.get("torch")  # who has tensors has imported it
    if torch is not None and isinstance(values, torch.Tensor):
        values = values.float() if values.dtype in (torch.float16, torch.bfloat16) else values
    given = real_values(field, values)
    return given.column.reshape(given.shape)
