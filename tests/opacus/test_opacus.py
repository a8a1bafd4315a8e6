"""Our accountant in a real training with Opacus: train, save, load, go on."""

import importlib
import json
import math
import pathlib
import random
import warnings

import opacus
import pytest
import torch
from guide import run_examples
from opacus import PrivacyEngine
from opacus.accountants import RDPAccountant, create_accountant
from opacus.accountants import utils as opacus_utils
from torch.utils.data import DataLoader, TensorDataset

import renyi
import renyi.compat.opacus as compat
from renyi.compat.opacus import RenyiAccountant, get_noise_multiplier

RECORDS, BATCH, DELTA = 256, 32, 1e-5
pytestmark = pytest.mark.filterwarnings("ignore")  # torch's and Opacus's own


def parts():
    torch.manual_seed(7)
    data = TensorDataset(torch.randn(RECORDS, 5), torch.randint(0, 2, (RECORDS,)))
    model = torch.nn.Sequential(torch.nn.Linear(5, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
    return model, torch.optim.SGD(model.parameters(), lr=0.05), DataLoader(data, batch_size=BATCH)


def private(engine, noise=1.1):
    model, optimizer, loader = parts()
    return engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=noise, max_grad_norm=1.0
    )


def train(model, optimizer, loader, epochs=1):
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(features), labels).backward()
            optimizer.step()


def of_history(history):
    return renyi.epsilon(renyi.convert(history), delta=DELTA)


def account(*rows):
    made = RenyiAccountant()
    made.history = list(rows)
    return made


def test_train_save_load_and_go_on(tmp_path):
    engine = PrivacyEngine(accountant="renyi")
    assert isinstance(engine.accountant, RenyiAccountant) and engine.get_epsilon(DELTA) == 0
    model, optimizer, loader = private(engine)
    train(model, optimizer, loader, epochs=2)
    steps = 2 * RECORDS // BATCH
    assert engine.accountant.history == [(1.1, BATCH / RECORDS, steps)] and len(engine.accountant) == steps
    spent = engine.get_epsilon(DELTA)
    assert spent == of_history(engine.accountant.history).exact.upper
    assert (
        spent
        == renyi.epsilon(sampling_rate=BATCH / RECORDS, noise_multiplier=1.1, steps=steps, delta=DELTA).exact.upper
    )
    print(f"\nOpacus {opacus.__version__}, torch {torch.__version__}: epsilon {spent:.6f} after {steps} steps")

    path = str(tmp_path / "checkpoint.pt")
    engine.save_checkpoint(path=path, module=model, optimizer=optimizer)
    fresh = PrivacyEngine(accountant="renyi")
    model, optimizer, loader = private(fresh)
    fresh.load_checkpoint(path=path, module=model, optimizer=optimizer)
    assert fresh.get_epsilon(DELTA) == spent and len(fresh.accountant) == steps
    train(model, optimizer, loader)
    assert len(fresh.accountant) == 3 * RECORDS // BATCH and fresh.get_epsilon(DELTA) > spent


def test_a_filter_decides_before_each_step():
    model, optimizer, loader = private(PrivacyEngine(accountant="renyi"))
    step = renyi.SampledGaussian(BATCH / RECORDS, 1.1)
    budget, ran = renyi.Filter(renyi.Budget.curve_of(step * 5)), 0
    with pytest.raises(renyi.BudgetExceeded) as refused:
        for features, labels in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(features), labels).backward()
            before = [parameter.detach().clone() for parameter in model.parameters()]
            with budget.step(step):
                optimizer.step()
                ran += 1
    assert ran == 5 and budget.history == step * 5 and not refused.value.verdict
    assert all(torch.equal(old, new) for old, new in zip(before, model.parameters()))  # the sixth did not run


def test_target_epsilon():
    engine = PrivacyEngine(accountant="renyi")
    model, optimizer, loader = parts()
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        target_epsilon=3.0,
        target_delta=DELTA,
        epochs=2,
        max_grad_norm=1.0,
    )
    train(model, optimizer, loader, epochs=2)
    assert 2.9 < engine.get_epsilon(DELTA) <= 3.0


def test_noise_multipliers():
    target = {"target_epsilon": 2.0, "target_delta": DELTA, "sample_rate": 0.02}
    for length in ({"steps": 400}, {"epochs": 8}):
        ours, theirs = (
            get_noise_multiplier(**target, **length),
            opacus_utils.get_noise_multiplier(**target, **length, accountant="renyi"),
        )
        assert ours <= theirs < ours * 1.02
        assert 2 - 1e-6 < account((ours, 0.02, 400)).get_epsilon(DELTA) <= 2
        assert theirs < opacus_utils.get_noise_multiplier(**target, **length, accountant="rdp")
    bound = get_noise_multiplier(**target, steps=400, bound="renyi")
    assert (
        account((bound, 0.02, 400)).get_epsilon(DELTA, bound="renyi")
        <= 2
        < account((bound * 0.999, 0.02, 400)).get_epsilon(DELTA, bound="renyi")
    )
    assert get_noise_multiplier(**{**target, "sample_rate": 1}, steps=3) == pytest.approx(
        renyi.calibrate(steps=3, epsilon=2, delta=DELTA).value
    )
    assert get_noise_multiplier(**target, steps=400, accountant="rdp") == opacus_utils.get_noise_multiplier(
        **target, steps=400, accountant="rdp"
    )
    assert get_noise_multiplier(**target, steps=400.0) == get_noise_multiplier(**target, steps=400)


def test_no_step_is_lost_to_rounding():
    target = {"target_epsilon": 2.0, "target_delta": DELTA, "sample_rate": 1 / 75}
    theirs = opacus_utils.get_noise_multiplier
    assert theirs(**target, epochs=3) == theirs(**target, steps=224)  # the defect listed in docs/peers.md
    assert get_noise_multiplier(**target, epochs=3) == get_noise_multiplier(**target, steps=225)
    assert get_noise_multiplier(**target, epochs=2.99) == get_noise_multiplier(**target, steps=224)


def test_the_least_noise_on_samples():
    """Below it there is no calibration: 0.01 is more noise than these targets need."""
    target = {"target_epsilon": 1e8, "target_delta": DELTA, "steps": 100}
    assert get_noise_multiplier(**target, sample_rate=0.01) == 0.01
    assert get_noise_multiplier(**target, sample_rate=1) < 0.001


@pytest.mark.parametrize(
    "field, wrong",
    [
        ("target_epsilon", {"target_epsilon": -1.0}),
        ("target_epsilon", {"target_epsilon": math.nan}),
        ("target_epsilon", {"target_epsilon": [1.0, 2.0]}),
        ("target_epsilon", {"target_delta": 0.0}),  # cannot be reached
        ("target_delta", {"target_delta": 1.5}),
        ("sample_rate", {"sample_rate": 2.0}),
        ("sample_rate", {"sample_rate": math.nan}),
        ("sample_rate", {"sample_rate": 0, "steps": None, "epochs": 1}),
        ("sample_rate", {"sample_rate": math.nan, "steps": None, "epochs": 1}),
        ("epochs", {"steps": None, "epochs": 0.001}),
        ("epochs", {"steps": None, "epochs": math.nan}),
        ("epochs", {"steps": None, "epochs": math.inf}),
        ("steps", {"steps": None}),
        ("steps", {"epochs": 1}),
        ("steps", {"steps": 5.5}),
        ("steps", {"steps": 0}),
        ("steps", {"steps": 1e30}),
        ("bound", {"bound": "tight"}),
    ],
)
def test_targets_are_refused_by_name(field, wrong):
    given = {"target_epsilon": 2.0, "target_delta": DELTA, "sample_rate": 0.02, "steps": 400, **wrong}
    with pytest.raises(renyi.Error) as caught:
        get_noise_multiplier(**given)
    assert caught.value.field == field


def test_infinite_where_theirs_is():
    def theirs(*rows):
        made = RDPAccountant()
        made.history = list(rows)
        return made

    for rows in ([(0.0, 0.01, 3)], [(0.0, 1.0, 3)], [(1.1, 0.01, 5), (0.0, 0.01, 1)]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert theirs(*rows).get_epsilon(DELTA) == account(*rows).get_epsilon(DELTA) == math.inf
    assert account((1.1, 0.01, 5)).get_epsilon(0) == account((1.1, 1.0, 5)).get_epsilon(0.0) == math.inf
    assert RDPAccountant().get_epsilon(DELTA) == RenyiAccountant().get_epsilon(DELTA) == 0
    assert account((1.1, 0.0, 5), (1.0, 0.1, 0)).get_epsilon(DELTA) == 0


def test_never_above_opacus():
    rng, cases = random.Random(5), 150
    for _ in range(cases):
        rows = [
            (rng.uniform(0.6, 4), 10 ** rng.uniform(-4, -0.3), rng.randint(1, 3000)) for _ in range(rng.randint(1, 3))
        ]
        ours, theirs = account(*rows), RDPAccountant()
        theirs.history = rows
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            their = theirs.get_epsilon(DELTA)
        exact, bound = ours.get_epsilon(DELTA), ours.get_epsilon(DELTA, bound="renyi")
        assert exact <= bound <= max(their, 0) * (1 + 1e-9), rows
        orders = ours.get_epsilon(DELTA, alphas=RDPAccountant.DEFAULT_ALPHAS)
        assert bound <= orders * (1 + 1e-12) <= max(their, 0) * (1 + 2e-9), rows
    print(f"\n{cases} histories: exact <= Rényi bound <= Opacus's RDP figure")


def test_steps_and_history():
    made = RenyiAccountant()
    for noise in (1.0, 1.0, 1.3, 1.0):
        made.step(noise_multiplier=noise, sample_rate=0.1)
    assert made.history == [(1.0, 0.1, 2), (1.3, 0.1, 1), (1.0, 0.1, 1)] and len(made) == 4
    assert made.get_epsilon(DELTA) == of_history(made.history).exact.upper
    for noise in (-1.0, math.nan, "1"):
        with pytest.raises(renyi.InvalidArgument, match="^noise_multiplier: got "):
            made.step(noise_multiplier=noise, sample_rate=0.1)
    for rate in (-0.1, 1.5, math.nan, math.inf):
        with pytest.raises(renyi.InvalidArgument, match="^sample_rate: got "):
            made.step(noise_multiplier=1.0, sample_rate=rate)
    assert len(made) == 4
    assert account((torch.tensor(1.1), 0.01, 1e3)).get_epsilon(DELTA) > 0  # Opacus takes these too
    assert made.get_epsilon(DELTA, alphas=[1.0, 2]) == made.get_epsilon(DELTA, alphas=[2])
    wrong = [("bound", "tight"), ("alphas", [0.5]), ("alphas", []), ("alphas", [math.nan])]
    wrong += [("delta", -1.0), ("delta", math.nan), ("delta", [1e-5, 1e-6])]
    for field, value in wrong:
        with pytest.raises(renyi.InvalidArgument) as caught:
            made.get_epsilon(**{"delta": DELTA, field: value})
        assert caught.value.field == field
    for history, field in (([(1.0, 0.1, 5), (math.nan, 0.1, 5)], "history[1][0]"), (None, "history")):
        made.history = history
        with pytest.raises(renyi.InvalidArgument) as caught:
            made.get_epsilon(DELTA)
        assert caught.value.field == field


def test_beyond_the_ranges_of_plans():
    noises = [1e-60, 1e-3, 9.9e-3, 0.01, 0.02, 1, 1e6, 2e6, 1e9]
    costs = [account((noise, 0.1, 100)).get_epsilon(DELTA) for noise in noises]
    assert costs[0] == math.inf and all(map(math.isfinite, costs[1:])) and costs == sorted(costs, reverse=True)
    assert 0 <= account((1.0, 1e-200, 100)).get_epsilon(DELTA) < 1e-9


def test_state():
    made = account((1.1, 0.01, 5), (1.3, 0.01, 2))
    for state in (made.state_dict(), json.loads(json.dumps(made.state_dict())), made.state_dict({"more": 1})):
        again = RenyiAccountant()
        again.load_state_dict(state)
        assert again.history == made.history and again.get_epsilon(DELTA) == made.get_epsilon(DELTA)
        assert (
            renyi.convert(state if "more" not in state else state["history"]).merged()
            == renyi.convert(made.history).merged()
        )
    assert renyi.convert(RDPAccountant().state_dict()).steps == ()  # 1.4 has a method as its mechanism
    for state in (None, 5, {}, {"history": []}, {"mechanism": "renyi"}):
        with pytest.raises(renyi.InvalidArgument, match="^state_dict: "):
            made.load_state_dict(state)
    with pytest.raises(renyi.InvalidArgument, match="^mechanism: "):
        made.load_state_dict(RDPAccountant().state_dict())
    for history, field in (
        (None, "history"),
        ({}, "history"),
        ("[]", "history"),
        ([(1.0, 0.5)], "history[0]"),
        ([(1.0, 2.0, 3)], "history[0][1]"),
        ([(1.0, 0.5, 3.5)], "history[0][2]"),
    ):
        with pytest.raises(renyi.InvalidArgument) as caught:
            made.load_state_dict({"history": history, "mechanism": "renyi"})
        assert caught.value.field == field
    assert made.history == [(1.1, 0.01, 5), (1.3, 0.01, 2)]


def test_state_is_plain():
    made = account((torch.tensor(1.5), 0.25, 1e3))
    again = RenyiAccountant()
    again.load_state_dict(json.loads(json.dumps(made.state_dict())))
    assert again.history == [(1.5, 0.25, 1000)] and again.get_epsilon(DELTA) == made.get_epsilon(DELTA)


def test_a_checkpoint_of_an_earlier_version():
    """The corpus has what state_dict() of 0.8.1 gave, and what it costs."""
    corpus = pathlib.Path(__file__).resolve().parents[1] / "compat/0.8.1"
    stored = json.loads((corpus / "meanings/checkpoints.json").read_text())["checkpoints/opacus.json"]["close"]
    again = RenyiAccountant()
    again.load_state_dict(json.loads((corpus / "checkpoints/opacus.json").read_text()))
    assert len(again) == 641
    assert again.get_epsilon(DELTA) == pytest.approx(stored["epsilon"]["exact"]["upper"], rel=1e-9)


def test_registered_once():
    before = opacus.privacy_engine.create_accountant
    importlib.reload(compat)
    made = opacus.accountants.create_accountant("renyi")
    assert type(made) is compat.RenyiAccountant and made.mechanism() == "renyi"
    for module in (opacus.privacy_engine, opacus_utils):
        assert type(module.create_accountant(mechanism="renyi")) is compat.RenyiAccountant
    assert create_accountant("rdp").mechanism() == "rdp"
    assert not hasattr(getattr(opacus.privacy_engine.create_accountant, "__wrapped__", before), "__wrapped__")
    with pytest.raises(ValueError, match="Unexpected"):
        opacus.accountants.create_accountant("none")


def test_the_guide():
    assert run_examples("docs/guide/drop-in.md", "from opacus") == 7


def test_compare_shows_what_their_accountants_print():
    """The rows opacus-rdp and prv are what the accountants print by default; prv up to its discretization."""
    rate, noise, steps, delta = 0.01, 1.1, 1000, 1e-5
    rows = renyi.compare(sampling_rate=rate, noise_multiplier=noise, steps=steps, delta=delta)
    for name, kind, tolerance in (("opacus-rdp", "rdp", 1e-9), ("prv", "prv", 1e-4)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            accountant = create_accountant(kind)
            accountant.history = [(noise, rate, steps)]
            assert rows[name].epsilon == pytest.approx(accountant.get_epsilon(delta), rel=tolerance)
