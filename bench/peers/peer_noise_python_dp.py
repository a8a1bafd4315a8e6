"""Asks python-dp, which is Google's library of C++, for noise, a number at a time, as its mechanisms offer it."""

import functools

from pydp.algorithms.numerical_mechanisms import GaussianMechanism, LaplaceMechanism

PACKAGES = ["python-dp"]
NUMBERS = 1000
ENOUGH_SECONDS = 2.0


def one_by_one(make, value):
    made = functools.cache(make)

    def question():
        add_noise = made().add_noise
        for _ in range(NUMBERS):
            add_noise(value)
        return {"draws": NUMBERS}

    return question


METHODS = {
    ("discrete_laplace", "2^10"): one_by_one(lambda: LaplaceMechanism(2.0**-10, 1.0), 0),
    ("laplace", "doubles"): one_by_one(lambda: LaplaceMechanism(1.0, 1.0), 0.0),
    ("gaussian", "doubles"): one_by_one(lambda: GaussianMechanism(1.0, 1e-5, 1.0), 0.0),
}
