"""Asks renyi from Python."""

import functools
import operator

import numpy as np
import renyi
from questions import DELTA, NOISE, RATE, SCHEDULE_DELTA, STEPS, TARGET_EPSILON, schedule, sweep

PACKAGES = ["numpy"]


def epsilon(want):
    found = renyi.epsilon(sampling_rate=RATE, noise_multiplier=NOISE, steps=STEPS, delta=DELTA, want=want)
    return {"value": found.upper, "lower": found.exact.lower} if want == "exact" else found.renyi


def heterogeneous(want):
    steps = [renyi.SampledGaussian(rate, noise) * count for rate, noise, count in schedule()]
    plan = functools.reduce(operator.add, steps)
    found = renyi.epsilon(plan, delta=SCHEDULE_DELTA, want=want)
    return {"value": found.upper, "lower": found.exact.lower} if want == "exact" else found.renyi


def of_sweep(want):
    rates, noises, counts = (np.array(column) for column in zip(*sweep()))
    found = renyi.epsilon(sampling_rate=rates, noise_multiplier=noises, steps=counts, delta=DELTA, want=want)
    return {"values": (found.upper if want == "exact" else found.renyi).tolist()}


METHODS = {
    ("renyi", "Renyi"): lambda: epsilon("renyi"),
    ("exact", "exact"): lambda: epsilon("exact"),
    ("calibration", "exact"): lambda: renyi.calibrate(
        sampling_rate=RATE, steps=STEPS, epsilon=TARGET_EPSILON, delta=DELTA
    ).value,
    ("heterogeneous", "exact"): lambda: heterogeneous("exact"),
    ("heterogeneous", "Renyi"): lambda: heterogeneous("renyi"),
    ("sweep", "Renyi"): lambda: of_sweep("renyi"),
    ("sweep", "exact"): lambda: of_sweep("exact"),
}
