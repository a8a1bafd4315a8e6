"""A real Opacus training whose sums and noise are exact: accuracy, cost, accounting, and the semantics of Opacus."""

import math
import time

import numpy as np
import pytest
import torch
from guide import run_examples
from opacus import PrivacyEngine
from opacus.optimizers import DPOptimizer
from opacus.schedulers import ExponentialNoise
from opacus.utils.batch_memory_manager import BatchMemoryManager
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

import renyi
from renyi.compat.opacus import ExactDPOptimizer, RenyiAccountant, make_exact
from renyi.loaders import recognise
from renyi.noise import float_sum_sensitivity

DELTA = 1e-5
pytestmark = pytest.mark.filterwarnings("ignore")  # torch's and Opacus's own


def digits():
    images = load_digits()
    pixels = torch.tensor(images.data / 16 - 0.5, dtype=torch.float32)
    labels = torch.tensor(images.target, dtype=torch.int64)
    order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(0))
    return pixels[order], labels[order]


def private(engine, *, noise=1.0, batch=128, seed=1, data=None, **settings):
    torch.manual_seed(seed)
    pixels, labels = digits() if data is None else data
    model = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.Tanh(), torch.nn.Linear(32, 10))
    loader = DataLoader(TensorDataset(pixels[:1500], labels[:1500]), batch_size=batch)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    return engine.make_private(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        noise_multiplier=noise,
        max_grad_norm=1.0,
        **settings,
    )


def train(model, optimizer, loader, epochs):
    """Returns the time of the optimizer's steps, for each step."""
    times = []
    for _ in range(epochs):
        for pixels, labels in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(pixels), labels).backward()
            start = time.perf_counter()
            optimizer.step()
            times.append(time.perf_counter() - start)
    return times


def accuracy(model):
    pixels, labels = digits()
    with torch.no_grad():
        return float((model(pixels[1500:]).argmax(dim=1) == labels[1500:]).float().mean())


def test_digits_with_exact_and_ordinary_noise():
    seeds, epochs = range(5), 6
    results = {}
    for name in ("ordinary", "exact"):
        scores, times = [], []
        for seed in seeds:
            engine = PrivacyEngine(accountant="renyi")
            model, optimizer, loader = private(engine, seed=seed)
            if name == "exact":
                optimizer = make_exact(optimizer)
            times += train(model, optimizer, loader, epochs)
            scores.append(accuracy(model))
            rate = recognise(loader).sampling.rate  # that of torch.rand, above 1 / len(loader) by less than 2^-23
            assert engine.accountant.history == [(1.0, rate, epochs * len(loader))]
        results[name] = scores, 1e3 * float(np.median(times)), engine.get_epsilon(DELTA)
    for name, (scores, step, epsilon) in results.items():
        spread = f"mean {np.mean(scores):.3f}, from {min(scores):.3f} to {max(scores):.3f}"
        print(f"\ndigits, {name} noise: accuracy {spread}; {step:.2f} ms a step; epsilon {epsilon:.3f} at {DELTA}")
    ordinary, exact = results["ordinary"][0], results["exact"][0]
    assert min(ordinary) > 0.6, "the training must learn something"
    # Within the spread: the means differ by less than four standard errors. Exact noise has no seed, and the errors are
    # estimated from five runs, so that six images are always allowed.
    error = math.sqrt((np.var(ordinary, ddof=1) + np.var(exact, ddof=1)) / len(seeds))
    assert abs(np.mean(ordinary) - np.mean(exact)) < max(4 * error, 6 / 297)
    assert results["ordinary"][2] == results["exact"][2]


def gradients(optimizer):
    return torch.cat([p.grad.reshape(-1) for p in optimizer.params])


def backward(model, count=40, scale=1.0):
    pixels, labels = digits()
    (scale * torch.nn.functional.cross_entropy(model(pixels[:count]), labels[:count])).backward()


@pytest.mark.parametrize("reduction", ["mean", "sum"])
@pytest.mark.parametrize("sums", ["exact", "float"])
def test_sums_and_scaling_are_those_of_opacus(reduction, sums):
    found = []
    for exact in (False, True):
        model, optimizer, _ = private(PrivacyEngine(), noise=1e-2 if exact else 0.0, loss_reduction=reduction)
        if exact:
            optimizer = make_exact(optimizer, sums=sums, greatest_batch=64)
        torch.nn.functional.cross_entropy(model(digits()[0][:40]), digits()[1][:40], reduction=reduction).backward()
        assert optimizer.pre_step()
        found.append(gradients(optimizer))
    scale = 125 if reduction == "mean" else 1  # 1500 records in 12 batches
    assert optimizer.expected_batch_size == 125
    assert (found[0] - found[1]).abs().max() < 0.08 / scale  # eight standard deviations
    assert 0.5 < float((found[0] - found[1]).std() * scale / 1e-2) < 1.5


def test_virtual_steps_and_memory_manager():
    engine = PrivacyEngine(accountant="renyi")
    model, optimizer, loader = private(engine)
    optimizer = make_exact(optimizer)
    with BatchMemoryManager(data_loader=loader, max_physical_batch_size=16, optimizer=optimizer) as small:
        train(model, optimizer, small, 1)
    assert len(engine.accountant) == len(loader)
    # Two skipped batches and one that is not are one sum.
    model, optimizer, _ = private(PrivacyEngine(), noise=0.01)
    optimizer = make_exact(optimizer)
    for skip in (True, True, False):
        optimizer.zero_grad()
        backward(model, 20)
        optimizer.signal_skip_step(do_skip=skip)
        assert optimizer.pre_step() is not skip
    assert optimizer._sum.records == 60
    optimizer.zero_grad()
    assert optimizer._sum.records == 0


def test_gradients_are_used_once():
    model, optimizer, _ = private(PrivacyEngine())
    optimizer = make_exact(optimizer)
    optimizer.zero_grad()
    backward(model)
    optimizer.step()
    with pytest.raises(ValueError, match="zero_grad"):
        optimizer.step()
    with pytest.raises(ValueError, match="zero_grad"):
        optimizer.add_noise()
    optimizer.zero_grad()
    backward(model)
    optimizer.step()


@pytest.mark.parametrize("sums", ["exact", "float"])
def test_a_record_that_is_not_finite_counts_as_zero(sums):
    model, optimizer, _ = private(PrivacyEngine(), noise=0.01)
    optimizer = make_exact(optimizer, sums=sums, greatest_batch=64)
    optimizer.zero_grad()
    backward(model)
    for p in optimizer.params:
        p.grad_sample[3] = math.nan
        p.grad_sample[4] = math.inf
    optimizer.step()
    assert gradients(optimizer).isfinite().all()


def test_an_empty_batch_is_noise():
    model, optimizer, _ = private(PrivacyEngine())
    optimizer = make_exact(optimizer)
    optimizer.zero_grad()
    for p in optimizer.params:
        p.grad_sample = torch.zeros((0, *p.shape))
    optimizer.step()
    assert 0.8 < float(gradients(optimizer).std() * optimizer.expected_batch_size) < 1.2


def test_schedules_of_noise_and_norm():
    engine = PrivacyEngine(accountant="renyi")
    model, optimizer, _ = private(engine, noise=4.0)
    optimizer = make_exact(optimizer)
    schedule = ExponentialNoise(optimizer, gamma=0.5)
    for _ in range(3):
        optimizer.zero_grad()
        backward(model)
        optimizer.step()
        schedule.step()
        optimizer.max_grad_norm *= 2
    assert [row[0] for row in engine.accountant.history] == [4.0, 2.0, 1.0]
    assert 3.2 < float(gradients(optimizer).std() * optimizer.expected_batch_size) < 4.8  # 1 times a norm of 4
    assert 0 < optimizer.timing_delta < 1e-9


def test_sums_of_floats_are_charged_for():
    engine = PrivacyEngine(accountant="renyi")
    model, optimizer, loader = private(engine)
    optimizer = make_exact(optimizer, sums="float", greatest_batch=200)
    train(model, optimizer, loader, 1)
    dimension = sum(p.numel() for p in model.parameters())
    bound = float_sum_sensitivity(clip_norm=1.0, records=200, dimension=dimension)
    (row,) = engine.accountant.history
    assert row[0] == optimizer.accounted_noise_multiplier <= 1 / bound < 1 and row[0] > 0.98
    assert optimizer.noise_multiplier == 1.0 and not optimizer.is_estimate
    alone = RenyiAccountant()
    alone.history = [(1.0, *row[1:])]
    assert engine.get_epsilon(DELTA) > alone.get_epsilon(DELTA)
    optimizer.greatest_batch = 10
    with pytest.warns(UserWarning, match="estimate"):
        train(model, optimizer, loader, 1)
    assert optimizer.is_estimate


def test_refused_by_name():
    _, optimizer, _ = private(PrivacyEngine())
    cases = [
        ("optimizer", lambda: make_exact(optimizer.original_optimizer)),
        ("optimizer", lambda: make_exact(make_exact(optimizer))),
        ("sums", lambda: make_exact(optimizer, sums="fast")),
        ("greatest_batch", lambda: make_exact(optimizer, sums="float")),
        ("records", lambda: make_exact(optimizer, sums="float", greatest_batch=2**30)),
    ]
    for field, call in cases:
        with pytest.raises(renyi.Error) as caught:
            call()
        assert caught.value.field == field
    optimizer.normalize_clipping = True
    with pytest.raises(renyi.InvalidArgument, match="^optimizer: "):
        make_exact(optimizer)
    optimizer.normalize_clipping = False
    optimizer.generator = torch.Generator()
    with pytest.raises(renyi.InvalidArgument, match="^generator: "):
        make_exact(optimizer)
    assert issubclass(ExactDPOptimizer, DPOptimizer)


def test_the_guide():
    assert run_examples("docs/guide/exact-training.md", "from opacus") >= 1
