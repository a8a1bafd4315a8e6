"""Asks autodp: RDP of its NoisySGD, and its analytical Fourier accountant, which has no error bound.

Runs with SciPy 1.9.3: a newer one (seen with 1.11.4) searches where epsilon is negative, since autodp names bounds that
used to be ignored.
The Fourier accountant is asked for one direction only, the larger one here.
"""

from autodp.calibrator_zoo import generalized_eps_delta_calibrator
from autodp.mechanism_zoo import GaussianMechanism, NoisySGD_Mechanism, SubsampleGaussianMechanism
from autodp.transformer_zoo import AmplificationBySampling, AmplificationBySampling_pld, ComposeAFA, Composition
from questions import DELTA, NOISE, RATE, SCHEDULE_DELTA, STEPS, TARGET_EPSILON, schedule, sweep

PACKAGES = ["autodp", "numpy", "scipy"]


def epsilon(rate, noise, count):
    return NoisySGD_Mechanism(prob=rate, sigma=noise, niter=count).get_approxDP(DELTA)


def calibration():
    found = generalized_eps_delta_calibrator()(
        SubsampleGaussianMechanism,
        TARGET_EPSILON,
        DELTA,
        [0.5, 10],
        params={"prob": RATE, "sigma": None, "coeff": STEPS},
        para_name="sigma",
    )
    return found.params["sigma"]


def by_fourier():
    sampled = AmplificationBySampling_pld(neighboring="remove_only")
    step = sampled(GaussianMechanism(NOISE, phi_off=False), RATE)
    return ComposeAFA()([step], [STEPS]).get_approxDP(DELTA)


def heterogeneous():
    sampled = AmplificationBySampling()
    steps = [sampled(GaussianMechanism(noise), rate, improved_bound_flag=True) for rate, noise, _ in schedule()]
    return Composition()(steps, [count for _, _, count in schedule()]).get_approxDP(SCHEDULE_DELTA)


METHODS = {
    ("renyi", "RDP"): lambda: epsilon(RATE, NOISE, STEPS),
    ("calibration", "RDP"): calibration,
    ("exact", "Fourier"): by_fourier,
    ("heterogeneous", "RDP"): heterogeneous,
    ("sweep", "RDP"): lambda: {"values": [epsilon(*step) for step in sweep()]},
}
