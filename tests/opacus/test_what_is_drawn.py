"""The accountant charges for what the data loader of a training draws, or refuses it before the training."""

import contextlib
import copy
import math
import pickle
import warnings

import pytest
import torch
from opacus import GradSampleModule, PrivacyEngine
from opacus.optimizers import DPOptimizer
from opacus.schedulers import ExponentialNoise
from opacus.utils.batch_memory_manager import BatchMemoryManager
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

import renyi
from renyi.compat.opacus import RenyiAccountant
from renyi.compat.opacus_ledger import OpacusLedgerAccountant
from renyi.loaders import recognise

RECORDS, BATCH, NOISE, DELTA = 2000, 200, 1.1, 1e-5
PASS = renyi.Gaussian(NOISE)  # a record is in one step of a pass
OURS = ("are assumed", "came from elsewhere", "expected batch size")
pytestmark = pytest.mark.filterwarnings("ignore")  # torch's and Opacus's own


@contextlib.contextmanager
def no_warning_of_ours():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        yield
    assert not [str(warned.message) for warned in seen if any(text in str(warned.message) for text in OURS)]


def data(records=RECORDS):
    return TensorDataset(torch.randn(records, 5), torch.randint(0, 2, (records,)))


def shuffled(batch=BATCH, **options):
    return DataLoader(data(), batch_size=batch, shuffle=True, **options)


def private(loader, neighbors=None, method="make_private", engine=None, **settings):
    engine = engine or PrivacyEngine(accountant="renyi")
    if neighbors is not None:
        engine.accountant.neighbors = neighbors
    model = torch.nn.Linear(5, 2)
    settings = {"max_grad_norm": 1.0, "loss_reduction": "sum", **settings}
    if method == "make_private":
        settings.setdefault("noise_multiplier", NOISE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return engine, *getattr(engine, method)(module=model, optimizer=optimizer, data_loader=loader, **settings)


def one_step(model, optimizer, batch):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(batch[0]), batch[1], reduction="sum").backward()
    optimizer.step()


def train(model, optimizer, loader, epochs=1):
    for _ in range(epochs):
        for batch in loader:
            one_step(model, optimizer, batch)


def upper(plan, **options):
    return float(renyi.epsilon(plan, delta=DELTA, **options))


def of_passes(count, neighbors="zero-out"):
    step = renyi.Gaussian(NOISE).sampled(renyi.Shuffled(10))
    return upper(renyi.Plan(neighbors=neighbors).add(step, count))


def drawn_rate(rate):
    """torch.rand has multiples of 2^-24."""
    return math.ceil(float(torch.tensor(rate, dtype=torch.float32)) * 2**24) / 2**24


def test_a_shuffled_loader_is_refused_before_the_training():
    model = torch.nn.Linear(5, 2)
    engine = PrivacyEngine(accountant="renyi")
    settings = {
        "module": model,
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.1),
        "data_loader": shuffled(),
        "noise_multiplier": NOISE,
        "max_grad_norm": 1.0,
        "poisson_sampling": False,
    }
    with pytest.raises(renyi.Unsupported) as refused:
        engine.make_private(**settings)
    text = str(refused.value)
    for remedy in ("poisson_sampling=True", 'neighbors = "zero-out"', "renyi.loaders.PoissonLoader"):
        assert remedy in text
    assert not any(character.isdigit() for character in text)  # neither the records nor the batches
    assert not list(model._forward_hooks) and len(engine.accountant) == 0
    engine.accountant.neighbors = "zero-out"
    engine.make_private(**settings)  # the model is as it was


def test_shuffled_epochs_are_accounted_for_as_passes():
    engine, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=False)
    with no_warning_of_ours():
        train(model, optimizer, loader)
        assert engine.get_epsilon(DELTA) == pytest.approx(of_passes(1), rel=1e-9)
    assert 3.9212 < engine.get_epsilon(DELTA) < 3.9213
    train(model, optimizer, loader, epochs=2)
    assert engine.accountant.history == [(NOISE, 1.0, 3)] and len(engine.accountant) == 3
    assert engine.get_epsilon(DELTA) == pytest.approx(of_passes(3), rel=1e-9)


def test_replaced_records():
    engine, model, optimizer, loader = private(shuffled(), "replace-one", poisson_sampling=False)
    train(model, optimizer, loader)
    assert engine.get_epsilon(DELTA) == pytest.approx(of_passes(1, "replace-one"), rel=1e-9)
    state = engine.accountant.state_dict()
    again = RenyiAccountant()
    again.load_state_dict(state)
    assert again.neighbors == "replace-one" and again.get_epsilon(DELTA) == engine.get_epsilon(DELTA)
    assert state["mechanism"] != "renyi"  # versions that know add-or-remove-one only refuse it


@pytest.mark.parametrize("neighbors", ["zero-out", "replace-one", "add-or-remove-one"])
def test_poisson_samples(neighbors):
    engine, model, optimizer, loader = private(shuffled(), neighbors)
    with no_warning_of_ours():
        train(model, optimizer, loader)
        step = renyi.SampledGaussian(drawn_rate(0.1), NOISE)
        assert engine.get_epsilon(DELTA) == upper(renyi.Plan(neighbors=neighbors).add(step, 10))
    assert engine.accountant.history == [(NOISE, drawn_rate(0.1), 10)]


def test_passes_that_are_left_early_count():
    engine, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=False)
    for _ in range(4):
        one_step(model, optimizer, next(iter(loader)))  # shuffled anew each time
    for number, batch in enumerate(loader):
        if number != 3:
            one_step(model, optimizer, batch)  # nine steps
    list(loader)  # a pass without steps
    assert engine.accountant.history == [(NOISE, 1.0, 5)]


def test_batches_that_are_used_again_are_further_passes():
    engine, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=False)
    kept = list(loader)
    with pytest.warns(UserWarning, match="came from elsewhere, or were used again"):
        train(model, optimizer, kept, epochs=3)
    assert engine.accountant.history == [(NOISE, 1.0, 3)]


@pytest.mark.parametrize("poisson", [True, False])
def test_a_training_with_another_loader_is_noticed(poisson):
    original = shuffled()
    _, model, optimizer, _ = private(original, "zero-out", poisson_sampling=poisson)
    with pytest.warns(UserWarning, match="loader that make_private returned") as warned:
        train(model, optimizer, DataLoader(original.dataset, batch_size=BATCH))
    assert len([w for w in warned if "elsewhere" in str(w.message)]) == 1


def test_a_pass_is_charged_at_its_least_noise():
    engine, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=False, noise_multiplier=4.0)
    schedule = ExponentialNoise(optimizer, gamma=0.5)
    for number, batch in enumerate(loader):
        one_step(model, optimizer, batch)
        if number < 2:
            schedule.step()
    assert engine.accountant.history == [(1.0, 1.0, 1)]
    optimizer.noise_multiplier = 2.0
    train(model, optimizer, loader)
    assert engine.accountant.history == [(1.0, 1.0, 1), (2.0, 1.0, 1)]
    for wrong in (math.nan, -1.0):
        with pytest.raises(renyi.InvalidArgument, match="^noise_multiplier: "):
            engine.accountant.step(noise_multiplier=wrong, sample_rate=0.1)


def by_hand(accountant, rate):
    model = GradSampleModule(torch.nn.Linear(5, 2), loss_reduction="sum")
    original = torch.optim.SGD(model.parameters(), lr=0.1)
    settings = {"noise_multiplier": NOISE, "max_grad_norm": 1.0, "expected_batch_size": None, "loss_reduction": "sum"}
    optimizer = DPOptimizer(original, **settings)
    optimizer.attach_step_hook(accountant.get_optimizer_hook_fn(rate))
    return model, optimizer


def test_an_optimizer_by_hand_has_its_assumption_named():
    accountant, loader = RenyiAccountant(), shuffled()
    train(*by_hand(accountant, 0.1), loader)
    with pytest.warns(UserWarning, match=r"Poisson samples at the rate 0.1 are assumed: .*watch\(data_loader\)"):
        assert 2.35 < accountant.get_epsilon(DELTA) < 2.3504
    with no_warning_of_ours():  # once
        accountant.get_epsilon(DELTA)
    with pytest.raises(renyi.Unsupported, match="zero-out"):
        accountant.watch(loader)


@pytest.mark.parametrize("watch_first", [True, False])
def test_an_optimizer_by_hand_is_told_its_loader(watch_first):
    accountant, loader = RenyiAccountant(neighbors="zero-out"), shuffled()
    if watch_first:
        accountant.watch(loader)
    model, optimizer = by_hand(accountant, 0.1)
    if not watch_first:
        accountant.watch(loader)
    train(model, optimizer, loader, epochs=2)
    assert accountant.history == [(NOISE, 1.0, 2)]
    accountant.step(noise_multiplier=NOISE, sample_rate=0.1)  # without a hook it is the same loader
    assert accountant.history == [(NOISE, 1.0, 3)]


def test_each_optimizer_has_its_own_loader():
    engine, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=False)
    _, second, other, samples = private(shuffled(), engine=engine)
    for batch, sample in zip(loader, samples):
        one_step(model, optimizer, batch)
        one_step(second, other, sample)
    assert sorted(row[1] for row in engine.accountant.history) == [drawn_rate(0.1), 1.0]
    assert len(engine.accountant) == 11


@pytest.mark.parametrize("poisson", [True, False])
def test_the_batch_memory_manager(poisson):
    engine, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=poisson)
    with no_warning_of_ours():
        for size in (64, 1000):
            with BatchMemoryManager(data_loader=loader, max_physical_batch_size=size, optimizer=optimizer) as small:
                train(model, optimizer, small)
                RenyiAccountant(neighbors="zero-out").watch(small)  # sees the batches before they are divided
    assert engine.accountant.history == [(NOISE, drawn_rate(0.1), 20) if poisson else (NOISE, 1.0, 2)]


@pytest.mark.parametrize("drop_last", [True, False])
def test_an_uneven_last_batch(drop_last):
    loader = shuffled(300, drop_last=drop_last)
    engine, model, optimizer, samples = private(loader, "zero-out")
    train(model, optimizer, samples)
    assert engine.accountant.history == [(NOISE, drawn_rate(1 / len(loader)), len(loader))]
    engine, model, optimizer, loader = private(loader, "zero-out", poisson_sampling=False)
    train(model, optimizer, loader, epochs=2)
    assert engine.accountant.history == [(NOISE, 1.0, 2)]


def test_accumulated_batches():
    engine, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=False)

    def steps(each):
        for number, batch in enumerate(loader):
            torch.nn.functional.cross_entropy(model(batch[0]), batch[1], reduction="sum").backward()
            if (number + 1) % each == 0:
                optimizer.step()
                optimizer.zero_grad()

    steps(5)
    steps(2)
    assert engine.accountant.history == [(NOISE, 1.0, 2)]
    steps(4)
    before = copy.deepcopy(model.state_dict())
    with pytest.raises(renyi.Unsupported, match="gradients of two epochs"):
        steps(4)
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())

    engine, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=False)
    steps(5)
    for _, batch in zip(range(3), loader):  # three batches without a step, then one of the next epoch
        torch.nn.functional.cross_entropy(model(batch[0]), batch[1], reduction="sum").backward()
    with pytest.raises(renyi.Unsupported, match="gradients of two epochs"):
        steps(1)

    accountant = RenyiAccountant()
    model, optimizer = by_hand(accountant, 0.1)
    loader = renyi.loaders.PoissonLoader(RECORDS, rate=0.1, steps=10).data_loader(data())
    accountant.watch(loader)
    with pytest.raises(renyi.Unsupported, match="2 Poisson samples"):
        steps(2)


def test_the_loaders_of_this_package():
    ours = renyi.loaders.PoissonLoader(RECORDS, rate=0.15, steps=7)
    engine, model, optimizer, loader = private(ours.data_loader(data()), poisson_sampling=False)
    train(model, optimizer, loader)
    assert engine.accountant.history == [(NOISE, 0.15, 7)]  # where Opacus takes one part in seven for the rate
    with pytest.raises(renyi.Unsupported, match="renyi.Accountant"):
        private(
            renyi.loaders.RandomAllocationLoader(RECORDS, batches=8, epochs=2).data_loader(data()),
            poisson_sampling=False,
        )


@pytest.mark.parametrize("neighbors", ["add-or-remove-one", "zero-out"])
def test_what_is_not_known_is_refused(neighbors):
    sampler = torch.utils.data.WeightedRandomSampler(torch.ones(RECORDS), num_samples=RECORDS)
    replaced = RandomSampler(data(), replacement=True)
    for given in (sampler, replaced):
        loader = DataLoader(data(), batch_size=BATCH, sampler=given)
        with pytest.raises(renyi.Unsupported):
            private(loader, neighbors, poisson_sampling=False)
    with pytest.raises(renyi.InvalidArgument, match="^data_loader: got list"):
        RenyiAccountant(neighbors=neighbors).watch([1, 2, 3])


@pytest.mark.parametrize("neighbors", ["zero-out", "replace-one"])
@pytest.mark.parametrize("poisson", [True, False])
def test_target_epsilon(neighbors, poisson):
    targets = {"target_epsilon": 5.0, "target_delta": DELTA, "epochs": 3, "poisson_sampling": poisson}
    engine, model, optimizer, loader = private(shuffled(), neighbors, "make_private_with_epsilon", **targets)
    train(model, optimizer, loader, epochs=3)
    assert 5 - 1e-6 < engine.get_epsilon(DELTA) <= 5
    orders = {"alphas": [2, 4, 8], **targets}
    _, _, optimizer, _ = private(shuffled(), neighbors, "make_private_with_epsilon", **orders)
    assert optimizer.noise_multiplier > 0
    with pytest.warns(UserWarning, match="steps were taken before"):
        private(shuffled(), None, "make_private_with_epsilon", engine=engine, **targets)


def test_target_epsilon_of_a_shuffled_loader_is_refused():
    targets = {"target_epsilon": 5.0, "target_delta": DELTA, "epochs": 3, "poisson_sampling": False}
    with pytest.raises(renyi.Unsupported, match="zero-out"):
        private(shuffled(), None, "make_private_with_epsilon", **targets)
    with no_warning_of_ours():
        engine, _, _, loader = private(
            shuffled(), None, "make_private_with_epsilon", **{**targets, "poisson_sampling": True}
        )
    assert type(engine.accountant.history) is list and recognise(loader).samples_each_batch
    with pytest.raises(TypeError, match="target_delta"):
        private(shuffled(), None, "make_private_with_epsilon", target_epsilon=5.0, epochs=3)


@pytest.mark.parametrize("rank", [0, 1])
def test_the_distributed_loader(rank, monkeypatch):
    monkeypatch.setattr(torch.distributed, "get_world_size", lambda: 2)
    monkeypatch.setattr(torch.distributed, "get_rank", lambda: rank)
    from opacus.data_loader import DPDataLoader

    loader = DPDataLoader.from_data_loader(shuffled(), distributed=True)
    accountant = RenyiAccountant()
    accountant.watch(loader)
    model, optimizer = by_hand(accountant, 1 / len(loader))
    with no_warning_of_ours():
        train(model, optimizer, loader)
        accountant.get_epsilon(DELTA)
    assert accountant.history == [(NOISE, drawn_rate(0.1), 10)]
    divided = DataLoader(data(), batch_size=BATCH, sampler=torch.utils.data.DistributedSampler(data()))
    with pytest.raises(renyi.Unsupported):
        accountant.watch(divided)


def test_a_checkpoint_keeps_what_was_accounted(tmp_path):
    engine, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=False)
    train(model, optimizer, loader, epochs=2)
    path = str(tmp_path / "checkpoint.pt")
    engine.save_checkpoint(path=path, module=model, optimizer=optimizer)
    spent = engine.get_epsilon(DELTA)
    fresh, model, optimizer, loader = private(shuffled(), "zero-out", poisson_sampling=False)
    fresh.load_checkpoint(path=path, module=model, optimizer=optimizer)
    with no_warning_of_ours():
        assert fresh.get_epsilon(DELTA) == spent
    train(model, optimizer, loader)
    assert fresh.accountant.history == [(NOISE, 1.0, 3)]
    # In one process the pass that was charged is not in the checkpoint, so that it is charged again.
    fresh.load_checkpoint(path=path, module=model, optimizer=optimizer)
    one_step(model, optimizer, next(iter(loader)))
    assert fresh.accountant.history == [(NOISE, 1.0, 3)]
    state = engine.accountant.state_dict()
    assert state["neighbors"] == "zero-out" and state["mechanism"] == "renyi"
    # A version that reads the history alone finds the same cost there.
    assert upper(renyi.convert({"history": state["history"], "mechanism": "renyi"})) == pytest.approx(spent)
    with pytest.raises(renyi.InvalidArgument, match="^neighbors: "):
        private(shuffled())[0].accountant.load_state_dict(state)
    # A state of an earlier version says nothing of its loader.
    old = RenyiAccountant()
    old.load_state_dict({"history": [(NOISE, 0.1, 10)], "mechanism": "renyi"})
    with pytest.warns(UserWarning, match="Poisson samples at the rate 0.1 are assumed"):
        old.get_epsilon(DELTA)


def test_the_relation_is_set_first():
    for wrong in ("zero", None, 5):
        with pytest.raises(renyi.InvalidArgument, match="^neighbors: "):
            RenyiAccountant(neighbors=wrong)
    engine, *_ = private(shuffled())
    with pytest.raises(renyi.InvalidArgument, match="before make_private"):
        engine.accountant.neighbors = "zero-out"
    engine.accountant.neighbors = "add-or-remove-one"


def test_a_watched_loader_stays_itself():
    loader = shuffled()
    kind = repr(type(loader.batch_sampler))
    for _ in range(2):
        RenyiAccountant(neighbors="zero-out").watch(loader)
    assert repr(type(loader.batch_sampler)) == kind and isinstance(loader.batch_sampler, torch.utils.data.BatchSampler)
    assert recognise(loader, neighbors="zero-out").sampling == renyi.Shuffled(10)
    for copied in (copy.deepcopy(loader.batch_sampler), pickle.loads(pickle.dumps(loader.batch_sampler))):
        assert type(copied) is torch.utils.data.BatchSampler and len(list(copied)) == 10
    workers = shuffled(num_workers=1, persistent_workers=True)
    engine, model, optimizer, loader = private(workers, "zero-out", poisson_sampling=False)
    train(model, optimizer, loader, epochs=2)
    assert engine.accountant.history == [(NOISE, 1.0, 2)]


def test_a_ledger_pays_for_passes(tmp_path):
    ledger = renyi.Ledger.create(tmp_path / "models.ledger")
    budget = renyi.Plan(neighbors="zero-out").add(PASS, 2)
    ledger.add_scope("models", renyi.Budget.curve_of(budget), neighbors="zero-out")
    engine = PrivacyEngine()
    engine.accountant = OpacusLedgerAccountant(ledger, "models")
    engine, model, optimizer, loader = private(shuffled(), engine=engine, poisson_sampling=False)
    for batch in engine.accountant.paid(loader, optimizer):
        one_step(model, optimizer, batch)
    with pytest.raises(renyi.InvalidArgument, match="second pass"):
        for number, batch in enumerate(engine.accountant.paid(loader, optimizer)):
            one_step(model, optimizer, batch if number != 1 else next(iter(loader)))
    assert engine.accountant.history == [(NOISE, 1.0, 2)]
    with pytest.raises(renyi.BudgetExceeded):
        next(engine.accountant.paid(loader, optimizer))
    open_to_all = renyi.Ledger.create(tmp_path / "other.ledger")
    open_to_all.add_scope("models", renyi.Budget.curve_of(renyi.Gaussian(1.0)))
    engine.accountant = OpacusLedgerAccountant(open_to_all, "models")
    with pytest.raises(renyi.Unsupported, match="zero-out"):
        private(shuffled(), engine=engine, poisson_sampling=False)
