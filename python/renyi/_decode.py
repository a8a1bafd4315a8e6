"""Converts the engine's JSON answers to typed reports, guided by the type hints of the report's members.

An unknown or a missing member is an error, so that no part of an answer is lost silently.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import typing
from typing import Any

import numpy as np

from ._numbers import Floats
from ._report import Columns, Texts

_REASONS = dict[str, str]
_MISSING = object()


def decode(kind: Any, value: Any, **given: Any) -> Any:
    """Converts the JSON value ``value`` to a ``kind``. ``given`` are members that do not come from the answer."""
    if hasattr(kind, "_from_json"):
        return kind._from_json(value)
    if dataclasses.is_dataclass(kind):
        return _rows(kind, value) if issubclass(typing.cast(type, kind), Columns) else _object(kind, value, given)
    if kind is float:
        return _number(value)
    if typing.get_origin(kind) is typing.Union:  # Optional
        return decode(typing.get_args(kind)[0], value)
    if typing.get_origin(kind) is tuple:
        return tuple(decode(typing.get_args(kind)[0], item) for item in value)
    if type(value) is not kind:
        raise TypeError(f"got {value!r}, expected {kind}")
    return value


def _number(value: Any) -> float:
    if value == "inf":
        return math.inf
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise TypeError(f"got {value!r}, expected a number")


@functools.lru_cache(maxsize=None)
def _members(kind: Any) -> dict[str, tuple[Any, Any]]:
    """Maps the name of each member to its type hint and to the value that it has if the answer omits it."""
    hints = typing.get_type_hints(kind)
    return {field.name: (hints[field.name], _stand_in(field, hints)) for field in dataclasses.fields(kind)}


@functools.lru_cache(maxsize=None)
def _names(kind: Any) -> dict[str, str]:
    """Maps keys of the answer to names of members where the two differ."""
    return {field.metadata["key"]: field.name for field in dataclasses.fields(kind) if "key" in field.metadata}


def _named(kind: Any, value: dict[str, Any]) -> dict[str, Any]:
    names = _names(kind)
    return {names.get(key, key): item for key, item in value.items()} if names else value


def _stand_in(field: Any, hints: dict[str, Any]) -> Any:
    if "absent" in field.metadata:
        return field.metadata["absent"]
    return None if type(None) in typing.get_args(hints[field.name]) else _MISSING


def _object(kind: Any, value: dict[str, Any], given: dict[str, Any]) -> Any:
    members, value = _members(kind), _named(kind, value)
    _refuse_strangers(kind, value, members)
    found, reasons = dict(given), {}
    for name, (hint, stand_in) in members.items():
        if name in given or hint == _REASONS:
            continue
        if isinstance(value.get(name), dict) and set(value[name]) == {"unavailable"}:
            reasons[name], found[name] = value[name]["unavailable"], stand_in
        else:
            found[name] = decode(hint, value[name]) if name in value else _absent(kind, name, stand_in)
    if any(hint == _REASONS for hint, _ in members.values()):
        found["unavailable"] = reasons
    elif reasons:
        raise TypeError(f"{kind.__name__} has no place for {reasons}")
    return kind(**found)


def _rows(kind: Any, rows: list[dict[str, Any]]) -> Any:
    """Converts a list of rows to columns; a member that is itself an object becomes columns too."""
    members, rows = _members(kind), [_named(kind, row) for row in rows]
    for row in rows:
        _refuse_strangers(kind, row, members)
    found = {}
    for name, (hint, stand_in) in members.items():
        cells = [row[name] if name in row else _absent(kind, name, stand_in) for row in rows]
        found[name] = _column(hint, cells)
    return kind(**found)


def _column(hint: Any, cells: list[Any]) -> Any:
    if hint == Floats:
        return np.array([_number(cell) for cell in cells], dtype=np.float64)
    if hint == Texts:
        return np.array([decode(str, cell) for cell in cells], dtype=str)
    return decode(hint, cells)


def _absent(kind: Any, name: str, stand_in: Any) -> Any:
    if stand_in is _MISSING:
        raise TypeError(f"{kind.__name__}: {name} is not in the answer")
    return stand_in


def _refuse_strangers(kind: Any, value: dict[str, Any], members: dict[str, Any]) -> None:
    strangers = set(value) - set(members)
    if strangers:
        raise TypeError(f"{kind.__name__}: the answer has unknown members {sorted(strangers)}")
