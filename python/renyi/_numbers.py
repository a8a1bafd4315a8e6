"""Numbers from whoever calls: Python's, NumPy's, or arrays of them."""

from __future__ import annotations

import operator
from typing import Any, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidArgument

Floats = NDArray[np.float64]
# Not SupportsFloat: an array has that too, and would pass for a number.
Number = Union[float, "np.floating[Any]", "np.integer[Any]"]
Count = Union[int, "np.integer[Any]"]
Numbers = Union[Number, "NDArray[Any]", "list[Any]", "tuple[Any, ...]", range]
Counts = Union[Count, "NDArray[Any]", "list[Any]", "tuple[Any, ...]", range]
#: Numbers, or a word for some.
Orders = Union[str, Numbers, Sequence[float]]

_A_NUMBER = "a number, or an array of numbers"
_A_COUNT = "an integer, or an array of integers"


def is_many(value: object) -> bool:
    """Whether it is an array, or a list that would be one."""
    return isinstance(value, (list, tuple, range)) or getattr(value, "ndim", 0) > 0


def to_float(field: str, value: object) -> float:
    """One number. Text and truth values are none, whatever ``float`` makes of them."""
    if type(value) is float:
        return value
    if isinstance(value, (str, bytes, bool, np.bool_)) or (isinstance(value, np.ndarray) and _is_none(value)):
        raise InvalidArgument(field, _shown(value), "a number")
    if isinstance(value, np.longdouble):
        return float(_doubles(field, np.asarray(value)))
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InvalidArgument(field, repr(value), "a number") from None
    except OverflowError:
        raise InvalidArgument(field, "an integer beyond the largest double", "a number") from None


def to_int(field: str, value: object) -> int:
    """One whole number of 64 bits. 1e4 is none: a count is counted."""
    if isinstance(value, (bool, np.bool_)):
        raise InvalidArgument(field, repr(value), "an integer")
    try:
        result = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidArgument(field, repr(value), "an integer") from None
    if not -(2**63) <= result < 2**63:
        raise InvalidArgument(field, str(result), "an integer from 1 to 2^63-1")
    return result


def to_floats(field: str, value: object) -> Floats:
    """Doubles of any shape, in an array of their own."""
    array = _to_array(field, value, _A_NUMBER)
    if array.dtype == object:  # also integers beyond 64 bits
        return np.array([to_float(field, item) for item in array.flat], dtype=np.float64).reshape(array.shape)
    if array.dtype.kind not in "iuf":
        raise InvalidArgument(field, _shown(value), _A_NUMBER)
    return _doubles(field, array)


def to_ints(field: str, value: object) -> NDArray[np.int64]:
    """Whole numbers of any shape, in an array of their own."""
    array = _to_array(field, value, _A_COUNT)
    if array.dtype == object or array.dtype.kind == "u":
        return np.array([to_int(field, item) for item in array.flat], dtype=np.int64).reshape(array.shape)
    if array.dtype.kind != "i":
        raise InvalidArgument(field, _shown(value), _A_COUNT)
    return np.array(array, dtype=np.int64)


def to_text(field: str, value: object, allowed: str = "text") -> str:
    """Text that can be written as UTF-8."""
    if not isinstance(value, str):
        raise InvalidArgument(field, _shown(value), allowed)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidArgument(field, _shown(value), f"{allowed}, without lone surrogates") from None
    return value


def to_text_or_none(field: str, value: object, allowed: str) -> Optional[str]:
    return None if value is None else to_text(field, value, allowed)


def numbers(column: bytearray) -> Floats:
    """A column of doubles as the engine gives it; an array of its own."""
    return np.frombuffer(column, dtype=np.float64).copy()


def _to_array(field: str, value: object, allowed: str) -> NDArray[Any]:
    if _holds_none(value):
        raise InvalidArgument(field, _shown(value), allowed)
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        raise InvalidArgument(field, _shown(value), allowed) from None
    if array.size == 0 and array.dtype == np.float64:  # an empty list has no type of its own
        return array.astype(np.int64) if allowed is _A_COUNT else array
    return array


def _holds_none(value: object) -> bool:
    """Whether a truth value, or one that is masked, is among them: NumPy would make a number of either."""
    if isinstance(value, (list, tuple)):
        return any(map(_holds_none, value))
    if isinstance(value, np.ndarray):
        return value.dtype == bool or bool(np.ma.is_masked(value))
    return isinstance(value, (bool, np.bool_))


def _is_none(array: NDArray[Any]) -> bool:
    return array.ndim > 0 or _holds_none(array)


def _doubles(field: str, array: NDArray[Any]) -> Floats:
    if array.dtype.itemsize <= 8:
        return np.array(array, dtype=np.float64)
    with np.errstate(over="ignore"):
        found = np.array(array, dtype=np.float64)
    if np.any(np.isinf(found) & np.isfinite(array)):
        raise InvalidArgument(field, "a number beyond the largest double", "a number")
    return found


def _shown(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
