"""Answers to questions about epsilon and delta: the Rényi bound, and the interval that contains the exact value."""

from __future__ import annotations

import math
import operator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Union

import numpy as np

from . import _native, _format
from ._export import Table, Tabular, at_path, number
from ._numbers import Number
from .errors import InvalidArgument, Unsupported

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .plan import Plan
    from .run import PrivacyWarning, Run


class Interval:
    """An interval that contains the exact value: it lies in [``lower``, ``upper``]. ``0.5 in interval`` and
    ``lower, upper = interval`` work.

    >>> import renyi
    >>> found = renyi.epsilon(renyi.Gaussian(2.0), delta=1e-5).exact.remove
    >>> found, found.width < 1e-9, found.upper in found
    ([1.99309, 1.9931] by closed-form, True, True)
    """

    __slots__ = ("lower", "upper", "engine", "limited")

    def __init__(self, lower: float, upper: float, engine: str, limited: bool) -> None:
        self.lower, self.upper = lower, upper
        #: The engine that computed it: "closed-form", "contour", "lattice" or "bounds" (no engine applies; the bounds
        #: are valid but wide).
        self.engine = engine
        #: Whether a limit of work, memory or time was reached, so that the interval is wider than requested.
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

    def _dict(self) -> dict[str, Any]:
        return {"lower": number(self.lower), "upper": number(self.upper), "engine": self.engine}

    def __repr__(self) -> str:
        limited = ", stopped at its cap" if self.limited else ""
        return f"[{_format.down(self.lower)}, {_format.up(self.upper)}] by {self.engine}{limited}"


class Exact(Interval):
    """The exact interval of an answer: that of the direction with the larger value, and of each direction
    separately.

    >>> import renyi
    >>> exact = renyi.epsilon(renyi.Gaussian(2.0), delta=1e-5).exact
    >>> exact.direction, exact.remove
    ('remove', [1.99309, 1.9931] by closed-form)
    """

    __slots__ = ("direction", "remove", "add")

    def __init__(self, worst: Interval, direction: str, remove: Interval, add: Interval) -> None:
        super().__init__(worst.lower, worst.upper, worst.engine, worst.limited)
        #: The direction with the larger value: "remove" or "add".
        self.direction = direction
        #: Compares the output with the record (P) to the output without it (Q).
        self.remove = remove
        #: Compares the output without the record (P) to the output with it (Q).
        self.add = add

    @classmethod
    def _of(cls, found: Union[_native.ExactAnswer, Exact]) -> Exact:
        if isinstance(found, Exact):
            return found
        return cls(_interval(found), found.direction, _interval(found.remove), _interval(found.add))


def _interval(figure: Union[_native.ExactAnswer, _native.ExactInterval]) -> Interval:
    return Interval(figure.lower, figure.upper, figure.engine, figure.limited)


#: The engine's answer; or only its values, if the answer was unpickled or is an element of an array.
_Found = Union[_native.Cost, SimpleNamespace]
_Wanted = Union[_native.Options, SimpleNamespace]
_Comparable = Union["_Answer", Number]
#: A run that is described by its sizes, and the warnings about it.
_Told = tuple["Run", tuple["PrivacyWarning", ...]]


#: What an answer has in the place of ``rare_parts`` if it has none: no method, no overflows, no estimate.
NO_RARE_PARTS: tuple[str, list[tuple[str, float]], Union[None, float, str]] = ("", [], None)


def table_header(name: str, at_name: str) -> list[str]:
    """Returns the columns of the table of epsilons or deltas."""
    bound = [f"renyi_{name}", "renyi_order", "renyi_conversion"]
    ends = ["remove_lower", "remove_upper", "add_lower", "add_upper"]
    return [at_name, *bound, "exact_lower", "exact_upper", "engine", "direction", *ends]


def table_row(name: str, at: float, answer: dict[str, Any]) -> list[Any]:
    """Returns the row of an answer about epsilon or delta, which is given as the JSON requests give it."""
    bound = [at_path(answer, "renyi", key) for key in (name, "order", "conversion")]
    ends = [at_path(answer, "exact", key) for key in ("lower", "upper", "engine", "direction")]
    both = [at_path(answer, "exact", way, end) for way in ("remove", "add") for end in ("lower", "upper")]
    return [at, *bound, *ends, *both]


def with_assumption(document: dict[str, Any], assumption: Optional[str]) -> dict[str, Any]:
    """Adds what the plan assumes to an answer, as the requests do."""
    return {**document, "assumes": assumption} if assumption else document


class _Answer(Tabular):
    """Base of epsilon and delta answers. Comparisons use the best upper bounds; answers with the same values
    are equal."""

    __slots__ = ("_found", "_options", "_plan", "_told", "at")
    _name = ""
    _at_name = ""

    def __init__(
        self, found: _Found, options: _Wanted, at: float, plan: Callable[[], Plan], told: Optional[_Told] = None
    ) -> None:
        self._found, self._options, self.at, self._plan, self._told = found, options, at, plan, told

    @property
    def run(self) -> Optional[Run]:
        """The run with its steps, its sampling and the rules that gave them; None unless it is described by its
        sizes."""
        return None if self._told is None else self._told[0]

    @property
    def warnings(self) -> tuple[PrivacyWarning, ...]:
        """Warnings about a run that is described by its sizes. The answer is correct nevertheless."""
        return () if self._told is None else self._told[1]

    @property
    def limit(self) -> str:
        """Why the exact interval is wider than requested, for example because a limit of time was reached; empty if it
        is not."""
        return self._found.limit

    @property
    def contradiction(self) -> str:
        """Says that two methods gave intervals that do not meet, which is a defect of this library to be reported;
        empty otherwise. The exact interval is then from 0 to the largest end of both."""
        return self._found.contradiction

    @property
    def plan(self) -> Plan:
        """The plan that the answer is about."""
        return self._plan()

    @property
    def assumption(self) -> Optional[str]:
        """What the answer assumes although the plan does not state it, or None (see ``Plan.assumption``)."""
        return self.plan.assumption

    @property
    def renyi(self) -> float:
        """The Rényi bound, which is an upper bound."""
        self._require(self._options.renyi, "renyi")
        return self._found.bound

    @property
    def order(self) -> float:
        """The order at which the Rényi bound is attained."""
        self._require(self._options.renyi, "renyi")
        return self._found.order

    @property
    def conversion(self) -> str:
        """The conversion that gave the Rényi bound: "tight", "classical", "pure" or "total-variation"."""
        self._require(self._options.renyi, "renyi")
        return self._found.conversion

    @property
    def infinite_mass(self) -> float:
        """The probability that the privacy loss is infinite. No Rényi divergence of order above 1 is finite then, so
        this part of delta is accounted for separately, and the Rényi bound uses the rest."""
        self._require(self._options.renyi, "renyi")
        return self._found.infinite_mass

    @property
    def exact(self) -> Exact:
        """The interval that contains the exact value. Raises ``Unsupported`` if there is none; see ``unavailable``."""
        found = self._found.exact
        if found is None:
            self._require(self._options.exact, "exact")
            raise Unsupported("exact", self._found.unavailable, "the Rényi bound is there")
        return Exact._of(found)

    @property
    def standing(self) -> str:
        """What the exact interval is exact for.

        "attained": the mechanism that was run. "promised": the worst mechanism that satisfies the given guarantee, such
        as pure epsilon-DP. "dominated": a dominating pair of distributions, as on most samples of steps with a
        guarantee; the lower end claims nothing about the steps then. In the last two cases the mechanism that was run
        may cost less.
        """
        if self._found.exact is None:
            self._require(self._options.exact, "exact")
            raise Unsupported("exact", self._found.unavailable, "the Rényi bound is there")
        return self._found.standing

    @property
    def note(self) -> Optional[str]:
        """A note on the exact interval, which says that the mechanism that was run may cost less, or None."""
        if self._found.exact is None:
            return None
        return _native.note_on_standing(self._found.standing) or None

    @property
    def unavailable(self) -> Optional[str]:
        """The reason why the requested exact interval is missing, or None."""
        return self._found.unavailable or None

    @property
    def upper(self) -> float:
        """The best upper bound among the requested parts of the answer; ``float(answer)`` is the same."""
        return self._found.upper

    def __float__(self) -> float:
        return self.upper

    def __format__(self, spec: str) -> str:
        """Formats the best upper bound, rounded up: ``f"{cost:.3f}"``."""
        return _format.formatted_up(self.upper, spec) if spec else str(self)

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
        if other != other:  # with NaN every comparison is False, so that no budget would ever be exceeded
            raise InvalidArgument(f"what {self._name} is compared with", "nan", "a number")
        return how(self.upper, other)

    def _values(self) -> dict[str, Any]:
        """Returns everything that the engine computed, as plain values."""
        found, wanted = self._found, self._options
        exact = None if found.exact is None else Exact._of(found.exact)
        figures = {"bound": found.bound, "order": found.order, "conversion": found.conversion, "exact": exact}
        figures["infinite_mass"] = found.infinite_mass
        rest = {"upper": found.upper, "unavailable": found.unavailable, "standing": found.standing}
        rest.update(limit=found.limit, limited=found.limited, rare_parts=found.rare_parts)
        rest.update(contradiction=found.contradiction)
        return {"found": {**figures, **rest}, "wanted": {"renyi": wanted.renyi, "exact": wanted.exact}, "at": self.at}

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._values(), self.plan, self._told)

    def __round__(self, ndigits: Optional[int] = None) -> Any:
        """Rounds the upper bound up, so that the result is still one: to ``ndigits`` decimals, or to an integer."""
        return math.ceil(self.upper) if ndigits is None else _format.rounded_up(self.upper, operator.index(ndigits))

    def to_dict(self) -> dict[str, Any]:
        document = self._parts()
        _, overflows, estimate = self._found.rare_parts
        if self.note:
            document["note"] = self.note
        if overflows:
            document["sampling"] = [
                {"path": path, "overflow_probability": number(probability)} for path, probability in overflows
            ]
        if estimate is not None:
            if isinstance(estimate, float):
                document["under_poisson"] = {f"{self._name}_estimate": number(estimate)}
            else:
                document["under_poisson"] = {"unavailable": estimate}
        return with_assumption(document, self.assumption)

    def _parts(self) -> dict[str, Any]:
        """Returns the two parts of the answer, as the JSON requests give them."""
        found, parts = self._found, {}
        if self._options.renyi:
            parts["renyi"] = self._renyi_dict()
        if self._options.exact:
            parts["exact"] = {"unavailable": found.unavailable} if found.exact is None else self._exact_dict()
        if found.limited:
            parts["limit"] = found.limit
        return parts

    def _renyi_dict(self) -> dict[str, Any]:
        found, method = self._found, self._found.rare_parts[0]
        bound = {self._name: number(found.bound), "order": number(found.order), "conversion": found.conversion}
        infinite = {"delta_apart": number(found.infinite_mass)} if found.infinite_mass > 0 else {}
        return {**bound, **infinite, **({"method": method} if method else {})}

    def _exact_dict(self) -> dict[str, Any]:
        exact, limit = self.exact, self._found.limit
        directions = {"direction": exact.direction, "remove": exact.remove._dict(), "add": exact.add._dict()}
        document = {**exact._dict(), **directions, **({"note": limit} if limit else {}), "standing": self.standing}
        return {**document, **({"contradiction": self.contradiction} if self.contradiction else {})}

    def _table(self) -> Table:
        return Table(table_header(self._name, self._at_name), [self._row()])

    def _row(self) -> list[Any]:
        return table_row(self._name, self.at, self._parts())

    def _require(self, wanted: bool, part: str) -> None:
        if not wanted:
            raise Unsupported(part, "this part was not asked for", f'put "{part}" into want')

    def _rows(self) -> list[tuple[str, str]]:
        rows = [(self._at_name, _format.plain(self.at))]
        if self.assumption is not None:
            rows.append(("assuming", f"that {self.assumption}"))
        if self._found.exact is not None:
            exact = self.exact
            rows.append(("exact", repr(exact)))
            rows.append(("remove", repr(exact.remove)))
            rows.append(("add", repr(exact.add)))
            rows += [("note", text) for text in (self._found.limit, self.note) if text]
            rows += [("defect", text) for text in (self.contradiction,) if text]
        elif self._found.unavailable:
            rows.append(("exact", f"unavailable: {self._found.unavailable}"))
        if self._options.renyi:
            bound = f"{_format.up(self.renyi)} at order {_format.plain(self.order)} ({self.conversion})"
            rows.append(("Rényi bound", bound))
            if self.infinite_mass > 0:
                rows.append(("infinite", f"{_format.up(self.infinite_mass)} of delta, for losses that are infinite"))
        return rows

    def __repr__(self) -> str:
        rows = ", ".join(f"{name} {value}" for name, value in self._rows()[1:] if name not in ("remove", "add"))
        return f"<{self._name} <= {_format.up(self.upper)} at {self._at_name} {_format.plain(self.at)}: {rows}>"

    def _repr_html_(self) -> str:
        return _format.table(f"{self._name} ≤ {_format.up(self.upper)}", self._rows())


def _restored(kind: type[_Answer], values: dict[str, Any], plan: Plan, told: Optional[_Told] = None) -> _Answer:
    # Pickled answers of earlier versions lack the standing of the exact interval, the rare parts and the contradiction.
    absent = {"standing": "dominated", "limit": "", "limited": False, "rare_parts": NO_RARE_PARTS, "contradiction": ""}
    found = {**absent, **values["found"]}
    return kind(SimpleNamespace(**found), SimpleNamespace(**values["wanted"]), values["at"], lambda: plan, told)


class Epsilon(_Answer):
    """The epsilon of a plan at a given delta: the answer of ``renyi.epsilon``.

    ``float(answer)`` is the best upper bound; ``answer.exact`` and ``answer.renyi`` are the two parts.

    >>> import renyi
    >>> answer = renyi.epsilon(renyi.Gaussian(1.1) * 3, delta=1e-5)
    >>> answer.exact, f"{answer.renyi:.2f}", answer <= 8
    ([7.4739, 7.47391] by closed-form, '8.04', True)
    """

    __slots__ = ()
    _name, _at_name = "epsilon", "delta"

    @property
    def delta(self) -> float:
        """The delta for which epsilon was computed."""
        return self.at

    def plot(self, ax: Optional[Axes] = None, **options: Any) -> Axes:
        """Plots the privacy profile of the plan and marks this answer on it, as ``renyi.plot.profile`` does."""
        from .plot import profile

        return profile(self.plan, ax, delta=self.at, **options)


class Delta(_Answer):
    """The delta of a plan at a given epsilon: the answer of ``renyi.delta``. It has the same members as ``Epsilon``.

    >>> import renyi
    >>> renyi.delta(renyi.Gaussian(1.1) * 3, epsilon=8).exact.direction
    'remove'
    """

    __slots__ = ()
    _name, _at_name = "delta", "epsilon"

    @property
    def epsilon(self) -> float:
        """The epsilon for which delta was computed."""
        return self.at

    def plot(self, ax: Optional[Axes] = None, **options: Any) -> Axes:
        """Plots the privacy profile of the plan and marks this answer on it, as ``renyi.plot.profile`` does."""
        from .plot import profile

        return profile(self.plan, ax, epsilon=self.at, **options)
