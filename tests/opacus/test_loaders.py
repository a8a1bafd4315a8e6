"""Loaders beside a real Opacus: what its own are recognised as, and a training with ours."""

import pytest
import torch
from opacus import GradSampleModule, PrivacyEngine
from opacus.optimizers import DPOptimizer
from test_opacus import parts

import renyi
from renyi.loaders import recognise

pytestmark = pytest.mark.filterwarnings("ignore")  # torch's and Opacus's own


def test_the_loader_of_make_private_is_a_poisson_sampler():
    model, optimizer, loader = parts()
    records, engine = len(loader.dataset), PrivacyEngine()
    model, optimizer, private = engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.1, max_grad_norm=1.0
    )
    with pytest.warns(renyi.PrivacyWarning, match="taken to be public"):
        assert recognise(private).sampling == renyi.Poisson(1 / len(loader))
    found = recognise(private, neighbors="zero-out")
    assert found.sampling == renyi.Poisson(1 / len(loader)) and found.dataset_size == records
    account = renyi.Accountant(neighbors="zero-out")
    for features, labels in account.observe(private, noise_multiplier=1.1):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(features), labels).backward()
        optimizer.step()
    ((noise, rate, steps),) = engine.accountant.history
    account.check(noise_multiplier=noise, sampling_rate=rate, steps=steps)


def test_random_numbers_of_torch_are_multiples():
    """So the rate that is drawn is a multiple of 2^-24, and recognised as such."""
    drawn = torch.rand(100_000).double() * 2**24
    assert torch.equal(drawn, drawn.round()) and drawn.max() < 2**24


def test_a_weighted_sampler_is_refused_before_opacus_takes_its_length_for_the_data():
    data = torch.utils.data.TensorDataset(torch.randn(10_000, 2), torch.zeros(10_000))
    sampler = torch.utils.data.WeightedRandomSampler(torch.ones(10_000), num_samples=128)
    loader = torch.utils.data.DataLoader(data, batch_size=16, sampler=sampler)
    with pytest.raises(renyi.Unsupported, match="0.125, is 78.125 times .*0.0016"):
        recognise(loader, neighbors="zero-out")
    model = torch.nn.Linear(2, 1)
    engine = PrivacyEngine()
    _, optimizer, private = engine.make_private(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=0.1),
        data_loader=loader,
        noise_multiplier=1.0,
        max_grad_norm=1.0,
    )
    # Opacus replaces the sampler, and takes one eighth of all records for each batch: the loader says so.
    found = recognise(private, neighbors="zero-out")
    assert found.sampling == renyi.Poisson(0.125) and found.expected_batch_size == 1250
    with pytest.raises(renyi.InvalidArgument, match="sampling_rate: got 0.0016, allowed: 0.125"):
        found.check(sampling_rate=16 / 10_000)


def test_a_shuffled_loader_is_no_poisson_sampler():
    model, optimizer, loader = parts()
    shuffled = torch.utils.data.DataLoader(loader.dataset, batch_size=64, shuffle=True)
    _, _, private = PrivacyEngine().make_private(
        module=model,
        optimizer=optimizer,
        data_loader=shuffled,
        noise_multiplier=1.1,
        max_grad_norm=1.0,
        poisson_sampling=False,
    )
    with pytest.raises(renyi.Unsupported, match="no Poisson sampling"):
        recognise(private)
    assert recognise(private, neighbors="zero-out").sampling == renyi.Shuffled(len(shuffled))


def test_batches_of_random_allocation_with_the_optimizer_of_opacus():
    model, optimizer, loader = parts()
    drawn = renyi.loaders.RandomAllocationLoader(len(loader.dataset), batches=8, epochs=2, neighbors="zero-out")
    account = renyi.Accountant()
    account.observe(drawn, noise_multiplier=1.1)
    private = GradSampleModule(model)
    optimizer = DPOptimizer(
        torch.optim.SGD(private.parameters(), lr=0.1),
        noise_multiplier=1.1,
        max_grad_norm=1.0,
        expected_batch_size=drawn.expected_batch_size,
    )
    batches = drawn.data_loader(loader.dataset)
    for epoch in (1, 2):
        for features, labels in batches:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(private(features), labels).backward()
            optimizer.step()
        assert account.steps == epoch
    account.check(steps=16, noise_multiplier=1.1)
    with pytest.raises(renyi.InvalidArgument, match="sampling_rate: got 0.125, allowed: nothing"):
        account.check(sampling_rate=0.125)
