"""Arrays of answers of one kind."""

from __future__ import annotations

from typing import Any, Callable, Generic, Iterator, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _native, _format
from .errors import Error

Answer = TypeVar("Answer")


def spread(shape: tuple[int, ...], ask: Callable[[int], Any], named: Callable[[Error, int], str]) -> NDArray[Any]:
    """Calls ``ask`` for every index on all cores and returns the answers. ``named`` gives the field of an error, with
    its index.

    After any failure, including control-C, no further call is started, and the calls that have started are waited for.
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
    """An array of answers, in the shape of the arguments that they belong to.

    ``grid[i]`` is one answer. ``grid.value`` is the array of the ``value`` of all answers, and every other member of an
    answer can be read in the same way.

    >>> import renyi
    >>> grid = renyi.calibrate(sampling_rate=0.01, steps=[100, 1000], epsilon=3, delta=1e-5)
    >>> grid.value.round(4)
    array([0.6496, 0.8136])
    """

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
        return _format.cells_table(repr(self)[1:-1], self.shape, lambda flat: repr(self._cells.flat[flat]))


def _as_numbers(members: NDArray[Any]) -> Any:
    """Returns an array if all members are numbers or all are text, and a grid otherwise."""
    for kind in (bool, int, float, str) if members.size else (float,):
        if all(isinstance(member, kind) for member in members.flat):
            return members.astype(kind)
    if all(isinstance(member, (int, float)) for member in members.flat):
        return members.astype(float)
    return Grid(members)
