"""Sweeps: one question at every point of a grid (docs/guide/sweep.md), as rows of a table."""

from __future__ import annotations

import csv
import functools
import io
import json
import math
import os
import pathlib
from typing import Any, Callable, Iterator, Mapping, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _native, _format
from ._ask import parts_of
from ._export import Table
from ._numbers import Count, Counts, Number, Numbers, Orders, is_many, to_float, to_int, to_text, to_text_or_none
from ._report import Report, Section
from ._unknown import not_solvable
from .errors import InvalidArgument, Unsupported
from .plan import Plan, to_plan
from .questions import Planlike, Want
from .run import Scheme, scheme_name

#: A grid: its document, as a dictionary or as text; or the path of its file.
GridDocument = Union[Mapping[str, Any], str, "os.PathLike[str]"]
_MOST_ROWS_SHOWN = 20
_MOST_JOBS = 1024
_OPS = ("epsilon", "delta", "calibrate")
#: The columns of whole numbers.
_WHOLE = ("index", "count", "steps", "unit", "dataset_size", "batch_size", "batch_limit", "accumulation", "memory")
#: The members of a run in the order in which ``renyi sweep`` writes them, which is the order of the axes.
_RUN = (
    "noise_multiplier",
    "sampling_rate",
    "epochs",
    "dataset_size",
    "batch_size",
    "accumulation",
    "batch_limit",
    "steps",
    "sampling",
)
#: The numbers of a run that may be solved for, as the requests name them.
_SOLVED = ("noise_multiplier", "steps", "epochs", "sampling_rate", "dataset_size", "batch_size", "batch_limit")


class Sweep(Report):
    """The rows of a sweep, in order: the answer of ``renyi.sweep``.

    ``len(sweep)`` is the number of rows, ``sweep["exact_upper"]`` a column as an array, and iteration gives the rows as
    dictionaries, with the whole answer of each. A row without an answer has an "error" instead, which says why.

    >>> import renyi
    >>> found = renyi.sweep(noise_multiplier=[1.0, 2.0], steps=[10, 100], delta=1e-5)
    >>> found["noise_multiplier"], found["steps"], found["exact_upper"].round(4)
    (array([1., 1., 2., 2.]), array([ 10, 100,  10, 100]), array([17.8566, 91.8173,  7.5113, 33.1037]))
    """

    def __init__(self, grid: str, rows: str) -> None:
        self._grid, self._rows = grid, rows

    @property
    def axes(self) -> tuple[str, ...]:
        """The names of the axes; the last one varies fastest."""
        return tuple(_short(path) for path in _native.sweep_axes(self._grid))

    @property
    def quantity(self) -> str:
        """The name of what was asked for: "epsilon", "delta", or the number that was solved for."""
        op: str = json.loads(self._grid)["request"]["op"]
        return op if op != "calibrate" else next((_short(name) for name in self["parameter"] if name), "value")

    @property
    def upper(self) -> NDArray[Any]:
        """The number of each row: the exact upper end, or the Rényi bound if there is no exact interval, or the value
        that was solved for; NaN if the row has no answer."""
        header, _ = self._parsed
        if "value" in header:
            return np.asarray(self["value"], dtype=np.float64)
        names = [name for name in ("exact_upper", "renyi_epsilon", "renyi_delta") if name in header]
        found, *others = (np.asarray(self[name], dtype=np.float64) for name in names)
        for other in others:
            found = np.where(np.isnan(found), other, found)
        return found

    @functools.cached_property
    def rows(self) -> tuple[dict[str, Any], ...]:
        """The rows as dictionaries: "index", the values of the axes by their paths, and "answer" or "error"."""
        return tuple(json.loads(line) for line in self._rows.splitlines())

    @property
    def failures(self) -> tuple[dict[str, Any], ...]:
        """The rows without an answer; the member "error" of each says why."""
        return tuple(row for row in self.rows if "error" in row)

    def to_dict(self) -> dict[str, Any]:
        """Returns {"rows": [...]}: each row as ``renyi sweep --format jsonl`` writes it."""
        return {"rows": [json.loads(line) for line in self._rows.splitlines()]}

    def to_csv(self) -> str:
        """Returns the table as CSV, the same text that ``renyi sweep`` writes."""
        return _native.sweep_table(self._grid, self._rows)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the rows into a file, as ``renyi sweep --out`` does: a table if its name ends with .csv, JSON Lines if
        it ends with .jsonl."""
        ending = pathlib.Path(path).suffix
        if ending not in (".csv", ".jsonl"):
            raise InvalidArgument("path", repr(os.fspath(path)), "a name that ends with .csv or .jsonl")
        pathlib.Path(path).write_bytes((self.to_csv() if ending == ".csv" else self._rows).encode())

    def __len__(self) -> int:
        return self._rows.count("\n")

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Returns a column of the table. An empty cell is NaN among numbers, and "" among texts."""
        header, rows = self._parsed
        if name not in header:
            raise KeyError(name)
        place = header.index(name)
        cells = [row[place] for row in rows]
        if any(isinstance(cell, str) for cell in cells):
            return np.array(["" if cell is None else str(cell) for cell in cells])
        return np.array([math.nan if cell is None else cell for cell in cells])

    @functools.cached_property
    def _parsed(self) -> Table:
        header, *rows = csv.reader(io.StringIO(self.to_csv()))
        kinds = [int if name.rpartition(".")[2] in _WHOLE else float for name in header]
        return Table(
            [_short(name) for name in header], [[_cell(text, kind) for text, kind in zip(row, kinds)] for row in rows]
        )

    def _table(self) -> Table:
        return self._parsed

    def __reduce__(self) -> tuple[Any, ...]:
        return Sweep, (self._grid, self._rows)

    def _title(self) -> str:
        failed = f", {len(self.failures)} without an answer" if self.failures else ""
        return f"sweep over {', '.join(self.axes)}: {len(self)} rows{failed}"

    def _sections(self) -> list[Section]:
        wanted = ("value", "renyi_epsilon", "renyi_delta", "exact_lower", "exact_upper", "error")
        header, rows = self._parsed
        kept = [i for i, name in enumerate(header) if name in (*self.axes, *wanted)]
        kept = [i for i in kept if any(row[i] is not None for row in rows)]
        shown = [[_shown(header[i], row[i]) for i in kept] for row in rows[:_MOST_ROWS_SHOWN]]
        if len(rows) > _MOST_ROWS_SHOWN:
            shown.append(["…", *[""] * (len(kept) - 1)])
        return [Section([header[i] for i in kept], shown)]


def sweep(
    grid: Optional[GridDocument] = None,
    *,
    op: str = "epsilon",
    plan: Optional[Planlike] = None,
    delta: Optional[Numbers] = None,
    epsilon: Optional[Numbers] = None,
    solve: Optional[str] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Counts] = None,
    want: Optional[Want] = None,
    by: Optional[str] = None,
    orders: Optional[Orders] = None,
    conversion: Optional[str] = None,
    tolerance: Optional[Number] = None,
    memory: Optional[Count] = None,
    jobs: Optional[Count] = None,
    timeout: Optional[Number] = None,
) -> Sweep:
    """Answers one question at every combination of the given values, on all cores: one row each, the last axis fastest.

    >>> import renyi
    >>> found = renyi.sweep(sampling_rate=[0.001, 0.01], noise_multiplier=1.1, steps=10_000, delta=1e-5)
    >>> found["exact_upper"].round(4)
    array([0.4023, 5.1926])
    >>> renyi.sweep(op="calibrate", steps=[10, 100], epsilon=3, delta=1e-5)["value"].round(4)
    array([ 4.3974, 13.9059])

    Lists and arrays are axes; they are combined with each other, and not broadcast as in ``renyi.epsilon``. Their order
    is that of ``renyi sweep`` for the same numbers, whatever the order of the arguments: ``unit``, the noise, the rate
    and the sizes of the run, then ``epsilon`` and ``delta``. A point without an answer does not end the sweep: its row
    says why.

    op: the question: "epsilon" (with ``delta``), "delta" (with ``epsilon``), or "calibrate" (with both, and ``solve``).
    plan: a plan or a mechanism; or the numbers of a run, as in ``renyi.epsilon``.
    solve: the number of the run to solve for (default "noise_multiplier").
    grid: in place of all these, a grid (docs/format/sweep.md) as ``renyi sweep`` takes it: a dictionary, its text, or
        the path of its file.
    jobs: the number of threads (default: one per core).
    timeout: the time that each point may take, in seconds; a row says if it was reached.
    """
    given = {name: value for name, value in locals().items() if name not in ("grid", "jobs") and value is not None}
    given.pop("op")
    threads = 0 if jobs is None else to_int("jobs", jobs)
    if jobs is not None and not 1 <= threads <= _MOST_JOBS:
        raise InvalidArgument("jobs", repr(jobs), f"an integer from 1 to {_MOST_JOBS}")
    if grid is None:
        text = json.dumps({"renyi-sweep": 1, "request": _request(op, given)}, allow_nan=False)
    elif given:
        name, value = next(iter(given.items()))
        raise InvalidArgument(name, repr(value), "nothing beside a grid")
    else:
        text = _grid_text(grid)
    return Sweep(text, _native.sweep_rows(text, threads))


def _grid_text(grid: object) -> str:
    if isinstance(grid, Mapping):
        try:
            return json.dumps(grid, allow_nan=False, default=_plain)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidArgument("grid", "what JSON cannot say", f"a grid ({error})") from None
    if isinstance(grid, str) and grid.lstrip().startswith("{"):
        return to_text("grid", grid, "a grid")
    if isinstance(grid, (str, os.PathLike)):
        return pathlib.Path(grid).read_text(encoding="utf-8", errors="replace")
    raise InvalidArgument("grid", repr(grid)[:60], "a grid: a dictionary, its text, or the path of its file")


def _request(op: str, given: dict[str, Any]) -> dict[str, Any]:
    """Returns the request of the keywords, with axes in the place of lists."""
    if op not in _OPS:
        raise InvalidArgument("op", repr(op), f"one of {', '.join(_OPS)}")
    request: dict[str, Any] = {"op": op}
    options = _taken(given, "want", "orders", "by", "conversion")
    plan, solve = given.pop("plan", None), given.pop("solve", None)
    protected = _taken(given, "neighbors", "unit")
    target = _taken(given, "epsilon", "delta", "tolerance", "memory")
    timeout = given.pop("timeout", None)
    what = {"run": _run(op, given, solve)} if plan is None else _steps(plan, given, solve, protected)
    request.update({name: _axis(name, value) for name, value in protected.items()})
    request.update(what)
    request.update({name: _axis(name, value) for name, value in target.items()})
    if "want" in options:
        request["want"] = list(parts_of(options.pop("want")))
    if "orders" in options and not isinstance(options["orders"], str):
        options["orders"] = [_value("orders", order) for order in np.ravel(options["orders"])]
    if timeout is not None:
        request["time_limit"] = _value("timeout", timeout)
    return {**request, **options}


def _taken(given: dict[str, Any], *names: str) -> dict[str, Any]:
    """Removes the named members, and returns those that there were."""
    return {name: given.pop(name) for name in names if name in given}


def _run(op: str, given: dict[str, Any], solve: Optional[str]) -> dict[str, Any]:
    if op != "calibrate" and solve is not None:
        raise InvalidArgument("solve", repr(solve), 'nothing, or op="calibrate"')
    if "sampling" in given:
        given["sampling"] = scheme_name(given["sampling"])
    run = {name: _axis(name, given[name]) for name in _RUN if name in given}
    if op != "calibrate":
        return run
    unknown = to_text_or_none("solve", solve, f"one of {', '.join(_SOLVED)}") or "noise_multiplier"
    if unknown not in _SOLVED:
        raise not_solvable(unknown, _SOLVED)
    if unknown in run:
        raise InvalidArgument(unknown, repr(given[unknown]), "nothing: it is solved for")
    return {**run, unknown: None}


def _steps(plan: object, given: dict[str, Any], solve: Optional[str], protected: dict[str, Any]) -> dict[str, Any]:
    """Returns the members of a plan file that a request takes over."""
    for name, value in given.items():
        raise InvalidArgument(name, repr(value), "nothing beside a plan")
    if solve is not None:
        raise Unsupported("solve", "keywords do not say which step of a plan", "a grid with null for the number")
    neighbors = protected.pop("neighbors", None)
    document: dict[str, Any] = json.loads(to_plan(plan, neighbors).to_json())
    if isinstance(plan, Plan) and "unit" in protected:
        raise InvalidArgument("unit", repr(protected["unit"]), "nothing beside a plan, which states it")
    return {name: value for name, value in document.items() if name != "renyi"}


def _axis(name: str, value: Any) -> Any:
    """Returns a value as it is in a request; a list of them becomes an axis."""
    if not is_many(value):
        return _value(name, value)
    values = np.asarray(value, dtype=object)
    if values.ndim != 1:
        raise InvalidArgument(name, f"an array of shape {values.shape}", "a number, or a list of numbers")
    return {"values": [_value(name, item) for item in values]}


def _value(name: str, value: Any) -> Any:
    if isinstance(value, str) and not isinstance(value, np.str_):
        return value
    plain = _plain(value)
    if isinstance(plain, int) and not isinstance(plain, bool):
        return plain
    number = to_float(name, plain)
    return number if math.isfinite(number) else str(number)


def _plain(value: Any) -> Any:
    """Converts NumPy's numbers and arrays to those of Python."""
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value


def _short(path: str) -> str:
    return path[len("run.") :] if path.startswith("run.") else path


def _cell(text: str, kind: Callable[[str], Any]) -> Any:
    """Returns a cell of a table: None if it is empty, a number of this kind if it is one, else its text."""
    if not text:
        return None
    for to_number in (kind, float):
        try:
            return to_number(text)
        except ValueError:
            continue
    return text


def _shown(name: str, value: Any) -> str:
    if value is None or isinstance(value, (str, int)):
        return "" if value is None else str(value)
    is_upper = name.startswith("renyi_") or name == "exact_upper"
    rounded = _format.up if is_upper else _format.down if name == "exact_lower" else _format.plain
    return rounded(value)
