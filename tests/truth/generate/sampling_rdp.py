#!/usr/bin/env python3
"""Makes ../data/sampling_rdp.jsonl.

    python3 tests/truth/generate/sampling_rdp.py      (needs python-flint; about three minutes)

Renyi divergences of sampled steps: every sampler, relation and family of noise that is analysed, at random
parameters (seeded, so the table can be made again). A row is a plan as renyi::read_plan takes it, an order,
and the divergence of the pairs of sampling_pairs.py in both directions.
"""
import json
import pathlib
import random

from flint import arb
from sampling_pairs import digits, is_analysed, log_moment, stated

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
RELATIONS = ["add-or-remove-one", "zero-out", "replace-one"]
random.seed(20261116)


def rounded(x, count=4):
    return float(f"{x:.{count}g}")


def log_uniform(low, high):
    return rounded(low * (high / low) ** random.random())


def order():
    a = 1 + 0.01 * (299 / 0.01) ** random.random()
    return random.choice([rounded(a, 5), float(max(2, round(a)))])


def rate():
    return log_uniform(1e-6, 0.5)


def gaussian(low=0.3, high=20):
    return {"mechanism": "gaussian", "noise_multiplier": log_uniform(low, high)}


def laplace():
    return {"mechanism": "laplace", "scale": log_uniform(0.1, 20)}


def response():
    if random.random() < 0.5:
        return {"mechanism": "randomized-response", "truth_probability": rounded(random.uniform(0.51, 0.99))}
    k = random.choice([3, 4, 10])
    return {"mechanism": "randomized-response", "truth_probability": rounded(random.uniform(1.2 / k, 0.95)),
            "categories": k}


def pure():
    return {"mechanism": "pure-dp", "epsilon": log_uniform(0.01, 4)}


# ---- samplers ------------------------------------------------------------------------------------------


def poisson():
    return {"scheme": "poisson", "rate": rate()}


def fixed_size(scheme="fixed-size", most=500):
    n = random.choice([4, 10, 50, 1000, 60000, 1000000])
    return {"scheme": scheme, "dataset_size": n, "batch_size": random.randint(1, max(1, min(n // 2, most)))}


def with_replacement():
    return fixed_size("with-replacement", 12)


def truncated():
    n = random.choice([10, 100, 2000])
    q = log_uniform(0.3 / n, 0.5)
    limit = max(1, min(n - 1, round(n * q + random.choice([0, 1, 3, 5]) * (n * q) ** 0.5)))
    return {"scheme": "truncated-poisson", "rate": q, "dataset_size": n, "batch_limit": limit}


def shuffled():
    return {"scheme": "shuffled", "batches": random.randint(2, 500)}


# ---- plans ---------------------------------------------------------------------------------------------


def plan(relation, *steps, unit=1):
    head = {"renyi": 1, "neighbors": relation}
    return {**head, **({"unit": unit} if unit > 1 else {}), "steps": [stated(relation, step) for step in steps]}


def sampled(step, sampling, **more):
    return {**step, "sampling": sampling, **more}


def plans():
    families = {gaussian: 10, laplace: 6, response: 3, pure: 3}
    samplers = {poisson: 1.0, fixed_size: 1.0, with_replacement: 0.5, truncated: 0.7}
    for relation in RELATIONS:
        for family, rows in families.items():
            for sampler, share in samplers.items():
                heavy = family is gaussian and sampler is with_replacement
                for _ in range(round(rows * share)):
                    yield plan(relation, sampled(gaussian(1) if heavy else family(), sampler()))
        if relation != "add-or-remove-one":  # a record more shifts the batches: not analysed
            for family in families:
                yield plan(relation, sampled(family(), shuffled(), count=random.randint(1, 40)))
    yield from units()
    yield from compositions()


def units():
    for k in [2, 5, 30]:
        for relation in RELATIONS:
            for _ in range(3):
                yield plan(relation, sampled(gaussian(0.5), poisson()), unit=k)
            yield plan(relation, gaussian(), unit=k)
            yield plan(relation, laplace(), unit=k)
        for relation in RELATIONS[:2]:
            for _ in range(2):
                yield plan(relation, sampled(laplace(), poisson()), unit=k)
        yield plan("add-or-remove-one", sampled(response(), poisson()), unit=k)


def compositions():
    """Counts, several steps, disjoint parts of the data."""
    for relation in RELATIONS:
        yield plan(relation, sampled(gaussian(), poisson(), count=1000), sampled(laplace(), fixed_size(), count=7))
        yield plan(relation, gaussian(), sampled(response(), poisson(), count=20))
    for _ in range(4):
        parts = [[sampled(gaussian(1), poisson(), count=100)], [laplace(), gaussian()]]
        yield plan("add-or-remove-one", {"parallel": parts, "count": random.randint(1, 5)}, sampled(pure(), poisson()))


def row(what):
    a = order()
    z = arb(a) - 1
    value = lambda direction: digits(log_moment(what, z, direction) / z)
    return {"plan": what, "alpha": a, "rdp_remove": value("remove"), "rdp_add": value("add")}


if __name__ == "__main__":
    with open(DATA / "sampling_rdp.jsonl", "w") as file:
        for what in plans():
            found = row(what)
            if is_analysed(what):
                print(json.dumps(found), file=file, flush=True)
