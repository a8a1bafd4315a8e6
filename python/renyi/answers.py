"""Epsilons and deltas: the Rényi bound and the interval that holds the exact figure."""

from __future__ import annotations

import operator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Union

import numpy as np

from . import _native, _number_text
from ._numbers import Number
from .errors import InvalidArgument, Unsupported

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .plan import Plan
    from .run import PrivacyWarning, Run


class Interval:
    """The truth lies in [``lower``, ``upper``]."""

    __slots__ = ("lower", "upper", "engine", "limited")

    def __init__(self, lower: float, upper: float, engine: str, limited: bool) -> None:
        self.lower, self.upper = lower, upper
        #: What found it: "closed-form", "contour", "lattice" or "bounds" (no engine serves: sound ends, but wide).
        self.engine = engine
        #: Whether the lattice stopped at its cap of memory or work, wider than asked.
        self.limited = limited

    @property
    def width(self) -> float:
        return 0.0 if self.upper == self.lower else self.upper - self.lower

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper

    def __iter__(self) -> Iterator[float]:
        return iter((self.lower, self.upper))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Interval):
            return NotImplemented
        return (self.lower, self.upper) == (other.lower, other.upper)

    def __hash__(self) -> int:
        return hash((self.lower, self.upper))

    def __repr__(self) -> str:
        limited = ", stopped at its cap" if self.limited else ""
        return f"[{_number_text.down(self.lower)}, {_number_text.up(self.upper)}] by {self.engine}{limited}"


class Exact(Interval):
    """The larger of both directions, and each by itself."""

    __slots__ = ("direction", "remove", "add")

    def __init__(self, worst: Interval, direction: str, remove: Interval, add: Interval) -> None:
        super().__init__(worst.lower, worst.upper, worst.engine, worst.limited)
        #: Which is the larger: "remove" or "add".
        self.direction = direction
        #: With the record against without.
        self.remove = remove
        #: Without the record against with it.
        self.add = add

    @classmethod
    def _of(cls, found: Union[_native.ExactAnswer, Exact]) -> Exact:
        if isinstance(found, Exact):
            return found
        return cls(_interval(found), found.direction, _interval(found.remove), _interval(found.add))


def _interval(figure: Union[_native.ExactAnswer, _native.ExactFigure]) -> Interval:
    return Interval(figure.lower, figure.upper, figure.engine, figure.limited)


#: The engine's answer, or its values alone where it was stored or is one of many.
_Found = Union[_native.Cost, SimpleNamespace]
_Wanted = Union[_native.Options, SimpleNamespace]
_Comparable = Union["_Answer", Number]
#: Of a run told by its sizes.
_Told = tuple["Run", tuple["PrivacyWarning", ...]]


class _Answer:
    """What epsilon and delta answers share. Comparisons are of the best proven upper bounds; answers with the same
    figures are equal."""

    __slots__ = ("_found", "_options", "_plan", "_told", "at")
    _name = ""
    _at_name = ""

    def __init__(
        self, found: _Found, options: _Wanted, at: float, plan: Callable[[], Plan], told: Optional[_Told] = None
    ) -> None:
        self._found, self._options, self.at, self._plan, self._told = found, options, at, plan, told

    @property
    def run(self) -> Optional[Run]:
        """What was counted, and by which rules; None unless the run was told by its sizes."""
        return None if self._told is None else self._told[0]

    @property
    def warnings(self) -> tuple[PrivacyWarning, ...]:
        """What is to be said of such a run although the answer is right."""
        return () if self._told is None else self._told[1]

    @property
    def plan(self) -> Plan:
        """What the answer is about."""
        return self._plan()

    @property
    def assumption(self) -> Optional[str]:
        """What the figures take for granted beyond what the plan says, or None (``Plan.assumption``)."""
        return self.plan.assumption

    @property
    def renyi(self) -> float:
        """The Rényi bound: an upper bound."""
        self._require(self._options.renyi, "renyi")
        return self._found.bound

    @property
    def order(self) -> float:
        """The order that gave the Rényi bound."""
        self._require(self._options.renyi, "renyi")
        return self._found.order

    @property
    def conversion(self) -> str:
        """The formula that gave it: "tight", "classical", "pure" or "total-variation"."""
        self._require(self._options.renyi, "renyi")
        return self._found.conversion

    @property
    def infinite_mass(self) -> float:
        """What of the Rényi bound's delta pays for losses that are infinite: no order bounds them."""
        self._require(self._options.renyi, "renyi")
        return self._found.infinite_mass

    @property
    def exact(self) -> Exact:
        """The interval that holds the exact figure. Raises ``Unsupported`` where there is none: see ``unavailable``."""
        found = self._found.exact
        if found is None:
            self._require(self._options.exact, "exact")
            raise Unsupported("exact", self._found.unavailable, "the Rényi bound is there")
        return Exact._of(found)

    @property
    def standing(self) -> str:
        """Whose figure the exact one is: "attained" (that of what was run), "promised" (that of the worst step that
        keeps a promise, such as a pure epsilon) or "dominated" (that of a pair of laws that dominates the steps)."""
        if self._found.exact is None:
            self._require(self._options.exact, "exact")
            raise Unsupported("exact", self._found.unavailable, "the Rényi bound is there")
        return self._found.standing

    @property
    def note(self) -> Optional[str]:
        """What is to be said beside the exact figure, or None: that what was run may cost less."""
        if self._found.exact is None:
            return None
        return _native.note_on_standing(self._found.standing) or None

    @property
    def unavailable(self) -> Optional[str]:
        """Why there is no exact figure although it was wanted, or None."""
        return self._found.unavailable or None

    @property
    def upper(self) -> float:
        """The best proven upper bound of those that were wanted; ``float(answer)`` is the same."""
        return self._found.upper

    def __float__(self) -> float:
        return self.upper

    def __format__(self, spec: str) -> str:
        """``f"{cost:.3f}"`` is the best proven upper bound, rounded up."""
        return _number_text.formatted_up(self.upper, spec) if spec else str(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self.at, self.upper))

    def __lt__(self, other: _Comparable) -> bool:
        return self._compared(operator.lt, other)

    def __le__(self, other: _Comparable) -> bool:
        return self._compared(operator.le, other)

    def __gt__(self, other: _Comparable) -> bool:
        return self._compared(operator.gt, other)

    def __ge__(self, other: _Comparable) -> bool:
        return self._compared(operator.ge, other)

    def _compared(self, how: Callable[[float, Any], bool], other: object) -> bool:
        if isinstance(other, type(self)):
            return how(self.upper, other.upper)
        if not isinstance(other, (int, float, np.floating, np.integer)):
            return NotImplemented  # type: ignore[no-any-return]
        if other != other:  # NaN: every comparison would be False: no budget is ever exceeded
            raise InvalidArgument(f"what {self._name} is compared with", "nan", "a number")
        return how(self.upper, other)

    def _values(self) -> dict[str, Any]:
        """Everything the engine found, as plain values."""
        found, wanted = self._found, self._options
        exact = None if found.exact is None else Exact._of(found.exact)
        figures = {"bound": found.bound, "order": found.order, "conversion": found.conversion, "exact": exact}
        figures["infinite_mass"] = found.infinite_mass
        rest = {"upper": found.upper, "unavailable": found.unavailable, "standing": found.standing, "limit": found.limit}
        return {"found": {**figures, **rest}, "wanted": {"renyi": wanted.renyi, "exact": wanted.exact}, "at": self.at}

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._values(), self.plan, self._told)

    def _require(self, wanted: bool, part: str) -> None:
        if not wanted:
            raise Unsupported(part, "this part was not asked for", f'put "{part}" into want')

    def _rows(self) -> list[tuple[str, str]]:
        rows = [(self._at_name, _number_text.plain(self.at))]
        if self.assumption is not None:
            rows.append(("assuming", f"that {self.assumption}"))
        if self._found.exact is not None:
            exact = self.exact
            rows.append(("exact", repr(exact)))
            rows.append(("remove", repr(exact.remove)))
            rows.append(("add", repr(exact.add)))
            rows += [("note", text) for text in (self._found.limit, self.note) if text]
        elif self._found.unavailable:
            rows.append(("exact", f"unavailable: {self._found.unavailable}"))
        if self._options.renyi:
            bound = f"{_number_text.up(self.renyi)} at order {_number_text.plain(self.order)} ({self.conversion})"
            rows.append(("Rényi bound", bound))
            if self.infinite_mass > 0:
                rows.append(("paid apart", f"{_number_text.up(self.infinite_mass)} of delta, for losses that are infinite"))
        return rows

    def __repr__(self) -> str:
        rows = ", ".join(f"{name} {value}" for name, value in self._rows()[1:] if name not in ("remove", "add"))
        return f"<{self._name} <= {_number_text.up(self.upper)} at {self._at_name} {_number_text.plain(self.at)}: {rows}>"

    def _repr_html_(self) -> str:
        return _number_text.table(f"{self._name} ≤ {_number_text.up(self.upper)}", self._rows())


def _restored(kind: type[_Answer], values: dict[str, Any], plan: Plan, told: Optional[_Told] = None) -> _Answer:
    # Answers of earlier versions do not say whose figure the exact one is.
    found = {"standing": "dominated", "limit": "", **values["found"]}
    return kind(SimpleNamespace(**found), SimpleNamespace(**values["wanted"]), values["at"], lambda: plan, told)


class Epsilon(_Answer):
    """An epsilon at a delta. ``float(answer)`` is the best proven upper bound."""

    __slots__ = ()
    _name, _at_name = "epsilon", "delta"

    @property
    def delta(self) -> float:
        """The delta it is at."""
        return self.at

    def plot(self, ax: Optional[Axes] = None) -> Axes:
        """The plan's profile, with this answer on it (matplotlib)."""
        from .plotting import plot_profile

        return plot_profile(self.plan, ax=ax, mark=(self.upper, self.at))


class Delta(_Answer):
    """A delta at an epsilon. ``float(answer)`` is the best proven upper bound."""

    __slots__ = ()
    _name, _at_name = "delta", "epsilon"

    @property
    def epsilon(self) -> float:
        """The epsilon it is at."""
        return self.at

    def plot(self, ax: Optional[Axes] = None) -> Axes:
        """The plan's profile, with this answer on it (matplotlib)."""
        from .plotting import plot_profile

        return plot_profile(self.plan, ax=ax, mark=(self.at, self.upper))
