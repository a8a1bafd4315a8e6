"""Converts the records of other tools to plans (docs/format/convert.md)."""

from __future__ import annotations

import json
import math
import operator
from typing import Any, Callable, Iterator, Optional

from . import _native
from ._error_names import renamed_errors
from .errors import InvalidArgument
from .plan import ADD_OR_REMOVE_ONE, RELATIONS, Plan

_DEEPEST = 64
_SELECTION = "RepeatAndSelectDpEvent"
_RECORDS = "an Opacus history or state_dict, or an event of dp_accounting"
#: The names that the engine gives to a record as a whole, and the name of the argument.
_WHOLE_RECORD = {"": "record", "document": "record"}

_READERS: dict[str, Callable[[str, str], _native.Plan]] = {
    "opacus": _native.convert_opacus,
    "dp_accounting": _native.convert_dp_events,
}


def convert(record: object, *, source: Optional[str] = None, neighbors: Optional[str] = None) -> Plan:
    """Converts what another tool recorded to a plan.

    record: the ``history`` or ``state_dict()`` of an Opacus accountant, where ``steps`` may be the float 1e4; a
      ``DpEvent`` of dp_accounting, or its named tuple; or any of these as JSON, as text (counts are then integers) or
      parsed. Class names are looked up in a fixed table: nothing that a record names is imported or run, and neither
      tool has to be installed.
    source: "opacus" or "dp_accounting"; needed only if the shape of the record does not determine it.
    neighbors: the neighbouring relation, which records do not contain (default "add-or-remove-one"; REPLACE_SPECIAL of
      dp_accounting is "zero-out").

    A step without any privacy becomes ``renyi.mechanism("non-private")``, whose epsilon is infinite.

    >>> convert([(1.1, 0.01, 600)])
    <Plan: 600 x SampledGaussian(sampling_rate=0.01, noise_multiplier=1.1) (add-or-remove-one)>
    """
    relation = ADD_OR_REMOVE_ONE if neighbors is None else neighbors
    return decode(record if isinstance(record, str) else plain(record), source, relation)


def decode(record: Any, source: Optional[str], neighbors: str) -> Plan:
    """Converts JSON, as text or as the result of ``plain``, by the engine's decoder."""
    if source is None:
        source = _shape(_parsed(record) if isinstance(record, str) else record)
    if not isinstance(source, str) or source not in _READERS:
        raise InvalidArgument("source", repr(source), " or ".join(map(repr, _READERS)))
    if not isinstance(neighbors, str):
        raise InvalidArgument("neighbors", repr(neighbors), RELATIONS)
    if not isinstance(record, str):
        record = _text(_with_whole_steps(record) if source == "opacus" else record)
    with renamed_errors(_WHOLE_RECORD):
        return Plan._of(_READERS[source](record, neighbors))


def whole(value: Any) -> Any:
    """Converts a float such as 1e4 to an integer; returns anything else unchanged."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _with_whole_steps(record: Any) -> Any:
    """Converts ``steps`` to integers. Opacus allows 1e4, and an array has one type for all its elements, but a plan
    needs integers."""
    if isinstance(record, dict) and "history" in record:
        return {**record, "history": _with_whole_steps(record["history"])}
    if not isinstance(record, list):
        return record
    return [[*row[:2], whole(row[2])] if isinstance(row, list) and len(row) == 3 else row for row in record]


def plain(value: Any, path: str = "", depth: int = 0) -> Any:
    """Converts events, named tuples, arrays and other parts of a record to dicts, lists, text and numbers."""
    if depth > _DEEPEST:
        raise InvalidArgument(path, "deeper nesting", f"at most {_DEEPEST} levels")
    if hasattr(value, "to_named_tuple"):
        value = value.to_named_tuple()
    if hasattr(value, "_fields"):
        value = dict(zip(value._fields, value))
    if hasattr(value, "items"):
        # In the state of an Opacus 1.4 accountant, the member "mechanism" is a method instead of a name.
        kept = [(key, item) for key, item in value.items() if not callable(item) or hasattr(item, "to_named_tuple")]
        return {str(key): plain(item, f"{path}.{key}" if path else str(key), depth + 1) for key, item in kept}
    if hasattr(value, "tolist"):  # arrays, tensors, NumPy's numbers
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(value)]
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    return _number(value, path)


def _number(value: Any, path: str) -> Any:
    for to_plain in (operator.index, float):
        try:
            return to_plain(value)
        except (TypeError, ValueError, OverflowError):
            continue
    raise InvalidArgument(path or "record", repr(value)[:60], f"parts of {_RECORDS}" if path else _RECORDS)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidArgument("record", "text that is no JSON", f"{_RECORDS}, as JSON") from None


def _text(record: Any) -> str:
    try:
        return json.dumps(_with_infinite_shapes(record), allow_nan=False)
    except ValueError:  # NaN, infinity, or an integer longer than Python writes
        path, value = next(_beyond_doubles(record, ""))
        shown = "a long integer" if isinstance(value, int) else "NaN" if math.isnan(value) else repr(value)
        raise InvalidArgument(path or "record", shown, "a finite number") from None


def _with_infinite_shapes(value: Any) -> Any:
    """Replaces an infinite ``shape`` of a selection by the text "inf": it is allowed there, and JSON has no
    infinity."""
    if isinstance(value, dict):
        selects = value.get("class_name") == _SELECTION
        return {key: _shape_of(item, selects and key == "shape") for key, item in value.items()}
    if isinstance(value, list):
        selects = len(value) == 5 and value[1] == _SELECTION
        return [_shape_of(item, selects and index == 4) for index, item in enumerate(value)]
    return value


def _shape_of(value: Any, is_shape: bool) -> Any:
    return "inf" if is_shape and value == math.inf else _with_infinite_shapes(value)


def _beyond_doubles(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yields the numbers of a record that are not finite doubles, with their paths."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _beyond_doubles(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _beyond_doubles(item, f"{path}[{index}]")
    elif isinstance(value, float) and not math.isfinite(value) or isinstance(value, int) and value.bit_length() > 1024:
        yield path, value


def _shape(record: Any) -> str:
    """Returns which tool made a record. Events name their class: an object has a key for it, an array starts with
    text."""
    if isinstance(record, dict) and ("history" in record or "class_name" in record):
        return "opacus" if "history" in record else "dp_accounting"
    if isinstance(record, list):
        return "dp_accounting" if record and isinstance(record[0], str) else "opacus"
    raise InvalidArgument("record", repr(record)[:60], _RECORDS)
