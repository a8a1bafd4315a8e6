"""Loaders: their laws, what they keep secret, checkpoints and processes."""

from __future__ import annotations

import copy
import itertools
import json
import logging
import math
import multiprocessing
import pickle
import re
from typing import Any, Callable

import numpy as np
import pytest

import renyi
from renyi.loaders import draws

#: Tests of laws fail by chance with this probability.
SIGNIFICANCE = 1e-9


def certifies() -> bool:
    try:
        draws.poisson_records(1, 0.5)
    except renyi.Unsupported:
        return False
    return True


pytestmark = pytest.mark.skipif(not certifies(), reason="built without exact noise")

LOADERS: list[Callable[[], renyi.loaders.Loader]] = [
    lambda: renyi.loaders.PoissonLoader(1000, rate=0.05, steps=40, nominal_size=1000),
    lambda: renyi.loaders.TruncatedPoissonLoader(1000, rate=0.05, batch_limit=60, steps=40, nominal_size=1000),
    lambda: renyi.loaders.FixedSizeLoader(1000, batch_size=50, steps=40, nominal_size=1000),
    lambda: renyi.loaders.RandomAllocationLoader(1000, batches=20, epochs=2, nominal_size=1000),
]


@pytest.fixture(params=LOADERS, ids=["poisson", "truncated", "fixed", "allocation"])
def loader(request: pytest.FixtureRequest) -> renyi.loaders.Loader:
    made: renyi.loaders.Loader = request.param()
    return made


def records(batch: renyi.loaders.Batch) -> list[int]:
    found: list[int] = batch.indices[batch.mask].tolist()
    return found


# The laws.


def subsets(size: int) -> list[tuple[int, ...]]:
    return [chosen for count in range(size + 1) for chosen in itertools.combinations(range(size), count)]


def test_truncated_samples_by_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every Poisson sample of five records and every choice among them: each record enters with the same probability,
    and every set has that of the definition. The two draws themselves are enumerated in tests/noise."""
    size, rate, limit = 5, 0.3, 2
    masses: dict[tuple[int, ...], float] = {}
    for sample in subsets(size):
        kept_sets = list(itertools.combinations(range(len(sample)), limit)) if len(sample) > limit else [()]
        for kept in kept_sets:
            monkeypatch.setattr(draws, "poisson_records", lambda n, q, chosen=sample: np.array(chosen, dtype=np.int64))
            monkeypatch.setattr(draws, "fixed_size_records", lambda n, k, chosen=kept: np.array(chosen, dtype=np.int64))
            made = renyi.loaders.TruncatedPoissonLoader(
                size, rate=rate, batch_limit=limit, steps=1, neighbors="zero-out"
            )
            batch = next(iter(made))
            assert batch.indices.shape == batch.mask.shape == (limit,)
            mass = rate ** len(sample) * (1 - rate) ** (size - len(sample)) / len(kept_sets)
            drawn = tuple(records(batch))
            masses[drawn] = masses.get(drawn, 0) + mass
    assert math.fsum(masses.values()) == pytest.approx(1, rel=1e-12)
    full = sum(math.comb(size, n) * rate**n * (1 - rate) ** (size - n) for n in range(limit, size + 1))
    for drawn, mass in masses.items():
        short = rate ** len(drawn) * (1 - rate) ** (size - len(drawn))
        assert mass == pytest.approx(short if len(drawn) < limit else full / math.comb(size, limit), rel=1e-12)


def test_random_allocation_by_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every allocation of four records to three batches: the batches are those of the allocation, and no two
    allocations give the same batches, so that all are as likely as the allocations."""
    size, count = 4, 3
    seen = set()
    for chosen in itertools.product(range(count), repeat=size):
        monkeypatch.setattr(draws, "allocation", lambda n, t, chosen=chosen: np.array(chosen, dtype=np.uint8))
        made = renyi.loaders.RandomAllocationLoader(size, batches=count)
        batches = tuple(tuple(records(batch)) for batch in made)
        assert batches == tuple(tuple(r for r in range(size) if chosen[r] == b) for b in range(count))
        seen.add(batches)
    assert len(seen) == count**size


def upper_tail(statistic: float, freedom: int) -> float:
    """The upper tail of a chi-square law, by the cube root that is nearly normal (Wilson, Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    return 0.5 * math.erfc(((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(2 * spread))


def p_value_of_counts(counts: Any, probabilities: Any) -> float:
    expected = np.sum(counts) * np.asarray(probabilities)
    return upper_tail(float(np.sum((np.asarray(counts) - expected) ** 2 / expected)), len(expected) - 1)


def test_the_tails_are_those_of_chi_square() -> None:
    for half, statistic in ((2, 47.0), (5, 62.0), (20, 110.0)):
        exact = math.exp(-statistic / 2) * sum((statistic / 2) ** k / math.factorial(k) for k in range(half))
        assert 0.1 < upper_tail(statistic, 2 * half) / exact < 10


@pytest.mark.parametrize("rate", [0.1, 1 / 3, 1e-3])
def test_poisson_samples_by_chi_square(rate: float) -> None:
    """100,000 records: places modulo 64, which share words, runs between neighbours, and sizes of batches."""
    size, steps = 100_000, 40
    made = renyi.loaders.PoissonLoader(size, rate=rate, steps=steps)
    taken, pairs = np.zeros(64), np.zeros(4)
    sizes = []
    for batch in made:
        taken += np.bincount(batch.indices % 64, minlength=64)
        chosen = np.zeros(size, dtype=int)
        chosen[batch.indices] = 1
        pairs += np.bincount(chosen[0::2] + 2 * chosen[1::2], minlength=4)
        sizes.append(batch.indices.size)
    places = np.bincount(np.arange(size) % 64, minlength=64) / size
    assert p_value_of_counts(taken, places) > SIGNIFICANCE
    assert p_value_of_counts(pairs, [(1 - rate) ** 2, rate * (1 - rate), rate * (1 - rate), rate**2]) > SIGNIFICANCE
    variance = size * rate * (1 - rate)
    spread = float(np.sum((np.array(sizes) - size * rate) ** 2) / variance)
    assert SIGNIFICANCE < upper_tail(spread, steps) < 1 - SIGNIFICANCE


def test_fixed_sizes_by_chi_square() -> None:
    made = renyi.loaders.FixedSizeLoader(1000, batch_size=100, steps=2000, neighbors="zero-out")
    taken = np.zeros(1000)
    for batch in made:
        assert len(set(batch.indices.tolist())) == 100
        taken[batch.indices] += 1
    # The counts of a draw without replacement are correlated: their covariance is that of a multinomial law times this.
    correction = (1000 - 100) / (1000 - 1)
    statistic = float(np.sum((taken - 200) ** 2 / 200) / correction)
    assert SIGNIFICANCE < upper_tail(statistic, 999) < 1 - SIGNIFICANCE


def test_random_allocation_by_chi_square() -> None:
    size, count = 200_000, 50
    made = renyi.loaders.RandomAllocationLoader(size, batches=count, epochs=2)
    first = [batch.indices for batch in made.epoch()]
    second = [batch.indices for batch in made.epoch()]
    for epoch in (first, second):
        assert np.array_equal(np.sort(np.concatenate(epoch)), np.arange(size))
        assert p_value_of_counts([len(batch) for batch in epoch], np.full(count, 1 / count)) > SIGNIFICANCE
    # The batches of one epoch say nothing about those of the next.
    where = [np.empty(size, dtype=int), np.empty(size, dtype=int)]
    for place, epoch in zip(where, (first, second)):
        for number, batch in enumerate(epoch):
            place[batch] = number
    both = np.bincount(where[0] * count + where[1], minlength=count * count)
    assert p_value_of_counts(both, np.full(count * count, count**-2)) > SIGNIFICANCE


def test_a_sample_of_everything_and_of_nearly_nothing() -> None:
    assert records(next(iter(renyi.loaders.PoissonLoader(130, rate=1, steps=1)))) == list(range(130))
    assert all(not records(batch) for batch in renyi.loaders.PoissonLoader(100, rate=1e-12, steps=3))
    assert records(next(iter(renyi.loaders.RandomAllocationLoader(3, batches=1)))) == [0, 1, 2]
    assert sum(len(records(batch)) for batch in renyi.loaders.RandomAllocationLoader(2, batches=300)) == 2


# Batches.


def test_every_loader_hands_out_its_steps(loader: renyi.loaders.Loader) -> None:
    numbers = [batch.number for batch in loader]
    assert numbers == list(range(1, 41)) and loader.position == loader.steps == 40
    assert list(loader) == []
    with pytest.raises(renyi.InvalidArgument, match="steps: got an epoch after batch 40, allowed: at most 40"):
        loader.epoch()


def test_batches_select_rows(loader: renyi.loaders.Loader) -> None:
    data = np.arange(2000.0).reshape(1000, 2) + 1
    batch = next(iter(loader))
    taken = batch.take(data)
    assert np.array_equal(taken[batch.mask], data[records(batch)]) and not taken[~batch.mask].any()
    indices, mask = batch
    assert indices is batch.indices and np.array_equal(mask, batch.mask)
    assert records(batch) == sorted(set(records(batch)))
    if not isinstance(loader, renyi.loaders.TruncatedPoissonLoader):
        assert np.array_equal(data[batch], data[batch.indices])
    with pytest.raises(ValueError, match="read-only"):
        batch.indices[0] = 3


def test_padded_batches_do_not_select_rows_by_themselves() -> None:
    batch = next(iter(renyi.loaders.TruncatedPoissonLoader(10, rate=0.5, batch_limit=8, steps=1, nominal_size=10)))
    with pytest.raises(renyi.Unsupported, match="batch.take"):
        np.arange(10)[batch]


def test_microbatches_are_parts_of_one_batch(loader: renyi.loaders.Loader) -> None:
    batch = next(iter(loader))
    parts = list(renyi.loaders.microbatches(batch, 7))
    assert all(part.number == batch.number and part.indices.size <= 7 for part in parts)
    assert [record for part in parts for record in records(part)] == records(batch)
    with pytest.raises(renyi.InvalidArgument, match="size: got 0"):
        renyi.loaders.microbatches(batch, 0)
    with pytest.raises(renyi.InvalidArgument, match="batch: got list"):
        renyi.loaders.microbatches([1, 2], 1)  # type: ignore[arg-type]


def test_means_are_over_the_expected_size(loader: renyi.loaders.Loader) -> None:
    assert loader.expected_batch_size == pytest.approx(50)
    assert loader.mean(np.array([100.0, 50.0])).tolist() == pytest.approx([2, 1])
    assert loader.mean(100.0, loader.expected_batch_size) == pytest.approx(2)


# Secrets. Those about the number of records are in test_loaders_size.py.

PUBLIC: Any = {"neighbors": "zero-out"}


def texts_of(*values: object) -> str:
    return " ".join(text for value in values for text in (repr(value), str(value), f"{value}"))


@pytest.mark.parametrize(
    "make",
    [
        lambda: renyi.loaders.PoissonLoader(10**7, batch_size=40, steps=4, **PUBLIC),
        lambda: renyi.loaders.TruncatedPoissonLoader(10**7, batch_size=40, batch_limit=50, steps=4, **PUBLIC),
        lambda: renyi.loaders.FixedSizeLoader(10**7, 40, 4, **PUBLIC),
        lambda: renyi.loaders.RandomAllocationLoader(10**6, batches=25_000, **PUBLIC),
    ],
)
def test_indices_are_never_shown(make: Callable[[], renyi.loaders.Loader], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    loader, account = make(), renyi.Accountant(neighbors="zero-out")
    observed = account.observe(loader, noise_multiplier=2.0)
    batch = next(iter(loader))
    shown = texts_of(loader, batch, observed, account, loader.batch_sampler(), loader.__dict__.keys())
    shown += json.dumps(account.state_dict()) + caplog.text
    for claim in (lambda: loader.mean(1.0, 3), lambda: len(batch), lambda: account.check(sampling_rate=0.5, steps=3)):
        with pytest.raises(renyi.Error) as error:
            claim()
        shown += texts_of(error.value)
    secret = [record for record in records(batch) if record >= 100_000]
    assert secret and not any(re.search(rf"(?<!\d){record}(?!\d)", shown) for record in secret)
    assert re.search(rf"(?<!\d){loader.dataset_size}(?!\d)", shown)  # what is public is found in this way
    for value in (batch, loader, observed):
        with pytest.raises(renyi.Unsupported, match="secret"):
            pickle.dumps(value)
        with pytest.raises(renyi.Unsupported, match="secret"):
            copy.deepcopy(value)


def test_errors_of_checkpoints_repeat_no_allocation() -> None:
    made = renyi.loaders.RandomAllocationLoader(6, batches=3)
    next(iter(made))
    state = made.state_dict()
    for wrong in (np.array([7, 7, 7, 7, 7, 77]), [0, 1], "777777", [[1, 2], [3]], np.full(6, -77), np.full(6, 0.77)):
        with pytest.raises(renyi.InvalidArgument, match="state.allocation") as error:
            made.load_state_dict({**state, "allocation": wrong})
        assert "77" not in str(error.value)


def test_two_loaders_draw_differently(loader: renyi.loaders.Loader) -> None:
    same = [records(batch) for batch in itertools.islice(loader, 5)]
    assert len({tuple(batch) for batch in same}) == 5


# Checkpoints.


def test_a_checkpoint_goes_on_with_the_same_allocation() -> None:
    made = renyi.loaders.RandomAllocationLoader(500, batches=10, epochs=2)
    begun = [records(batch) for batch in itertools.islice(made, 4)]
    state = pickle.loads(pickle.dumps(made.state_dict()))
    rest = [records(batch) for batch in made.epoch()]
    resumed = renyi.loaders.RandomAllocationLoader(500, batches=10, epochs=2)
    resumed.load_state_dict(state)
    assert resumed.position == 4 and [records(batch) for batch in resumed.epoch()] == rest
    assert sorted(record for batch in begun + rest for record in batch) == list(range(500))
    # A list in place of the array, as JSON would keep it.
    again = renyi.loaders.RandomAllocationLoader(500, batches=10, epochs=2)
    again.load_state_dict(json.loads(json.dumps({**state, "allocation": state["allocation"].tolist()})))
    assert [records(batch) for batch in again.epoch()] == rest
    # The next epoch is drawn anew by each.
    assert [records(batch) for batch in again.epoch()] != [records(batch) for batch in resumed.epoch()]


def test_checkpoints_keep_the_place(loader: renyi.loaders.Loader) -> None:
    for _ in itertools.islice(loader, 7):
        pass
    state = loader.state_dict()
    assert state["kind"] == loader.kind and state["position"] == 7
    loader.load_state_dict(state)
    assert [batch.number for batch in loader] == list(range(8, 41))


@pytest.mark.parametrize(
    "change, field",
    [
        ({"kind": "poisson"}, "state.kind"),
        ({"renyi_loader": 2}, "state.renyi_loader"),
        ({"position": -1}, "state.position"),
        ({"position": 41}, "state.position"),
        ({"position": 1.5}, "state.position"),
        ({"identifier": 3}, "state.identifier"),
        ({"parameters": {"dataset_size": 1000}}, "state.parameters"),
        ({"parameters": {"dataset_size": 1000, "batch_size": 64, "steps": 40}}, "state.parameters.batch_size"),
    ],
)
def test_checkpoints_of_other_loaders_are_refused(change: dict[str, Any], field: str) -> None:
    made = renyi.loaders.FixedSizeLoader(1000, batch_size=50, steps=40, **PUBLIC)
    with pytest.raises(renyi.InvalidArgument) as error:
        made.load_state_dict({**made.state_dict(), **change})
    assert error.value.field == field
    for wrong in (None, 3, {}, {"kind": "fixed-size"}):
        with pytest.raises(renyi.InvalidArgument, match="state"):
            made.load_state_dict(wrong)  # type: ignore[arg-type]
    assert made.position == 0


def test_a_loader_that_has_drawn_takes_no_checkpoint_of_another() -> None:
    one, other = (renyi.loaders.PoissonLoader(100, rate=0.1, steps=5) for _ in range(2))
    next(iter(one))
    with pytest.raises(renyi.InvalidArgument, match="state.identifier"):
        one.load_state_dict(other.state_dict())
    other.load_state_dict(one.state_dict())
    assert other.identifier == one.identifier and other.position == 1


# Processes.


def _draw_in_child(loader: renyi.loaders.Loader, queue: Any) -> None:
    try:
        next(iter(loader))
        queue.put("drawn")
    except renyi.Unsupported as error:
        queue.put(str(error))


def _own_sample(queue: Any) -> None:
    queue.put(draws.poisson_records(1000, 0.5).tolist())


def test_forked_workers_do_not_draw(loader: renyi.loaders.Loader) -> None:
    next(iter(loader))
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_draw_in_child, args=(loader, queue))
    child.start()
    assert "another process" in queue.get(timeout=600)
    child.join()
    assert loader.position == 1 and next(iter(loader)).number == 2


def test_forks_do_not_share_random_bits() -> None:
    draws.poisson_records(1000, 0.5)  # the generator of this thread exists, and has words that are left
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=_own_sample, args=(queue,)) for _ in range(2)]
    for child in children:
        child.start()
    samples = [queue.get(timeout=600) for _ in children] + [draws.poisson_records(1000, 0.5).tolist()]
    for child in children:
        child.join()
    assert len({tuple(sample) for sample in samples}) == 3


# Parameters.


@pytest.mark.parametrize(
    "make, field",
    [
        (lambda: renyi.loaders.PoissonLoader(-1, rate=0.1, steps=1), "dataset_size"),
        (lambda: renyi.loaders.PoissonLoader(0, rate=0.1, steps=1, **PUBLIC), "dataset_size"),
        (lambda: renyi.loaders.PoissonLoader(10, rate=0.1, steps=1, nominal_size=0), "nominal_size"),
        (lambda: renyi.loaders.PoissonLoader(10, rate=0.1, steps=1, neighbors="both"), "neighbors"),
        (lambda: renyi.loaders.PoissonLoader(10, rate=1.5, steps=1), "rate"),
        (lambda: renyi.loaders.PoissonLoader(10, rate=float("nan"), steps=1), "rate"),
        (lambda: renyi.loaders.PoissonLoader(10, rate=0, steps=1), "rate"),
        (lambda: renyi.loaders.PoissonLoader(10, steps=1), "rate"),
        (lambda: renyi.loaders.PoissonLoader(10, rate=0.1, batch_size=1, steps=1, **PUBLIC), "rate"),
        (lambda: renyi.loaders.PoissonLoader(10, batch_size=11, steps=1, **PUBLIC), "batch_size"),
        (lambda: renyi.loaders.PoissonLoader(12, batch_size=11, steps=1, nominal_size=10), "batch_size"),
        (lambda: renyi.loaders.PoissonLoader(10, rate=0.1, steps=0), "steps"),
        (lambda: renyi.loaders.PoissonLoader(10, rate=0.1, steps=1.5), "steps"),
        (lambda: renyi.loaders.TruncatedPoissonLoader(10, rate=0.1, batch_limit=0, steps=1, **PUBLIC), "batch_limit"),
        (lambda: renyi.loaders.FixedSizeLoader(10, 11, 1, **PUBLIC), "batch_size"),
        (lambda: renyi.loaders.FixedSizeLoader(12, 11, 1, nominal_size=10), "batch_size"),
        (lambda: renyi.loaders.RandomAllocationLoader(10, 0), "batches"),
        (lambda: renyi.loaders.RandomAllocationLoader(10, 2, 0), "epochs"),
    ],
)
def test_bad_parameters_are_named(make: Callable[[], object], field: str) -> None:
    with pytest.raises(renyi.InvalidArgument) as error:
        make()
    assert error.value.field == field


def test_plans_are_those_of_the_training(loader: renyi.loaders.Loader) -> None:
    plan = loader.plan(noise_multiplier=2.0, neighbors="zero-out")
    (what, count), = plan.merged()
    assert what == renyi.Gaussian(2.0).sampled(loader.sampling)
    assert count == (2 if isinstance(loader, renyi.loaders.RandomAllocationLoader) else 40)
    assert loader.plan(renyi.Laplace(3.0)).merged()[0].what == renyi.Laplace(3.0).sampled(loader.sampling)
    for wrong in (renyi.SampledGaussian(0.1, 1.0), renyi.Gaussian(1.0).sampled(renyi.Poisson(0.1)), 3):
        with pytest.raises(renyi.InvalidArgument, match="what"):
            loader.step(wrong)  # type: ignore[arg-type]
    with pytest.raises(renyi.InvalidArgument, match="noise_multiplier"):
        loader.step()
    with pytest.raises(renyi.InvalidArgument, match="noise_multiplier"):
        loader.step(renyi.Laplace(3.0), noise_multiplier=1.0)
