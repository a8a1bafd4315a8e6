"""Prints random_allocation_three_delta.jsonl: delta of one epoch of three steps in which a record takes part in one.

delta_remove = E[(R - e^eps)_+] and delta_add = E[(1 - e^eps R)_+] with R = (X1 + X2 + X3)/3, the X log-normal of mean 1.
Given X1 + X2, the expectation over X3 is a closed form (an option price). The density of X1 + X2 is the convolution
integral, by the trapezoidal rule in the logarithm of X1/X2; the outer integral, over ln(X1 + X2), is split where the
option price stops being analytic. It needs mpmath and takes some minutes.
"""

import json
import sys

import mpmath as mp

mp.mp.dps = 22


def call(strike, sigma):
    """E[(X - strike)_+]."""
    if strike <= 0:
        return 1 - strike
    d = -mp.log(strike) / sigma
    return mp.ncdf(d + sigma / 2) - strike * mp.ncdf(d - sigma / 2)


def put(strike, sigma):
    """E[(strike - X)_+]."""
    if strike <= 0:
        return mp.mpf(0)
    d = -mp.log(strike) / sigma
    return strike * mp.ncdf(sigma / 2 - d) - mp.ncdf(-d - sigma / 2)


def density_of_two(x, sigma):
    """Density of ln(X1 + X2) at x: with X1/X2 = e^k, ln X1 = x - ln(1 + e^-k), ln X2 = x - ln(1 + e^k)."""
    step = mp.mpf("0.12") * min(1, sigma)
    total = mp.mpf(0)
    for sign in (1, -1):
        j = 0 if sign == 1 else 1
        while True:
            k = sign * j * step
            one, two = x - mp.log1p(mp.exp(-k)), x - mp.log1p(mp.exp(k))
            exponent = -((one + sigma**2 / 2) ** 2 + (two + sigma**2 / 2) ** 2) / (2 * sigma**2)
            term = mp.exp(exponent)
            total += term
            if j > 2 and term < total * mp.mpf("1e-24"):
                break
            j += 1
    return total * step / (2 * mp.pi * sigma**2)


def deltas(s, epsilon):
    sigma = 1 / mp.mpf(s)
    factor = mp.exp(mp.mpf(epsilon))
    low, high = mp.log(2) - sigma**2 / 2 - 8 * sigma, mp.log(2) + 2 * sigma**2 + 10 * sigma

    def integral(function, split):
        split = min(max(split, low), high)
        points = [low, (low + split) / 2, split, (split + high) / 2, high]
        return mp.quad(lambda x: density_of_two(x, sigma) * function(mp.exp(x)), points)

    remove = integral(lambda y: call(3 * factor - y, sigma) / 3, mp.log(3 * factor))
    add = integral(lambda y: factor * put(3 / factor - y, sigma) / 3, mp.log(3 / factor))
    return remove, add


def main():
    for s, epsilon in ((0.7, 0.5), (0.7, 3), (1, 0.05), (1, 1), (1, 2.5), (2, 0), (2, 0.5)):
        remove, add = deltas(s, epsilon)
        row = {"steps": 3, "noise_multiplier": s, "epsilon": epsilon}
        print(json.dumps({**row, "delta_remove": mp.nstr(remove, 13), "delta_add": mp.nstr(add, 13)}))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
