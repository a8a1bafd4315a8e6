"""Epsilons and deltas in arrays: the columns of many answers."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any, Generic, Iterator, Optional, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _native, _number_text
from ._ask import Question
from ._numbers import Floats
from .answers import Delta, Epsilon, Exact, Interval, _Answer
from .errors import Unsupported
from .run import PrivacyWarning

One = TypeVar("One", bound=_Answer)


def _floats(column: bytearray, index: Any) -> Any:
    return np.frombuffer(column, dtype=np.float64)[index]


def _codes(column: bytearray, index: Any) -> Any:
    return np.frombuffer(column, dtype=np.uint8)[index]


def _names(names: list[str], column: bytearray, index: Any) -> Any:
    """What the codes of a column stand for."""
    return np.array(names)[_codes(column, index)]


class IntervalArray:
    """Ends and engines, in the shape of the arguments."""

    __slots__ = ("lower", "upper", "engine", "limited")

    def __init__(self, columns: dict[str, Any], prefix: str, index: Any) -> None:
        self.lower: Floats = _floats(columns[prefix + "lower"], index)
        self.upper: Floats = _floats(columns[prefix + "upper"], index)
        #: What found them: "closed-form", "contour", "lattice" or "bounds" (sound ends, but wide).
        self.engine: NDArray[np.str_] = _names(_native.engines, columns[prefix + "engine"], index)
        #: Whether the lattice stopped at its cap of memory or work, wider than asked.
        self.limited: NDArray[np.bool_] = _codes(columns[prefix + "limited"], index).astype(bool)

    def _one(self) -> Interval:
        """Where there is one element only."""
        return Interval(float(self.lower), float(self.upper), str(self.engine), bool(self.limited))

    def __repr__(self) -> str:
        lower, upper = _number_text.array_text(self.lower, _number_text.down), _number_text.array_text(self.upper, _number_text.up)
        return f"<intervals, shape {self.lower.shape}: from {lower} to {upper}>"

    def _repr_html_(self) -> str:
        columns = [column.ravel() for column in (self.lower, self.upper, self.engine, self.limited)]
        return _number_text.cells_table("intervals", self.lower.shape, lambda flat: repr(Interval(*(c[flat] for c in columns))))


class ExactArray(IntervalArray):
    """The larger of both directions, and each by itself."""

    __slots__ = ("direction", "remove", "add")

    def __init__(self, columns: dict[str, Any], index: Any) -> None:
        super().__init__(columns, "", index)
        self.direction: NDArray[np.str_] = _names(_native.directions, columns["direction"], index)
        self.remove = IntervalArray(columns, "remove_", index)
        self.add = IntervalArray(columns, "add_", index)

    def _one_exact(self) -> Exact:
        return Exact(self._one(), str(self.direction), self.remove._one(), self.add._one())


class _Answers(Generic[One]):
    """What arrays of answers share. ``many[i]`` is an answer, or an array of fewer; ``numpy.asarray(many)`` are the
    best proven upper bounds. Every array that a member gives is the caller's own."""

    __slots__ = ("_columns", "_wanted", "_at", "_question", "_index")
    _name = ""
    _kind: Any

    def __init__(self, columns: dict[str, Any], options: _native.Options, at: Floats, question: Question) -> None:
        self._columns, self._at, self._question = columns, at, question
        self._wanted = SimpleNamespace(renyi=options.renyi, exact=options.exact)
        #: Where in the columns each element is.
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
        found = SimpleNamespace(bound=0.0, order=0.0, conversion="tight", infinite_mass=0.0, exact=None, unavailable="")
        found.standing, found.limit = "dominated", ""
        if self._wanted.renyi:
            names = ("bound", "order", "infinite_mass")
            found.bound, found.order, found.infinite_mass = (float(_floats(columns[name], place)) for name in names)
            found.conversion = str(_names(_native.conversions, columns["conversion"], place))
        if self._wanted.exact:
            found.unavailable, found.limit = columns["unavailable"][place], columns["limit"][place]
            found.standing = str(_names(_native.standings, columns["standing"], place))
            found.exact = None if found.unavailable else ExactArray(columns, place)._one_exact()
        found.upper = found.bound if found.exact is None else found.exact.upper
        plan = functools.partial(self._question.plan, place)
        told = self._question.run_and_warnings(place)
        return self._kind(found, self._wanted, float(self._at[place]), plan, told)  # type: ignore[no-any-return]

    @property
    def warnings(self) -> tuple[PrivacyWarning, ...]:
        """What is to be said of any of them, each once, where runs are told by their sizes."""
        places = self._index.ravel().tolist()
        return tuple(dict.fromkeys(each for place in places for each in self._question.warnings(place)))

    @property
    def at(self) -> Floats:
        """What they are at."""
        return self._at[self._index]

    @property
    def renyi(self) -> Floats:
        """The Rényi bounds: upper bounds."""
        return _floats(self._renyi_column("bound"), self._index)  # type: ignore[no-any-return]

    @property
    def order(self) -> Floats:
        """The orders that gave them."""
        return _floats(self._renyi_column("order"), self._index)  # type: ignore[no-any-return]

    @property
    def conversion(self) -> NDArray[np.str_]:
        """The formulas that gave them."""
        return _names(_native.conversions, self._renyi_column("conversion"), self._index)  # type: ignore[no-any-return]

    @property
    def infinite_mass(self) -> Floats:
        """What of their deltas pays for losses that are infinite."""
        return _floats(self._renyi_column("infinite_mass"), self._index)  # type: ignore[no-any-return]

    @property
    def exact(self) -> ExactArray:
        """The intervals that hold the exact figures; [0, inf] where ``unavailable`` says why there is none."""
        if not self._wanted.exact:
            raise Unsupported("exact", "this part was not asked for", 'put "exact" into want')
        return ExactArray(self._columns, self._index)

    @property
    def standing(self) -> NDArray[np.str_]:
        """Whose figures the exact ones are: "attained", "promised" or "dominated" (see ``Epsilon.standing``); an empty
        string where there is none."""
        if not self._wanted.exact:
            raise Unsupported("exact", "this part was not asked for", 'put "exact" into want')
        names = _names(_native.standings, self._columns["standing"], self._index)
        return np.where(self.unavailable == "", names, "")

    @property
    def unavailable(self) -> NDArray[np.str_]:
        """Why there is no exact figure although it was wanted, or an empty string."""
        reasons = self._columns.get("unavailable", [""] * self._at.size)
        return np.array(reasons, dtype=str)[self._index]

    @property
    def upper(self) -> Floats:
        """The best proven upper bounds of those that were wanted."""
        if not self._wanted.exact:
            return self.renyi
        exact: Floats = _floats(self._columns["upper"], self._index)
        return np.where(self.unavailable == "", exact, self.renyi) if self._wanted.renyi else exact

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        return np.asarray(self.upper, dtype=dtype)

    def _renyi_column(self, name: str) -> bytearray:
        if not self._wanted.renyi:
            raise Unsupported("renyi", "this part was not asked for", 'put "renyi" into want')
        column: bytearray = self._columns[name]
        return column

    def __repr__(self) -> str:
        return f"<{self._name} array, shape {self.shape}: upper bounds {_number_text.array_text(self.upper, _number_text.up)}>"

    def _repr_html_(self) -> str:
        places, title = self._index.ravel(), f"{self._name} array, shape {self.shape}"
        return _number_text.cells_table(title, self.shape, lambda flat: repr(self._one(int(places[flat])))[1:-1])


class EpsilonArray(_Answers[Epsilon]):
    """Epsilons in the shape of the arguments."""

    __slots__ = ()
    _name, _kind = "epsilon", Epsilon

    @property
    def delta(self) -> Floats:
        """The deltas they are at."""
        return self.at


class DeltaArray(_Answers[Delta]):
    """Deltas in the shape of the arguments."""

    __slots__ = ()
    _name, _kind = "delta", Delta

    @property
    def epsilon(self) -> Floats:
        """The epsilons they are at."""
        return self.at
