"""Values to which noise is added: arrays, tensors and single numbers become columns for the engine, and back.

Whether a call fails may depend on the types and shapes of the values only, never on the numbers themselves: an error
that depends on them would be a release without noise. Numbers beyond the range of the type saturate.
"""

from __future__ import annotations

import math
import sys
from typing import Any, Callable, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidArgument

_INT64_MAX = 2**63 - 1
_NUMBERS = "numbers: an array, a tensor, a list or one number"
_WHOLE_NUMBERS = "whole numbers: an array, a tensor or a list of integers, or one integer"


class Values(NamedTuple):
    """The values as a dense column, and the function that gives a column of results the form in which the values
    were given."""

    column: NDArray[Any]
    shape: tuple[int, ...]
    restored: Callable[[NDArray[Any]], Any]


def real_values(field: str, values: object) -> Values:
    """Converts to a column of float32 or float64. Other numbers become float64."""
    return _values(field, values, _reals)


def whole_values(field: str, values: object) -> Values:
    """Converts to a column of 64-bit integers."""
    return _values(field, values, _integers)


def output_for(values: Values, out: object) -> NDArray[Any]:
    """Returns the array that receives the results: a new one, or ``out`` if it fits."""
    if out is None:
        return np.empty(values.shape, dtype=values.column.dtype)
    if not isinstance(out, np.ndarray):
        raise InvalidArgument("out", type(out).__name__, "a NumPy array")
    fits = out.shape == values.shape and out.dtype == values.column.dtype
    if not fits or not out.flags.c_contiguous or not out.flags.writeable:
        flaw = "" if out.flags.c_contiguous else ", not contiguous"
        flaw += "" if out.flags.writeable else ", read-only"
        got = f"an array of {out.dtype} and shape {out.shape}{flaw}"
        allowed = f"a contiguous array of {values.column.dtype} and shape {values.shape} that can be written"
        raise InvalidArgument("out", got, allowed)
    return out


def _values(field: str, values: object, converted: Callable[[str, NDArray[Any]], NDArray[Any]]) -> Values:
    torch = sys.modules.get("torch")  # who has tensors has imported it
    if torch is not None and isinstance(values, torch.Tensor):
        return _of_tensor(field, values, torch, converted)
    if isinstance(values, np.ma.MaskedArray):
        raise InvalidArgument(field, "a masked array", "an array without a mask: values.filled(0)")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        uneven = " whose items do not make an array, such as rows of different lengths"
        got = f"a {type(values).__name__}{uneven if isinstance(values, (list, tuple)) else ''}"
        raise InvalidArgument(field, got, _NUMBERS) from None
    if converted is _integers and array.dtype.kind == "f" and isinstance(values, (list, tuple)):
        array = _as_integers(values, array)
    column = np.ascontiguousarray(converted(field, array)).reshape(-1)
    return Values(column, array.shape, _restored_for(values))


def _as_integers(values: object, array: NDArray[Any]) -> NDArray[Any]:
    """NumPy makes a list of integers that no integer type holds together, such as 2^63 and -1, an array of doubles:
    whether it does depends on the numbers, so it must not decide whether a call fails."""
    items = np.asarray(values, dtype=object)
    return items if items.size and all(isinstance(item, (int, np.integer)) for item in items.flat) else array


def _restored_for(values: object) -> Callable[[NDArray[Any]], Any]:
    if isinstance(values, (bool, int, float)) and not isinstance(values, np.generic):
        return lambda results: results.item()
    if isinstance(values, np.generic):
        return lambda results: results[()]
    return lambda results: results


def _of_tensor(field: str, tensor: Any, torch: Any, converted: Callable[..., NDArray[Any]]) -> Values:
    """A tensor on the processor is read in place; others are copied to it, and the results back."""
    if tensor.dtype in (torch.float16, torch.bfloat16):
        allowed = "float32 or float64, such as values.float(): its results could not be exact on a useful grid"
        raise InvalidArgument(field, f"a tensor of {tensor.dtype}", allowed)
    if tensor.is_sparse or tensor.is_complex() or tensor.is_quantized:
        raise InvalidArgument(field, f"a tensor of {tensor.dtype}, {tensor.layout}", "a dense tensor of real numbers")
    array = tensor.detach().cpu().resolve_neg().numpy()
    column = np.ascontiguousarray(converted(field, array)).reshape(-1)
    return Values(column, array.shape, lambda results: torch.from_numpy(results).to(tensor.device))


def _reals(field: str, array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.kind == "f" and array.dtype.itemsize in (4, 8):
        return array.astype(np.float32 if array.dtype.itemsize == 4 else np.float64, copy=False)
    if array.dtype == object:
        return np.array([_real(field, item) for item in array.flat], dtype=np.float64)
    if array.dtype.kind not in "biuf":
        raise InvalidArgument(field, f"an array of {array.dtype}", _NUMBERS)
    with np.errstate(all="ignore"):
        return array.astype(np.float64)


def _real(field: str, item: object) -> float:
    """Python's integers have no largest one; beyond the doubles they are infinite, and the range limits them."""
    if isinstance(item, (str, bytes)):
        raise InvalidArgument(field, type(item).__name__, _NUMBERS)
    try:
        return float(item)  # type: ignore[arg-type]
    except OverflowError:
        return float("inf") if item > 0 else float("-inf")  # type: ignore[operator]
    except (TypeError, ValueError):
        raise InvalidArgument(field, type(item).__name__, _NUMBERS) from None


def _integers(field: str, array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.kind in "bi":
        return array.astype(np.int64, copy=False)
    if array.dtype.kind == "u":
        limited: NDArray[Any] = np.minimum(array, np.uint64(_INT64_MAX))
        return limited.astype(np.int64)
    if array.dtype == object and all(isinstance(item, (int, np.integer)) for item in array.flat):
        return np.array([max(-_INT64_MAX - 1, min(_INT64_MAX, int(item))) for item in array.flat], dtype=np.int64)
    if array.size == 0 and array.dtype == np.float64:  # NumPy makes an empty list an array of doubles
        return array.astype(np.int64)
    raise InvalidArgument(field, f"an array of {array.dtype}", _WHOLE_NUMBERS)


def scores_column(scores: object) -> NDArray[Any]:
    """Converts scores, one for each candidate, to a column of doubles."""
    values = real_values("scores", scores)
    if len(values.shape) != 1:
        raise InvalidArgument("scores", f"an array of shape {values.shape}", "one score for each candidate")
    return values.column.astype(np.float64)


def shape_of(size: object) -> tuple[int, ...]:
    """Converts a number of draws, or the shape of the array of draws."""
    sizes = size if isinstance(size, tuple) else (size,)
    shape = tuple(number_of("size", one) for one in sizes)
    number_of("size", math.prod(shape))
    return shape


def number_of(field: str, value: object, most: Optional[int] = None) -> int:
    """Converts to a whole number from 0 to ``most``."""
    limit = 2**48 if most is None else most  # more than any memory holds
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise InvalidArgument(field, repr(value), "a whole number")
    if not 0 <= value <= limit:
        raise InvalidArgument(field, str(value), f"a whole number from 0 to {limit}")
    return int(value)
