"""How the records of a step are drawn, as small values: ``mechanism.sampled(Poisson(rate=0.01))``."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from . import _native
from ._numbers import Count, Number, to_float, to_int


class Sampling:
    """Base of every scheme. Values: equal numbers are equal schemes."""

    scheme: ClassVar[str]

    def _numbers(self) -> list[tuple[str, float]]:
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        return [(field.name, float(getattr(self, field.name))) for field in fields]


def _settle(sampling: Sampling, **numbers: float) -> None:
    """Checks the numbers, together and one by one, and keeps them."""
    for name, value in numbers.items():
        object.__setattr__(sampling, name, value)
    _native.check_sampling(sampling.scheme, sampling._numbers())


@dataclasses.dataclass(frozen=True, init=False)
class Poisson(Sampling):
    """Each record by itself, with probability ``rate``."""

    scheme: ClassVar[str] = "poisson"
    rate: float

    def __init__(self, rate: Number) -> None:
        _settle(self, rate=to_float("rate", rate))


@dataclasses.dataclass(frozen=True, init=False)
class FixedSize(Sampling):
    """``batch_size`` of ``dataset_size`` records, without replacement: all subsets equally likely."""

    scheme: ClassVar[str] = "fixed-size"
    dataset_size: int
    batch_size: int

    def __init__(self, dataset_size: Count, batch_size: Count) -> None:
        _settle(self, dataset_size=to_int("dataset_size", dataset_size), batch_size=to_int("batch_size", batch_size))


@dataclasses.dataclass(frozen=True, init=False)
class WithReplacement(Sampling):
    """``batch_size`` independent draws from ``dataset_size`` records."""

    scheme: ClassVar[str] = "with-replacement"
    dataset_size: int
    batch_size: int

    def __init__(self, dataset_size: Count, batch_size: Count) -> None:
        _settle(self, dataset_size=to_int("dataset_size", dataset_size), batch_size=to_int("batch_size", batch_size))


@dataclasses.dataclass(frozen=True, init=False)
class TruncatedPoisson(Sampling):
    """Poisson; of more than ``batch_limit`` records, so many at random."""

    scheme: ClassVar[str] = "truncated-poisson"
    rate: float
    dataset_size: int
    batch_limit: int

    def __init__(self, rate: Number, dataset_size: Count, batch_limit: Count) -> None:
        size, limit = to_int("dataset_size", dataset_size), to_int("batch_limit", batch_limit)
        _settle(self, rate=to_float("rate", rate), dataset_size=size, batch_limit=limit)


@dataclasses.dataclass(frozen=True, init=False)
class Shuffled(Sampling):
    """Epochs: all records in random order, cut into ``batches``. A step is then an epoch."""

    scheme: ClassVar[str] = "shuffled"
    batches: int

    def __init__(self, batches: Count) -> None:
        _settle(self, batches=to_int("batches", batches))


_BY_SCHEME: dict[str, type[Sampling]] = {
    known.scheme: known for known in (Poisson, FixedSize, WithReplacement, TruncatedPoisson, Shuffled)
}


def from_native(scheme: str, numbers: list[tuple[str, float]]) -> Sampling:
    """The value of a scheme that the engine holds."""
    known = _BY_SCHEME[scheme]
    return known(**{name: value if name == "rate" else int(value) for name, value in numbers})
