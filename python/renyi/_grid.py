"""Arrays of answers of one kind."""

from __future__ import annotations

from typing import Any, Callable, Generic, Iterator, Mapping, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _native, _format
from ._export import Table, Tabular
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


class Grid(Tabular, Generic[Answer]):
    """An array of answers, in the shape of the arguments that they belong to.

    ``grid[i]`` is one answer. ``grid.value`` is the array of the ``value`` of all answers, and every other member of an
    answer can be read in the same way.

    >>> import renyi
    >>> grid = renyi.calibrate(sampling_rate=0.01, steps=[100, 1000], epsilon=3, delta=1e-5)
    >>> grid.value.round(4)
    array([0.6496, 0.8136])
    """

    __slots__ = ("_cells", "_arguments")

    def __init__(self, cells: NDArray[Any], arguments: Mapping[str, NDArray[Any]] = {}) -> None:
        """``arguments`` are the numbers that the answers belong to, each in the shape of ``cells``."""
        self._cells, self._arguments = cells, dict(arguments)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._cells.shape

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        found = self._cells[index]
        if not isinstance(found, np.ndarray):
            return found
        return Grid(found, {name: column[index] for name, column in self._arguments.items()})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        members = np.empty(self._cells.shape, dtype=object)
        for index, answer in enumerate(self._cells.flat):
            members.flat[index] = getattr(answer, name)
        return _as_numbers(members)

    def to_dict(self) -> dict[str, Any]:
        """Returns {"shape": [...], "answers": [...]}: each answer as the JSON requests give it, in the order of
        ``numpy.ravel``."""
        return {"shape": list(self.shape), "answers": [answer.to_dict() for answer in self._cells.flat]}

    def _table(self) -> Table:
        """Returns the rows of all answers, each after the numbers that its answer belongs to."""
        tables = [answer._table() for answer in self._cells.flat]
        own = list(tables[0].header) if tables else []
        arguments = {name: column for name, column in self._arguments.items() if name not in own}
        rows = []
        for index, table in enumerate(tables):
            before = [column.flat[index] for column in arguments.values()]
            rows += [[*before, *row] for row in table.rows]
        return Table([*arguments, *own], rows)

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
