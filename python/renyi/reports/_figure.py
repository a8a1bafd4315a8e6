"""What a report has to say to a figure of its plan."""

from __future__ import annotations

from typing import Any, NamedTuple

from .._numbers import Floats


class Points(NamedTuple):
    """Points of a report that lie on its figure, and their role, which determines the colour."""

    role: str
    x: Floats
    y: Floats


class Figure(NamedTuple):
    """The kind of figure that shows a report, the options with which the report was asked for, and its points."""

    kind: str
    options: dict[str, Any]
    points: list[Points]
