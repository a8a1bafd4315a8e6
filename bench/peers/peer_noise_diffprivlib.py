"""Asks diffprivlib for noise, a number at a time, as its mechanisms offer it. Its Gaussian and Laplace noise is of
doubles, from several draws each; its whole numbers are of its own laws, of these scales."""

import functools
import math

from diffprivlib.mechanisms import GaussianAnalytic, GaussianDiscrete, Geometric, Laplace

PACKAGES = ["diffprivlib", "numpy"]
NUMBERS = 1000
ENOUGH_SECONDS = 2.0


def one_by_one(make, value):
    made = functools.cache(make)

    def question():
        add_noise = made().randomise
        for _ in range(NUMBERS):
            add_noise(value)
        return {"draws": NUMBERS}

    return question


METHODS = {
    # Epsilon = 1/scale.
    ("discrete_laplace", f"2^{exponent}"): one_by_one(lambda e=exponent: Geometric(epsilon=2.0**-e, sensitivity=1), 0)
    for exponent in (0, 10, 20)
}
METHODS |= {
    ("discrete_gaussian", "about 2^0"): one_by_one(lambda: GaussianDiscrete(epsilon=1, delta=0.13, sensitivity=1), 0),
    ("discrete_gaussian", "about 2^10"): one_by_one(
        lambda: GaussianDiscrete(epsilon=math.ldexp(1, -10), delta=1e-4, sensitivity=1), 0
    ),
    ("gaussian", "doubles"): one_by_one(lambda: GaussianAnalytic(epsilon=1, delta=1e-5, sensitivity=1), 0.0),
    ("laplace", "doubles"): one_by_one(lambda: Laplace(epsilon=1, delta=0, sensitivity=1), 0.0),
}
