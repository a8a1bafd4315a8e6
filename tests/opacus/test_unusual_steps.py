"""Trainings in which a step is not one on one batch as it was drawn: skipped and repeated steps, changed rates and
histories, adaptive clipping."""

import copy
import warnings

import pytest
import torch
from opacus.data_loader import DPDataLoader
from opacus.optimizers import AdaClipDPOptimizer
from opacus.utils.batch_memory_manager import BatchMemoryManager
from test_what_is_drawn import DELTA, NOISE, drawn_rate, no_warning_of_ours, one_step, private, shuffled, train

import renyi
from renyi.compat.opacus import RenyiAccountant, make_exact

pytestmark = pytest.mark.filterwarnings("ignore")  # torch's and Opacus's own


def part(model, optimizer, batch):
    """One part of a step, as examples of the BatchMemoryManager have it."""
    torch.nn.functional.cross_entropy(model(batch[0]), batch[1], reduction="sum").backward()
    optimizer.step()
    optimizer.zero_grad()


def refused_without_a_change(model, step):
    before = copy.deepcopy(model.state_dict())
    with pytest.raises(renyi.Unsupported, match="more than one batch") as refused:
        step()
    assert not any(character.isdigit() for character in str(refused.value))
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())


@pytest.mark.parametrize("workers", [0, 2])
def test_several_samples_in_one_step_are_refused(workers):
    engine, model, optimizer, loader = private(shuffled(num_workers=workers))
    batches = iter(loader)
    for _ in range(2):
        part(model, optimizer, next(batches))
    optimizer.signal_skip_step(do_skip=True)
    part(model, optimizer, next(batches))
    refused_without_a_change(model, lambda: part(model, optimizer, next(batches)))
    assert engine.accountant.history == [(NOISE, drawn_rate(0.1), 2)]


def test_a_batch_that_is_divided_by_hand_is_one_step():
    engine, model, optimizer, loader = private(shuffled())
    for features, labels in loader:
        parts = list(zip(features.split(64), labels.split(64)))
        for number, piece in enumerate(parts):
            optimizer.signal_skip_step(do_skip=number + 1 < len(parts))
            part(model, optimizer, piece)
    assert engine.accountant.history == [(NOISE, drawn_rate(0.1), 10)]


def test_skipped_steps_within_a_shuffled_pass():
    engine, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=False)

    def steps(each):
        for number, batch in enumerate(loader):
            optimizer.signal_skip_step(do_skip=(number + 1) % each != 0)
            part(model, optimizer, batch)

    steps(5)
    steps(4)  # the gradients of two batches are left
    assert engine.accountant.history == [(NOISE, 1.0, 2)]
    refused_without_a_change(model, lambda: steps(2))


@pytest.mark.parametrize("poisson", [True, False])
@pytest.mark.parametrize("exact", [True, False])
def test_a_divided_batch_that_is_left_early(poisson, exact):
    engine, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=poisson)
    optimizer = make_exact(optimizer) if exact else optimizer

    def steps(stop_at):
        with BatchMemoryManager(data_loader=loader, max_physical_batch_size=16, optimizer=optimizer) as small:
            for batch in small:
                part(model, optimizer, batch)
                if optimizer._is_last_step_skipped is stop_at:
                    break

    steps(False)  # after a whole batch
    steps(True)  # after the first part of one, whose gradients wait for the next step
    assert len(engine.accountant) == 1
    refused_without_a_change(model, lambda: train_parts(model, optimizer, loader))


def train_parts(model, optimizer, loader):
    for batch in loader:
        part(model, optimizer, batch)


def test_workers_that_draw_ahead():
    engine, model, optimizer, loader = private(shuffled(num_workers=2))
    with no_warning_of_ours():
        for _ in range(2):
            with BatchMemoryManager(data_loader=loader, max_physical_batch_size=64, optimizer=optimizer) as small:
                train_parts(model, optimizer, small)
    assert engine.accountant.history == [(NOISE, drawn_rate(0.1), 20)]


@pytest.mark.parametrize("poisson", [True, False])
def test_signals_that_are_left_of_batches_drawn_ahead(poisson):
    _, model, optimizer, loader = private(shuffled(num_workers=2), "zero-out", poisson_sampling=poisson)

    def three_steps():
        with BatchMemoryManager(data_loader=loader, max_physical_batch_size=64, optimizer=optimizer) as small:
            steps = 0
            for batch in small:
                part(model, optimizer, batch)
                steps += not optimizer._is_last_step_skipped
                if steps == 3:
                    break

    three_steps()
    assert optimizer._step_skip_queue  # Opacus would take these for the parts of the next batch
    with pytest.raises(renyi.Unsupported, match="more than one batch"):
        three_steps()
    _, model, optimizer, loader = private(shuffled(num_workers=2), "zero-out", poisson_sampling=poisson)
    three_steps()
    optimizer._step_skip_queue.clear()
    three_steps()


def test_a_pass_without_steps_hides_no_batches_of_elsewhere():
    engine, model, optimizer, loader = private(shuffled())
    list(loader)  # for example to evaluate
    with no_warning_of_ours():
        train(model, optimizer, loader)
    list(loader)
    with pytest.warns(UserWarning, match="came from elsewhere, or were used again"):
        for batch in loader:
            one_step(model, optimizer, batch)
            one_step(model, optimizer, batch)


def test_a_warning_that_is_an_error_loses_no_noise():
    accountant, loader = RenyiAccountant(neighbors="zero-out"), shuffled()
    accountant.watch(loader)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="came from elsewhere"):
            accountant.step(noise_multiplier=NOISE, sample_rate=0.1)  # no batch was drawn
        accountant.step(noise_multiplier=0.5, sample_rate=0.1)
    assert accountant.history == [(0.5, 1.0, 1)]


def test_adaptive_clipping_is_refused():
    accountant, loader = RenyiAccountant(), DPDataLoader.from_data_loader(shuffled())
    accountant.watch(loader)
    _, model, optimizer, _ = private(shuffled())
    adaptive = AdaClipDPOptimizer(
        optimizer.original_optimizer,
        noise_multiplier=1.0,
        target_unclipped_quantile=0.5,
        clipbound_learning_rate=0.2,
        max_clipbound=10.0,
        min_clipbound=0.1,
        unclipped_num_std=0.6,
        max_grad_norm=1.0,
        expected_batch_size=None,
        loss_reduction="sum",
    )
    adaptive.attach_step_hook(accountant.get_optimizer_hook_fn(0.1))
    with pytest.raises(renyi.Unsupported, match="adaptive clipping"):
        train(model, adaptive, loader)
    assert accountant.history == []


def test_a_rate_that_is_changed_is_refused_until_it_is_told():
    engine, model, optimizer, loader = private(shuffled())
    train(model, optimizer, loader)
    loader.batch_sampler.sample_rate = 0.5
    with pytest.raises(renyi.Unsupported, match="rate of its samples was changed"):
        train(model, optimizer, loader)
    engine.accountant.watch(loader)
    train(model, optimizer, loader)
    assert engine.accountant.history == [(NOISE, drawn_rate(0.1), 10), (NOISE, 0.5, 10)]


def test_a_history_that_was_emptied_within_a_pass_has_the_rest_of_it():
    engine, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=False)
    for number, batch in enumerate(loader):
        if number == 4:
            engine.accountant.history = []
        one_step(model, optimizer, batch)
    assert engine.accountant.history == [(NOISE, 1.0, 1)]


def test_the_context_of_a_refusal_has_no_numbers():
    with pytest.raises(renyi.Unsupported) as refused:
        private(shuffled(), poisson_sampling=False)
    assert refused.value.__context__ is None


def test_an_earlier_history_is_not_what_this_loader_draws():
    """Rows at the rate that Opacus was told, or at one over the batches, are not recorded where a loader is known."""
    loaders = (
        (shuffled(), True, 0.1),
        (renyi.loaders.PoissonLoader(2000, rate=0.15, steps=7).data_loader(shuffled().dataset), False, 1 / 7),
    )
    for loader, poisson, rate in loaders:
        engine, *_ = private(loader, poisson_sampling=poisson)
        engine.accountant.load_state_dict({"history": [(NOISE, rate, 10)], "mechanism": "renyi"})
        with pytest.warns(UserWarning, match="are assumed"):
            engine.get_epsilon(DELTA)
