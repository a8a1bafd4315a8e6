"""Filter files of every kind of budget, odometer files of every kind, and files of individual accounts."""

import json

import numpy as np
import renyi

import corpus
import plans

FILES = ("filters/*.json", "odometers/*.json", "individual/*.json")
# The sentence of a private file is for people, and is read as one word.
HIDDEN = rb'"private":"[^"]*"'
SAMPLED, GAUSSIAN = renyi.SampledGaussian(0.01, 1.1), renyi.Gaussian(4.0)
BUDGETS = {
    "pure": {"kind": "pure", "epsilon": 2.5},
    "zcdp": {"kind": "zcdp", "rho": 0.5},
    "zcdp-mass": {"kind": "zcdp", "rho": 0.5, "infinite_mass": 1e-6},
    "tcdp": {"kind": "tcdp", "rho": 0.5, "omega": 12},
    "gdp": {"kind": "gdp", "mu": 1.25},
    "approx": {"kind": "approx", "epsilon": 3, "delta": 1e-6},
    "order": {"kind": "order", "order": 8, "epsilon": 2},
    "curve": {"kind": "curve", "limits": [
        {"order": 2, "epsilon": 0.5}, {"order": 16, "epsilon": 4}, {"order": "inf", "epsilon": 40}]},
    "curve-plan": {"kind": "curve", "plan": {"steps": [{**plans.SAMPLED, "count": 500}]}, "orders": [4, 8, 32]},
    "shares": {"kind": "shares", "epsilon": 3, "shares": [{"order": 8, "delta": 4e-7}, {"order": 32, "delta": 6e-7}]},
    "shares-equal": {"kind": "shares", "epsilon": 3, "delta": 1e-6, "orders": [8, 16, 64]},
}
STEPS = {
    "pure": [renyi.Laplace(4.0)] * 3,
    "zcdp-mass": [GAUSSIAN, renyi.ApproxDp(0.25, 1e-7)],
    "tcdp": [GAUSSIAN, renyi.Tcdp(0.01, 12)],
    "approx": [renyi.PureDp(0.25)] * 4,
    "order": [SAMPLED * 100, GAUSSIAN],
    "curve": [renyi.Laplace(40.0), renyi.RandomizedResponse(0.51)],
    "curve-plan": [SAMPLED * 100],
    "shares": [SAMPLED * 100, renyi.Laplace(40.0)],
    "shares-equal": [SAMPLED * 100],
}
# What is asked of a filter as it was stored: one more of each.
NEXT = (GAUSSIAN, renyi.Laplace(4.0), renyi.ApproxDp(0.5, 1e-7), SAMPLED)


def make(folder):
    for name in ("filters", "odometers", "individual"):
        (folder / name).mkdir()
    for name, budget in BUDGETS.items():
        _filter(budget, STEPS.get(name, [GAUSSIAN, GAUSSIAN])).save(folder / f"filters/{name}.json")
    _filter(BUDGETS["zcdp"], []).save(folder / "filters/nothing-charged.json")
    raised = _filter(BUDGETS["zcdp"], [GAUSSIAN], cap={"kind": "zcdp", "rho": 1}, neighbors="replace-one", unit=3)
    raised.set_budget({"kind": "zcdp", "rho": 0.75})
    raised.charge(renyi.Gaussian(5.0), 2)
    raised.save(folder / "filters/cap.json")
    _odometers(folder)
    norms = np.array([0.0, 0.125, 0.5, 0.75, 0.9, 1.0])
    for kind in ("zcdp", "gdp", "order", "curve", "shares"):
        budget = BUDGETS["curve-plan" if kind == "curve" else kind]
        accounts = renyi.IndividualFilter(6, budget, neighbors="zero-out" if kind == "gdp" else "add-or-remove-one")
        for _ in range(4):
            accounts.charge(norms, noise_multiplier=2.5, clip=1.0)
        if kind not in ("zcdp", "gdp"):
            accounts.charge(norms[:3], drawn=np.array([0, 2, 4]), noise_multiplier=1.1, sampling_rate=0.01, clip=1.0)
        accounts.save(folder / f"individual/{kind}.json")


def _filter(budget, steps, **options):
    made = renyi.Filter(budget, **options)
    for step in steps:
        assert made.charge(step), step
    return made


def _odometers(folder):
    made = {
        "renyi": renyi.Odometer.renyi(1e-5),
        "renyi-orders": renyi.Odometer.renyi(1e-6, orders=[2, 8, 64], infinite_mass=1e-9),
        "zcdp": renyi.Odometer.zcdp(1e-5, neighbors="replace-one", unit=2),
        "gdp": renyi.Odometer.gdp(1e-5),
    }
    for name, odometer in made.items():
        odometer.charge(GAUSSIAN, 3)
        if odometer.kind == "renyi":
            odometer.charge(SAMPLED, 50)
        odometer.save(folder / f"odometers/{name}.json")


def meaning(path):
    read = {"filters": _filter_meaning, "odometers": _odometer_meaning, "individual": _individual_meaning}
    return read[path.parent.name](path)


def _filter_meaning(path):
    found = renyi.Filter.load(path)
    return {
        "budget": found.budget, "cap": found.cap, "history": found.history, "neighbors": found.neighbors,
        "unit": found.unit, "written": json.loads(found.to_json()),
        "remaining": corpus.balances(found.budget, found.remaining()),
        "close": {
            "epsilon": found.epsilon(1e-5).upper,
            "guarantee": plans.figures(found.guarantee.to_json()),
            "next": [_asked(found, step) for step in NEXT],
        },
    }


def _asked(found, step):
    """Whether the step would run, what is left then, and how many such steps would."""
    try:
        step = renyi.Plan(step, neighbors=found.neighbors, unit=found.unit)
        verdict = found.may_run(step)
        return [verdict.runs, verdict.after, found.headroom(step)]
    except renyi.Unsupported:
        return "unsupported"


def _odometer_meaning(path):
    found = renyi.Odometer.load(path)
    step = renyi.Plan(GAUSSIAN, neighbors=found.neighbors, unit=found.unit)
    reading = found.reading()
    found.charge(step)
    return {
        "kind": found.kind, "delta": found.delta, "infinite_mass": found.infinite_mass, "neighbors": found.neighbors,
        "unit": found.unit, "history": found.history,
        "close": {"orders": found.orders, "reading": reading, "after one more": found.reading()},
    }


def _individual_meaning(path):
    found = renyi.IndividualFilter.load(path)
    state = {"budget": found.budget, "neighbors": found.neighbors, "records": found.records, "steps": found.steps,
             "spent": found.spent.tolist(), "active": found.active.tolist()}
    close = {"limits": found.limits.tolist(), "left": found.left.tolist(),
             "guarantee": plans.figures(found.guarantee.to_json())}
    may = found.charge(np.ones(found.records), noise_multiplier=2.5, clip=1.0)
    return {**state, "close": {**close, "may": may.tolist(), "spent then": found.spent.tolist()}}
