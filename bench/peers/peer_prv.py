"""Asks prv-accountant for upper bounds, with an error of 0.01 in epsilon and of a thousandth of delta."""

from prv_accountant import PRVAccountant
from prv_accountant.privacy_random_variables import PoissonSubsampledGaussianMechanism
from questions import DELTA, NOISE, PRV_ERROR, RATE, SCHEDULE_DELTA, STEPS, schedule

PACKAGES = ["prv-accountant", "numpy", "scipy"]


def epsilon(steps, delta):
    variables = [PoissonSubsampledGaussianMechanism(sampling_probability=q, noise_multiplier=s) for q, s, _ in steps]
    counts = [count for _, _, count in steps]
    accountant = PRVAccountant(
        prvs=variables, max_self_compositions=counts, eps_error=PRV_ERROR, delta_error=delta / 1000
    )
    lower, _, upper = accountant.compute_epsilon(delta=delta, num_self_compositions=counts)
    return {"value": upper, "lower": lower}


METHODS = {
    ("exact", "PRV"): lambda: epsilon([(RATE, NOISE, STEPS)], DELTA),
    ("heterogeneous", "PRV"): lambda: epsilon(schedule(), SCHEDULE_DELTA),
}
