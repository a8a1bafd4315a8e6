"""Answers as plain values: dictionaries, JSON text and data frames.

``Exportable`` and ``Tabular`` are the bases of all answers, so that each of them converts in the same way.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

from .errors import Unsupported

if TYPE_CHECKING:
    from pandas import DataFrame

#: The doubles below it that are whole numbers are written without an exponent, so that they read back as integers.
_FIRST_WITH_EXPONENT = 1e16


class Table(NamedTuple):
    """The rows of an answer, with the column names that ``renyi COMMAND --format csv`` uses. None marks an empty
    cell."""

    header: Sequence[str]
    rows: Sequence[Sequence[Any]]


class Exportable:
    """Base of the answers. They convert to what the JSON requests answer (docs/format/requests.md)."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Returns the answer as the JSON requests give it: dicts, lists, text and numbers, infinity as "inf"."""
        raise NotImplementedError

    def to_json(self) -> str:
        """Returns the answer as JSON on one line, the same text that ``renyi batch`` prints for the same plan."""
        return json.dumps(self.to_dict(), separators=(",", ":"), ensure_ascii=False, allow_nan=False)


class Tabular(Exportable):
    """Base of the answers that are tables of numbers."""

    __slots__ = ()

    def _table(self) -> Table:
        raise NotImplementedError

    def to_frame(self) -> DataFrame:
        """Returns the answer as a pandas data frame, with the columns that the command prints as CSV (needs
        pandas)."""
        try:
            import pandas
        except ImportError:
            raise Unsupported("to_frame", "pandas is not installed", "pip install pandas, or use to_dict()") from None
        table = self._table()
        return pandas.DataFrame(table.rows, columns=list(table.header))


def number(value: float) -> Any:
    """Returns a number as it is in JSON answers: "inf" for infinity, an integer if it is a whole number."""
    if math.isinf(value):
        return "inf"
    is_minus_zero = value == 0 and math.copysign(1, value) < 0
    return int(value) if value.is_integer() and abs(value) < _FIRST_WITH_EXPONENT and not is_minus_zero else value


def cell(value: Any) -> Any:
    """Returns a number of a JSON answer as it is in tables: "inf" is infinity."""
    return math.inf if value == "inf" else value


def at_path(answer: dict[str, Any], *path: str) -> Any:
    """Returns a member of a JSON answer as a cell of a table; None if the answer has no such member."""
    value: Any = answer
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return cell(value)


def columns_of(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """Returns the table of rows that are dictionaries; a name that a row does not have is an empty cell."""
    return Table(names, [[cell(row.get(name)) for name in names] for row in rows])
