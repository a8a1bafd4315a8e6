"""Pairs of probability distributions."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _native
from ._numbers import Floats, Number, Numbers, numbers, to_float, to_floats
from ._report import EndsColumns
from .errors import Error, InvalidArgument, Unsupported

#: A function that returns the natural logarithm of a density at a point; -inf where the density is 0.
LogDensity = Callable[[float], float]
REAL_LINE = (-math.inf, math.inf)


@dataclasses.dataclass(frozen=True)
class NormalLaw:
    """The normal distribution.

    >>> import renyi
    >>> renyi.divergence(renyi.NormalLaw(0, 1), renyi.NormalLaw(1, 1), orders=[2]).renyi.p_q
    [[1, 1]]
    """

    mean: Number = 0.0
    stddev: Number = 1.0


@dataclasses.dataclass(frozen=True)
class LaplaceLaw:
    """The Laplace distribution.

    >>> import renyi
    >>> renyi.divergence(renyi.LaplaceLaw(0, 2), renyi.LaplaceLaw(1, 2)).kl.p_q
    [0.10653, 0.106531]
    """

    location: Number = 0.0
    scale: Number = 1.0


@dataclasses.dataclass(frozen=True)
class BernoulliLaw:
    """The Bernoulli distribution: 1 with probability ``p``, otherwise 0.

    >>> import renyi
    >>> renyi.divergence(renyi.BernoulliLaw(0.5), renyi.BernoulliLaw(0.25)).total_variation
    [0.25, 0.25]
    """

    p: Number


@dataclasses.dataclass(frozen=True, eq=False)
class MultivariateNormalLaw:
    """The multivariate normal distribution. Both distributions of a pair must have the same covariance.

    >>> import renyi
    >>> identity = [[1, 0], [0, 1]]
    >>> p, q = renyi.MultivariateNormalLaw([0, 0], identity), renyi.MultivariateNormalLaw([1, 1], identity)
    >>> renyi.divergence(p, q).kl.p_q
    [1, 1]
    """

    mean: Numbers
    covariance: Numbers


Law = Union[NormalLaw, LaplaceLaw, BernoulliLaw, MultivariateNormalLaw, Numbers, LogDensity]


class Pair:
    """Two distributions P and Q on the same outcomes. ``Pair.of`` accepts whatever ``renyi.divergence`` accepts.

    >>> import renyi
    >>> renyi.Pair.normal(renyi.NormalLaw(0, 1), renyi.NormalLaw(1, 1)).renyi([2])
    [[1, 1]]
    """

    __slots__ = ("_engine", "_parts", "_is_swapped", "family")
    _engine: _native.Pair
    #: The arguments from which the engine made the pair.
    _parts: tuple[Any, ...]
    _is_swapped: bool
    #: The family: "normal", "laplace", "bernoulli", "multivariate-normal", "discrete" or "densities".
    family: str

    @classmethod
    def _made(cls, family: str, *parts: Any) -> Pair:
        pair = cls.__new__(cls)
        pair.family, pair._parts, pair._is_swapped = family, parts, False
        pair._engine = getattr(_native.Pair, family.replace("-", "_"))(*parts)
        return pair

    @classmethod
    def normal(cls, p: NormalLaw, q: NormalLaw) -> Pair:
        """Makes a pair of two normal distributions."""
        return cls._made("normal", *_parameters(p, q, "mean", "stddev"))

    @classmethod
    def laplace(cls, p: LaplaceLaw, q: LaplaceLaw) -> Pair:
        """Makes a pair of two Laplace distributions."""
        return cls._made("laplace", *_parameters(p, q, "location", "scale"))

    @classmethod
    def bernoulli(cls, p: Number, q: Number) -> Pair:
        """Makes a pair of two Bernoulli distributions from their probabilities of 1."""
        return cls._made("bernoulli", to_float("p", p), to_float("q", q))

    @classmethod
    def multivariate_normal(cls, p_mean: Numbers, q_mean: Numbers, covariance: Numbers) -> Pair:
        """Makes a pair of two multivariate normal distributions with the same covariance."""
        matrix = to_floats("covariance", covariance)
        if matrix.ndim != 2:
            raise InvalidArgument("covariance", f"an array of shape {matrix.shape}", "a square matrix")
        return cls._made("multivariate-normal", _vector("p", p_mean), _vector("q", q_mean), matrix.tolist())

    @classmethod
    def discrete(cls, p: Numbers, q: Numbers, *, normalize: bool = False) -> Pair:
        """Makes a pair of two probability vectors. Each must add up to 1 within 1e-9, except with ``normalize``: they
        are then weights, which are divided by their sum."""
        return cls._made("discrete", _vector("p", p), _vector("q", q), bool(normalize))

    @classmethod
    def densities(
        cls,
        log_p: LogDensity,
        log_q: LogDensity,
        *,
        support: Sequence[Number] = REAL_LINE,
        points: Numbers = (),
    ) -> Pair:
        """Makes a pair of two densities on an interval of the real line from functions that return their natural
        logarithms. Divergences are computed by quadrature.

        log_p, log_q: functions of a float. They return logarithms, not the densities themselves; ``-math.inf`` where
            a density is 0. Each density must integrate to 1 within 1e-8: constants are not left out.
        support: the two ends of the interval outside of which both densities are 0 (default: the real line).
        points: points where mass lies or a function is not smooth, if known: quadrature may miss narrow peaks far
            from 0.

        >>> import math, renyi
        >>> log_p, log_q = (lambda x: -abs(x - 1) - math.log(2)), (lambda x: -abs(x) - math.log(2))
        >>> renyi.Pair.densities(log_p, log_q, points=[0, 1]).renyi([2]).upper.round(6)
        array([0.619124])
        """
        ends = _vector("support", support)
        if len(ends) != 2 or not ends[0] < ends[1]:
            raise InvalidArgument("support", repr(support), "two numbers, the lower one first")
        p, q = _careful("log_p", log_p), _careful("log_q", log_q)
        kinks = _vector("points", points)
        try:
            return cls._made("densities", p, q, ends[0], ends[1], kinks)
        except Error:
            for field, function in (("log_p", p), ("log_q", q)):
                if _is_no_logarithm(function, ends[0], ends[1], kinks):
                    raise InvalidArgument(
                        field,
                        "a function that is nowhere below 0",
                        "the natural logarithm of a density that integrates to 1, not the density itself",
                    ) from None
            raise

    @classmethod
    def of(
        cls,
        p: Law,
        q: Law,
        *,
        normalize: bool = False,
        support: Sequence[Number] = REAL_LINE,
        points: Numbers = (),
    ) -> Pair:
        """Makes a pair of two distributions of one family, two probability vectors or two log-densities.

        normalize: for vectors, whether they are weights, to be divided by their sum (see ``Pair.discrete``).
        support, points: for log-densities, the interval on which they are defined, and points where mass lies or where
            they are not smooth (see ``Pair.densities``).
        """
        if isinstance(p, NormalLaw) and isinstance(q, NormalLaw):
            return cls.normal(p, q)
        if isinstance(p, LaplaceLaw) and isinstance(q, LaplaceLaw):
            return cls.laplace(p, q)
        if isinstance(p, BernoulliLaw) and isinstance(q, BernoulliLaw):
            return cls.bernoulli(p.p, q.p)
        if isinstance(p, MultivariateNormalLaw) and isinstance(q, MultivariateNormalLaw):
            if not np.array_equal(to_floats("covariance", p.covariance), to_floats("covariance", q.covariance)):
                raise InvalidArgument("covariance", "two matrices", "the same one for both laws")
            return cls.multivariate_normal(p.mean, q.mean, p.covariance)
        if callable(p) and callable(q):
            return cls.densities(p, q, support=support, points=points)
        if _is_vector(p) and _is_vector(q):
            return cls.discrete(p, q, normalize=normalize)  # type: ignore[arg-type]
        kinds = f"{type(p).__name__} and {type(q).__name__}"
        raise InvalidArgument("p, q", kinds, "two laws of one family, two probability vectors or two log-densities")

    def swapped(self) -> Pair:
        """Returns the pair with P and Q exchanged."""
        pair = Pair.__new__(Pair)
        pair.family, pair._parts, pair._is_swapped = self.family, self._parts, not self._is_swapped
        pair._engine = self._engine.swapped()
        return pair

    def renyi(self, orders: Numbers) -> EndsColumns:
        """Computes the Rényi divergence of P from Q at each order in [1e-100, inf], in the shape of ``orders``. Order 1
        is the Kullback-Leibler divergence."""
        return EndsColumns(*_ask(self._engine.renyi, "order", orders))

    def hockey_stick(self, epsilons: Numbers) -> EndsColumns:
        """Computes the hockey-stick divergence at each epsilon: the largest P(S) - exp(epsilon) Q(S) over all events S.
        At epsilon 0 it is the total variation."""
        lower, upper = _ask(self._engine.hockey_stick, "epsilon", epsilons)
        return EndsColumns(np.minimum(1.0, lower), np.minimum(1.0, upper))

    def __copy__(self) -> Pair:
        return self

    def __deepcopy__(self, memo: object) -> Pair:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self.family == "densities":
            raise Unsupported("pair", "functions have no stored form", "keep the program that makes the pair")
        return _restored, (self.family, self._parts, self._is_swapped)

    def __repr__(self) -> str:
        return f"<Pair of laws: {self.family}>"


def _restored(family: str, parts: tuple[Any, ...], is_swapped: bool) -> Pair:
    pair = Pair._made(family, *parts)
    return pair.swapped() if is_swapped else pair


def pair_of(p: Union[Law, Pair], q: Optional[Law], *, normalize: bool, support: Any, points: Any) -> Pair:
    """Returns the pair of two distributions; or ``p`` itself if it is a pair, and nothing else may be given then."""
    if not isinstance(p, Pair):
        if q is None:
            raise InvalidArgument("q", "nothing", "a law of the same family as p")
        return Pair.of(p, q, normalize=normalize, support=support, points=points)
    beside = {
        "q": q is not None,
        "normalize": bool(normalize),
        "support": support is not REAL_LINE,
        "points": np.size(points) > 0,
    }
    for name, is_there in beside.items():
        if is_there:
            raise InvalidArgument(name, "something beside a pair", "nothing: a pair has both laws")
    return p


def _parameters(p: object, q: object, *fields: str) -> list[float]:
    laws = ("p", p), ("q", q)
    return [to_float(f"{name}.{field}", getattr(law, field)) for name, law in laws for field in fields]


def _is_vector(law: object) -> bool:
    return isinstance(law, (list, tuple, np.ndarray))


def _vector(field: str, values: object) -> list[float]:
    array = to_floats(field, values)
    if array.ndim != 1:
        raise InvalidArgument(field, f"an array of shape {array.shape}", "a list of numbers")
    found: list[float] = array.tolist()
    return found


def _careful(field: str, log_density: LogDensity) -> LogDensity:
    """Wraps a log-density so that the engine may call it anywhere: far from 0, a power of a Python float may overflow,
    which raises an error; NumPy's gives infinity instead."""

    def value(x: float) -> float:
        try:
            found: Any = log_density(x)
        except OverflowError:
            with np.errstate(over="ignore"):
                found = log_density(np.float64(x))  # overflows to infinity
        return to_float(field, found)

    return value


def _is_no_logarithm(function: LogDensity, low: float, high: float, points: Sequence[float]) -> bool:
    """Returns whether a function cannot be a log-density: on an interval longer than 1, one that is nowhere below 0
    would integrate to more than 1."""
    if high - low <= 1:
        return False
    if math.isfinite(high - low):
        at = np.linspace(low, high, 66)[1:-1]
    else:
        middle = low if math.isfinite(low) else high if math.isfinite(high) else 0.0
        distances = np.geomspace(1e-3, 1e6, 37)
        at = np.concatenate([middle - distances, [middle], middle + distances])
    try:
        return all(function(float(x)) >= 0 for x in (*at, *points) if low < x < high)
    except Exception:  # the caller's function fails here, and the first error stands
        return False


_Ends = Callable[["list[float]"], "tuple[bytearray, bytearray]"]


def _ask(ask: _Ends, name: str, values: Numbers) -> tuple[Floats, Floats]:
    """Returns the lower and the upper bounds; errors name the argument that the caller gave."""
    try:
        at = np.atleast_1d(to_floats(name + "s", values))
        lower, upper = ask(at.ravel().tolist())
        return numbers(lower).reshape(at.shape), numbers(upper).reshape(at.shape)
    except Error as error:
        raise error._about(name + "s") if error.field == name else error
