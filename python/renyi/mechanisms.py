"""What was run: a small class for each common mechanism, and ``mechanism(kind, ...)`` for all of them.

``m * 3`` runs it three times, ``a + b`` one after the other.
"""

from __future__ import annotations

import dataclasses
import inspect
from typing import TYPE_CHECKING, Any, ClassVar, Optional, Sequence

from . import _native
from ._numbers import Count, Number, is_many, to_float, to_text
from .errors import InvalidArgument
from .sampling import Sampling
from .sampling import from_native as sampling_from_native

if TYPE_CHECKING:
    from .plan import Plan


class Mechanism:
    """Base of every mechanism. Values: equal parameters are equal mechanisms."""

    kind: ClassVar[str]
    _engine: _native.Mechanism

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "_engine":
                made = "a mechanism of this package; own_curve and own_pair make others"
                raise InvalidArgument("mechanism", f"a bare {type(self).__name__}", made)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def sampled(self, sampling: Sampling) -> Sampled:
        """This mechanism on a sample of the records: ``Laplace(2).sampled(Poisson(rate=0.01))``.

        The noise of a sampled step is stated beside what one record contributes, under every neighbouring relation.
        """
        return Sampled(self, sampling)

    def __mul__(self, count: Count) -> Plan:
        """This mechanism run ``count`` times."""
        return self._alone() * count

    __rmul__ = __mul__

    def __add__(self, other: Mechanism | Plan) -> Plan:
        """This mechanism, then the other."""
        return self._alone() + other

    def __radd__(self, nothing: int) -> Plan:
        """So that ``sum`` adds up mechanisms: it begins with 0."""
        return self._alone() if isinstance(nothing, int) and nothing == 0 else NotImplemented

    def _alone(self) -> Plan:
        """The plan of this step."""
        from .plan import Plan

        return Plan(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.kind, self._engine.parameters, self._engine.tables)


def _restored(
    kind: str, parameters: list[tuple[str, float]], tables: Sequence[tuple[str, list[list[float]]]] = ()
) -> Mechanism:
    return _known(_native.Mechanism(kind, parameters, tables))


def _settle(mechanism: Mechanism, **parameters: object) -> None:
    """Checks the parameters and keeps the mechanism as the engine has it."""
    values = {name: to_float(name, value) for name, value in parameters.items()}
    try:
        native = _native.Mechanism(mechanism.kind, [(engine_name(name), value) for name, value in values.items()])
    except InvalidArgument as error:
        raise error._about(_own_name(error.field)) from None
    object.__setattr__(mechanism, "_engine", native)
    for name, value in values.items():
        object.__setattr__(mechanism, name, value)


def engine_name(parameter: str) -> str:
    """The engine's word for a parameter: ``lambda`` is a word of Python's, and ``order`` here."""
    return "lambda" if parameter == "order" else parameter


def _own_name(parameter: str) -> str:
    return "order" if parameter == "lambda" else parameter


@dataclasses.dataclass(frozen=True, init=False)
class Gaussian(Mechanism):
    """Gaussian noise on a query of bounded L2 sensitivity.

    ``Gaussian(2)`` has noise of twice the sensitivity; ``Gaussian(stddev=4, l2_sensitivity=2)`` is the same.
    """

    kind: ClassVar[str] = "gaussian"
    stddev: float
    l2_sensitivity: float = 1.0

    def __init__(
        self,
        noise_multiplier: Optional[Number] = None,
        *,
        stddev: Optional[Number] = None,
        l2_sensitivity: Number = 1.0,
    ) -> None:
        if noise_multiplier is None:
            if stddev is None:
                raise InvalidArgument("noise_multiplier", "nothing", "a number, or stddev with l2_sensitivity")
            _settle(self, stddev=stddev, l2_sensitivity=l2_sensitivity)
            return
        if stddev is not None or to_float("l2_sensitivity", l2_sensitivity) != 1:
            raise InvalidArgument(
                "noise_multiplier", repr(noise_multiplier), "nothing beside stddev and l2_sensitivity"
            )
        try:
            _settle(self, stddev=noise_multiplier, l2_sensitivity=1.0)
        except InvalidArgument as error:
            raise error._about("noise_multiplier") from None

    @property
    def noise_multiplier(self) -> float:
        """The noise, in units of the sensitivity."""
        return self.stddev / self.l2_sensitivity


@dataclasses.dataclass(frozen=True, init=False)
class Laplace(Mechanism):
    """Laplace noise on a query of bounded L1 sensitivity."""

    kind: ClassVar[str] = "laplace"
    scale: float
    l1_sensitivity: float = 1.0

    def __init__(self, scale: Number, l1_sensitivity: Number = 1.0) -> None:
        _settle(self, scale=scale, l1_sensitivity=l1_sensitivity)


@dataclasses.dataclass(frozen=True, init=False)
class RandomizedResponse(Mechanism):
    """Says the truth with this probability, otherwise one of the other answers, each equally likely."""

    kind: ClassVar[str] = "randomized-response"
    truth_probability: float
    categories: float = 2

    def __init__(self, truth_probability: Number, categories: Number = 2) -> None:
        _settle(self, truth_probability=truth_probability, categories=categories)


@dataclasses.dataclass(frozen=True, init=False)
class PureDp(Mechanism):
    """Any epsilon-differentially private step."""

    kind: ClassVar[str] = "pure-dp"
    epsilon: float

    def __init__(self, epsilon: Number) -> None:
        _settle(self, epsilon=epsilon)


@dataclasses.dataclass(frozen=True, init=False)
class SampledGaussian(Mechanism):
    """Gaussian noise on a Poisson sample of the records: one step of DP-SGD."""

    kind: ClassVar[str] = "sampled-gaussian"
    sampling_rate: float
    noise_multiplier: float

    def __init__(self, sampling_rate: Number, noise_multiplier: Number) -> None:
        _settle(self, sampling_rate=sampling_rate, noise_multiplier=noise_multiplier)


@dataclasses.dataclass(frozen=True, init=False)
class ZeroConcentrated(Mechanism):
    """Any step of (xi, rho)-zero-concentrated DP."""

    kind: ClassVar[str] = "zcdp"
    rho: float
    xi: float = 0.0

    def __init__(self, rho: Number, xi: Number = 0.0) -> None:
        _settle(self, rho=rho, xi=xi)


@dataclasses.dataclass(frozen=True, init=False)
class TruncatedConcentrated(Mechanism):
    """Any step of (rho, omega)-truncated concentrated DP."""

    kind: ClassVar[str] = "tcdp"
    rho: float
    omega: float

    def __init__(self, rho: Number, omega: Number) -> None:
        _settle(self, rho=rho, omega=omega)


@dataclasses.dataclass(frozen=True, init=False)
class Concentrated(Mechanism):
    """Any step of (mu, tau)-concentrated DP."""

    kind: ClassVar[str] = "cdp"
    mu: float
    tau: float

    def __init__(self, mu: Number, tau: Number) -> None:
        _settle(self, mu=mu, tau=tau)


@dataclasses.dataclass(frozen=True, init=False)
class GaussianDp(Mechanism):
    """Any step of mu-Gaussian DP."""

    kind: ClassVar[str] = "gdp"
    mu: float

    def __init__(self, mu: Number) -> None:
        _settle(self, mu=mu)


@dataclasses.dataclass(frozen=True, init=False)
class Moments(Mechanism):
    """Any step whose log-moment of order lambda is at most alpha. (``lambda`` is a word of Python's: ``order``.)"""

    kind: ClassVar[str] = "moments"
    order: float
    alpha: float

    def __init__(self, order: Number, alpha: Number) -> None:
        _settle(self, order=order, alpha=alpha)


@dataclasses.dataclass(frozen=True, init=False, repr=False)
class Sampled(Mechanism):
    """What ``mechanism.sampled(sampling)`` makes. What it costs depends on the plan's neighbouring relation."""

    mechanism: Mechanism
    sampling: Sampling

    def __init__(self, mechanism: Mechanism, sampling: Sampling) -> None:
        if not isinstance(mechanism, Mechanism):
            raise InvalidArgument("mechanism", repr(mechanism), "a mechanism")
        if not isinstance(sampling, Sampling):
            raise InvalidArgument("sampling", repr(sampling), "a sampling scheme, such as Poisson(rate=0.01)")
        if mechanism.kind in ("parallel", "select"):
            raise InvalidArgument("mechanism", repr(mechanism), "a single step: sample those inside")
        engine = mechanism._engine.sampled(sampling.scheme, sampling._numbers())
        for name, value in (("_engine", engine), ("mechanism", mechanism), ("sampling", sampling)):
            object.__setattr__(self, name, value)

    @property
    def kind(self) -> str:  # type: ignore[override]
        """Of the mechanism that runs on the sample."""
        return self.mechanism.kind

    def __reduce__(self) -> tuple[Any, ...]:
        return Sampled, (self.mechanism, self.sampling)

    def __repr__(self) -> str:
        return f"{self.mechanism!r}.sampled({self.sampling!r})"


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class NamedMechanism(Mechanism):
    """What ``mechanism(kind, ...)`` makes where the kind has no class of its own."""

    def __init__(self, engine: _native.Mechanism) -> None:
        object.__setattr__(self, "_engine", engine)

    @property
    def kind(self) -> str:  # type: ignore[override]
        """Its name in plans."""
        return self._engine.kind

    @property
    def parameters(self) -> dict[str, float]:
        """Its numbers, by their names in plans."""
        return dict(self._engine.parameters)

    @property
    def tables(self) -> dict[str, list[list[float]]]:
        """Its tables, row by row."""
        return dict(self._engine.tables)

    def __eq__(self, other: object) -> bool:
        return self._engine == other._engine if isinstance(other, NamedMechanism) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.kind, tuple(self._engine.parameters)))

    def __repr__(self) -> str:
        given = [repr(self.kind), *(f"{name}={value!r}" for name, value in self._engine.parameters)]
        given += [f"{name}={_shown_rows(rows)}" for name, rows in self._engine.tables]
        return f"mechanism({', '.join(given)})"


def _shown_rows(rows: list[list[float]]) -> str:
    """Large tables by their size."""
    return repr(rows) if sum(map(len, rows)) <= 32 else f"<{len(rows)} rows>"


def mechanism(kind: str, /, **parameters: Any) -> Mechanism:
    """Any mechanism of the catalogue, by its name in plans: ``mechanism("pure-dp", epsilon=0.1)``.

    Numbers are parameters; a table is a list of rows, or of numbers where it has one column. ``catalogue()`` lists all
    kinds with their parameters. Kinds that have a class of their own are made as that class.
    """
    name = to_text("kind", kind, "the name of a mechanism, as in plans")
    if name in _BY_KIND:
        return _typed(_BY_KIND[name], parameters)
    tables = {key: _rows(key, value) for key, value in parameters.items() if is_many(value)}
    numbers = [(key, to_float(key, value)) for key, value in parameters.items() if key not in tables]
    return _known(_native.Mechanism(name, numbers, list(tables.items())))


def _typed(known: type[Mechanism], parameters: dict[str, Any]) -> Mechanism:
    """By the constructor of the class, whose names are allowed."""
    allowed = inspect.signature(known).parameters
    for name, value in parameters.items():
        if name not in allowed:
            raise InvalidArgument(name, repr(value), f"parameters of {known.kind}: {', '.join(allowed)}")
    for name, parameter in allowed.items():
        if parameter.default is inspect.Parameter.empty and name not in parameters:
            raise InvalidArgument(name, "nothing", "a number")
    return known(**parameters)


def _rows(name: str, table: Any) -> list[list[float]]:
    """Every row as a list; a number by itself is a row of one."""
    rows = [(f"{name}[{i}]", row) for i, row in enumerate(table)]
    return [
        [to_float(f"{at}[{k}]", value) for k, value in enumerate(row)] if is_many(row) else [to_float(at, row)]
        for at, row in rows
    ]


_BY_KIND: dict[str, type[Mechanism]] = {
    known.kind: known
    for known in (
        Gaussian,
        Laplace,
        RandomizedResponse,
        PureDp,
        SampledGaussian,
        ZeroConcentrated,
        TruncatedConcentrated,
        Concentrated,
        GaussianDp,
        Moments,
    )
}


def from_native(native: _native.Mechanism, neighbors: str) -> Mechanism:
    """The class of a mechanism that the engine holds, in a plan of this relation."""
    if native.sampling is not None:
        return Sampled(from_native(native.unsampled(), neighbors), sampling_from_native(*native.sampling))
    if native.kind == "parallel":
        from .parallel import Parallel

        return Parallel._of(native, neighbors)
    if native.kind == "select":
        from .selection import Select

        return Select._of(native, neighbors)
    if native.kind == "own":
        from .own import Own

        return Own(native)
    return _known(native)


def _known(native: _native.Mechanism) -> Mechanism:
    if native.kind not in _BY_KIND:
        return NamedMechanism(native)
    made = object.__new__(_BY_KIND[native.kind])
    object.__setattr__(made, "_engine", native)
    for name, value in native.parameters:
        object.__setattr__(made, _own_name(name), value)
    return made
