"""Asks NumPy for noise: fast, and not private. Its bits can be predicted, and its doubles leak their inputs."""

import numpy

PACKAGES = ["numpy"]
NUMBERS = 1_000_000
ENOUGH_SECONDS = 2.0


def added(draw):
    return lambda: {"draws": len(numpy.zeros(NUMBERS) + draw(NUMBERS))}


METHODS = {
    ("gaussian", "doubles"): added(lambda count: numpy.random.normal(0, 10, count)),
    ("gaussian", "doubles, default_rng"): added(lambda count: numpy.random.default_rng().normal(0, 10, count)),
    ("laplace", "doubles"): added(lambda count: numpy.random.laplace(0, 10, count)),
}
