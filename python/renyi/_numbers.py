"""Checks and converts numbers that the caller gives: Python numbers, NumPy numbers, or arrays of them."""

from __future__ import annotations

import operator
from typing import Any, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidArgument

Floats = NDArray[np.float64]
# SupportsFloat is not used: arrays satisfy it too, and would be accepted as numbers.
Number = Union[float, "np.floating[Any]", "np.integer[Any]"]
Count = Union[int, "np.integer[Any]"]
Numbers = Union[Number, "NDArray[Any]", "list[Any]", "tuple[Any, ...]", range]
Counts = Union[Count, "NDArray[Any]", "list[Any]", "tuple[Any, ...]", range]
#: Orders: numbers, or the name of a list of them ("traditional").
Orders = Union[str, Numbers, Sequence[float]]

_A_NUMBER = "a number, or an array of numbers"
_A_COUNT = "an integer, or an array of integers"


def is_many(value: object) -> bool:
    """Returns true for arrays, and for lists and ranges that NumPy converts to arrays."""
    return isinstance(value, (list, tuple, range)) or getattr(value, "ndim", 0) > 0


def to_float(field: str, value: object) -> float:
    """Converts to one double. Text and booleans are refused, although ``float`` accepts them."""
    if type(value) is float:
        return value
    if isinstance(value, (str, bytes, bool, np.bool_)) or (isinstance(value, np.ndarray) and _is_none(value)):
        raise InvalidArgument(field, _shown(value), "a number")
    if isinstance(value, np.longdouble):  # pyright: ignore[reportArgumentType]: a generic alias in its stubs
        return float(_doubles(field, np.asarray(value)))
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InvalidArgument(field, repr(value), "a number") from None
    except OverflowError:
        raise InvalidArgument(field, "an integer beyond the largest double", "a number") from None


def to_int(field: str, value: object) -> int:
    """Converts to one 64-bit integer. The float 1e4 is refused: counts must be integers."""
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
    """Converts to a new array of doubles, of any shape."""
    array = _to_array(field, value, _A_NUMBER)
    if array.dtype == object:  # also integers beyond 64 bits
        return np.array([to_float(field, item) for item in array.flat], dtype=np.float64).reshape(array.shape)
    if array.dtype.kind not in "iuf":
        raise InvalidArgument(field, _shown(value), _A_NUMBER)
    return _doubles(field, array)


def to_ints(field: str, value: object) -> NDArray[np.int64]:
    """Converts to a new array of 64-bit integers, of any shape."""
    array = _to_array(field, value, _A_COUNT)
    if array.dtype == object or array.dtype.kind == "u":
        return np.array([to_int(field, item) for item in array.flat], dtype=np.int64).reshape(array.shape)
    if array.dtype.kind != "i":
        raise InvalidArgument(field, _shown(value), _A_COUNT)
    return np.array(array, dtype=np.int64)


def to_text(field: str, value: object, allowed: str = "text") -> str:
    """Checks that the value is text that can be encoded as UTF-8, and returns it."""
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
    """Converts a column of doubles from the engine to a new array."""
    return np.frombuffer(column, dtype=np.float64).copy()


def _to_array(field: str, value: object, allowed: str) -> NDArray[Any]:
    if _holds_none(value):
        raise InvalidArgument(field, _shown(value), allowed)
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        raise InvalidArgument(field, _shown(value), allowed) from None
    if array.size == 0 and array.dtype == np.float64:  # NumPy makes an empty list an array of doubles
        return array.astype(np.int64) if allowed is _A_COUNT else array
    return array


def _holds_none(value: object) -> bool:
    """Returns true if the value contains a boolean or a masked element: NumPy would convert either to a number."""
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


def shown_step(value: object) -> str:
    """What an error says of a value that is no step: its type, since it may be data."""
    return "None" if value is None else f"a {type(value).__name__}"


def _shown(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
