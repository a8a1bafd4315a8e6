"""Parts that all reports share: intervals, and tables for terminals and notebooks."""

from __future__ import annotations

import dataclasses
import html
import json
import math
from typing import Any, Iterator, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _format
from ._export import Tabular
from ._numbers import Floats
from .run import PrivacyWarning

Texts = NDArray[np.str_]


def absent(value: object) -> dict[str, object]:
    """Returns the metadata of a member that the engine may omit: the value that the member then has."""
    return {"absent": value}


@dataclasses.dataclass(frozen=True, repr=False)
class Ends:
    """An interval: the exact value lies in [``lower``, ``upper``]. ``lower`` is -inf if only an upper bound is
    known."""

    lower: float = dataclasses.field(metadata=absent(-math.inf))
    upper: float

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper

    def __iter__(self) -> Iterator[float]:
        return iter((self.lower, self.upper))

    def __repr__(self) -> str:
        return ends_text(self.lower, self.upper)


class Columns:
    """Base of the classes whose members are arrays of the same length: a table, stored by columns."""


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class EndsColumns(Columns):
    """An array of intervals: the exact value number i lies in [``lower[i]``, ``upper[i]``]."""

    lower: Floats
    upper: Floats

    def __repr__(self) -> str:
        return f"[{', '.join(self.texts())}]"

    def texts(self) -> list[str]:
        return [ends_text(low, high) for low, high in zip(self.lower.flat, self.upper.flat)]


def ends_text(lower: float, upper: float) -> str:
    """Formats an interval, rounded outwards."""
    return f"[{_format.down(float(lower))}, {_format.up(float(upper))}]"


class Section(NamedTuple):
    """A table: the titles of its columns, and its rows."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


class Report(Tabular):
    """Base of the reports. It prints a report as tables, with upper bounds rounded up and lower bounds rounded down."""

    #: Warnings about a run that is described by its sizes.
    warnings: tuple[PrivacyWarning, ...] = ()
    #: The limit of time or memory that was reached, so that values may be wider than without it; empty if none was.
    limit: str = ""
    #: The engine's answer, as JSON.
    _answer: str = "{}"

    def to_dict(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self._answer)
        return document

    def _title(self) -> str:
        raise NotImplementedError

    def _sections(self) -> list[Section]:
        raise NotImplementedError

    def __repr__(self) -> str:
        parts = [_as_text(section) for section in self._sections() if section.rows]
        return f"<{self._title()}>\n" + "\n\n".join(parts)

    def _repr_html_(self) -> str:
        tables = "".join(_as_html(section) for section in self._sections() if section.rows)
        return f"<div><b>{html.escape(self._title())}</b>{tables}</div>"


def _as_text(section: Section) -> str:
    lines = [list(section.header), *(list(row) for row in section.rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(section.header))]
    return "\n".join(_padded(line, widths) for line in lines)


def _padded(line: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()


def _as_html(section: Section) -> str:
    rows = "".join(_html_row("td", row) for row in section.rows)
    return f"<table><thead>{_html_row('th', section.header)}</thead><tbody>{rows}</tbody></table>"


def _html_row(cell: str, texts: Sequence[str]) -> str:
    cells = "".join(f"<{cell} style='text-align:left'>{html.escape(text)}</{cell}>" for text in texts)
    return f"<tr>{cells}</tr>"
