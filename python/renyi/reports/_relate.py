"""relate: the parameters with which a plan satisfies other privacy notions."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Union, overload

from .. import _format
from .._ask import Question
from .._decode import decode
from .._export import Table, number
from .._grid import Grid
from .._numbers import Count, Counts, Number, Numbers, to_text_or_none
from .._report import Report, Section, ends_text
from .._timed import timed
from ..plan import Plan
from ..questions import Planlike, Planlikes
from ..run import Scheme, Sizes
from ._request import Json, List, answers, given, numbers

# Parameters are upper bounds on the smallest possible ones, and those with `_lower` are lower bounds on these.
# If there are no such parameters, they are None, and `none` gives the reason.


@dataclasses.dataclass(frozen=True)
class Pure:
    """Pure DP: epsilon-DP."""

    epsilon: Optional[float]
    epsilon_lower: Optional[float]
    none: Optional[str]
    note: Optional[str]
    source: str


@dataclasses.dataclass(frozen=True)
class Zcdp:
    """zCDP: (xi, rho)-zero-concentrated DP."""

    rho: Optional[float]
    rho_lower: Optional[float]
    xi: Optional[float]
    xi_lower: Optional[float]
    none: Optional[str]
    note: Optional[str]
    source: str


@dataclasses.dataclass(frozen=True)
class Tcdp:
    """tCDP: (rho, omega)-truncated concentrated DP, at one omega."""

    omega: float
    rho: Optional[float]
    rho_lower: Optional[float]
    none: Optional[str]
    note: Optional[str]
    source: str


@dataclasses.dataclass(frozen=True)
class Cdp:
    """CDP: (mu, tau)-concentrated DP."""

    mu: Optional[float]
    mu_lower: Optional[float]
    tau: Optional[float]
    tau_lower: Optional[float]
    none: Optional[str]
    note: Optional[str]
    source: str


@dataclasses.dataclass(frozen=True)
class Gdp:
    """GDP: mu-Gaussian DP. ``mu_estimate``, the central limit of many sampled steps, is not a bound."""

    mu: Optional[float]
    mu_lower: Optional[float]
    mu_estimate: Optional[float]
    none: Optional[str]
    note: Optional[str]
    source: str


@dataclasses.dataclass(frozen=True)
class Moment:
    """The log-moment alpha of the given order (lambda), and alpha/lambda: the Rényi divergence of order lambda + 1."""

    order: float
    alpha: Optional[float]
    rdp: Optional[float]
    none: Optional[str]
    note: Optional[str]
    source: str


@dataclasses.dataclass(frozen=True, repr=False)
class Relations(Report):
    """The parameters of a plan in other privacy notions: the answer of ``renyi.relate``. A notion that was not
    requested is None.

    Parameters are upper bounds on the smallest possible ones, and come with lower bounds (``rho_lower`` and so on).
    If there are no such parameters, they are None, and ``none`` gives the reason.

    >>> import renyi
    >>> round(renyi.relate(renyi.Gaussian(2.0)).gdp.mu, 12)
    0.5
    """

    #: The plan that the parameters belong to.
    plan: Plan
    pure: Optional[Pure]
    zcdp: Optional[Zcdp]
    tcdp: Optional[tuple[Tcdp, ...]]
    cdp: Optional[Cdp]
    gdp: Optional[Gdp]
    moments: Optional[tuple[Moment, ...]]

    def _table(self) -> Table:
        rows: list[list[Any]] = []
        for name in _ORDER:
            found = getattr(self, name)
            for one in found if isinstance(found, tuple) else () if found is None else (found,):
                rows += [[name, *row] for row in _cells(one)]
        return Table(["notion", "given", "parameter", "value"], rows)

    def _title(self) -> str:
        return f"relations of {_format.plan_text(self.plan)}"

    def _sections(self) -> list[Section]:
        rows: list[list[str]] = []
        for name in _ORDER:
            found = getattr(self, name)
            some = found if isinstance(found, tuple) else () if found is None else (found,)
            rows += [[name, _parameters(one)] for one in some]
        return [Section(["notion", "smallest parameters"], rows)]


_ORDER = ("pure", "zcdp", "tcdp", "cdp", "gdp", "moments")
#: Members of a notion that are given; the command calls the order of a moment lambda.
_GIVEN = {"omega": "omega", "order": "lambda"}


def _cells(found: Any) -> list[list[Any]]:
    """Returns the rows of one notion: what was given, the parameter, and its value."""
    values = {field.name: getattr(found, field.name) for field in dataclasses.fields(found)}
    given = next((f"{_GIVEN[name]}={number(values[name])}" for name in values if name in _GIVEN), None)
    names = [name for name in values if name not in ("none", "note", "source", *_GIVEN)]
    known = [[given, name, values[name]] for name in names if values[name] is not None]
    return known if found.none is None else [[given, None, "none"], *known]


def _parameters(found: Any) -> str:
    if found.none is not None:
        return str(found.none)
    values = {
        name: value
        for name, value in dataclasses.asdict(found).items()
        if name not in ("none", "note", "source") and value is not None
    }
    return ", ".join(_parameter(name, values) for name in values if not name.endswith("_lower"))


def _parameter(name: str, values: dict[str, float]) -> str:
    if f"{name}_lower" in values:
        return f"{name} {ends_text(values[f'{name}_lower'], values[name])}"
    if name in ("alpha", "rdp"):
        return f"{name} <= {_format.up(values[name])}"
    return f"{name} {_format.plain(values[name])}"


_NOTIONS = "one of pure, zcdp, tcdp, cdp, gdp, moments"


@overload
def relate(  # pyright: ignore[reportOverlappingOverload]
    plan: Optional[Planlike] = None,
    *,
    to: Optional[str] = None,
    rho: Optional[Number] = None,
    omega: Optional[List] = None,
    order: Optional[List] = None,
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
    timeout: Optional[float] = None,
) -> Relations: ...


@overload
def relate(
    plan: Optional[Planlikes] = None,
    *,
    to: Optional[str] = None,
    rho: Optional[Numbers] = None,
    omega: Optional[List] = None,
    order: Optional[List] = None,
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
    timeout: Optional[float] = None,
) -> Grid[Relations]: ...


@timed
def relate(
    plan: Optional[Planlikes] = None,
    *,
    to: Optional[str] = None,
    rho: Optional[Numbers] = None,
    omega: Optional[List] = None,
    order: Optional[List] = None,
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
    timeout: Optional[float] = None,
) -> Union[Relations, Grid[Relations]]:
    """Computes the smallest parameters with which a plan satisfies other privacy notions, such as zCDP.

    >>> import renyi
    >>> round(renyi.relate(renyi.Gaussian(2.0), to="zcdp").zcdp.rho, 6)
    0.125

    to: "pure", "zcdp", "tcdp", "cdp", "gdp" or "moments" (default: all).
    rho: for zcdp, the rho for which the smallest xi is computed.
    omega: for tcdp, a number or a list of numbers.
    order: for the moments, the order or a list of orders, which papers often call lambda.

    The plan is given as for ``renyi.epsilon``. Arrays in its numbers or rho give a ``Grid``.
    """
    columns = given(rho=rho)
    sizes = Sizes(dataset_size, batch_size, epochs, accumulation, sampling, batch_limit).told()
    question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, sizes, **columns)
    fixed = {
        "to": to_text_or_none("to", to, _NOTIONS),
        "omega": numbers("omega", omega),
        "lambda": numbers("order", order),
    }
    each, words = dict.fromkeys(columns, float), {"lambda": "order"}
    return answers("relate", question, fixed, _read, each=each, words=words)  # type: ignore[no-any-return]


def _read(plan: Plan, answer: Json, _: Json) -> Relations:
    for row in answer.get("moments", []):  # `lambda` is a keyword of Python
        row["order"] = row.pop("lambda")
    found: Relations = decode(Relations, answer, plan=plan)
    return found
