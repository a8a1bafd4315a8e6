#!/usr/bin/env python3
"""Makes ../data/sampling_delta.jsonl.

    python3 tests/truth/generate/sampling_delta.py      (needs python-flint and numpy; about six minutes)

Exact delta(epsilon) of sampled steps, both directions: one step in closed form at 90 digits, more by
sampling_lattice.py. `error` says to what relative error a row is known. A direction whose delta is 0 or too
small to be known so well is left out.
"""
import json
import math
import pathlib
import random

from flint import arb
from sampling_lattice import delta, on_one_grid
from sampling_pairs import Atoms, Gaussians, Laplaces, components, digits, is_analysed, stated

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
RELATIONS = ["add-or-remove-one", "zero-out", "replace-one"]
KNOWN_TO = 1e-9
SMALLEST = 1e-13
random.seed(7)


# ---- one step: P(L > epsilon) - e^epsilon Q(L > epsilon) ------------------------------------------------


def above(x):
    return (x / arb(2).sqrt()).erfc() / 2


def gaussian_profile(pair, t):
    """Bisection for the place where P/Q = t; delta is stationary there, so its error enters squared."""
    excess = lambda x: sum(w * (i * x * pair.d / pair.s ** 2).exp() for i, w in pair.p.items()) - t * sum(
        w * (i * x * pair.d / pair.s ** 2).exp() for i, w in pair.q.items())
    rises = max(pair.p) > max(pair.q)
    low, high = -arb(10) ** 4, arb(10) ** 4
    if not excess(high if rises else low) > 0:
        return arb(0)
    for _ in range(330):
        middle = ((low + high) / 2).mid()
        if (excess(middle) > 0) == rises:
            high = middle
        else:
            low = middle
    mass = lambda weights: sum(
        w * ((i * pair.d / pair.s) ** 2 / 2).exp() * above((low - i * pair.d) / pair.s * (1 if rises else -1))
        for i, w in weights.items())
    return mass(pair.p) - t * mass(pair.q)


def laplace_profile(pair, t):
    g, b, d = pair.g, pair.b, pair.d
    ratio = 1 / t if pair.is_swapped else t
    (_, least), (_, most) = pair._atoms()
    if (ratio <= least) if pair.is_swapped else (ratio >= most):
        return arb(0)
    x = (d + b * ((ratio - 1 + g) / g).log()) / 2
    if pair.is_swapped:  # the loss is above epsilon left of x
        base, moved = 1 - (-x / b).exp() / 2, (-(d - x) / b).exp() / 2
        return base - t * ((1 - g) * base + g * moved)
    base, moved = (-x / b).exp() / 2, 1 - (-(d - x) / b).exp() / 2
    return (1 - g) * base + g * moved - t * base


def atom_profile(pair, t):
    return sum((p - t * q for p, q in pair.masses if p > t * q), arb(0))


PROFILES = {Gaussians: gaussian_profile, Laplaces: laplace_profile, Atoms: atom_profile}


def one_step(parts, direction, epsilon):
    total = arb(0)
    for c in parts:
        pair = c.halves(direction)[0] if c.is_symmetric else c.pair if direction == "remove" else c.pair.swapped()
        total += c.weight * PROFILES[type(pair)](pair, arb(epsilon).exp())
    return total


# ---- what is asked -------------------------------------------------------------------------------------


def rounded(x, count=4):
    return float(f"{x:.{count}g}")


def log_uniform(low, high):
    return rounded(low * (high / low) ** random.random())


def gaussian():
    return {"mechanism": "gaussian", "noise_multiplier": log_uniform(0.7, 8)}


def laplace():
    return {"mechanism": "laplace", "scale": log_uniform(0.4, 8)}


def response():
    return {"mechanism": "randomized-response", "truth_probability": rounded(random.uniform(0.55, 0.9)),
            "categories": random.choice([2, 3, 5])}


def pure():
    return {"mechanism": "pure-dp", "epsilon": log_uniform(0.1, 2)}


def poisson():
    return {"scheme": "poisson", "rate": log_uniform(0.002, 0.3)}


def fixed_size():
    n = random.choice([100, 1000, 60000])
    return {"scheme": "fixed-size", "dataset_size": n, "batch_size": round(n * log_uniform(0.01, 0.3))}


def with_replacement():
    n = random.choice([100, 1000])
    return {"scheme": "with-replacement", "dataset_size": n, "batch_size": random.randint(2, 6)}


def truncated():
    n, q = 200, log_uniform(0.02, 0.2)
    return {"scheme": "truncated-poisson", "rate": q, "dataset_size": n,
            "batch_limit": round(n * q + 2 * math.sqrt(n * q))}


def plan(relation, step, sampling, count, unit=1):
    head = {"renyi": 1, "neighbors": relation, **({"unit": unit} if unit > 1 else {})}
    whole = {**step, "sampling": sampling, **({"count": count} if count > 1 else {})}
    return {**head, "steps": [stated(relation, whole)]}


def plans():
    samplers = [poisson, fixed_size, with_replacement, truncated]
    for relation in RELATIONS:
        for sampler in samplers:
            yield lambda: plan(relation, gaussian(), sampler(), 1)
            yield lambda: plan(relation, laplace(), sampler(), 1)
        for family in [response, pure]:
            yield lambda: plan(relation, family(), random.choice(samplers)(), 1)
        for k in [2, 5]:
            yield lambda: plan(relation, gaussian(), poisson(), 1, k)
    for counts in [[2, 10, 30], [100, 300], [1000, 2000]]:
        for relation in RELATIONS:
            for family, sampler in [(gaussian, poisson), (gaussian, fixed_size), (laplace, random.choice(samplers))]:
                yield lambda: plan(relation, family(), sampler(), random.choice(counts))
            yield lambda: plan(relation, gaussian(), random.choice(samplers[2:])(), random.choice(counts))
            yield lambda: plan(relation, random.choice([response, pure])(), poisson(), random.choice(counts))
        for relation in ["add-or-remove-one", "replace-one"]:
            yield lambda: plan(relation, gaussian(), poisson(), random.choice(counts), random.choice([2, 5]))
    random.seed(8)
    for relation in RELATIONS[:1]:  # the method does not settle for the others
        yield lambda: plan(relation, {"mechanism": "gaussian", "noise_multiplier": log_uniform(1, 3)},
                           {"scheme": "with-replacement", "dataset_size": 100, "batch_size": 2}, 30)


# ---- rows ----------------------------------------------------------------------------------------------


def epsilon_for(parts, count, target):
    """About the epsilon at which delta is `target` in the first direction, to four digits."""
    low, high = math.log(0.01), math.log(60.0)
    for _ in range(22):
        middle = (low + high) / 2
        epsilon = math.exp(middle)
        value = (float(one_step(parts, "remove", epsilon)) if count == 1
                 else on_one_grid(parts, "remove", count, epsilon, 2 ** 15)[1])
        low, high = (middle, high) if value > target else (low, middle)
    return rounded(math.exp(low))


def known(parts, direction, count, epsilon):
    """(text, error), or nothing."""
    if count == 1:
        value = one_step(parts, direction, epsilon)
        return (digits(value), 1e-19) if value > SMALLEST else None
    value, error = delta(parts, direction, count, epsilon, last=20, agree=1e-10)
    return (f"{value:.14e}", KNOWN_TO) if value > SMALLEST and error < KNOWN_TO / 3 else None


def row(what):
    step = what["steps"][0]
    parts, count = components(what["neighbors"], what.get("unit", 1), step), step.get("count", 1)
    target = log_uniform(1e-10, 1e-2)
    epsilon = epsilon_for(parts, count, target)
    remove = known(parts, "remove", count, epsilon)
    if remove is None or not 1e-11 < float(remove[0]) < 0.3:
        return None
    symmetric = all(c.is_symmetric and c.other is None for c in parts) or (what["neighbors"] == "replace-one")
    add = remove if symmetric else known(parts, "add", count, epsilon)
    result = {"plan": what, "epsilon": epsilon, "error": remove[1], "delta_remove": remove[0]}
    return {**result, "delta_add": add[0]} if add else result


def first_row(draw):
    for _ in range(6):
        found = row(draw())
        if found:
            return found
    return None


if __name__ == "__main__":
    with open(DATA / "sampling_delta.jsonl", "w") as file:
        for draw in plans():
            found = first_row(draw)
            if found and is_analysed(found["plan"]):
                print(json.dumps(found), file=file, flush=True)
