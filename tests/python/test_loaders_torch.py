"""Data loaders of torch and Opacus: recognised as what they do, or refused with the reason."""

from __future__ import annotations

import itertools
from typing import Any, Iterator, Sequence

import numpy as np
import pytest

import renyi
from renyi.loaders import draws, recognise

try:
    draws.poisson_records(1, 0.5)
except renyi.Unsupported:
    pytest.skip("built without exact noise", allow_module_level=True)


class Torch:
    """The classes of torch that count here, with the attributes that they have. Real ones, where torch is installed,
    are tried by the same tests."""

    def __init__(self, root: str = "torch.utils.data.sampler") -> None:
        self.SequentialSampler = self._class("SequentialSampler", root)
        self.RandomSampler = self._class("RandomSampler", root)
        self.SubsetRandomSampler = self._class("SubsetRandomSampler", root)
        self.WeightedRandomSampler = self._class("WeightedRandomSampler", root)
        self.DistributedSampler = self._class("DistributedSampler", "torch.utils.data.distributed")
        self.BatchSampler = self._class("BatchSampler", root)

    @staticmethod
    def _class(name: str, module: str) -> type:
        return type(name, (_Stand,), {"__module__": module})

    def loader(
        self, records: int, batch_size: int, sampler: Any = None, shuffle: bool = False, drop_last: bool = False
    ) -> Any:
        dataset = range(records)
        if sampler is None:
            kind = self.RandomSampler if shuffle else self.SequentialSampler
            sampler = kind(size=records, replacement=False, num_samples=records)
        batches = self.BatchSampler(sampler=sampler, batch_size=batch_size, drop_last=drop_last)
        count = len(sampler) // batch_size if drop_last else -(-len(sampler) // batch_size)
        return _Loader(dataset, batches, count)

    def replacing(self, records: int, drawn: int) -> Any:
        return self.RandomSampler(size=drawn, replacement=True, num_samples=drawn)

    def drawing(self, records: int, drawn: int) -> Any:
        return self.RandomSampler(size=drawn, replacement=False, num_samples=drawn)

    def weighted(self, records: int, drawn: int) -> Any:
        return self.WeightedRandomSampler(size=drawn)

    def subset(self, indices: Sequence[int]) -> Any:
        return self.SubsetRandomSampler(size=len(indices), indices=indices)


class _Stand:
    def __init__(self, **given: Any) -> None:
        self.__dict__.update(given)

    def __len__(self) -> int:
        return int(self.size)  # type: ignore[attr-defined]


class _Loader:
    def __init__(self, dataset: Any, batch_sampler: Any, count: int) -> None:
        self.dataset, self.batch_sampler, self._count = dataset, batch_sampler, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._count))


class RealTorch:
    def __init__(self) -> None:
        self.data = pytest.importorskip("torch.utils.data")

    def loader(
        self, records: int, batch_size: int, sampler: Any = None, shuffle: bool = False, drop_last: bool = False
    ) -> Any:
        how: dict[str, Any] = {"shuffle": shuffle} if sampler is None else {"sampler": sampler}
        return self.data.DataLoader(range(records), batch_size=batch_size, drop_last=drop_last, **how)

    def replacing(self, records: int, drawn: int) -> Any:
        return self.data.RandomSampler(range(records), replacement=True, num_samples=drawn)

    def drawing(self, records: int, drawn: int) -> Any:
        return self.data.RandomSampler(range(records), num_samples=drawn)

    def weighted(self, records: int, drawn: int) -> Any:
        return self.data.WeightedRandomSampler([1.0] * records, num_samples=drawn, replacement=True)

    def subset(self, indices: Sequence[int]) -> Any:
        return self.data.SubsetRandomSampler(indices)


@pytest.fixture(params=[Torch, RealTorch], ids=["stand-ins", "torch"])
def torch(request: pytest.FixtureRequest) -> Any:
    return request.param()


def test_shuffled_loaders_are_shuffled_epochs(torch: Any) -> None:
    found = recognise(torch.loader(1000, 64, shuffle=True), neighbors="zero-out")
    assert (found.sampling, found.batches, found.samples_each_batch) == (renyi.Shuffled(16), 16, False)
    assert "no amplification" in found.notes[0]
    assert found.plan(noise_multiplier=4.0, epochs=3).merged() == (
        renyi.plan.Step(renyi.Gaussian(4.0).sampled(renyi.Shuffled(16)), 3),
    )
    found.check(steps=48, epochs=3)


def test_mistake_2_a_shuffled_loader_accounted_as_poisson_samples(torch: Any) -> None:
    loader = torch.loader(1000, 64, shuffle=True)
    with pytest.raises(renyi.Unsupported, match="moves the others between them; .*no Poisson .*PoissonLoader"):
        recognise(loader)
    with pytest.raises(renyi.Unsupported, match="cut into batches"):
        renyi.Accountant().observe(loader, noise_multiplier=1.0)
    account = renyi.Accountant(neighbors="zero-out")
    for _ in account.observe(loader, noise_multiplier=4.0):
        pass
    assert account.plan == renyi.Plan(neighbors="zero-out").add(renyi.Gaussian(4.0).sampled(renyi.Shuffled(16)))
    for claim in (
        lambda: account.check(sampling_rate=0.064),
        lambda: account.step(noise_multiplier=4.0, sampling_rate=0.064),
        lambda: recognise(loader, neighbors="zero-out").check(sampling_rate=0.064),
    ):
        with pytest.raises(renyi.InvalidArgument, match="rate: got 0.064, allowed: nothing: .*shuffled epochs"):
            claim()


def test_mistake_1_a_weighted_sampler(torch: Any) -> None:
    loader = torch.loader(100_000, 16, torch.weighted(100_000, 128))
    account = renyi.Accountant(neighbors="zero-out")
    for ask in (
        lambda: recognise(loader, neighbors="zero-out"),
        lambda: account.observe(loader, noise_multiplier=1.0),
    ):
        with pytest.raises(renyi.Unsupported, match="0.125, is 781.25 times .*0.00016") as error:
            ask()
        assert error.value.field == "sampler" and "PoissonLoader" in error.value.instead


def test_mistake_4_batches_that_are_dropped_or_smaller(torch: Any) -> None:
    kept, dropped = (
        recognise(torch.loader(1000, 64, shuffle=True, drop_last=drop), neighbors="zero-out") for drop in (False, True)
    )
    assert (kept.batches, dropped.batches) == (16, 15)
    assert any("leaves 40 records out" in note for note in dropped.notes)
    assert not any("drop" in note for note in kept.notes)
    with pytest.raises(renyi.InvalidArgument, match="steps: got 45, allowed: 48, .* of 3 epochs: .*smaller last"):
        kept.check(steps=3 * (1000 // 64), epochs=3)
    with pytest.raises(renyi.InvalidArgument, match="steps: got 48, allowed: 45"):
        dropped.check(steps=48, epochs=3)
    exact = recognise(torch.loader(128, 64, shuffle=True, drop_last=True), neighbors="zero-out")
    assert exact.batches == 2 and len(exact.notes) == 1
    with pytest.raises(renyi.InvalidArgument, match="drop_last"):
        recognise(torch.loader(10, 64, shuffle=True, drop_last=True), neighbors="zero-out")


def test_loaders_without_shuffling_have_no_sampling(torch: Any) -> None:
    found = recognise(torch.loader(1000, 64), neighbors="replace-one")
    assert (found.sampling, found.batches, found.samples_each_batch) == (renyi.Poisson(1.0), 16, False)
    with pytest.raises(renyi.Unsupported, match="cut in their order"):
        recognise(torch.loader(1000, 64))
    with pytest.raises(renyi.InvalidArgument, match="sampling_rate: got 0.064, allowed: nothing: .*no sampling"):
        found.check(sampling_rate=0.064)
    for shuffle in (False, True):
        with pytest.warns(renyi.PrivacyWarning, match="one batch has all records"):
            whole = recognise(torch.loader(1000, 1000, shuffle=shuffle))
        assert (whole.sampling, whole.batches, whole.expected_batch_size) == (renyi.Poisson(1.0), 1, None)
        cost = float(renyi.epsilon(whole.plan(noise_multiplier=4.0, neighbors="add-or-remove-one"), delta=1e-5))
        assert cost == pytest.approx(float(renyi.epsilon(renyi.Gaussian(4.0), delta=1e-5)), rel=1e-9)


def test_draws_with_replacement_batch_by_batch(torch: Any) -> None:
    loader = torch.loader(1000, 64, torch.replacing(1000, 200))
    with pytest.raises(renyi.Unsupported, match="number of records, which is private; .*PoissonLoader"):
        recognise(loader)
    found = recognise(loader, neighbors="zero-out")
    assert found.samples_each_batch and found.batches == 4
    sizes = (64, 64, 64, 8)
    assert [found.sampling_of(number) for number in range(4)] == [renyi.WithReplacement(1000, n) for n in sizes]
    account = renyi.Accountant(neighbors="zero-out")
    assert len(list(account.observe(loader, noise_multiplier=2.0))) == 4
    assert account.plan == found.plan(noise_multiplier=2.0)
    assert [step.count for step in account.plan.merged()] == [3, 1]
    dropped = recognise(torch.loader(1000, 64, torch.replacing(1000, 200), drop_last=True), neighbors="zero-out")
    assert dropped.batches == 3 and dropped.last is None


def test_samplers_of_parts(torch: Any) -> None:
    part = recognise(torch.loader(1000, 50, torch.subset(range(300))), neighbors="zero-out")
    assert part.sampling == renyi.Shuffled(6)
    some = recognise(torch.loader(1000, 50, torch.drawing(1000, 400)), neighbors="zero-out")
    assert some.sampling == renyi.Shuffled(8)
    for repeated in (torch.subset([1, 1, 2]), torch.drawing(1000, 1001)):
        with pytest.raises(renyi.Unsupported, match="more than once"):
            recognise(torch.loader(1000, 50, repeated), neighbors="zero-out")


def test_unknown_loaders_are_refused(torch: Any) -> None:
    class OwnSampler(type(torch.loader(10, 2, shuffle=True).batch_sampler.sampler)):  # type: ignore[misc]
        """A class derived from a known one may draw as it likes."""

    base = torch.loader(1000, 64, shuffle=True).batch_sampler.sampler
    own = OwnSampler.__new__(OwnSampler)
    own.__dict__.update(base.__dict__)
    with pytest.raises(renyi.Unsupported, match="OwnSampler"):
        recognise(torch.loader(1000, 64, own), neighbors="zero-out")
    stand = Torch()
    distributed = stand.DistributedSampler(size=500)
    with pytest.raises(renyi.Unsupported, match="DistributedSampler"):
        recognise(stand.loader(1000, 64, distributed), neighbors="zero-out")
    stream = _Loader(iter(range(3)), stand.BatchSampler(), 1)
    for loader in (stream, _Loader(range(3), None, 3), _Loader(range(3), [[1]], 3)):
        with pytest.raises(renyi.Unsupported, match="data_loader"):
            recognise(loader, neighbors="zero-out")
    with pytest.raises(renyi.InvalidArgument, match="neighbors"):
        recognise(torch.loader(10, 2), neighbors="both")


def test_opacus_loaders_are_poisson_samples() -> None:
    """Stand-ins for Opacus' classes; tests/opacus has the real ones."""
    sampler = type("UniformWithReplacementSampler", (_Stand,), {"__module__": "opacus.utils.uniform_sampler"})
    loader = _Loader(range(1000), sampler(size=20, sample_rate=0.05, num_samples=1000), 20)
    with pytest.warns(renyi.PrivacyWarning, match="taken to be public.*zero-out"):
        found = recognise(loader)
    assert found.neighbors == "add-or-remove-one" and "taken to be public" in found.notes[-1]
    assert found.expected_batch_size is None  # the rate times the number of records
    drawn = renyi.Poisson(838861 / 2**24)  # what torch.rand is below 0.05 with: a little more often
    assert (found.sampling, found.batches, found.samples_each_batch) == (drawn, 20, True)
    assert "seed" in found.notes[0] and repr(drawn.rate) in found.notes[1]
    account = renyi.Accountant(neighbors="zero-out")
    for _ in account.observe(loader, noise_multiplier=1.0):
        pass
    account.check(sampling_rate=1 / 20, steps=20, noise_multiplier=1.0)
    with pytest.raises(renyi.InvalidArgument, match="sampling_rate: got 0.1, allowed: 0.05"):
        account.check(sampling_rate=0.1)
    for stated, rate in ((0.125, 0.125), (2**-25, 2**-24), (1.0, 1.0), (1e-30, 2**-24), (7e-6, 118 / 2**24)):
        made = _Loader(range(1000), sampler(size=20, sample_rate=stated, num_samples=1000), 20)
        of_rate = recognise(made, neighbors="zero-out")
        assert of_rate.sampling == renyi.Poisson(rate) and of_rate.expected_batch_size == pytest.approx(1000 * stated)
    many = type("DistributedUniformWithReplacementSampler", (sampler,), {"__module__": "opacus.utils.uniform_sampler"})
    part = many(size=20, sample_rate=0.125, num_samples=250, total_size=1000, num_replicas=4)
    assert "all replicas" in recognise(_Loader(range(1000), part, 20), neighbors="zero-out").notes[1]
    with pytest.raises(renyi.InvalidArgument, match="num_samples: got 128 records"):
        wrong = _Loader(range(1000), sampler(size=20, sample_rate=0.05, num_samples=128), 20)
        recognise(wrong, neighbors="zero-out")


def test_our_own_batch_samplers_are_recognised() -> None:
    loader = renyi.loaders.RandomAllocationLoader(1000, batches=20, epochs=2)
    inside = _Loader(range(1000), loader.batch_sampler(), 20)
    found = recognise(inside, neighbors="zero-out")
    assert (found.sampling, found.batches, found.samples_each_batch) == (loader.sampling, 20, False)
    account = renyi.Accountant(neighbors="zero-out")
    account.observe(inside, noise_multiplier=2.0)
    for batch in inside.batch_sampler:
        assert isinstance(batch, list)
    assert account.steps == 1 and loader.position == 20


def test_torch_loads_the_batches_of_a_loader() -> None:
    torch = pytest.importorskip("torch")
    data = torch.utils.data.TensorDataset(torch.arange(200.0), torch.arange(200))
    for workers in (0, 2):
        loader = renyi.loaders.RandomAllocationLoader(200, batches=8, epochs=2)
        account = renyi.Accountant(neighbors="zero-out")
        loaded = loader.data_loader(data, num_workers=workers)
        observed = account.observe(loaded, noise_multiplier=2.0)
        assert isinstance(loaded.batch_sampler, torch.utils.data.Sampler) and len(loaded) == 8
        for epoch in (1, 2):
            seen = torch.cat([labels for _, labels in observed])
            assert sorted(seen.tolist()) == list(range(200)) and account.steps == epoch


def test_empty_batches_are_collated() -> None:
    torch = pytest.importorskip("torch")
    data = torch.utils.data.TensorDataset(torch.ones(100, 3), torch.arange(100))
    loader = renyi.loaders.PoissonLoader(100, rate=1e-9, steps=2)
    for features, labels in itertools.islice(loader.data_loader(data), 2):
        assert features.shape == (0, 3) and labels.shape == (0,)
    named = [{"x": np.float32(1), "name": "a"}] * 10
    (batch,) = renyi.loaders.PoissonLoader(10, rate=1e-9, steps=1).data_loader(named)
    assert batch["x"].shape == (0,) and batch["name"] == []


def test_options_that_would_change_the_batches_are_refused() -> None:
    pytest.importorskip("torch")
    loader = renyi.loaders.PoissonLoader(100, rate=0.1, steps=2, neighbors="zero-out")
    for option in ({"shuffle": True}, {"batch_size": 10}, {"drop_last": True}):
        with pytest.raises(renyi.InvalidArgument, match=next(iter(option))):
            loader.data_loader(range(100), **option)
    with pytest.raises(renyi.InvalidArgument, match="dataset: got 50 records, allowed: 100"):
        loader.data_loader(range(50))
