"""The number of records: private under add-or-remove-one, so that nothing which is computed or said depends on it."""

from __future__ import annotations

import math
import pickle
import re
import warnings
from typing import Any, Callable, Iterator

import numpy as np
import pytest

import renyi
from renyi import _deprecation
from renyi.loaders import draws, recognise

try:
    draws.poisson_records(1, 0.5)
except renyi.Unsupported:
    pytest.skip("built without exact noise", allow_module_level=True)

#: The number of records that must not be told, a rate, and what is computed from both.
SECRET, RATE = 48_611, 0.0123
TOLD = re.compile(r"48.?611|48.?610|48.?612|597\.9|(?<!\d)59[78](?!\d)|0\.01028|97\.22|48.?576|(?<!\d)760(?!\d)")
ZERO_OUT: Any = {"neighbors": "zero-out"}
ADDED: Any = {"neighbors": "add-or-remove-one"}

PRIVATE: list[Callable[..., renyi.loaders.Loader]] = [
    lambda size=SECRET: renyi.loaders.PoissonLoader(size, rate=RATE, steps=900),
    lambda size=SECRET: renyi.loaders.PoissonLoader(size, rate=RATE, steps=900, nominal_size=50_000),
    lambda size=SECRET: renyi.loaders.PoissonLoader(size, batch_size=500, steps=900, nominal_size=50_000),
    lambda size=SECRET: renyi.loaders.TruncatedPoissonLoader(
        size, rate=RATE, batch_limit=700, steps=900, nominal_size=50_000
    ),
    lambda size=SECRET: renyi.loaders.FixedSizeLoader(size, 500, 900, nominal_size=50_000),
    lambda size=SECRET: renyi.loaders.RandomAllocationLoader(size, batches=80),
    lambda size=SECRET: renyi.loaders.RandomAllocationLoader(size, batches=80, nominal_size=50_000),
]
NAMES = ["poisson", "poisson-nominal", "batch-size", "truncated", "fixed", "allocation", "allocation-nominal"]
OF_NO_SIZE = (0, 5)  # which of them have no nominal size


@pytest.fixture(params=PRIVATE, ids=NAMES)
def make(request: pytest.FixtureRequest) -> Callable[..., renyi.loaders.Loader]:
    made: Callable[..., renyi.loaders.Loader] = request.param
    return made


def attempts(make: Callable[..., renyi.loaders.Loader]) -> Iterator[Callable[[], object]]:
    """What a program may ask of a loader, much of it wrong, with numbers that it computed from the data."""
    loader, other = make(), make(SECRET + 1)
    account, kept = renyi.Accountant(), renyi.Accountant()
    observed = account.observe(loader, noise_multiplier=2.0)
    batch = next(iter(loader))
    state, later = loader.state_dict(), other.state_dict()
    yield lambda: loader
    yield lambda: observed
    yield lambda: account
    yield lambda: batch
    yield lambda: loader.batch_sampler()
    yield lambda: (loader.sampling, loader.rate if hasattr(loader, "rate") else 0, loader.steps_per_epoch)
    yield lambda: (loader.neighbors, loader.nominal_size, loader.steps, loader.position)
    yield lambda: loader.expected_batch_size
    yield lambda: loader.plan(noise_multiplier=2.0)
    yield lambda: loader.plan(noise_multiplier=2.0, neighbors="zero-out").to_json()
    yield lambda: account.state_dict()["plan"]
    for divisor in (SECRET, RATE * SECRET, batch.indices.size + 1, str(SECRET), [SECRET], math.inf, -SECRET):
        yield lambda divisor=divisor: loader.mean(1.0, divisor)  # type: ignore[misc]
    wrongs: list[Any] = [SECRET, RATE * SECRET, str(SECRET), [SECRET], float(SECRET), True]
    for field in ("sampling_rate", "batch_size", "dataset_size", "steps"):
        for wrong in [*wrongs, 500 / SECRET, math.ceil(SECRET / 500), SECRET // 80]:
            yield lambda field=field, wrong=wrong: loader.check(**{field: wrong})  # type: ignore[misc]
    for field in ("sampling_rate", "steps"):
        for wrong in [*wrongs, 500 / SECRET, math.ceil(SECRET / 64)]:
            yield lambda field=field, wrong=wrong: account.check(**{field: wrong})  # type: ignore[misc]
    yield lambda: account.check(noise_multiplier=SECRET / 1000)
    yield lambda: account.check(noise_multiplier=str(SECRET))  # type: ignore[arg-type]
    yield lambda: account.step(noise_multiplier=2.0, sampling_rate=500 / SECRET)
    yield lambda: account.observe(loader, noise_multiplier=2.0)
    yield lambda: len(batch)
    yield lambda: pickle.dumps(loader)
    yield lambda: other.load_state_dict(state)
    yield lambda: loader.load_state_dict(later)
    yield lambda: loader.load_state_dict({**state, "parameters": {**state["parameters"], "dataset_size": SECRET - 1}})
    yield lambda: loader.load_state_dict({**state, "parameters": {**state["parameters"], "steps": SECRET}})
    yield lambda: loader.load_state_dict({**state, "allocation": np.zeros(SECRET - 1, dtype=int)})
    yield lambda: loader.load_state_dict({**state, "parameters": {}})
    yield lambda: loader.load_state_dict({**state, "position": 10**6})
    yield lambda: kept.load_state_dict(account.state_dict())
    yield lambda: recognise(Torch(range(SECRET), loader.batch_sampler()))
    yield lambda: renyi.Accountant().observe(Torch(range(SECRET), loader.batch_sampler()), noise_multiplier=2.0)


def stand_in(name: str, module: str = "torch.utils.data", **given: Any) -> Any:
    """A stand-in for an object of torch or Opacus. ``size`` is what ``len`` gives."""
    found = type(name, (), {"__module__": module, "__len__": lambda self: given.get("size", SECRET)})()
    found.__dict__.update(given)
    return found


class Inside:
    """A stand-in for a DataLoader of torch that is iterated."""

    def __init__(self, loader: renyi.loaders.Loader) -> None:
        self.batch_sampler = loader.batch_sampler()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.batch_sampler)


class Torch:
    """A stand-in for a DataLoader of torch."""

    def __init__(self, dataset: Any, batch_sampler: Any) -> None:
        self.dataset, self.batch_sampler = dataset, batch_sampler


def said(attempt: Callable[[], object]) -> tuple[str, bool]:
    """Returns everything that is said where this is tried, and whether it failed."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found, failed = attempt(), False
        except (renyi.Error, RuntimeError) as error:
            found, failed = error, True
    texts = [repr(found), str(found), *(str(warning.message) for warning in caught)]
    notes: tuple[str, ...] = getattr(found, "notes", ())
    return " ".join([*texts, *notes]), failed


def test_the_number_of_records_is_never_told(make: Callable[..., renyi.loaders.Loader]) -> None:
    failures = 0
    for attempt in attempts(make):
        text, failed = said(attempt)
        assert not TOLD.search(text), text
        failures += failed
    assert failures > 40
    assert TOLD.search(str(make().dataset_size)) and TOLD.search(str(RATE * SECRET))  # what would be found


def test_errors_of_parameters_do_not_tell_it() -> None:
    loaders = renyi.loaders
    attempts: list[Callable[[], object]] = [
        lambda: loaders.PoissonLoader(-SECRET, rate=RATE, steps=1),
        lambda: loaders.PoissonLoader(float(SECRET), rate=RATE, steps=1),  # type: ignore[arg-type]
        lambda: loaders.PoissonLoader(str(SECRET), rate=RATE, steps=1),  # type: ignore[arg-type]
        lambda: loaders.PoissonLoader([SECRET], rate=RATE, steps=1),  # type: ignore[arg-type]
        lambda: loaders.PoissonLoader(SECRET << 40, rate=RATE, steps=1),
        lambda: loaders.PoissonLoader(SECRET, rate=2, steps=1),
        lambda: loaders.PoissonLoader(SECRET, rate=RATE, steps=0),
        lambda: loaders.PoissonLoader(SECRET, steps=1),
        lambda: loaders.PoissonLoader(SECRET, batch_size=500, steps=1, **ADDED),
        lambda: loaders.PoissonLoader(SECRET, batch_size=10**6, steps=1, **ADDED),
        lambda: loaders.PoissonLoader(SECRET, batch_size=10**6, steps=1, nominal_size=50_000),
        lambda: loaders.PoissonLoader(SECRET, rate=RATE, steps=1, size_is_public=True, **ADDED),
        lambda: loaders.TruncatedPoissonLoader(SECRET, rate=RATE, batch_limit=3, steps=1, **ADDED),
        lambda: loaders.TruncatedPoissonLoader(SECRET, rate=RATE, batch_limit=0, steps=1, nominal_size=50_000),
        lambda: loaders.FixedSizeLoader(SECRET, 10**6, 1, nominal_size=50_000),
        lambda: loaders.FixedSizeLoader(SECRET, 500, 1, **ADDED),
        lambda: loaders.PoissonLoader(SECRET, batch_size=10**6, steps=1),
        lambda: loaders.FixedSizeLoader(SECRET, 10**6, 1),
        lambda: loaders.RandomAllocationLoader(SECRET, 0),
        lambda: loaders.RandomAllocationLoader(SECRET, 10, 0),
    ]
    for attempt in attempts:
        text, failed = said(attempt)
        assert failed and not TOLD.search(text), text


def test_loaders_of_torch_do_not_tell_it() -> None:
    samplers = [
        stand_in("RandomSampler", replacement=False, num_samples=SECRET),
        stand_in("RandomSampler", replacement=True, num_samples=SECRET),
        stand_in("RandomSampler", replacement=False, num_samples=2 * SECRET, size=2 * SECRET),
        stand_in("SequentialSampler"),
        stand_in("WeightedRandomSampler"),
        stand_in("OwnSampler"),
    ]
    for sampler in samplers:
        for size, drop_last in ((64, False), (64, True), (10**6, True), (10**6, False)):
            batches = stand_in("BatchSampler", sampler=sampler, batch_size=size, drop_last=drop_last)
            text, failed = said(lambda: recognise(Torch(range(SECRET), batches)))
            assert not TOLD.search(text), text
            assert failed or "taken to be public" in text
    rate = 1 / math.ceil(SECRET / 500)
    for records in (SECRET, SECRET - 1):
        given = {"sample_rate": rate, "num_samples": records, "size": 98}
        batches = stand_in("UniformWithReplacementSampler", "opacus.utils", **given)
        loader = Torch(range(SECRET), batches)
        for ask in (
            lambda: recognise(loader),
            lambda: recognise(loader).check(sampling_rate=0.5, steps=SECRET),
            lambda: renyi.Accountant().observe(loader, noise_multiplier=1.0),
        ):
            text, failed = said(ask)
            assert not TOLD.search(text), text
            assert "taken to be public" in text or "num_samples: got another number" in text


def test_the_data_of_a_data_loader_do_not_tell_it(make: Callable[..., renyi.loaders.Loader]) -> None:
    from renyi.loaders import torch_adapter

    class Data:
        DataLoader = default_collate = staticmethod(lambda *given, **options: pytest.fail("loaded"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch_adapter.importlib, "import_module", lambda name: Data)
        text, failed = said(lambda: make().data_loader(range(SECRET + 1)))
    assert failed and "dataset: got other records" in text and not TOLD.search(text)


def test_a_lack_of_memory_does_not_tell_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(records: int, batches: int) -> Any:
        raise MemoryError(f"Unable to allocate 380 KiB for an array with shape ({records},)")

    monkeypatch.setattr(draws, "allocation", lacking)
    with pytest.raises(MemoryError) as error:
        next(iter(renyi.loaders.RandomAllocationLoader(SECRET, batches=80)))
    assert not TOLD.search(str(error.value)) and error.value.__suppress_context__


def test_an_empty_data_set_is_one_too() -> None:
    """A refusal would tell it from one with a record."""
    data = np.zeros((0, 3))
    for make in PRIVATE:
        batch = next(iter(make(0)))
        assert batch.take(data).sum() == 0 and not batch.mask.any()


# What a divisor tells.


def sums_of_squares(divide: Callable[[Any], Any], trials: int, coordinates: int, steps: int) -> list[float]:
    """Trains on gradients that are zero: the means that are published are noise, divided."""
    generator = np.random.default_rng(5)
    found = []
    for _ in range(trials):
        found.append(sum(float(np.sum(divide(generator.standard_normal(coordinates)) ** 2)) for _ in range(steps)))
    return found


def telling_apart(squares: list[float], divisors: tuple[float, float], numbers: int) -> float:
    """The share of trainings that the likelihood-ratio test takes for those with the larger divisor."""
    small, large = divisors
    ratios = [(small**2 - large**2) * s / 2 + numbers * math.log(large / small) for s in squares]
    return sum(ratio > 0 for ratio in ratios) / len(ratios)


def test_a_divisor_of_the_data_tells_the_number_of_records() -> None:
    """d T/N² = 25 nats between the means of N and of N - 1 records, where the account says next to nothing."""
    size, rate, coordinates, steps, trials = 200, 0.1, 2000, 500, 20
    numbers = coordinates * steps
    assert numbers / size**2 >= 25
    divisors = (rate * (size - 1), rate * size)
    for records, expected in ((size, 1.0), (size - 1, 0.0)):
        squares = sums_of_squares(lambda total: total / (rate * records), trials, coordinates, steps)
        assert telling_apart(squares, divisors, numbers) == expected
    # The same test on what the loaders publish: one sample of noise, the same means to the last bit.
    both = []
    for records in (size, size - 1):
        loader = renyi.loaders.PoissonLoader(records, rate=rate, steps=steps, nominal_size=200)
        both.append(sums_of_squares(loader.mean, trials, coordinates, steps))
    assert both[0] == both[1]
    assert telling_apart(both[0], divisors, numbers) == telling_apart(both[1], divisors, numbers)


def test_what_loaders_publish_beside_batches_does_not_depend_on_it(make: Callable[..., renyi.loaders.Loader]) -> None:
    def published(size: int) -> list[object]:
        loader = make(size)
        sums = [] if loader.nominal_size is None else [loader.expected_batch_size, loader.mean(1.0)]
        numbers = [loader.sampling, loader.steps, loader.steps_per_epoch, len(loader.batch_sampler()), repr(loader)]
        return [*numbers, loader.plan(noise_multiplier=1.0).to_json(), *sums]

    assert published(SECRET) == published(SECRET + 1) == published(2 * SECRET) == published(1)


# Who says that it is public.


@pytest.mark.parametrize("which", OF_NO_SIZE)
def test_means_need_a_public_number(which: int) -> None:
    for ask in (
        lambda: PRIVATE[which]().mean(1.0),
        lambda: PRIVATE[which]().expected_batch_size,
        lambda: PRIVATE[which]().check(dataset_size=3),
    ):
        with pytest.raises(renyi.Unsupported, match='private under add-or-remove-one.*nominal_size=.*"zero-out"'):
            ask()


def test_a_public_number_is_used_as_ever() -> None:
    for public in (ZERO_OUT, {"neighbors": "replace-one"}, {"size_is_public": True}):
        loader = renyi.loaders.PoissonLoader(50_000, rate=0.001, steps=3, **public)
        assert loader.mean(100.0) == 2.0 and loader.nominal_size == 50_000
        assert loader.neighbors == public.get("neighbors", "zero-out") == loader.plan(noise_multiplier=1.0).neighbors
        assert repr(loader) == f"PoissonLoader(dataset_size=50000, rate=0.001, steps=3, neighbors={loader.neighbors!r})"
        with pytest.raises(renyi.InvalidArgument, match="divisor: .*allowed: 50: "):
            loader.mean(1.0, 51)
    sized = renyi.loaders.PoissonLoader(50_000, batch_size=64, steps=3, **ZERO_OUT)
    assert sized.rate == 64 / 50_000 and sized.expected_batch_size == 64
    assert renyi.loaders.RandomAllocationLoader(1000, 20, **ZERO_OUT).expected_batch_size == 50
    for refused in (
        lambda: loader.plan(noise_multiplier=1.0, neighbors="add-or-remove-one"),
        lambda: recognise(Torch(range(50_000), loader.batch_sampler())),
    ):
        with pytest.raises(renyi.InvalidArgument, match="neighbors: got add-or-remove-one.*nominal_size"):
            refused()


def test_the_number_of_a_batch_limit_is_the_promised_one() -> None:
    made = renyi.loaders.TruncatedPoissonLoader(
        SECRET, batch_size=500, batch_limit=600, steps=1, nominal_size=50_000
    )
    assert made.sampling == renyi.TruncatedPoisson(rate=0.01, dataset_size=50_000, batch_limit=600)
    known = renyi.loaders.TruncatedPoissonLoader(SECRET, rate=0.01, batch_limit=600, steps=1, **ZERO_OUT)
    assert known.sampling == renyi.TruncatedPoisson(rate=0.01, dataset_size=SECRET, batch_limit=600)


def test_batches_of_fixed_size_have_empty_places(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def places(records: int, size: int) -> Any:
        asked.append(records)
        return np.arange(records - size, records)

    monkeypatch.setattr(draws, "fixed_size_records", places)
    found = [
        next(iter(renyi.loaders.FixedSizeLoader(size, 4, 1, nominal_size=10))).indices.tolist() for size in (7, 10, 12)
    ]
    assert asked == [10, 10, 12] and found == [[6], [6, 7, 8, 9], [8, 9, 10, 11]]
    made = renyi.loaders.FixedSizeLoader(7, 4, 1, nominal_size=10)
    assert made.sampling == renyi.FixedSize(10, 4, padded=True) and made.expected_batch_size == 4


def test_a_number_of_a_batch_size_alone_is_going_away(monkeypatch: pytest.MonkeyPatch) -> None:
    loaders = renyi.loaders
    for make in (
        lambda: loaders.PoissonLoader(1000, batch_size=50, steps=3),
        lambda: loaders.TruncatedPoissonLoader(1000, rate=0.05, batch_limit=60, steps=3),
        lambda: loaders.FixedSizeLoader(1000, 50, 3),
    ):
        monkeypatch.setattr(_deprecation, "_warned", set())  # it warns once in a process
        with pytest.warns(DeprecationWarning, match="nominal_size=.*neighbors=") as caught:
            loader = make()
        assert caught[0].filename == __file__ and loader.neighbors == "zero-out"
        account = renyi.Accountant()
        account.observe(loader, noise_multiplier=2.0)
        assert account.plan.neighbors == "zero-out" and loader.expected_batch_size == 50
    for refused in (
        lambda: loaders.PoissonLoader(1000, batch_size=50, steps=3, **ADDED),
        lambda: loaders.TruncatedPoissonLoader(1000, rate=0.05, batch_limit=60, steps=3, **ADDED),
        lambda: loaders.FixedSizeLoader(1000, 50, 3, **ADDED),
    ):
        with pytest.raises(renyi.Unsupported, match="nominal_size: the number of records is private"):
            refused()


# The relation of the account.


def zero_out(steps: int = 5) -> renyi.loaders.Loader:
    return renyi.loaders.PoissonLoader(1000, rate=0.05, steps=steps, **ZERO_OUT)


def test_an_account_takes_the_relation_of_its_first_loader() -> None:
    account = renyi.Accountant(unit=2)
    for _ in account.observe(zero_out(), noise_multiplier=2.0):
        pass
    assert account.plan == zero_out().plan(noise_multiplier=2.0, unit=2) and account.plan.neighbors == "zero-out"
    account.observe(renyi.loaders.PoissonLoader(1000, rate=0.05, steps=5), noise_multiplier=2.0)  # public parameters
    replaced = renyi.Accountant()
    replaced.observe(renyi.loaders.RandomAllocationLoader(1000, 20, neighbors="replace-one"), noise_multiplier=2.0)
    assert replaced.plan.neighbors == "replace-one"
    replaced.observe(zero_out(), noise_multiplier=2.0)  # the number of records is the same in both datasets


def test_an_account_keeps_the_relation_that_it_has() -> None:
    stated = renyi.Accountant(**ADDED)
    charged = renyi.Accountant()
    charged.step(noise_multiplier=2.0)
    observing = renyi.Accountant()
    observing.observe(renyi.loaders.PoissonLoader(1000, rate=0.05, steps=5), noise_multiplier=2.0)
    planned, restored = renyi.Accountant(renyi.Plan()), renyi.Accountant()
    restored.load_state_dict(renyi.Accountant().state_dict())
    for account in (stated, charged, observing, planned, restored):
        with pytest.raises(renyi.InvalidArgument, match="allowed: zero-out, as the loader says.*nominal_size"):
            account.observe(zero_out(), noise_multiplier=2.0)
        assert account.plan.neighbors == "add-or-remove-one"
        loader = zero_out()
        assert next(iter(loader)).number == 1  # it is not observed
    both = renyi.Accountant(**ZERO_OUT)
    both.observe(renyi.loaders.PoissonLoader(1000, rate=0.05, steps=5), noise_multiplier=2.0)
    assert both.plan.neighbors == "zero-out"


def test_a_checkpoint_does_not_change_the_relation_of_a_loader_that_is_observed() -> None:
    loader = zero_out()
    account, older = renyi.Accountant(), renyi.Accountant().state_dict()
    account.observe(loader, noise_multiplier=2.0)
    with pytest.raises(renyi.InvalidArgument, match="neighbors: got add-or-remove-one, allowed: zero-out"):
        account.load_state_dict(older)
    next(iter(loader))
    assert account.plan == zero_out(1).plan(noise_multiplier=2.0)
    torch = renyi.Accountant(**ZERO_OUT)
    batches = stand_in("RandomSampler", replacement=True, num_samples=100, size=100)
    made = Torch(range(100), stand_in("BatchSampler", sampler=batches, batch_size=10, drop_last=False))
    torch.observe(made, noise_multiplier=2.0)
    with pytest.raises(renyi.InvalidArgument, match="neighbors: got add-or-remove-one, allowed: zero-out"):
        torch.load_state_dict(older)
    torch.load_state_dict(renyi.Accountant(neighbors="replace-one").state_dict())
    public = renyi.Accountant(**ZERO_OUT)
    public.observe(PRIVATE[0](), noise_multiplier=2.0)
    public.load_state_dict(older)  # parameters that are public hold for every relation
    assert public.plan.neighbors == "add-or-remove-one"


def test_a_recognised_loader_is_not_charged_under_another_relation() -> None:
    sampler = stand_in("SequentialSampler", size=100)
    made = Torch(range(100), stand_in("BatchSampler", sampler=sampler, batch_size=10, drop_last=False))
    found = recognise(made, neighbors="zero-out")
    assert found.plan(noise_multiplier=2.0, neighbors="replace-one").neighbors == "replace-one"
    with pytest.raises(renyi.InvalidArgument, match="neighbors: got add-or-remove-one, allowed: zero-out"):
        found.plan(noise_multiplier=2.0, neighbors="add-or-remove-one")
    ours = recognise(Torch(range(1000), zero_out().batch_sampler()), neighbors="zero-out")
    with pytest.raises(renyi.InvalidArgument, match="neighbors: got add-or-remove-one, allowed: zero-out"):
        ours.plan(noise_multiplier=2.0, neighbors="add-or-remove-one")


def test_no_number_is_equal_to_none() -> None:
    for field in ("batch_size", "dataset_size", "sampling_rate"):
        with pytest.raises(renyi.InvalidArgument, match=field):
            zero_out().check(**{field: math.nan})
    with pytest.raises(renyi.InvalidArgument, match="divisor"):
        zero_out().mean(1.0, math.nan)


def test_a_ledger_pays_for_a_loader_inside_another_as_it_draws(tmp_path: Any) -> None:
    ledger = renyi.Ledger.create(tmp_path / "models.ledger")
    ledger.add_scope("models", renyi.Budget.curve_of(renyi.Gaussian(1.0) * 60))
    account = renyi.LedgerAccountant(ledger, "models", noise_multiplier=2.0, sampling_rate=0.05, steps_per_epoch=20)
    with pytest.raises(renyi.InvalidArgument, match="neighbors: got add-or-remove-one"):
        next(account.paid(Inside(zero_out(20))))
    fixed = renyi.loaders.FixedSizeLoader(SECRET, 500, 100, nominal_size=10_000)
    with pytest.raises(renyi.InvalidArgument, match="sampling_rate: got another number, allowed: nothing"):
        next(account.paid(Inside(fixed)))
    public = renyi.loaders.PoissonLoader(SECRET, rate=0.05, steps=20)
    with pytest.raises(renyi.InvalidArgument, match="steps: got another number, allowed: 20"):
        next(account.paid(Inside(public), steps=SECRET // 500))
    assert sum(1 for _ in account.paid(Inside(public))) == 20
    assert account.plan == public.plan(noise_multiplier=2.0)


def test_a_ledger_refuses_a_loader_whose_number_it_does_not_know(tmp_path: Any) -> None:
    ledger = renyi.Ledger.create(tmp_path / "models.ledger")
    step = renyi.Gaussian(2.0).sampled(renyi.Poisson(0.05))
    ledger.add_scope("models", renyi.Budget.curve_of(step * 60))
    account = renyi.LedgerAccountant(ledger, "models", noise_multiplier=2.0, sampling_rate=0.05, steps_per_epoch=20)
    with pytest.raises(renyi.InvalidArgument, match="neighbors: got add-or-remove-one"):
        next(account.paid(zero_out(20)))
    assert account.plan.steps == ()
