"""Checkpoints of accountants and loaders, as programs store them, and objects of the package that were pickled."""

import itertools
import json
import pickle
import re

import renyi

import plans

FILES = ("checkpoints/*.json", "checkpoints/*.pickle")
LOADERS = renyi.loaders
MAKE = {
    "poisson": lambda: LOADERS.PoissonLoader(40, rate=0.25, steps=8),
    "truncated-poisson": lambda: LOADERS.TruncatedPoissonLoader(
        40, rate=0.25, steps=8, batch_limit=12, neighbors="zero-out"
    ),
    "random-allocation": lambda: LOADERS.RandomAllocationLoader(40, batches=4, epochs=3),
    "fixed-size": lambda: LOADERS.FixedSizeLoader(40, 10, 8, neighbors="zero-out"),
}


def make(folder):
    (folder / "checkpoints").mkdir()
    for name, new in MAKE.items():
        loader = new()
        account = renyi.Accountant(neighbors="replace-one" if name == "fixed-size" else "zero-out")
        account.observe(loader, noise_multiplier=2.0)
        for _ in itertools.islice(loader, 6):
            pass
        state = {"loader": loader.state_dict(), "account": account.state_dict()}
        (folder / f"checkpoints/{name}.pickle").write_bytes(pickle.dumps(state, protocol=4))
    account = renyi.Accountant(neighbors="zero-out", unit=2, tolerance=1e-6)
    for _ in range(3):
        account.step(renyi.Laplace(20.0))
    account.step(noise_multiplier=1.1, sampling_rate=0.01)
    (folder / "checkpoints/accountant.json").write_text(json.dumps(account.state_dict()) + "\n")
    history = [[1.1, 0.0625, 600], [1.3, 0.0625, 40], [4.0, 1.0, 1]]  # what RenyiAccountant().state_dict() gives
    (folder / "checkpoints/opacus.json").write_text(json.dumps({"history": history, "mechanism": "renyi"}) + "\n")
    step = renyi.Gaussian(4.0)
    budget = renyi.Budget.zcdp(0.5)
    made = renyi.Filter(budget)
    made.charge(step, 3)
    odometer = renyi.Odometer.gdp(1e-5)
    odometer.charge(step, 3)
    objects = {"plan": step * 12, "filter": made, "odometer": odometer, "budget": budget, "accountant": account,
               "mechanism": step.sampled(renyi.Poisson(0.01)), "selection": renyi.Select(step, law="geometric", mean=20)}
    for name, value in objects.items():
        (folder / f"checkpoints/{name}.pickle").write_bytes(pickle.dumps(value, protocol=4))


def meaning(path):
    if path.name == "opacus.json":  # tests/opacus continues from it by the accountant itself
        return plans.figures(renyi.convert(path.read_text()).to_json())
    if path.name == "accountant.json":
        account = renyi.Accountant()
        account.load_state_dict(json.loads(path.read_text()))
        return _account(account)
    value = pickle.loads(path.read_bytes())
    if isinstance(value, renyi.Accountant):
        return _account(value)
    if isinstance(value, dict):
        return _training(path.stem, value)
    if isinstance(value, renyi.Mechanism):
        value = renyi.Plan(value)
    return {"type": type(value).__name__, "text": value.to_json()}


def _account(account):
    state = account.state_dict()
    return {"state": state, "steps": account.steps, "cost": plans.figures(account.plan.to_json())}


def _training(name, state):
    """What a training that continues from the checkpoint does and pays: one more batch. Of an allocation the batches
    are determined; the others are drawn anew."""
    account, loader = renyi.Accountant(), MAKE[name]()
    account.load_state_dict(state["account"])
    loader.load_state_dict(state["loader"])
    before = _account(account)
    account.observe(loader, noise_multiplier=2.0)
    batch = next(iter(loader))
    drawn = batch.indices.tolist() if name == "random-allocation" else None
    return {"before": before, "position": batch.number, "drawn": drawn, "identifier": state["loader"]["identifier"],
            "after": _account(account)["cost"], "steps": account.steps}


def places(path):
    """Bytes of texts and numbers within a pickle; those of its frames and lengths are not text."""
    content = path.read_bytes()
    if path.suffix == ".json":
        return [at for at, byte in enumerate(content) if chr(byte).isalnum()]
    words = re.finditer(rb"[0-9a-z_.-]{6,}", content)
    return [at for word in words for at in range(*word.span()) if content[at : at + 1].isalnum()]
