#!/usr/bin/env python3
"""Makes ../data/discrete_noise_rdp.jsonl and ../data/discrete_noise_delta.jsonl.

    python3 tests/truth/generate/discrete_noise.py      (needs mpmath and python-flint; a minute or two)

Noise on the integers from its definition: masses proportional to exp(-x^2/(2 s^2)), exp(-|x|/b) or, for Skellam noise,
exp(-v) I_x(v); P is the noise moved by `sensitivity`, mixed with Q at `rate`. Divergences are sums over all integers
whose terms are above 1e-60 of the largest; deltas of several steps are convolutions of the law of the loss, atom by
atom, of atoms above 1e-45 (the rest bounds the error, which is far below what is printed). Without sampling all losses lie
on a lattice, and many steps are a power of a polynomial with whole coefficients, of 2^-400 each.
"""
import json
import pathlib
from collections import defaultdict

from flint import fmpz_poly
from mpmath import besseli, exp, log, mp, mpf, nstr

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
mp.dps = 50


def log_mass(kind, size):
    """ln of the mass at x, but for a constant, and a width."""
    size = mpf(size)
    if kind == "discrete-gaussian":
        return (lambda x: -mpf(x) ** 2 / (2 * size**2)), float(size)
    if kind == "discrete-laplace":
        return (lambda x: -abs(mpf(x)) / size), 1.5 * float(size)
    cache = {}

    def skellam(x):
        x = abs(int(x))
        if x not in cache:
            cache[x] = log(besseli(x, size)) - size
        return cache[x]

    return skellam, float(size) ** 0.5


def outcomes(kind, size, distance, rate, below, above):
    """(x, ln P, ln Q) for x from `below` to `above`; P is mixed."""
    f, width = log_mass(kind, size)
    reach = int(60 * width) + 40
    norm = log(mp.fsum(exp(f(x)) for x in range(-reach, reach + 1)))
    rate = mpf(rate)
    for x in range(below, above + 1):
        q = f(x) - norm
        p = f(x - distance) - norm
        yield x, (p if rate == 1 else log((1 - rate) * exp(q) + rate * exp(p))), q


def log_moments(kind, size, distance, rate, z):
    """K(z) in both directions."""
    width = log_mass(kind, size)[1]
    reach = int(25 * width) + 30 if kind != "discrete-laplace" else int(150 * width) + 30
    tilt = int((float(z) + 2) * distance)
    table = list(outcomes(kind, size, distance, rate, -reach - tilt, reach + tilt))
    z = mpf(z)
    remove = mp.fsum(exp((1 + z) * p - z * q) for _, p, q in table)
    add = mp.fsum(exp((1 + z) * q - z * p) for _, p, q in table)
    return log(remove), log(add)


def law(kind, size, distance, rate, direction):
    width = log_mass(kind, size)[1]
    reach = int(25 * width) + 20 if kind != "discrete-laplace" else int(120 * width) + 20
    atoms = defaultdict(mpf)
    for _, p, q in outcomes(kind, size, distance, rate, -reach, reach + distance):
        loss, mass = (p - q, exp(p)) if direction == "remove" else (q - p, exp(q))
        if mass > mpf(10) ** -60:
            atoms[nstr(loss, 30)] += mass
    return [(mpf(loss), mass) for loss, mass in atoms.items()]


def convolved(a, b):
    sums = defaultdict(mpf)
    for loss, mass in a:
        for other, more in b:
            if mass * more > mpf(10) ** -45:
                sums[nstr(loss + other, 28)] += mass * more
    return [(mpf(loss), mass) for loss, mass in sums.items()]


def power(atoms, count):
    result = [(mpf(0), mpf(1))]
    for _ in range(count):
        result = convolved(result, atoms)
    return result


def lattice_power(atoms, count):
    """The same where losses are first + k step."""
    scale = mpf(2) ** 400
    atoms = sorted(atoms)
    first, step = atoms[0][0], min(b[0] - a[0] for a, b in zip(atoms, atoms[1:]))
    coefficients = [0] * (int(mp.nint((atoms[-1][0] - first) / step)) + 1)
    for loss, mass in atoms:
        coefficients[int(mp.nint((loss - first) / step))] += int(mass * scale)
    base, shift, offset = coefficients, 0, 0

    def product(a, b):
        c = [int(x) >> 400 for x in (fmpz_poly(a) * fmpz_poly(b)).coeffs()]
        low = next(i for i, x in enumerate(c) if x)
        while not c[-1]:
            c.pop()
        return c[low:], low

    result, left = [2**400], count
    while left:
        if left % 2:
            result, low = product(result, base)
            offset += shift + low
        left //= 2
        if left:
            base, low = product(base, base)
            shift = 2 * shift + low
    return [(count * first + (offset + k) * step, mpf(x) / scale) for k, x in enumerate(result) if x]


def delta(atoms, epsilon):
    return mp.fsum(mass * (1 - exp(mpf(epsilon) - loss)) for loss, mass in atoms if loss > mpf(epsilon))


def step(kind, size, distance, rate):
    name = {"discrete-gaussian": "stddev", "discrete-laplace": "scale", "skellam": "variance"}[kind]
    what = {"mechanism": kind, name: size}
    what["sensitivity"] = distance
    if rate != 1:
        what["sampling"] = {"scheme": "poisson", "rate": rate}
    return what


def plan(*arguments, count=1):
    one = step(*arguments)
    if count > 1:
        one["count"] = count
    return {"renyi": 1, "neighbors": "add-or-remove-one", "steps": [one]}


CURVES = [
    ("discrete-gaussian", s, d, q)
    for s, d in [(0.15, 1), (0.4, 3), (0.6, 1), (0.65, 2), (1.0, 1), (2.5, 7), (12.0, 1), (30.0, 40)]
    for q in [1, 0.3, 0.01, 1e-7]
] + [
    ("discrete-laplace", b, d, q)
    for b, d in [(0.2, 1), (0.7, 3), (2.0, 1), (6.0, 20)]
    for q in [1, 0.3, 0.01, 1e-7]
] + [
    ("skellam", v, d, q)
    for v, d in [(0.5, 2), (10.0, 1), (60.0, 4)]
    for q in [1, 0.3, 0.01, 1e-7]
]
ORDERS = [1.03125, 1.5, 2.25, 8.0, 33.125]

DELTAS = [
    (("discrete-gaussian", 0.5, 1, 1), 1, [0.5, 2.0, 6.5]),
    (("discrete-gaussian", 2.0, 3, 1), 1, [0.25, 3.0, 9.0]),
    (("discrete-gaussian", 3.0, 1, 0.125), 1, [0.01, 0.125]),
    (("discrete-gaussian", 1.0, 1, 1), 10, [1.5, 8.25, 20.125]),
    (("discrete-gaussian", 4.0, 3, 1), 10, [1.5, 8.25]),
    (("discrete-gaussian", 10.0, 1, 1), 1000, [1.5, 8.25, 20.125]),
    (("discrete-gaussian", 0.5, 2, 1), 1000, [7400.5, 8600.25]),
    (("discrete-gaussian", 0.75, 1, 0.125), 3, [0.5, 1.75]),
    (("discrete-gaussian", 1.0, 1, 0.0625), 4, [0.25, 1.0]),
    (("discrete-laplace", 1.5, 4, 1), 1, [0.5, 1.75]),
    (("discrete-laplace", 1.5, 4, 0.25), 1, [0.25, 0.75]),
    (("discrete-laplace", 4.0, 3, 1), 10, [1.25, 4.0]),
    (("discrete-laplace", 8.0, 2, 1), 1000, [12.5, 30.25]),
    (("discrete-laplace", 1.0, 2, 0.125), 4, [0.25, 0.75]),
    (("skellam", 8.0, 2, 1), 1, [0.5, 2.0]),
    (("skellam", 4.0, 1, 0.125), 3, [0.25]),
]

if __name__ == "__main__":
    with open(DATA / "discrete_noise_rdp.jsonl", "w") as file:
        for arguments in CURVES:
            for order in ORDERS:
                remove, add = (nstr(k / (mpf(order) - 1), 22) for k in log_moments(*arguments, order - 1))
                row = {"plan": plan(*arguments), "alpha": order, "rdp_remove": remove, "rdp_add": add}
                print(json.dumps(row), file=file, flush=True)
    with open(DATA / "discrete_noise_delta.jsonl", "w") as file:
        for arguments, count, epsilons in DELTAS:
            raised = lattice_power if arguments[-1] == 1 and count > 1 else power
            laws = {way: raised(law(*arguments, way), count) for way in ["remove", "add"]}
            for epsilon in epsilons:
                row = {"plan": plan(*arguments, count=count), "epsilon": epsilon}
                for way, atoms in laws.items():
                    value = delta(atoms, epsilon)
                    if value > mpf(10) ** -25:
                        row["delta_" + way] = nstr(value, 18)
                print(json.dumps(row), file=file, flush=True)
