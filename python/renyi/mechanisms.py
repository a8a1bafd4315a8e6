"""The base class of all mechanisms, and ``mechanism(kind, ...)`` for kinds that are known at run time only.

``m * 3`` is a plan that runs the mechanism m three times, and ``a + b`` is a plan that runs a and then b.
"""

from __future__ import annotations

import dataclasses
import inspect
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Mapping, Sequence, Union

from numpy.typing import NDArray

from . import _native
from ._numbers import Count, Number, is_many, shown_step, to_float, to_text
from .errors import InvalidArgument
from .sampling import Sampling
from .sampling import from_native as sampling_from_native

if TYPE_CHECKING:
    from .plan import Plan

#: A table of numbers: rows of equal length, or plain numbers if there is only one column.
Table = Union[Sequence[Sequence[Number]], Sequence[Number], "NDArray[Any]"]
_NOTHING: Mapping[str, object] = MappingProxyType({})


class Mechanism:
    """Base class of all mechanisms. A mechanism is a value: mechanisms with equal parameters are equal.

    >>> import renyi
    >>> renyi.Gaussian(2.0) == renyi.Gaussian(2.0), renyi.Laplace(1.0) * 3
    (True, <Plan: 3 x Laplace(scale=1.0, l1_sensitivity=1.0) (add-or-remove-one)>)
    """

    kind: ClassVar[str]
    _engine: _native.Mechanism

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "_engine":
                made = "a mechanism of this package; custom_curve and custom_pair make others"
                raise InvalidArgument("mechanism", f"a bare {type(self).__name__}", made)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters of the mechanism, by their names in plans."""
        return dict(self._engine.parameters)

    @property
    def tables(self) -> dict[str, list[list[float]]]:
        """The tables of the mechanism by name, as lists of rows."""
        return dict(self._engine.tables)

    def sampled(self, sampling: Sampling) -> Sampled:
        """Returns this mechanism on a random sample of the records: ``Laplace(2).sampled(Poisson(rate=0.01))``.

        The noise of a sampled step is relative to the contribution of one record, under every neighbouring relation.
        """
        return Sampled(self, sampling)

    def __mul__(self, count: Count) -> Plan:
        """Returns the plan that runs this mechanism ``count`` times."""
        return self._alone() * count

    __rmul__ = __mul__

    def __add__(self, other: Mechanism | Plan) -> Plan:
        """Returns the plan that runs this mechanism, then the other."""
        return self._alone() + other

    def __radd__(self, nothing: int) -> Plan:
        """Makes ``sum`` work for mechanisms, which starts with 0."""
        return self._alone() if isinstance(nothing, int) and nothing == 0 else NotImplemented

    def _alone(self) -> Plan:
        """Returns the plan with this mechanism as its only step."""
        from .plan import Plan

        return Plan(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.kind, self._engine.parameters, self._engine.tables)


def _restored(
    kind: str, parameters: list[tuple[str, float]], tables: Sequence[tuple[str, list[list[float]]]] = ()
) -> Mechanism:
    return _known(_native.Mechanism(kind, parameters, tables))


def settle(mechanism: Mechanism, numbers: Mapping[str, object], tables: Mapping[str, object] = _NOTHING) -> None:
    """Checks the parameters, given by their names in plans, and stores them and the engine's mechanism."""
    values = {name: to_float(own_name(name), value) for name, value in numbers.items()}
    rows = [(name, _rows(name, table)) for name, table in tables.items()]
    try:
        native = _native.Mechanism(mechanism.kind, list(values.items()), rows)
    except InvalidArgument as error:
        raise error._about(own_name(error.field)) from None
    object.__setattr__(mechanism, "_engine", native)
    for name, value in values.items():
        object.__setattr__(mechanism, own_name(name), value)


def settle_either(
    mechanism: Mechanism, alias: str, value: object, parameter: str, excluded: str, numbers: Mapping[str, object]
) -> None:
    """Does the same as ``settle`` for a mechanism with an alias: ``alias`` may be given instead of ``parameter`` if
    ``excluded`` is 1."""
    if value is None:
        if numbers[parameter] is None:
            raise InvalidArgument(alias, "nothing", f"a number, or {parameter} with {excluded}")
        settle(mechanism, numbers)
        return
    if numbers[parameter] is not None or to_float(excluded, numbers[excluded]) != 1:
        raise InvalidArgument(alias, repr(value), f"nothing beside {parameter} and {excluded}")
    try:
        settle(mechanism, {**numbers, parameter: value})
    except InvalidArgument as error:
        raise error._about(alias) from None


def own_name(parameter: str) -> str:
    """Returns the Python name of a parameter: ``lambda`` is a keyword of Python, so the parameter is ``order`` here."""
    return "order" if parameter == "lambda" else parameter


class WithTables(Mechanism):
    """Base of the mechanisms that have tables. Only the engine stores and compares the tables."""

    def __eq__(self, other: object) -> bool:
        return self._engine == other._engine if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.kind, tuple(self._engine.parameters)))

    def __repr__(self) -> str:
        given = [f"{own_name(name)}={value!r}" for name, value in self._engine.parameters]
        given += [f"{name}={_shown_rows(rows)}" for name, rows in self._engine.tables if rows]
        return f"{type(self).__name__}({', '.join(given)})"


def _shown_rows(rows: list[list[float]]) -> str:
    """Formats a table; a large one is represented by its number of rows."""
    return repr(rows) if sum(map(len, rows)) <= 32 else f"<{len(rows)} rows>"


@dataclasses.dataclass(frozen=True, init=False, repr=False)
class Sampled(Mechanism):
    """A mechanism on a random sample of the records, made by ``mechanism.sampled(sampling)``.

    Its privacy depends on the neighbouring relation of the plan.

    >>> import renyi
    >>> renyi.Laplace(2).sampled(renyi.Poisson(rate=0.01)) * 100
    <Plan: 100 x Laplace(scale=2.0, l1_sensitivity=1.0).sampled(Poisson(rate=0.01)) (add-or-remove-one)>
    """

    mechanism: Mechanism
    sampling: Sampling

    def __init__(self, mechanism: Mechanism, sampling: Sampling) -> None:
        if not isinstance(mechanism, Mechanism):
            raise InvalidArgument("mechanism", shown_step(mechanism), "a mechanism")
        if not isinstance(sampling, Sampling):
            raise InvalidArgument("sampling", repr(sampling), "a sampling scheme, such as Poisson(rate=0.01)")
        if mechanism.kind in ("parallel", "select"):
            raise InvalidArgument("mechanism", repr(mechanism), "a single step: sample those inside")
        engine = mechanism._engine.sampled(sampling.scheme, sampling._numbers())
        for name, value in (("_engine", engine), ("mechanism", mechanism), ("sampling", sampling)):
            object.__setattr__(self, name, value)

    @property
    def kind(self) -> str:  # type: ignore[override]
        """The kind of the mechanism that runs on the sample."""
        return self.mechanism.kind

    def __reduce__(self) -> tuple[Any, ...]:
        return Sampled, (self.mechanism, self.sampling)

    def __repr__(self) -> str:
        return f"{self.mechanism!r}.sampled({self.sampling!r})"


def mechanism(kind: str, /, **parameters: Any) -> Mechanism:
    """Makes a mechanism of the catalogue by its name in plans.

    Parameters are numbers; a table is a list of rows, or of numbers if it has one column. ``catalogue()`` lists all
    kinds with their parameters.

    >>> mechanism("pure-dp", epsilon=0.1)
    PureDp(epsilon=0.1)
    """
    name = to_text("kind", kind, "the name of a mechanism, as in plans")
    known = _classes().get(name)
    if known is not None:
        return _typed(known, parameters)
    tables = {key: _rows(key, value) for key, value in parameters.items() if is_many(value)}
    numbers = [(key, to_float(key, value)) for key, value in parameters.items() if key not in tables]
    return _known(_native.Mechanism(name, numbers, list(tables.items())))


def _classes() -> dict[str, type[Mechanism]]:
    """Returns the class of each kind."""
    from ._mechanisms import BY_KIND

    return BY_KIND


def _typed(known: type[Mechanism], parameters: dict[str, Any]) -> Mechanism:
    """Makes a mechanism by the constructor of its class, after a check of the parameters' names."""
    allowed = inspect.signature(known).parameters
    for name, value in parameters.items():
        if name not in allowed:
            raise InvalidArgument(name, repr(value), f"parameters of {known.kind}: {', '.join(allowed)}")
    for name, parameter in allowed.items():
        if parameter.default is inspect.Parameter.empty and name not in parameters:
            raise InvalidArgument(name, "nothing", "a table" if parameter.annotation == "Table" else "a number")
    return known(**parameters)


def _rows(name: str, table: Any) -> list[list[float]]:
    """Converts a table to a list of rows; a plain number is a row with one element."""
    if not is_many(table):
        raise InvalidArgument(name, repr(table), "a table: a list of rows, or of numbers")
    rows = [(f"{name}[{i}]", row) for i, row in enumerate(table)]
    return [
        [to_float(f"{at}[{k}]", value) for k, value in enumerate(row)] if is_many(row) else [to_float(at, row)]
        for at, row in rows
    ]


def from_native(native: _native.Mechanism, neighbors: str) -> Mechanism:
    """Converts a mechanism of the engine, in a plan with this neighbouring relation, to an instance of its class."""
    if native.sampling is not None:
        return Sampled(from_native(native.unsampled(), neighbors), sampling_from_native(*native.sampling))
    if native.kind == "parallel":
        from .parallel import Parallel

        return Parallel._of(native, neighbors)
    if native.kind == "select":
        from .selection import Select

        return Select._of(native, neighbors)
    if native.kind == "own":
        from .custom import CustomMechanism

        return CustomMechanism(native)
    return _known(native)


def _known(native: _native.Mechanism) -> Mechanism:
    made = object.__new__(_classes()[native.kind])
    object.__setattr__(made, "_engine", native)
    for name, value in native.parameters:
        object.__setattr__(made, own_name(name), value)
    return made
