"""Sampling schemes, which determine the records that a step uses: ``mechanism.sampled(Poisson(rate=0.01))``."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from . import _native
from ._numbers import Count, Number, to_float, to_int
from .errors import InvalidArgument


class Sampling:
    """Base class of all sampling schemes. A scheme is a value: schemes with equal numbers are equal.

    >>> import renyi
    >>> renyi.Poisson(rate=0.1) == renyi.Poisson(rate=0.1), isinstance(renyi.Shuffled(10), renyi.Sampling)
    (True, True)
    """

    scheme: ClassVar[str]

    def _numbers(self) -> list[tuple[str, float]]:
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        return [(field.name, float(getattr(self, field.name))) for field in fields]


def _settle(sampling: Sampling, **numbers: float) -> None:
    """Checks the numbers, each and in combination, and stores them."""
    for name, value in numbers.items():
        object.__setattr__(sampling, name, value)
    _native.check_sampling(sampling.scheme, sampling._numbers())


@dataclasses.dataclass(frozen=True, init=False)
class Poisson(Sampling):
    """Poisson sampling: every record enters the batch independently with probability ``rate``.

    >>> import renyi
    >>> renyi.Gaussian(1.1).sampled(renyi.Poisson(rate=0.01)).sampling
    Poisson(rate=0.01)
    """

    scheme: ClassVar[str] = "poisson"
    rate: float

    def __init__(self, rate: Number) -> None:
        _settle(self, rate=to_float("rate", rate))


@dataclasses.dataclass(frozen=True, init=False)
class FixedSize(Sampling):
    """Fixed-size sampling: ``batch_size`` of ``dataset_size`` records are drawn without replacement, and all subsets
    are equally likely.

    >>> FixedSize(dataset_size=1000, batch_size=10)
    FixedSize(dataset_size=1000, batch_size=10)

    With ``padded=True``, ``dataset_size`` is a public number, and the batch is drawn from so many places at least, of
    which those without a record stay empty: the number of records need not be public under add-or-remove-one.

    >>> FixedSize(dataset_size=1000, batch_size=10, padded=True)
    FixedSize(dataset_size=1000, batch_size=10, padded=True)
    """

    scheme: ClassVar[str] = "fixed-size"
    dataset_size: int
    batch_size: int
    padded: bool = False

    def __init__(self, dataset_size: Count, batch_size: Count, padded: bool = False) -> None:
        if not isinstance(padded, bool):
            raise InvalidArgument("padded", repr(padded), "True or False")
        object.__setattr__(self, "padded", padded)
        _settle(self, dataset_size=to_int("dataset_size", dataset_size), batch_size=to_int("batch_size", batch_size))

    def __repr__(self) -> str:
        padded = ", padded=True" if self.padded else ""
        return f"FixedSize(dataset_size={self.dataset_size}, batch_size={self.batch_size}{padded})"


@dataclasses.dataclass(frozen=True, init=False)
class WithReplacement(Sampling):
    """Sampling with replacement: ``batch_size`` independent draws from ``dataset_size`` records.

    >>> WithReplacement(dataset_size=1000, batch_size=10)
    WithReplacement(dataset_size=1000, batch_size=10)
    """

    scheme: ClassVar[str] = "with-replacement"
    dataset_size: int
    batch_size: int

    def __init__(self, dataset_size: Count, batch_size: Count) -> None:
        _settle(self, dataset_size=to_int("dataset_size", dataset_size), batch_size=to_int("batch_size", batch_size))


@dataclasses.dataclass(frozen=True, init=False)
class TruncatedPoisson(Sampling):
    """Poisson sampling with a largest batch size: if more than ``batch_limit`` records are drawn, that many of them are
    kept at random.

    >>> TruncatedPoisson(rate=0.01, dataset_size=1000, batch_limit=20)
    TruncatedPoisson(rate=0.01, dataset_size=1000, batch_limit=20)
    """

    scheme: ClassVar[str] = "truncated-poisson"
    rate: float
    dataset_size: int
    batch_limit: int

    def __init__(self, rate: Number, dataset_size: Count, batch_limit: Count) -> None:
        size, limit = to_int("dataset_size", dataset_size), to_int("batch_limit", batch_limit)
        _settle(self, rate=to_float("rate", rate), dataset_size=size, batch_limit=limit)


@dataclasses.dataclass(frozen=True, init=False)
class Shuffled(Sampling):
    """Shuffled epochs: all records are put in random order and divided into ``batches``. One step of the plan is then
    an epoch.

    >>> Shuffled(batches=100)
    Shuffled(batches=100)
    """

    scheme: ClassVar[str] = "shuffled"
    batches: int

    def __init__(self, batches: Count) -> None:
        _settle(self, batches=to_int("batches", batches))


@dataclasses.dataclass(frozen=True, init=False)
class RandomAllocation(Sampling):
    """Random allocation, also called balls in bins: in each epoch every record independently takes part in exactly
    ``participations`` of ``batches`` steps, all choices equally likely. One step of the plan is then an epoch.

    >>> RandomAllocation(batches=100)
    RandomAllocation(batches=100, participations=1)
    """

    scheme: ClassVar[str] = "random-allocation"
    batches: int
    participations: int

    def __init__(self, batches: Count, participations: Count = 1) -> None:
        _settle(self, batches=to_int("batches", batches), participations=to_int("participations", participations))


_BY_SCHEME: dict[str, type[Sampling]] = {
    known.scheme: known
    for known in (Poisson, FixedSize, WithReplacement, TruncatedPoisson, Shuffled, RandomAllocation)
}


def from_native(scheme: str, numbers: list[tuple[str, float]]) -> Sampling:
    """Converts a scheme of the engine to an instance of its class."""
    known = _BY_SCHEME[scheme]
    return known(**{name: _as_stored(name, value) for name, value in numbers})


def _as_stored(name: str, value: float) -> float:
    """Converts a number of the engine: rates are doubles, counts are integers, and one property is true or false."""
    return value if name == "rate" else bool(value) if name == "padded" else int(value)
