#!/usr/bin/env python3
"""Makes ../data/closed_form_delta.jsonl.

    python3 tests/truth/generate/closed_form_delta.py      (needs mpmath; about a minute)

delta(epsilon) = P(L > epsilon) - e^epsilon Q(L > epsilon), the two probabilities taken from the
definition with so many digits that their difference keeps 25 of them; none of the engine's
formulas (Mills' ratios, walks over scaled weights) is used. Parameters are doubles, taken exactly.
"""
import json
import math
import pathlib

from mpmath import erfc, exp, fabs, floor, log, loggamma, mp, mpf, nstr, sqrt

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
WORKING_DIGITS = 500
DIGITS = 25
SMALLEST = mpf("1e-300")


def above(x):
    return erfc(x / sqrt(mpf(2))) / 2


def gaussian(mu, epsilon):
    x = epsilon / mu - mu / 2
    return above(x) - exp(epsilon) * above(x + mu)


def sampled(q, s, epsilon):
    """Both directions: the loss ln(1 - q + q e^((2x-1)/(2s^2))) rises with x."""
    place = lambda ratio: mpf(1) / 2 + s * s * log((ratio - 1 + q) / q)
    x = place(exp(epsilon))
    remove = q * above((x - 1) / s) + (1 - q) * above(x / s) - exp(epsilon) * above(x / s)
    if exp(-epsilon) <= 1 - q:
        return remove, mpf(0)
    y = place(exp(-epsilon))
    under_mixture = q * above(-(y - 1) / s) + (1 - q) * above(-y / s)
    return remove, above(-y / s) - exp(epsilon) * under_mixture


def binary(p, n, epsilon):
    """Sums over the number of wrong answers, from the largest that counts down until nothing moves."""
    high, low = max(p, 1 - p), min(p, 1 - p)
    loss = log(high / low)
    m = int(floor((n - epsilon / loss) / 2))
    while m >= 0 and (n - 2 * m) * loss <= epsilon:
        m -= 1
    if m < 0:
        return mpf(0)
    weight = exp(loggamma(n + 1) - loggamma(m + 1) - loggamma(n - m + 1) + m * log(low) + (n - m) * log(high))
    kept = exp(epsilon - (n - 2 * m) * loss)  # e^(epsilon - loss of i)
    total = mpf(0)
    ratio, fall = high / low, exp(-2 * loss)
    largest = mpf(0)
    for i in range(m, -1, -1):
        term = weight * (1 - kept)
        total += term
        largest = max(largest, term)
        if term < largest and term < total * mpf(10) ** -40:
            break
        weight *= i * ratio / (n - i + 1)
        kept *= fall
    return total


def kary(p, k, epsilon):
    r = (1 - p) / (k - 1)
    return max(mpf(0), max(p, r) - exp(epsilon) * min(p, r))


def row(mechanism, count, epsilon, remove, add, **parameters):
    # The truth is 0, or large enough for a double to have all its digits.
    if any(0 < d < SMALLEST for d in (remove, add)):
        return
    show = lambda d: nstr(d, DIGITS, min_fixed=0, max_fixed=0) if d != 0 else "0"
    yield json.dumps({"mechanism": mechanism, **parameters, "count": count, "epsilon": epsilon,
                      "delta_remove": show(remove), "delta_add": show(add)})


def gaussian_rows():
    for stddev in (0.05, 0.3, 1.0, 3.7, 100.0, 1e6, 1e10):
        for count in (1, 7, 10**6, 10**12):
            mu = sqrt(mpf(count)) / mpf(stddev)
            if mu > 40:
                depths = (0, 3, 30)
            else:
                depths = (-1e9, -1, 0, 0.5, 4, 15, 30, 36)
            for depth in depths:  # epsilon/mu - mu/2
                epsilon = float(max(mpf(0), mu * (depth + mu / 2)))
                delta = gaussian(mu, mpf(epsilon))
                yield from row("gaussian", count, epsilon, delta, delta, stddev=stddev, l2_sensitivity=1.0)


def sampled_rows():
    for q in (1e-12, 1e-6, 0.003, 0.3, 0.5, 0.95, 1 - 1e-6, 1 - 1e-12):
        for s in (0.05, 0.4, 1.0, 6.0, 1e3, 1e6):
            largest = -math.log1p(-q)
            mu = 1 / mpf(s)
            epsilons = {0.0, 1e-9, largest / 2, largest * 0.9, largest * 0.999, largest * (1 - 1e-8), largest * 1.01}
            for depth in (0, 4, 20, 35):  # where the Gaussian's own epsilon is that deep
                epsilons.add(float(log(1 + mpf(q) * (exp(max(mpf(0), mu * (depth + mu / 2))) - 1))))
            for epsilon in sorted(epsilons):
                remove, add = sampled(mpf(q), mpf(s), mpf(epsilon))
                yield from row("sampled-gaussian", 1, epsilon, remove, add, sampling_rate=q, noise_multiplier=s)


def binary_rows():
    for p in (0.5000001, 0.51, 0.2, 0.75, 0.99, 1 - 1e-9):
        for n in (1, 2, 3, 50, 1000, 10**5, 10**7, 10**9):
            loss = fabs(log(mpf(p) / (1 - mpf(p))))
            low = min(mpf(p), 1 - mpf(p))
            mean, spread = n * (1 - 2 * low) * loss, 2 * loss * sqrt(n * low * (1 - low))
            for depth in ((1, 9, 30) if n >= 10**7 else (-1, 0, 1, 5, 12, 30)):
                epsilon = float(mean + depth * spread)
                if epsilon < 0 or epsilon >= n * loss:
                    continue
                delta = binary(mpf(p), n, mpf(epsilon))
                yield from row("randomized-response", n, epsilon, delta, delta, truth_probability=p, categories=2)
            if n <= 10**5:  # the last piece, where one atom is left
                epsilon = float(n * loss * (1 - mpf("1e-5") / n))
                delta = binary(mpf(p), n, mpf(epsilon))
                yield from row("randomized-response", n, epsilon, delta, delta, truth_probability=p, categories=2)


def kary_rows():
    for p, k in ((0.1, 3), (0.3333, 3), (0.6, 3), (0.9, 10), (1e-9, 1000), (0.5, 10**15), (0.11, 10), (1e-300, 2)):
        loss = fabs(log(mpf(p) * (k - 1) / (1 - mpf(p))))
        for share in (0, 0.3, 0.99, 0.9999999):
            epsilon = float(loss * share)
            delta = kary(mpf(p), k, mpf(epsilon))
            yield from row("randomized-response", 1, epsilon, delta, delta, truth_probability=p, categories=k)


def laplace_rows():
    for scale in (1e-3, 0.3, 1.0, 20.0, 1e9):
        e = 1 / mpf(scale)
        for share in (0, 0.3, 0.99, 0.999999999):
            epsilon = float(e * share)
            delta = 1 - exp((mpf(epsilon) - e) / 2)
            yield from row("laplace", 1, epsilon, delta, delta, scale=scale, l1_sensitivity=1.0)


def main():
    with open(DATA / "closed_form_delta.jsonl", "w", encoding="ascii") as out:
        for digits, rows in ((WORKING_DIGITS, gaussian_rows), (WORKING_DIGITS, sampled_rows), (60, binary_rows),
                             (WORKING_DIGITS, kary_rows), (WORKING_DIGITS, laplace_rows)):
            mp.dps = digits
            for line in rows():
                out.write(line + "\n")


if __name__ == "__main__":
    main()
