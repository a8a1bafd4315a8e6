"""profile: delta as a function of epsilon, or epsilon as a function of delta."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union, overload

import numpy as np

from .. import _format
from .._ask import WANT, Question, parts_of
from .._decode import decode
from .._export import Table, at_path, cell
from .._grid import Grid
from .._numbers import Count, Counts, Floats, Number, Numbers, Orders, to_text
from .._report import Columns, EndsColumns, Report, Section, Texts, absent, ends_text
from .._timed import timed
from ..errors import InvalidArgument
from ..plan import Plan
from ..questions import Planlike, Planlikes, Want
from ..run import Scheme, Sizes
from ._figure import Figure, Points
from ._request import Json, List, accuracy, answers, numbers, orders_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class DirectionColumns(EndsColumns):
    """The interval of one direction at each point, and the engine that computed it."""

    engine: Texts


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class ExactColumns(EndsColumns):
    """The intervals that contain the exact values: those of the direction with the larger value, and of each direction
    separately."""

    #: "closed-form", "contour", "lattice", "bounds" (valid but wide), or "" if there is no interval.
    engine: Texts
    #: The direction with the larger value: "remove" or "add".
    direction: Texts
    remove: DirectionColumns
    add: DirectionColumns
    #: What the interval is exact for: "attained", "promised" or "dominated" (see ``Epsilon.standing``); "" if there is
    #: no interval.
    standing: Texts
    #: Why an interval is wider than requested, or "".
    note: Texts = dataclasses.field(metadata=absent(""))
    #: That two methods gave intervals that do not meet (see ``Epsilon.contradiction``), or "".
    contradiction: Texts = dataclasses.field(metadata=absent(""))


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class RenyiColumns(Columns):
    """The Rényi bound at each point, which is an upper bound, with its order and its conversion."""

    value: Floats
    order: Floats
    conversion: Texts
    infinite_mass: Floats = dataclasses.field(metadata={"key": "delta_apart", **absent(0.0)})


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Profile(Report):
    """The privacy profile of a plan: the answer of ``renyi.profile``. It has deltas at given epsilons, or epsilons at
    given deltas; arrays have one entry per point.

    >>> import renyi
    >>> found = renyi.profile(renyi.Gaussian(2.0), deltas=[1e-5, 1e-6])
    >>> found.given, found.epsilon.round(4)
    ('delta', array([1.9931, 2.2541]))
    """

    #: The plan that the profile belongs to.
    plan: Plan
    #: Which number was given at each point: "epsilon" or "delta".
    given: str
    #: The given numbers.
    at: Floats
    #: The Rényi bounds on the other number (upper bounds), their orders, and their conversions: "tight", "classical",
    #: "pure" or "total-variation". None if they were not requested.
    renyi: Optional[Floats]
    order: Optional[Floats]
    conversion: Optional[Texts]
    #: The part of each delta that covers infinite privacy losses; see ``Epsilon.infinite_mass``.
    infinite_mass: Optional[Floats]
    #: The intervals that contain the exact values; None if they were not requested, or if no point has one.
    exact: Optional[ExactColumns]
    #: The reason why a requested exact interval is missing, or "".
    unavailable: Texts
    #: What the intervals are exact for, if a step is known by a guarantee only.
    note: Optional[str]
    #: The members of the request besides the plan.
    _asked: Json

    @property
    def upper(self) -> Floats:
        """The smallest upper bounds among the requested parts."""
        if self.exact is None:
            return np.full(len(self.at), self._most()) if self.renyi is None else self.renyi
        if self.renyi is None:
            return self.exact.upper
        return np.where(self.unavailable == "", self.exact.upper, self.renyi)

    @property
    def epsilon(self) -> Floats:
        """The epsilons: the given ones, or the smallest upper bounds."""
        return self.at if self.given == "epsilon" else self.upper

    @property
    def delta(self) -> Floats:
        """The deltas: the given ones, or the smallest upper bounds."""
        return self.at if self.given == "delta" else self.upper

    def _most(self) -> float:
        return 1.0 if self.given == "epsilon" else float("inf")

    def __len__(self) -> int:
        return len(self.at)

    def plot(self, ax: Optional[Axes] = None, **options: Any) -> Axes:
        """Plots the curve between the smallest and the largest epsilon of this profile, and its points on it, as
        ``renyi.plot.profile`` does."""
        from ..plot import profile

        return profile(self, ax, **options)

    def _figure(self) -> Figure:
        points = []
        for role, values in (("exact", None if self.exact is None else self.exact.upper), ("renyi", self.renyi)):
            if values is not None:
                x, y = (self.at, values) if self.given == "epsilon" else (values, self.at)
                points.append(Points(role, x, y))
        options = {name: value for name, value in self._asked.items() if name not in ("epsilons", "deltas")}
        return Figure("profile", options, points)

    def _table(self) -> Table:
        quantity = "delta" if self.given == "epsilon" else "epsilon"
        rows = self.to_dict()[f"at_{self.given}s"]
        return Table(
            ["figure", "at", "renyi", "exact_lower", "exact_upper", "engine", "direction"],
            [
                [quantity, cell(row[self.given]), at_path(row, "renyi", quantity)]
                + [at_path(row, "exact", key) for key in ("lower", "upper", "engine", "direction")]
                for row in rows
            ],
        )

    def _title(self) -> str:
        return f"profile of {_format.plan_text(self.plan)}" + (f"; {self.note}" if self.note else "")

    def _sections(self) -> list[Section]:
        asked = "delta" if self.given == "epsilon" else "epsilon"
        columns = {self.given: [_format.plain(float(at)) for at in self.at]}
        if self.exact is not None:
            columns[f"exact {asked}"] = self._exact_texts(self.exact)
        elif (self.unavailable != "").any():
            columns[f"exact {asked}"] = [f"unavailable: {why}" for why in self.unavailable]
        if self.renyi is not None and self.order is not None:
            columns[f"Rényi {asked} <="] = [_format.up(float(bound)) for bound in self.renyi]
            columns["order"] = [_format.plain(float(order)) for order in self.order]
        return [Section(list(columns), list(zip(*columns.values())))]

    def _exact_texts(self, exact: ExactColumns) -> list[str]:
        rows = zip(exact.lower, exact.upper, exact.engine, self.unavailable)
        return [f"unavailable: {why}" if why else f"{ends_text(low, high)} {by}" for low, high, by, why in rows]


@overload
def profile(  # pyright: ignore[reportOverlappingOverload]
    plan: Optional[Planlike] = None,
    *,
    epsilons: Optional[List] = None,
    deltas: Optional[List] = None,
    sampling_rate: Optional[Number] = None,
    noise_multiplier: Optional[Number] = None,
    steps: Optional[Count] = None,
    dataset_size: Optional[Count] = None,
    batch_size: Optional[Count] = None,
    epochs: Optional[Number] = None,
    accumulation: Optional[Count] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Count] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    want: Want = WANT,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    timeout: Optional[float] = None,
) -> Profile: ...


@overload
def profile(
    plan: Optional[Planlikes] = None,
    *,
    epsilons: Optional[List] = None,
    deltas: Optional[List] = None,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    want: Want = WANT,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    timeout: Optional[float] = None,
) -> Grid[Profile]: ...


@timed
def profile(
    plan: Optional[Planlikes] = None,
    *,
    epsilons: Optional[List] = None,
    deltas: Optional[List] = None,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    want: Want = WANT,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    timeout: Optional[float] = None,
) -> Union[Profile, Grid[Profile]]:
    """Computes the privacy profile of a plan: its deltas at ``epsilons``, or its epsilons at ``deltas``.

    By default about ten epsilons are used, up to the one at which delta is 1e-10. The plan and the options are given as
    for ``renyi.epsilon``. Arrays in the numbers of a run, or a list of plans, give a ``Grid`` of profiles.

    >>> import renyi
    >>> renyi.profile(renyi.Gaussian(2.0), epsilons=[0.5, 1]).delta.round(5)
    array([0.05244, 0.00683])
    """
    if epsilons is not None and deltas is not None:
        raise InvalidArgument("deltas", repr(deltas), "nothing beside epsilons")
    sizes = Sizes(dataset_size, batch_size, epochs, accumulation, sampling, batch_limit).told()
    question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, sizes)
    fixed = {
        "epsilons": numbers("epsilons", epsilons),
        "deltas": numbers("deltas", deltas),
        "want": list(parts_of(want)),
        "orders": orders_of(orders),
        "conversion": to_text("conversion", conversion, "one of tight, classical"),
        **accuracy(tolerance, memory),
    }
    return answers("profile", question, fixed, functools.partial(_read, fixed))  # type: ignore[no-any-return]


def _read(fixed: Json, plan: Plan, answer: Json, _: Json) -> Profile:
    given = "epsilon" if "at_epsilons" in answer else "delta"
    asked, most = ("delta", 1.0) if given == "epsilon" else ("epsilon", "inf")
    rows = answer.pop(f"at_{given}s")
    at = np.array([row.pop(given) for row in rows], dtype=np.float64)
    bounds = [row.pop("renyi") for row in rows if "renyi" in row]
    figures = [row.pop("exact") for row in rows if "exact" in row]
    note = answer.pop("note", None)
    if answer or any(rows):
        raise TypeError(f"the answer has unknown members {sorted(answer)} {rows[0]}")
    renyi = decode(RenyiColumns, [{"value": bound.pop(asked), **bound} for bound in bounds]) if bounds else None
    reasons = [figure.get("unavailable", "") for figure in figures] or [""] * len(rows)
    known = any(not reason for reason in reasons) and figures
    return Profile(
        plan=plan,
        given=given,
        at=at,
        renyi=renyi and renyi.value,
        order=renyi and renyi.order,
        conversion=renyi and renyi.conversion,
        infinite_mass=renyi and renyi.infinite_mass,
        exact=decode(ExactColumns, [_filled(figure, most) for figure in figures]) if known else None,
        unavailable=np.array(reasons, dtype=str),
        note=note,
        _asked=fixed,
    )


def _filled(figure: Json, most: Any) -> Json:
    """Fills in the widest possible interval where no exact interval is available."""
    if "unavailable" not in figure:
        return figure
    nothing = {"lower": 0.0, "upper": most, "engine": ""}
    return {**nothing, "direction": "", "remove": nothing, "add": nothing, "standing": ""}
