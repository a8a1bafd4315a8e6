"""Sends requests (docs/format/requests.md) about one plan or many to the engine, and reads the answers."""

from __future__ import annotations

import json
import math
from typing import Any, Callable, Mapping, Optional, Union

from .. import _native
from .._ask import Question, for_each
from .._numbers import Numbers, Orders, to_float, to_floats, to_int, to_text
from ..errors import Error, InvalidArgument
from ..plan import Plan
from ..run import issue

Json = dict[str, Any]
#: Makes a report of a plan, the engine's answer and the numbers that were asked about.
Reader = Callable[[Plan, Json, Json], Any]
#: A list of numbers that is not broadcast against the other arguments.
List = Numbers


def answers(
    op: str,
    question: Question,
    fixed: Json,
    read: Reader,
    *,
    each: Optional[Mapping[str, Callable[[Any], Any]]] = None,
    words: Optional[Mapping[str, str]] = None,
) -> Any:
    """Asks the engine for every element of the question. ``read`` makes a report of the plan, the answer and the
    numbers of that element.

    fixed: members of the request that are the same for all elements; those that are None are omitted.
    each: columns of the question that are members of the request too, and their types.
    words: the names that the caller uses for members of the request, where they differ.
    """

    def ask(index: int) -> Any:
        plan = question.plan(index)
        asked = {name: kind(question.column(name)[index]) for name, kind in (each or {}).items()}
        members = {**fixed, **asked}
        run = question.run(index)
        if run is not None and op == "report":
            members["remarks"] = [*run.rules, *(fixed["remarks"] or [])]
        try:
            found = ask_one(op, plan, members, read, asked)
            if run is not None:
                object.__setattr__(found, "warnings", question.warnings(index))
            return found
        except Error as error:
            raise _in_words(error, words or {})

    found = for_each(question, ask, fixed=[(words or {}).get(name, name) for name in fixed if name not in (each or {})])
    issue(question.all_warnings(), stacklevel=4)
    return found


def ask_one(op: str, plan: Plan, members: Json, read: Reader, asked: Json = {}) -> Any:
    """Asks the engine about one plan and returns the report that ``read`` makes of the answer. Members that are None
    are omitted from the request; ``asked`` are the numbers that the report contains."""
    request = {"op": op, **{name: _encoded(value) for name, value in members.items() if value is not None}}
    text = _native.ask(plan._engine, json.dumps(request, allow_nan=False))
    answer: Json = json.loads(text)
    answer.pop("assumes", None)  # Plan.assumption has it
    limit = answer.pop("limit", "")
    found = read(plan, answer, asked)
    if limit:
        object.__setattr__(found, "limit", limit)
    object.__setattr__(found, "_answer", text)  # reports are frozen
    return found


def _encoded(value: Any) -> Any:
    """Encodes a value for JSON: infinity is "inf". NaN becomes "nan", which the engine refuses with its own message."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return [_encoded(item) for item in value] if isinstance(value, list) else value


def _in_words(error: Error, words: Mapping[str, str]) -> Error:
    for word, callers in words.items():
        if error.field == word or error.field.startswith(word + "["):
            error._about(callers + error.field[len(word) :])
            error.args = (error.field, *(str(arg).replace(word, callers) for arg in error.args[1:]))
            if isinstance(error, InvalidArgument):
                error.value, error.allowed = error.args[1:]
    return error


def numbers(field: str, values: Optional[List]) -> Optional[list[float]]:
    """Converts a number, or a one-dimensional list of them, to a list of floats."""
    if values is None:
        return None
    array = to_floats(field, values)
    if array.ndim > 1:
        raise InvalidArgument(field, f"an array of shape {array.shape}", "a list of numbers")
    found: list[float] = array.ravel().tolist()
    return found


def orders_of(values: Optional[Orders]) -> Union[None, str, list[float]]:
    """Converts orders, or the name of a list of orders, which the engine checks."""
    return to_text("orders", values) if isinstance(values, str) else numbers("orders", values)  # type: ignore[arg-type]


def accuracy(tolerance: Optional[float], memory: Optional[int]) -> Json:
    """Returns the members of a request that control exact intervals."""
    return {
        "tolerance": None if tolerance is None else to_float("tolerance", tolerance),
        "memory": None if memory is None else to_int("memory", memory),
    }


def given(**columns: Any) -> Json:
    """Returns the columns that are not None."""
    return {name: value for name, value in columns.items() if value is not None}
