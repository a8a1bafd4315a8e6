"""Asks OpenDP for noise: its measurements on vectors of whole numbers and of doubles, which are exact."""

import functools

import opendp.prelude as dp

dp.enable_features("contrib")

PACKAGES = ["opendp"]
NUMBERS = 1000
ENOUGH_SECONDS = 2.0


def drawn(make, metric, number, scale, **more):
    @functools.cache
    def measurement():
        atom = dp.atom_domain(T=int) if number is int else dp.atom_domain(T=float, nan=False)
        return make(dp.vector_domain(atom, size=NUMBERS), metric(T=number), scale, **more)

    return lambda: {"draws": len(measurement()([number(0)] * NUMBERS))}


METHODS = {
    ("discrete_gaussian", f"2^{exponent}"): drawn(dp.m.make_gaussian, dp.l2_distance, int, 2.0**exponent)
    for exponent in (0, 10, 20, 40)
}
METHODS |= {
    ("discrete_laplace", f"2^{exponent}"): drawn(dp.m.make_laplace, dp.l1_distance, int, 2.0**exponent)
    for exponent in (0, 10, 20, 40)
}
# The grid is 2^k.
METHODS |= {
    ("gaussian", f"2^{exponent}"): drawn(dp.m.make_gaussian, dp.l2_distance, float, 1.0, k=-exponent)
    for exponent in (10, 20, 40)
}
METHODS |= {
    ("laplace", f"2^{exponent}"): drawn(dp.m.make_laplace, dp.l1_distance, float, 1.0, k=-exponent)
    for exponent in (10, 20, 40)
}
