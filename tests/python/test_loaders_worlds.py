"""Datasets of a few records, every neighbour and every sample: what a loader hands out, added, with noise, and divided
as the loader divides, is told apart no better than the account says (docs/math/loaders.md)."""

from __future__ import annotations

import functools
import itertools
from typing import Any, Callable, Iterator

import numpy as np
import pytest

import renyi
from renyi.loaders import draws

try:
    draws.poisson_records(1, 0.5)
except renyi.Unsupported:
    pytest.skip("built without exact noise", allow_module_level=True)

SIGMA, ORDERS = 2.0, (1.5, 2.0, 4.0, 8.0)
#: Records in the plane. The mean of a batch has two coordinates; an epoch of random allocation has two batches, of
#: which the first coordinates are looked at.
POINTS = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0))
NOTHING = (0.0, 0.0)
Dataset = tuple[tuple[float, float], ...]
Outputs = list[tuple[float, "np.ndarray[Any, Any]"]]


def poisson(size: int, **public: Any) -> renyi.loaders.Loader:
    return renyi.loaders.PoissonLoader(size, rate=0.4, steps=1, **public)


def poisson_of_batch_size(size: int, **public: Any) -> renyi.loaders.Loader:
    return renyi.loaders.PoissonLoader(size, batch_size=0.8, steps=1, **public)


def truncated(size: int, **public: Any) -> renyi.loaders.Loader:
    return renyi.loaders.TruncatedPoissonLoader(size, rate=0.4, batch_limit=1, steps=1, **public)


def fixed_size(size: int, **public: Any) -> renyi.loaders.Loader:
    return renyi.loaders.FixedSizeLoader(size, batch_size=1, steps=1, **public)


def allocation(size: int, **public: Any) -> renyi.loaders.Loader:
    return renyi.loaders.RandomAllocationLoader(size, batches=2, **public)


LOADERS = [poisson, poisson_of_batch_size, truncated, fixed_size, allocation]
#: What makes the number of records no matter: a nominal size below, at and above it, or a relation that keeps it. The
#: nominal size of truncated samples is an upper bound on the number of records.
ADDED: list[tuple[Callable[..., renyi.loaders.Loader], int]] = [
    *((make, nominal) for make in (poisson, poisson_of_batch_size, fixed_size, allocation) for nominal in (1, 2, 4)),
    (truncated, 3),
]


def subsets(count: int) -> list[tuple[int, ...]]:
    return [chosen for size in range(count + 1) for chosen in itertools.combinations(range(count), size)]


class Draws:
    """Stands in for the exact samplers: a draw asked for is the next branch of a tree, in which all possible draws are
    visited with their probabilities."""

    def __init__(self) -> None:
        self.choices: list[int] = []
        self.last: list[bool] = []
        self.mass, self.depth = 1.0, 0

    def among(self, options: list[tuple[float, Any]]) -> Any:
        if self.depth == len(self.choices):
            self.choices.append(0)
        taken = self.choices[self.depth]
        self.last = self.last[: self.depth] + [taken == len(options) - 1]
        self.depth += 1
        self.mass *= options[taken][0]
        return options[taken][1]

    def __iter__(self) -> Iterator[None]:
        while True:
            self.mass, self.depth = 1.0, 0
            yield
            while self.choices and self.last[len(self.choices) - 1]:
                self.choices.pop()
            if not self.choices:
                return
            self.choices[-1] += 1

    def poisson_records(self, records: int, rate: float) -> Any:
        masses = [rate ** len(chosen) * (1 - rate) ** (records - len(chosen)) for chosen in subsets(records)]
        return self.among([(m, np.array(s, dtype=np.int64)) for m, s in zip(masses, subsets(records))])

    def fixed_size_records(self, records: int, size: int) -> Any:
        sets = [np.array(s, dtype=np.int64) for s in itertools.combinations(range(records), size)]
        return self.among([(1 / len(sets), chosen) for chosen in sets])

    def allocation(self, records: int, batches: int) -> Any:
        every = list(itertools.product(range(batches), repeat=records))
        return self.among([(1 / len(every), np.array(chosen, dtype=np.uint8)) for chosen in every])


def outputs(monkeypatch: pytest.MonkeyPatch, make: Callable[[], renyi.loaders.Loader], data: Dataset) -> Outputs:
    """Returns the sums of the batches, before noise, with their probabilities, as the loader draws them."""
    tree, found = Draws(), []
    for name in ("poisson_records", "fixed_size_records", "allocation"):
        monkeypatch.setattr(draws, name, getattr(tree, name))
    rows = np.array(data, dtype=float).reshape(len(data), 2)
    for _ in tree:
        sums = [batch.take(rows).sum(axis=0) for batch in make()]
        centre = sums[0] if len(sums) == 1 else np.array([each[0] for each in sums])
        found.append((tree.mass, centre))
    assert sum(mass for mass, _ in found) == pytest.approx(1, rel=1e-12)
    return found


AXIS = np.arange(-44.0, 45.0)
FIRST, SECOND = np.meshgrid(AXIS, AXIS, indexing="ij")


def log_density(found: Outputs, scale: float) -> Any:
    """The logarithm of the density of the mean of two coordinates with noise, times the divisor of the first dataset:
    ``scale`` is that divisor over this one's."""
    deviation, total = SIGMA * scale, np.full(FIRST.shape, -np.inf)
    for mass, centre in found:
        squares = (FIRST - scale * centre[0]) ** 2 + (SECOND - scale * centre[1]) ** 2
        total = np.logaddexp(total, np.log(mass) - squares / (2 * deviation**2))
    return total - np.log(2 * np.pi * deviation**2)


def divergence(order: float, p: Any, q: Any) -> float:
    """The Rényi divergence by the trapezoidal rule, whose error is far below 1e-12 for noise of this scale."""
    exponents, step = order * p + (1 - order) * q, AXIS[1] - AXIS[0]
    largest = float(np.max(exponents))
    return float((largest + np.log(np.sum(np.exp(exponents - largest)) * step**2)) / (order - 1))


def divisor_of(loader: renyi.loaders.Loader) -> float:
    return float(1 / loader.mean(1.0))


def of_the_data(rate: float) -> Callable[[renyi.loaders.Loader], float]:
    """A divisor of a loader that takes it from the data: the rate times the number of records."""
    return lambda loader: rate * loader.dataset_size


class World:
    """The outputs of one loader on all datasets that are asked for, each enumerated once."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        make: Callable[..., renyi.loaders.Loader],
        public: dict[str, Any],
        divisor: Callable[[renyi.loaders.Loader], float] = divisor_of,
    ) -> None:
        self._make, self._public, self._divisor, self._patch = make, public, divisor, monkeypatch
        self._known: dict[Dataset, Outputs] = {}

    def loader(self, data: Dataset) -> renyi.loaders.Loader:
        return self._make(len(data), **self._public)

    def compared(self, one: Dataset, other: Dataset) -> list[float]:
        """Returns the divergences of the means at all orders, those of the other from the one first: if a record was
        added, they are direction remove, and then follows direction add."""
        for data in (one, other):
            if data not in self._known:
                self._known[data] = outputs(self._patch, functools.partial(self.loader, data), data)
        scale = self._divisor(self.loader(one)) / self._divisor(self.loader(other))
        p, q = log_density(self._known[one], 1.0), log_density(self._known[other], scale)
        return [divergence(order, *pair) for pair in ((q, p), (p, q)) for order in ORDERS]

    def account(self, data: Dataset, relation: str) -> list[float]:
        plan = self.loader(data).plan(noise_multiplier=SIGMA, neighbors=relation)
        both = [renyi.rdp(plan, orders=list(ORDERS), direction=direction) for direction in ("remove", "add")]
        return [float(value) for of_direction in both for value in of_direction]


def datasets(most: int) -> list[Dataset]:
    return [d for size in range(most + 1) for d in itertools.combinations_with_replacement(POINTS, size)]


def with_neighbours(relation: str) -> Iterator[tuple[Dataset, Dataset]]:
    """Every dataset of up to three records, and every neighbour."""
    for data in datasets(2):
        for record in POINTS:
            longer = (*data, record)
            if relation == "add-or-remove-one":
                yield data, longer
            elif relation == "zero-out":
                yield (*data, NOTHING), longer
            else:
                yield from (((*data, other), longer) for other in POINTS if other > record)


@pytest.mark.parametrize("make, nominal", ADDED, ids=lambda value: getattr(value, "__name__", str(value)))
def test_adding_a_record_costs_at_most_what_the_account_says(
    monkeypatch: pytest.MonkeyPatch, make: Callable[..., renyi.loaders.Loader], nominal: int
) -> None:
    world, relation = World(monkeypatch, make, {"nominal_size": nominal}), "add-or-remove-one"
    said = world.account((), relation)
    largest = [0.0] * len(said)
    for one, other in with_neighbours(relation):
        assert world.account(one, relation) == said == world.account(other, relation)
        found = world.compared(one, other)
        assert all(value <= most * (1 + 1e-9) + 1e-13 for value, most in zip(found, said)), (one, other)
        largest = [max(pair) for pair in zip(largest, found)]
    if make in (poisson, poisson_of_batch_size, allocation):  # whose pairs are attained
        assert all(value >= most * (1 - 1e-6) for value, most in zip(largest, said))


@pytest.mark.parametrize("relation", ["zero-out", "replace-one"])
@pytest.mark.parametrize("make", LOADERS)
def test_changing_a_record_costs_at_most_what_the_account_says(
    monkeypatch: pytest.MonkeyPatch, make: Callable[..., renyi.loaders.Loader], relation: str
) -> None:
    """The divisor, and the rate of a batch size, come from the number of records, which is the same in both."""
    world, sharp = World(monkeypatch, make, {"neighbors": relation}), 0.0
    for one, other in with_neighbours(relation):
        said, found = world.account(one, relation), world.compared(one, other)
        assert all(value <= most * (1 + 1e-9) + 1e-13 for value, most in zip(found, said)), (one, other)
        sharp = max(sharp, found[1] / said[1])
    assert sharp > 0.1


@pytest.mark.parametrize("make, nominal", ADDED, ids=lambda value: getattr(value, "__name__", str(value)))
@pytest.mark.parametrize("relation", ["zero-out", "replace-one"])
def test_public_parameters_are_accounted_for_under_every_relation(
    monkeypatch: pytest.MonkeyPatch, make: Callable[..., renyi.loaders.Loader], nominal: int, relation: str
) -> None:
    world = World(monkeypatch, make, {"nominal_size": nominal})
    for one, other in with_neighbours(relation):
        said, found = world.account(one, relation), world.compared(one, other)
        assert all(value <= most * (1 + 1e-9) + 1e-13 for value, most in zip(found, said)), (one, other)


def test_a_divisor_of_the_data_costs_more_than_any_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """What these worlds would find: a sum divided by the rate times the number of records."""
    world = World(monkeypatch, poisson, {"nominal_size": 2}, of_the_data(0.4))
    pairs = [(one, other) for one, other in with_neighbours("add-or-remove-one") if one]
    said = world.account((), "add-or-remove-one")
    for one, other in pairs:
        found = world.compared(one, other)
        assert all(max(found[i], found[i + len(ORDERS)]) > 3 * max(said) for i in range(1, len(ORDERS)))
