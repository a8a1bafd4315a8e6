"""A training with Opacus that a ledger pays for, epoch by epoch."""

import copy

import pytest
import torch
from guide import run_examples
from opacus import PrivacyEngine
from test_opacus import DELTA, parts

import renyi
from renyi.compat.opacus_ledger import OpacusLedgerAccountant

EPOCH = renyi.SampledGaussian(1 / 8, 1.1) * 8
pytestmark = pytest.mark.filterwarnings("ignore")  # torch's and Opacus's own


@pytest.fixture
def ledger(tmp_path):
    made = renyi.Ledger.create(tmp_path / "models.ledger")
    made.add_scope("models", renyi.Budget.curve_of(EPOCH * 3))
    return made


def private(ledger, **options):
    model, optimizer, loader = parts()
    engine = PrivacyEngine()
    engine.accountant = OpacusLedgerAccountant(ledger, "models", **options)
    made = engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.1, max_grad_norm=1.0
    )
    return (engine.accountant, *made)


def one_step(model, optimizer, features, labels):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(features), labels).backward()
    optimizer.step()


def verbs(ledger):
    return [entry.verb for entry in ledger.history("models")]


def test_training_stops_before_the_epoch_that_is_not_paid_for(ledger):
    accountant, model, optimizer, loader = private(ledger, run="first")
    epochs, kept = 0, None
    with pytest.raises(renyi.BudgetExceeded) as refused:
        while True:
            for features, labels in accountant.paid(loader, optimizer):
                assert verbs(ledger)[-1] == "open"
                one_step(model, optimizer, features, labels)
            epochs, kept = epochs + 1, copy.deepcopy(model.state_dict())
    assert epochs == 3 == accountant.payer.epochs and len(accountant) == 24
    assert refused.value.receipt.refused_by == "models"
    assert all(torch.equal(kept[name], value) for name, value in model.state_dict().items())
    assert verbs(ledger) == ["scope", *["reserve", "open", "commit"] * 3, "reserve"]
    assert accountant.payer.plan == renyi.SampledGaussian(1 / 8, 1.1) * 24
    assert accountant.get_epsilon(DELTA) == pytest.approx(float(renyi.epsilon(EPOCH * 3, delta=DELTA)))
    assert ledger.verify()


def test_a_step_that_is_not_paid_for_does_not_change_the_model(ledger):
    accountant, model, optimizer, loader = private(ledger)
    features, labels = next(iter(loader))
    before = copy.deepcopy(model.state_dict())
    with pytest.raises(renyi.InvalidArgument, match="begin_epoch"):
        one_step(model, optimizer, features, labels)
    with pytest.raises(renyi.InvalidArgument, match="noise_multiplier: got 0.5"):
        for features, labels in accountant.paid(loader, optimizer):
            optimizer.noise_multiplier = 0.5
            one_step(model, optimizer, features, labels)
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    assert len(accountant) == 0


def test_a_checkpoint_goes_on_behind_its_epochs(ledger):
    accountant, model, optimizer, loader = private(ledger, run="night")
    for features, labels in accountant.paid(loader, optimizer):
        one_step(model, optimizer, features, labels)
    stored = accountant.state_dict()
    again, model, optimizer, loader = private(ledger, run="night")
    again.load_state_dict(stored)
    with pytest.raises(renyi.AlreadyOpened):
        next(again.paid(loader, optimizer))
    further, model, optimizer, loader = private(ledger, run="night", epochs=1)
    further.load_state_dict(stored)
    for features, labels in further.paid(loader, optimizer):
        one_step(model, optimizer, features, labels)
    assert len(further) == 16 and further.payer.epochs == 2


def test_the_rate_is_that_of_make_private(ledger):
    accountant = OpacusLedgerAccountant(ledger, "models")
    with pytest.raises(renyi.InvalidArgument, match="make_private"):
        accountant.paid([], None)


def test_the_guide(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_examples("docs/guide/ledger-python.md", "from opacus") == 1
