"""Measures the time and the noise of OpenDP's calls for one number each, in an environment that has it.

Usage: time_opendp.py LAW CALLS FILE   (without arguments: prints its version)
FILE gets doubles, |noise| and nanoseconds in turns, which bench/noise_timing reads.
"""

import array
import importlib.metadata
import sys
import time

import opendp.prelude as dp

dp.enable_features("contrib")

GRID_EXPONENT = -20
INTEGER = dp.atom_domain(T=int), dp.absolute_distance(T=int)
REAL = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
LAWS = {
    "discrete Gaussian, stddev 1000": lambda: dp.m.make_gaussian(*INTEGER, 1000.0),
    "discrete Laplace, scale 1000": lambda: dp.m.make_laplace(*INTEGER, 1000.0),
    "Gaussian, stddev 1, grid 2^-20": lambda: dp.m.make_gaussian(*REAL, 1.0, k=GRID_EXPONENT),
    "Laplace, scale 1, grid 2^-20": lambda: dp.m.make_laplace(*REAL, 1.0, k=GRID_EXPONENT),
}


def main(law, calls, out):
    measurement = LAWS[law]()
    zero = 0 if law.startswith("discrete") else 0.0
    clock = time.perf_counter_ns
    for _ in range(1000):
        measurement(zero)
    pairs = array.array("d")
    for _ in range(int(calls)):
        start = clock()
        noise = measurement(zero)
        end = clock()
        pairs.extend((float(abs(noise)), float(end - start)))
    with open(out, "wb") as file:
        pairs.tofile(file)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(importlib.metadata.version("opendp"))
        print("\n".join(LAWS))
    else:
        main(*sys.argv[1:])
