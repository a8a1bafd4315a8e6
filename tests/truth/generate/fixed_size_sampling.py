#!/usr/bin/env python3
"""Makes ../data/fixed_size_sampling.jsonl.

    python3 tests/truth/generate/fixed_size_sampling.py      (needs mpmath; about a minute)

The mechanisms of the figure of Wang, Balle, Kasiviswanathan 2019 that compares bounds for samples without replacement,
at rate 0.001 under replace-one: Gaussian sigma = 5, Laplace b = 2, randomized response p = 0.6. Columns:

    general  Theorem 9; tight: Theorem 27 (Gaussian only), its alternating sums as they are, in enough digits
    lower    Proposition 11: the pair (mixture, one law), which some mechanism with this curve attains
    closure  D of the pair whose (epsilon, delta) are on or above those of every neighbour, both directions
"""
import json
import pathlib

from mpmath import binomial, exp, expm1, inf, log, log1p, mp, mpf, nstr, pi, quad, sqrt

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
mp.dps = 60
RATE = mpf(0.001)  # the double
ORDERS = [2, 3, 5, 10, 20, 50, 100, 150, 200, 300, 500]


def gaussian_curve(a):
    return mpf(a) / 50


def laplace_curve(a, b=mpf(2)):
    a = mpf(a)
    return log(a / (2 * a - 1) * exp((a - 1) / b) + (a - 1) / (2 * a - 1) * exp(-a / b)) / (a - 1)


P = mpf(0.6)  # the double


def response_curve(a):
    return log(P**a * (1 - P) ** (1 - a) + (1 - P) ** a * P ** (1 - a)) / (a - 1)


def general(curve, largest, a):
    ratio = expm1(largest) if largest < inf else inf
    e2 = exp(curve(2))
    total = RATE**2 * binomial(a, 2) * min(4 * (e2 - 1), e2 * min(2, ratio**2))
    for j in range(3, a + 1):
        total += RATE**j * binomial(a, j) * exp((j - 1) * curve(j)) * min(2, ratio**j)
    return log1p(total) / (a - 1)


def even_moment(l):
    moment = lambda i: 1 if i < 2 else exp((i - 1) * gaussian_curve(i))
    return sum((-1) ** (l - i) * binomial(l, i) * moment(i) for i in range(l + 1))


def tight(a):
    digits, mp.dps = mp.dps, 60 + 2 * a
    b = [even_moment(l) for l in range(0, a + 2, 2)]
    e2 = exp(gaussian_curve(2))
    total = RATE**2 * binomial(a, 2) * min(4 * (e2 - 1), 2 * e2)
    for j in range(3, a + 1):
        total += 4 * RATE**j * binomial(a, j) * sqrt(b[j // 2] * b[(j + 1) // 2])
    result = log1p(total) / (a - 1)
    mp.dps = digits
    return +result


def lower(curve, a):
    odds = RATE / (1 - RATE)
    total = 1 + a * odds + sum(binomial(a, j) * odds**j * exp((j - 1) * curve(j)) for j in range(2, a + 1))
    return (a * log1p(-RATE) + log(total)) / (a - 1)


# E - 1 = integral over l > 0 of q (e^(zl) - 1)(e^((z+1)l) - 1) e^(-zl), l = ln(1 - g + g p/q), z = a - 1.
def excess(ratio, a):
    l = log1p(RATE * (ratio - 1))
    return expm1((a - 1) * l) * expm1(a * l) * exp(-(a - 1) * l)


def gaussian_closure(a):
    s = mpf(5)
    density = lambda x: exp(-x * x / (2 * s * s)) / (s * sqrt(2 * pi))
    points = [mpf(1) / 2] + [mpf(1) / 2 + 10 * i for i in range(1, (a + 100) // 10)]
    return log1p(quad(lambda x: density(x) * excess(exp((2 * x - 1) / (2 * s * s)), a), points)) / (a - 1)


def laplace_closure(a):
    b = mpf(2)
    middle = quad(lambda x: exp(-x / b) / (2 * b) * excess(exp((2 * x - 1) / b), a), [mpf(1) / 2, mpf(3) / 4, 1])
    return log1p(middle + exp(-1 / b) / 2 * excess(exp(1 / b), a)) / (a - 1)


def response_closure(a):
    return log1p((1 - P) * excess(P / (1 - P), a)) / (a - 1)


def row(name, a, curve, largest, closure):
    mp.dps = 30
    values = {"general": general(curve, largest, a), "lower": lower(curve, a), "closure": closure(a)}
    if name == "gaussian":
        values["tight"] = tight(a)
    return {"mechanism": name, "order": a, **{k: nstr(v, 22) for k, v in values.items()}}


with open(DATA / "fixed_size_sampling.jsonl", "w") as file:
    for a in ORDERS:
        print(json.dumps(row("gaussian", a, gaussian_curve, inf, gaussian_closure)), file=file)
        print(json.dumps(row("laplace", a, laplace_curve, mpf(1) / 2, laplace_closure)), file=file)
        print(json.dumps(row("randomized-response", a, response_curve, log(P / (1 - P)), response_closure)), file=file)
