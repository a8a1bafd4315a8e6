"""Many answers of one kind."""

from __future__ import annotations

from typing import Any, Callable, Generic, Iterator, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _native, _number_text
from .errors import Error

Answer = TypeVar("Answer")


def spread(shape: tuple[int, ...], ask: Callable[[int], Any], named: Callable[[Error, int], str]) -> NDArray[Any]:
    """The answers at every index, found on all cores. ``named`` is the field of an error, with its place.

    Whatever goes wrong, control-C too: what has not begun is not begun, and what has is waited for.
    """
    cells = np.empty(shape, dtype=object)

    def fill(index: int) -> None:
        try:
            cells.flat[index] = ask(index)
        except Error as error:
            error._about(named(error, index))
            raise

    _native.for_each(cells.size, fill)
    return cells


class Grid(Generic[Answer]):
    """Answers in the shape of the arguments. ``grid[i]`` is one of them; ``grid.value`` is the array of all their
    ``value``, and so on for every member that an answer has."""

    __slots__ = ("_cells",)

    def __init__(self, cells: NDArray[Any]) -> None:
        self._cells = cells

    @property
    def shape(self) -> tuple[int, ...]:
        return self._cells.shape

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        found = self._cells[index]
        return Grid(found) if isinstance(found, np.ndarray) else found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        members = np.empty(self._cells.shape, dtype=object)
        for index, answer in enumerate(self._cells.flat):
            members.flat[index] = getattr(answer, name)
        return _as_numbers(members)

    def __repr__(self) -> str:
        first = type(self._cells.flat[0]).__name__ if self._cells.size else "nothing"
        return f"<Grid of {first}, shape {self.shape}>"

    def _repr_html_(self) -> str:
        return _number_text.cells_table(repr(self)[1:-1], self.shape, lambda flat: repr(self._cells.flat[flat]))


def _as_numbers(members: NDArray[Any]) -> Any:
    """An array where every member is a number or every one is text; a grid of whatever else."""
    for kind in (bool, int, float, str) if members.size else (float,):
        if all(isinstance(member, kind) for member in members.flat):
            return members.astype(kind)
    if all(isinstance(member, (int, float)) for member in members.flat):
        return members.astype(float)
    return Grid(members)
