"""Turns the arguments of a question into plans: one plan or many, given as values or by the numbers of a training
run."""

from __future__ import annotations

import functools
import math
import re
from typing import Any, Callable, Collection, Iterable, Optional

import numpy as np
from numpy.typing import NDArray

from . import _native, _format
from ._numbers import (
    Count,
    Counts,
    Floats,
    Numbers,
    shown_step,
    to_float,
    to_floats,
    to_int,
    to_ints,
    to_text,
    to_text_or_none,
)
from .errors import Error, InvalidArgument
from .mechanisms import Mechanism
from .plan import ADD_OR_REMOVE_ONE, RELATIONS, Plan, to_plan
from .run import PrivacyWarning, Run, Sizes, scheme_name

WANT = ("renyi", "exact")


@functools.lru_cache(maxsize=64)
def _options(
    parts: tuple[str, ...],
    orders: Optional[tuple[float, ...]],
    conversion: str,
    tolerance: Optional[float],
    memory: Optional[int],
    method: Optional[str] = None,
) -> _native.Options:
    chosen, size = None if orders is None else list(orders), None if memory is None else memory << 20
    return _native.Options("renyi" in parts, "exact" in parts, chosen, conversion, tolerance, size, method)


def options_for(
    want: Any, orders: Any, conversion: Any, tolerance: Any, memory: Any, method: Any = None
) -> _native.Options:
    """Checks the options of a question and returns them in the form that the engine takes."""
    if method is not None:
        if want is not WANT and "exact" in parts_of(want):
            raise InvalidArgument("method", repr(method), 'nothing, or "renyi" alone in want')
        want = "renyi"
    elif orders is None and tolerance is None and memory is None and (want is WANT or type(want) is str):
        if isinstance(conversion, str) and conversion == "tight" and want in _USUAL:
            return _USUAL[want]
    parts = parts_of(want)
    if "exact" not in parts and (tolerance is not None or memory is not None):
        name = "memory" if tolerance is None else "tolerance"
        raise InvalidArgument(name, repr(memory if tolerance is None else tolerance), "nothing, or exact in want")
    return _options(
        parts,
        None if orders is None else tuple(_conversion_orders(orders)),
        to_text("conversion", conversion, "one of tight, classical"),
        None if tolerance is None else _tolerance(tolerance),
        None if memory is None else _memory(memory),
        None if method is None else to_text("method", method, "one of quadrature, integer, series, closed-form"),
    )


def parts_of(want: Any) -> tuple[str, ...]:
    """Returns the parts of an answer that ``want`` requests, as a tuple; raises ``InvalidArgument`` for anything
    else."""
    parts = (want,) if isinstance(want, str) else tuple(want) if isinstance(want, Iterable) else ()
    if not parts or not all(isinstance(part, str) and part in WANT for part in parts):
        raise InvalidArgument("want", repr(want), 'one of "renyi", "exact", or both in a tuple')
    return parts


def _tolerance(tolerance: object) -> float:
    width = to_float("tolerance", tolerance)
    if not 0 < width < math.inf:
        raise InvalidArgument("tolerance", repr(tolerance), "a number above 0")
    return width


def _memory(memory: object) -> int:
    size = to_int("memory", memory)
    if not 1 <= size <= 1 << 20:
        raise InvalidArgument("memory", repr(memory), "an integer from 1 to 1048576, in MiB")
    return size


def _conversion_orders(orders: object) -> list[float]:
    if isinstance(orders, str) and orders == "traditional":
        return _native.traditional_orders()
    values = to_floats("orders", orders).ravel()
    for value in values:
        if not value > 1:
            raise InvalidArgument("orders", repr(float(value)), 'orders above 1, inf among them, or "traditional"')
    return values.tolist()


_USUAL: dict[Any, _native.Options] = {
    want: _options(parts_of(want), None, "tight", None, None) for want in (WANT, *WANT)
}


class Question:
    """The plans and numbers of a question, broadcast against each other. ``shape`` is () if there is one of each."""

    def __init__(
        self,
        plan: object,
        sampling_rate: Optional[Numbers],
        noise_multiplier: Optional[Numbers],
        steps: Optional[Counts],
        neighbors: Optional[str],
        unit: Optional[Count],
        sizes: Optional[Sizes] = None,
        solve: Optional[str] = None,
        **numbers: object,
    ) -> None:
        """``sizes`` are the sizes of a run that is described by them; ``solve`` names the one that is solved for."""
        self._by_plan = plan is not None
        #: Whether the run is described by its sizes (dataset size, batch size, epochs, ...).
        self.told = sizes is not None
        neighbors = to_text_or_none("neighbors", neighbors, RELATIONS)
        self.neighbors = ADD_OR_REMOVE_ONE if neighbors is None else neighbors
        records = None if unit is None else to_int("unit", unit)
        self.unit = 1 if records is None else records
        columns: dict[str, NDArray[Any]] = {name: to_floats(name, value) for name, value in numbers.items()}
        if self._by_plan:
            _refuse(sampling_rate=sampling_rate, noise_multiplier=noise_multiplier, steps=steps)
            _refuse(**({} if sizes is None else sizes._asdict()))
            columns["plan"] = _plans(plan, neighbors, records)
        else:
            if noise_multiplier is None:
                raise InvalidArgument("noise_multiplier", "nothing", "a number, or a plan in its place")
            if sampling_rate is not None:
                columns["sampling_rate"] = to_floats("sampling_rate", sampling_rate)
            columns["noise_multiplier"] = to_floats("noise_multiplier", noise_multiplier)
            if sizes is None:
                columns["steps"] = to_ints("steps", 1 if steps is None else steps)
            else:
                self._scheme, self._solve = scheme_name(sizes.sampling), solve
                columns.update(_size_columns(sizes, steps))
        self._asked = frozenset(numbers)
        #: The names of numbers that stand for an unknown one.
        self.placeholders: tuple[str, ...] = ()
        self._runs: dict[tuple[Any, ...], tuple[Run, Plan]] = {}
        self._shapes = {name: column.shape for name, column in columns.items()}
        self._columns = _broadcast(columns)
        self.shape: tuple[int, ...] = next(iter(self._columns.values())).shape

    def named(self, field: str, index: int) -> str:
        """Returns ``field`` with the index that element ``index`` has in the argument of this name, as in "delta[3]";
        a scalar argument gets no index."""
        own = self._shapes.get(field, self.shape)
        place = np.unravel_index(index, self.shape)[len(self.shape) - len(own) :]
        within = [0 if size == 1 else int(i) for size, i in zip(own, place)]
        return f"{field}{within}" if within else field

    def renamed(self, error: Error) -> Error:
        """Returns the error with its index translated: the engine counts in the broadcast shape, the caller in the
        shape of the argument."""
        found = re.fullmatch(r"(\w+)\[([\d, ]+)\]", error.field)
        if found is None or found[1] not in self._shapes:
            return error
        index = np.ravel_multi_index([int(i) for i in found[2].split(",")], self.shape)
        return error._about(self.named(found[1], int(index)))

    def column(self, name: str) -> Floats:
        """Returns the values of the argument ``name``, one per element."""
        return self._columns[name].ravel()

    def plan(self, index: int = 0) -> Plan:
        """Returns the plan of one element."""
        if self._by_plan:
            return self._columns["plan"].flat[index]  # type: ignore[no-any-return]
        if self.told:
            return self._told(index)[1]
        rates = self._columns.get("sampling_rate")
        noise, steps = self._columns["noise_multiplier"].flat[index], self._columns["steps"].flat[index]
        rate = None if rates is None else float(rates.flat[index])
        return Plan._of(_native.run_plan(rate, float(noise), int(steps), self.neighbors, self.unit))

    def plans(self) -> _native.Plans:
        """Returns the plans of all elements, in the form that the engine takes."""
        if self._by_plan:
            return _native.Plans([plan._engine for plan in self._columns["plan"].flat])
        if self.told:
            return _native.Plans([self._named_told(index)[1]._engine for index in range(self._size())])
        rates = self.column("sampling_rate") if "sampling_rate" in self._columns else None
        steps = np.ascontiguousarray(self._columns["steps"].ravel())
        return _native.Plans(rates, self.column("noise_multiplier"), steps, self.neighbors, self.unit)

    def is_of_one_plan(self) -> bool:
        """Returns true if all elements certainly ask about the same plan: one plan or the sizes of one run were
        given."""
        names = ("plan",) if self._by_plan else (*_SIZES, *_NUMBERS) if self.told else ()
        return bool(names) and all(self._shapes.get(name, ()) == () for name in names)

    def arguments(self) -> dict[str, NDArray[Any]]:
        """Returns the numbers of the runs, then those that the question adds, in the shape of the question; plans and
        placeholders are not among them."""
        names = [name for name in self._columns if name not in ("plan", *self.placeholders)]
        return {name: self._columns[name] for name in sorted(names, key=self._asked.__contains__)}

    def run(self, index: int = 0) -> Optional[Run]:
        """Returns the run of one element if it is described by its sizes, else None."""
        return self._told(index)[0] if self.told else None

    def warnings(self, index: int = 0) -> tuple[PrivacyWarning, ...]:
        """Returns the warnings about one element."""
        run = self.run(index)
        delta = self._columns.get("delta")
        return () if run is None else run.warnings(None if delta is None else float(delta.flat[index]))

    def run_and_warnings(self, index: int = 0) -> Optional[tuple[Run, tuple[PrivacyWarning, ...]]]:
        """Returns the run and its warnings, which the answer reports, or None."""
        run = self.run(index)
        return None if run is None else (run, self.warnings(index))

    def all_warnings(self) -> tuple[PrivacyWarning, ...]:
        """Returns the warnings about all elements, without duplicates."""
        if not self.told:
            return ()
        return tuple(dict.fromkeys(warning for index in range(self._size()) for warning in self.warnings(index)))

    def _size(self) -> int:
        return next(iter(self._columns.values())).size

    def _named_told(self, index: int) -> tuple[Run, Plan]:
        try:
            return self._told(index)
        except Error as error:
            raise error._about(self.named(error.field, index)) if error.field in self._shapes else error

    def _told(self, index: int) -> tuple[Run, Plan]:
        """Returns the run of one element and its plan. They are made once for equal numbers."""
        sizes: dict[str, Any] = {name: self._number(name, index, int) for name in _SIZES}
        sizes["epochs"] = self._number("epochs", index, float)
        sizes["sampling_rate"] = self._number("sampling_rate", index, float)
        sizes["steps"] = self._number("steps", index, int)
        noise = float(self._columns["noise_multiplier"].flat[index])
        key = (*sizes.values(), noise)
        found = self._runs.get(key)
        if found is None:
            run = Run._of({**sizes, "sampling": self._scheme}, self._solve)
            found = run, Plan._of(run._engine.noise_plan(noise, self.neighbors, self.unit))
            self._runs[key] = found
        return found

    def _number(self, name: str, index: int, kind: Callable[[Any], Any]) -> Any:
        column = self._columns.get(name)
        return None if column is None else kind(column.flat[index])


#: The sizes of a run, and its other numbers.
_SIZES = ("dataset_size", "batch_size", "epochs", "accumulation", "batch_limit")
_NUMBERS = ("sampling_rate", "noise_multiplier", "steps")


def _size_columns(sizes: Sizes, steps: Optional[Counts]) -> dict[str, NDArray[Any]]:
    given = {**{name: getattr(sizes, name) for name in _SIZES}, "steps": steps}
    return {
        name: to_floats(name, value) if name == "epochs" else to_ints(name, value)
        for name, value in given.items()
        if value is not None
    }


def _refuse(**given: object) -> None:
    for name, value in given.items():
        if value is not None:
            raise InvalidArgument(name, repr(value), "nothing beside a plan")


def _plans(plan: object, neighbors: Optional[str], unit: Optional[int]) -> NDArray[Any]:
    """Converts a plan, or nested lists of plans, to an array of objects."""
    if isinstance(plan, (Plan, Mechanism)):
        cell = np.empty((), dtype=object)
        cell[()] = to_plan(plan, neighbors, unit)
        return cell
    if isinstance(plan, (list, tuple, np.ndarray)):
        rows = [_plans(item, neighbors, unit) for item in plan]
        if rows and all(row.shape == rows[0].shape for row in rows):
            return np.stack(rows)
    raise InvalidArgument("plan", shown_step(plan), "a plan, a mechanism, or a list of them")


def _broadcast(columns: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    try:
        arrays = np.broadcast_arrays(*columns.values())
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in columns.items())
        raise InvalidArgument("shapes", shapes, "arrays that broadcast against each other") from None
    return dict(zip(columns, arrays))


def for_each(question: Question, ask: Callable[[int], Any], fixed: Collection[str] = ()) -> Any:
    """Returns the answer, or a ``Grid`` of answers computed on all cores: the engine does not hold the interpreter
    lock.

    ``fixed`` are fields that are the same for every element; an error in one of them is reported without an index.
    """
    from ._grid import Grid, spread

    if question.shape == ():
        return ask(0)

    def named(error: Error, index: int) -> str:
        if error.field.partition("[")[0] in fixed:
            return error.field
        if isinstance(error, InvalidArgument):
            return question.named(error.field, index)
        return error.field + _format.place_text(index, question.shape)  # names the element without an answer

    return Grid(spread(question.shape, ask, named), question.arguments())
