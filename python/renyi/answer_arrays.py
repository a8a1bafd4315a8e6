"""Arrays of epsilon and delta answers, stored by columns."""

from __future__ import annotations

import functools
import math
import operator
from types import SimpleNamespace
from typing import Any, Generic, Iterator, Optional, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _native, _format
from ._ask import Question
from ._export import Table, Tabular
from ._numbers import Floats
from .answers import NO_RARE_PARTS, Delta, Epsilon, Exact, Interval, _Answer, table_header
from .errors import Unsupported
from .run import PrivacyWarning

One = TypeVar("One", bound=_Answer)


def _floats(column: bytearray, index: Any) -> Any:
    return np.frombuffer(column, dtype=np.float64)[index]


def _codes(column: bytearray, index: Any) -> Any:
    return np.frombuffer(column, dtype=np.uint8)[index]


def _names(names: list[str], column: bytearray, index: Any) -> Any:
    """Translates the codes of a column to names."""
    return np.array(names)[_codes(column, index)]


class IntervalArray:
    """An array of intervals, in the shape of the arguments: the exact values lie in [``lower``, ``upper``]."""

    __slots__ = ("lower", "upper", "engine", "limited")

    def __init__(self, columns: dict[str, Any], prefix: str, index: Any) -> None:
        self.lower: Floats = _floats(columns[prefix + "lower"], index)
        self.upper: Floats = _floats(columns[prefix + "upper"], index)
        #: The engine that computed each interval: "closed-form", "contour", "lattice" or "bounds" (valid but wide).
        self.engine: NDArray[np.str_] = _names(_native.engines, columns[prefix + "engine"], index)
        #: Whether a limit of work, memory or time was reached, so that the interval is wider than requested.
        self.limited: NDArray[np.bool_] = _codes(columns[prefix + "limited"], index).astype(bool)

    def _one(self) -> Interval:
        """Returns the interval of an array with a single element."""
        return Interval(float(self.lower), float(self.upper), str(self.engine), bool(self.limited))

    def __repr__(self) -> str:
        lower, upper = _format.array_text(self.lower, _format.down), _format.array_text(self.upper, _format.up)
        return f"<intervals, shape {self.lower.shape}: from {lower} to {upper}>"

    def _repr_html_(self) -> str:
        columns = [column.ravel() for column in (self.lower, self.upper, self.engine, self.limited)]
        return _format.cells_table(
            "intervals", self.lower.shape, lambda flat: repr(Interval(*(c[flat] for c in columns)))
        )


class ExactArray(IntervalArray):
    """An array of exact intervals: those of the direction with the larger value, and of each direction separately."""

    __slots__ = ("direction", "remove", "add")

    def __init__(self, columns: dict[str, Any], index: Any) -> None:
        super().__init__(columns, "", index)
        self.direction: NDArray[np.str_] = _names(_native.directions, columns["direction"], index)
        self.remove = IntervalArray(columns, "remove_", index)
        self.add = IntervalArray(columns, "add_", index)

    def _one_exact(self) -> Exact:
        return Exact(self._one(), str(self.direction), self.remove._one(), self.add._one())


class _Answers(Tabular, Generic[One]):
    """Base of the arrays of answers. ``many[i]`` is one answer, or a smaller array for a slice; ``numpy.asarray(many)``
    gives the best upper bounds. The arrays that members return are copies, which the caller may change."""

    __slots__ = ("_columns", "_wanted", "_at", "_question", "_index")
    _name = ""
    _at_name = ""
    _kind: Any

    def __init__(self, columns: dict[str, Any], options: _native.Options, at: Floats, question: Question) -> None:
        self._columns, self._at, self._question = columns, at, question
        self._wanted = SimpleNamespace(renyi=options.renyi, exact=options.exact)
        #: The position of each element in the columns.
        self._index: NDArray[np.intp] = np.arange(at.size).reshape(question.shape)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._index.shape

    def __len__(self) -> int:
        return len(self._index)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        places = self._index[index]
        if places.ndim == 0:
            return self._one(int(places))
        part = object.__new__(type(self))
        part._columns, part._wanted, part._at, part._question = self._columns, self._wanted, self._at, self._question
        part._index = places
        return part

    def _one(self, place: int) -> One:
        columns = self._columns
        found = SimpleNamespace(bound=math.inf, order=0.0, conversion="tight", infinite_mass=0.0, exact=None)
        found.unavailable, found.standing, found.limit, found.limited = "", "dominated", "", False
        found.contradiction = ""
        found.rare_parts = columns["rare_parts"].get(place, NO_RARE_PARTS)
        if self._wanted.renyi:
            names = ("bound", "order", "infinite_mass")
            found.bound, found.order, found.infinite_mass = (float(_floats(columns[name], place)) for name in names)
            found.conversion = str(_names(_native.conversions, columns["conversion"], place))
        if self._wanted.exact:
            found.unavailable, found.limit = columns["unavailable"][place], columns["limit"][place]
            found.contradiction = columns["contradiction"][place]
            found.standing = str(_names(_native.standings, columns["standing"], place))
            found.exact = None if found.unavailable else ExactArray(columns, place)._one_exact()
        found.upper = found.bound if found.exact is None else found.exact.upper
        plan = functools.partial(self._question.plan, place)
        told = self._question.run_and_warnings(place)
        return self._kind(found, self._wanted, float(self._at[place]), plan, told)  # type: ignore[no-any-return]

    @property
    def warnings(self) -> tuple[PrivacyWarning, ...]:
        """The warnings about runs that are described by their sizes, without duplicates."""
        places = self._index.ravel().tolist()
        return tuple(dict.fromkeys(each for place in places for each in self._question.warnings(place)))

    @property
    def at(self) -> Floats:
        """The given deltas of an array of epsilons, or the given epsilons of an array of deltas."""
        return self._at[self._index]

    @property
    def renyi(self) -> Floats:
        """The Rényi bounds, which are upper bounds."""
        return _floats(self._renyi_column("bound"), self._index)  # type: ignore[no-any-return]

    @property
    def order(self) -> Floats:
        """The orders at which the Rényi bounds are attained."""
        return _floats(self._renyi_column("order"), self._index)  # type: ignore[no-any-return]

    @property
    def conversion(self) -> NDArray[np.str_]:
        """The conversions that gave the Rényi bounds; see ``Epsilon.conversion``."""
        return _names(_native.conversions, self._renyi_column("conversion"), self._index)  # type: ignore[no-any-return]

    @property
    def infinite_mass(self) -> Floats:
        """The part of each delta that covers infinite privacy losses; see ``Epsilon.infinite_mass``."""
        return _floats(self._renyi_column("infinite_mass"), self._index)  # type: ignore[no-any-return]

    @property
    def exact(self) -> ExactArray:
        """The intervals that contain the exact values; [0, inf] where there is none, for the reason in
        ``unavailable``."""
        if not self._wanted.exact:
            raise Unsupported("exact", "this part was not asked for", 'put "exact" into want')
        return ExactArray(self._columns, self._index)

    @property
    def standing(self) -> NDArray[np.str_]:
        """What each exact interval refers to: "attained", "promised" or "dominated" (see ``Epsilon.standing``); an
        empty string where there is no exact interval."""
        if not self._wanted.exact:
            raise Unsupported("exact", "this part was not asked for", 'put "exact" into want')
        names = _names(_native.standings, self._columns["standing"], self._index)
        return np.where(self.unavailable == "", names, "")

    @property
    def unavailable(self) -> NDArray[np.str_]:
        """The reason why a requested exact interval is missing, or an empty string."""
        reasons = self._columns.get("unavailable", [""] * self._at.size)
        return np.array(reasons, dtype=str)[self._index]

    @property
    def upper(self) -> Floats:
        """The best upper bounds among the requested parts of the answers."""
        if not self._wanted.exact:
            return self.renyi
        exact: Floats = _floats(self._columns["upper"], self._index)
        return np.where(self.unavailable == "", exact, self.renyi) if self._wanted.renyi else exact

    def __round__(self, ndigits: Optional[int] = None) -> Floats:
        """Rounds the upper bounds up to ``ndigits`` decimals (default 0), so that they are still upper bounds."""
        digits = 0 if ndigits is None else operator.index(ndigits)
        rounded = [_format.rounded_up(value, digits) for value in self.upper.ravel().tolist()]
        return np.array(rounded, dtype=np.float64).reshape(self.shape)

    def to_dict(self) -> dict[str, Any]:
        """Returns {"shape": [...], "answers": [...]}: each answer as the JSON requests give it, in the order of
        ``numpy.ravel``."""
        answers = [self._one(place).to_dict() for place in self._index.ravel().tolist()]
        return {"shape": list(self.shape), "answers": answers}

    def _table(self) -> Table:
        places = self._index.ravel()
        header = table_header(self._name, self._at_name)
        arguments = {name: column for name, column in self._question.arguments().items() if name not in header}
        rows = [self._one(place)._row() for place in places.tolist()]
        given = [column.ravel()[places].tolist() for column in arguments.values()]
        return Table([*arguments, *header], [[*before, *row] for *before, row in zip(*given, rows)])

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        return np.asarray(self.upper, dtype=dtype)

    def _renyi_column(self, name: str) -> bytearray:
        if not self._wanted.renyi:
            raise Unsupported("renyi", "this part was not asked for", 'put "renyi" into want')
        column: bytearray = self._columns[name]
        return column

    def __repr__(self) -> str:
        return f"<{self._name} array, shape {self.shape}: upper bounds {_format.array_text(self.upper, _format.up)}>"

    def _repr_html_(self) -> str:
        places, title = self._index.ravel(), f"{self._name} array, shape {self.shape}"
        return _format.cells_table(title, self.shape, lambda flat: repr(self._one(int(places[flat])))[1:-1])


class EpsilonArray(_Answers[Epsilon]):
    """An array of epsilons, in the shape of the arguments of ``renyi.epsilon``.

    >>> import renyi
    >>> renyi.epsilon(noise_multiplier=[1.0, 2.0], steps=10, delta=1e-5)
    <epsilon array, shape (2,): upper bounds [17.8566, 7.51128]>
    """

    __slots__ = ()
    _name, _at_name, _kind = "epsilon", "delta", Epsilon

    @property
    def delta(self) -> Floats:
        """The deltas for which the epsilons were computed."""
        return self.at


class DeltaArray(_Answers[Delta]):
    """An array of deltas, in the shape of the arguments of ``renyi.delta``. ``EpsilonArray`` has the same members.

    >>> import renyi
    >>> renyi.delta(noise_multiplier=[1.0, 2.0], epsilon=1)
    <delta array, shape (2,): upper bounds [0.126937, 0.0068296]>
    """

    __slots__ = ()
    _name, _at_name, _kind = "delta", "epsilon", Delta

    @property
    def epsilon(self) -> Floats:
        """The epsilons for which the deltas were computed."""
        return self.at
