#!/usr/bin/env python3
"""Makes ../data/complex_log_moments.jsonl and ../data/limit_orders.jsonl.

    python3 tests/truth/generate/complex_log_moments.py      (needs mpmath; a few minutes)

Every value is the definition, integrated or summed at 60 digits; none of the
engine's formulas (centred sums, windows, closed forms) is used. Parameters are
doubles, taken exactly.
"""
import json
import pathlib
import random

from mpmath import ceil, exp, fabs, floor, inf, linspace, log, mp, mpc, mpf, nstr, pi, quad, sqrt

mp.dps = 60
DIGITS = 32
DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


# ---- E over N(0, s^2) of a function given by its logarithm, by the trapezoidal
# rule, its step halved until nothing moves.

class Cancelled(Exception):
    """The terms cancel so far that too few of the digits are left."""


def live_windows(log_size, low, high, step):
    """Intervals outside of which the integrand is below 1e-60 of its peak."""
    count = int(ceil((high - low) / step)) + 1
    sizes = [log_size(low + i * step) for i in range(count)]
    peak = max(sizes)
    live = [i for i in range(count) if sizes[i] > peak - 140]
    windows = []
    for i in live:
        if windows and i <= windows[-1][1] + 1:
            windows[-1][1] = i
        else:
            windows.append([i, i])
    return [(low + (a - 1) * step, low + (b + 1) * step) for a, b in windows]


def trapezoid(f, windows, h):
    total, size = mpc(0), mpf(0)
    for low, high in windows:
        for j in range(int(floor(low / h)), int(ceil(high / h)) + 1):
            term = f(j * h)
            total += term
            size += fabs(term)
    return total * h, size * h


def integrate(f, log_size, low, high, s, turning):
    """`turning`: how fast the integrand's phase turns, in radians per unit of x."""
    windows = live_windows(log_size, low, high, s / 4)
    h = 2 * pi / (turning + 50 / s**2 + 20 / s)
    coarse, _ = trapezoid(f, windows, h)
    for _ in range(6):
        h /= 2
        fine, size = trapezoid(f, windows, h)
        if fabs(coarse - fine) <= mpf(10) ** -50 * size:
            if fabs(fine) < mpf(10) ** -28 * size:
                raise Cancelled
            return fine
        coarse = fine
    raise ArithmeticError("halving the step does not settle the integral")


class Sampled:
    """P = (1-q) N(0, s^2) + q N(1, s^2) against Q = N(0, s^2)."""

    def __init__(self, q, s):
        self.q, self.s = mpf(q), mpf(s)

    def loss(self, x):
        return log((1 - self.q) + self.q * exp((2 * x - 1) / (2 * self.s**2)))

    def log_q(self, x):
        return -x * x / (2 * self.s**2) - log(self.s * sqrt(2 * pi))

    def moment(self, power):
        """E_Q[r^power]."""
        reach = 18 * self.s
        return integrate(
            lambda x: exp(power * self.loss(x) + self.log_q(x)),
            lambda x: power.real * self.loss(x) + self.log_q(x),
            min(mpf(0), power.real) - reach, max(mpf(1), power.real) + reach, self.s, fabs(power.imag) / self.s**2)

    def log_moment(self, z, direction):
        return log(self.moment(z + 1 if direction == "remove" else -z))

    def kullback_leibler(self, direction):
        def term(x):
            if direction == "remove":
                return exp(self.loss(x) + self.log_q(x)) * self.loss(x)
            return -exp(self.log_q(x)) * self.loss(x)

        def log_size(x):
            return max(self.log_q(x), self.loss(x) + self.log_q(x))

        return integrate(term, log_size, -18 * self.s, 1 + 18 * self.s, self.s, 0).real

    def max_loss(self, direction):
        return mpf(inf) if direction == "remove" or self.q == 1 else -log(1 - self.q)


class LaplacePair:
    """Laplace noise of scale b around 0 (P) and around d (Q)."""

    def __init__(self, scale, sensitivity):
        self.b, self.d = mpf(scale), mpf(sensitivity)

    def integral(self, f, turning):
        pieces = int(ceil(turning * self.d / 4)) + 1
        return (quad(f, [-inf, 0]) + quad(f, linspace(mpf(0), self.d, pieces + 1)) + quad(f, [self.d, inf]))

    def loss(self, x):
        return (fabs(x - self.d) - fabs(x)) / self.b

    def p(self, x):
        return exp(-fabs(x) / self.b) / (2 * self.b)

    def log_moment(self, z, _):
        return log(self.integral(lambda x: self.p(x) * exp(z * self.loss(x)), 2 * fabs(z) / self.b))

    def kullback_leibler(self, _):
        return self.integral(lambda x: self.p(x) * self.loss(x), 0)

    def max_loss(self, _):
        return self.d / self.b


class Atoms:
    """Probabilities of each outcome under P and under Q."""

    def __init__(self, pairs):
        self.pairs = pairs  # (p, q, how many such outcomes)

    def log_moment(self, z, _):
        return log(sum(n * p * exp(z * log(p / q)) for p, q, n in self.pairs))

    def kullback_leibler(self, _):
        return sum(n * p * log(p / q) for p, q, n in self.pairs)

    def max_loss(self, _):
        return max(log(p / q) for p, q, _ in self.pairs)


def randomized_response(truth_probability, categories):
    p = mpf(truth_probability)
    r = (1 - p) / (categories - 1)
    return Atoms([(p, r, 1), (r, p, 1), (r, r, categories - 2)])


def pure_dp(epsilon):
    p = 1 / (1 + exp(-mpf(epsilon)))
    r = 1 / (1 + exp(mpf(epsilon)))
    return Atoms([(p, r, 1), (r, p, 1)])


MAKE = {
    "gaussian": lambda m: Sampled(1, mpf(m["stddev"]) / mpf(m["l2_sensitivity"])),
    "laplace": lambda m: LaplacePair(m["scale"], m["l1_sensitivity"]),
    "randomized-response": lambda m: randomized_response(m["truth_probability"], m["categories"]),
    "pure-dp": lambda m: pure_dp(m["epsilon"]),
    "sampled-gaussian": lambda m: Sampled(m["sampling_rate"], m["noise_multiplier"]),
}


# ---- what is asked

def sampled(q, s):
    return {"mechanism": "sampled-gaussian", "sampling_rate": q, "noise_multiplier": s}


def rounded(x):
    return float(f"{x:.4g}")


def sampled_points(rng):
    for q in (1e-6, 1e-3, 0.01, 0.3, 0.99):
        for s in (0.3, 0.8, 1.1, 4.0, 20.0):
            for _ in range(3):
                yield sampled(q, s), rounded(10 ** rng.uniform(-3, 2.48)), rounded(10 ** rng.uniform(-1, 2.3))
    yield sampled(0.01, 1.1), 17.5, 0.0
    yield sampled(0.01, 1.1), 1e-3, 200.0
    yield sampled(1e-6, 0.3), 300.0, 200.0
    yield sampled(0.99, 20.0), 300.0, 200.0
    yield sampled(0.5, 0.3), 8.0, 1.0  # a moment near e^430: its square overflows
    yield sampled(0.5, 0.3), 9.25, 30.0
    yield sampled(0.3, 0.5), 0.0, 5.0


def atom_points(rng):
    for p, k in ((0.75, 2), (0.5000001, 2), (0.2, 2), (0.5, 3), (0.3333, 3), (0.9, 10), (1e-4, 1000), (0.999999, 1000)):
        for _ in range(3):
            yield ({"mechanism": "randomized-response", "truth_probability": p, "categories": k},
                   rounded(10 ** rng.uniform(-3, 2.48)), rounded(10 ** rng.uniform(-1, 2.3)))
    # Nearly a zero of the moment: p e^(ce) + r e^(-ce) = (k-2) r at phase pi.
    yield {"mechanism": "randomized-response", "truth_probability": 0.2, "categories": 10}, 0.60205999, 3.8740927
    for e in (1e-6, 0.1, 1.0, 2.0, 5.0, 40.0):
        for _ in range(3):
            yield ({"mechanism": "pure-dp", "epsilon": e},
                   rounded(10 ** rng.uniform(-3, 2.48)), rounded(10 ** rng.uniform(-1, 2.3)))
    # Full turns of the phase, where exp(z e) comes back to nearly 1.
    yield {"mechanism": "pure-dp", "epsilon": 2.0}, 0.0, 3.141592653589793
    yield {"mechanism": "pure-dp", "epsilon": 5.0}, 0.0, 125.66370614359172
    yield {"mechanism": "pure-dp", "epsilon": 0.5}, 0.0, 12.566370614359172


def noise_points(rng):
    for scale, d in ((1.0, 1.0), (0.1, 1.0), (20.0, 1.0), (3.0, 2.5), (1000.0, 1.0)):
        for _ in range(3):
            yield ({"mechanism": "laplace", "scale": scale, "l1_sensitivity": d},
                   rounded(10 ** rng.uniform(-3, 2.48)), rounded(10 ** rng.uniform(-1, 2)))
    for stddev, d in ((1.0, 1.0), (0.3, 1.0), (20.0, 3.0)):
        for _ in range(3):
            yield ({"mechanism": "gaussian", "stddev": stddev, "l2_sensitivity": d},
                   rounded(10 ** rng.uniform(-3, 2.48)), rounded(10 ** rng.uniform(-1, 2)))


def settings():
    for q in (1e-8, 1e-3, 0.01, 0.3, 0.5, 0.99, 0.999999):
        for s in (0.3, 1.1, 20.0):
            yield sampled(q, s)
    for scale, d in ((1.0, 1.0), (0.05, 1.0), (1e4, 3.0)):
        yield {"mechanism": "laplace", "scale": scale, "l1_sensitivity": d}
    for stddev, d in ((1.0, 1.0), (0.05, 1.0), (1e4, 3.0)):
        yield {"mechanism": "gaussian", "stddev": stddev, "l2_sensitivity": d}
    for p, k in ((0.75, 2), (0.5000001, 2), (0.1, 2), (0.5, 3), (1 / 3, 3), (0.1, 10), (0.2, 10), (0.999, 100000)):
        yield {"mechanism": "randomized-response", "truth_probability": p, "categories": k}
    for e in (1e-9, 0.1, 1.0, 30.0, 1000.0):
        yield {"mechanism": "pure-dp", "epsilon": e}


# ---- the tables

def text(x):
    return nstr(x, DIGITS, strip_zeros=True)


def moment_row(spec, re, im):
    try:
        return moment_row_at(spec, re, im)
    except Cancelled:  # nearer to the real axis less cancels
        return moment_row(spec, re, rounded(im / 2))


def moment_row_at(spec, re, im):
    pair, z, row = MAKE[spec["mechanism"]](spec), mpc(mpf(re), mpf(im)), {**spec, "z_re": re, "z_im": im}
    for direction in ("remove", "add"):
        k = mpc(pair.log_moment(z, direction))
        row[f"{direction}_re"], row[f"{direction}_im"] = text(k.real), text(k.imag)
    return row


def limit_row(spec):
    pair, row = MAKE[spec["mechanism"]](spec), dict(spec)
    for direction in ("remove", "add"):
        row[f"order_1_{direction}"] = text(pair.kullback_leibler(direction))
        largest = pair.max_loss(direction)
        if spec["mechanism"] == "gaussian":
            largest = mpf(inf)
        row[f"order_inf_{direction}"] = "inf" if largest == inf else text(largest)
    return row


def write(name, rows):
    with open(DATA / name, "w", encoding="ascii") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")


def main():
    rng = random.Random(20240607)
    points = [*sampled_points(rng), *atom_points(rng), *noise_points(rng)]
    write("limit_orders.jsonl", (limit_row(spec) for spec in settings()))
    write("complex_log_moments.jsonl", (moment_row(*point) for point in points))


if __name__ == "__main__":
    main()
