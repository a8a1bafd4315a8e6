"""Asks the accountants of Opacus with their defaults; PRV has an error of 0.01 in epsilon."""

from opacus.accountants import PRVAccountant, RDPAccountant
from opacus.accountants.utils import get_noise_multiplier
from questions import DELTA, NOISE, RATE, SCHEDULE_DELTA, STEPS, TARGET_EPSILON, schedule, sweep

PACKAGES = ["opacus", "numpy", "scipy"]


def epsilon(accountant, steps, delta):
    fresh = accountant()
    fresh.history = [(noise, rate, count) for rate, noise, count in steps]
    return fresh.get_epsilon(delta=delta)


def calibration(accountant):
    return get_noise_multiplier(
        target_epsilon=TARGET_EPSILON, target_delta=DELTA, sample_rate=RATE, steps=STEPS, accountant=accountant
    )


REFERENCE = [(RATE, NOISE, STEPS)]
METHODS = {
    ("renyi", "RDP"): lambda: epsilon(RDPAccountant, REFERENCE, DELTA),
    ("calibration", "RDP"): lambda: calibration("rdp"),
    ("calibration", "PRV"): lambda: calibration("prv"),
    ("exact", "PRV"): lambda: epsilon(PRVAccountant, REFERENCE, DELTA),
    ("heterogeneous", "RDP"): lambda: epsilon(RDPAccountant, schedule(), SCHEDULE_DELTA),
    ("heterogeneous", "PRV"): lambda: epsilon(PRVAccountant, schedule(), SCHEDULE_DELTA),
    ("sweep", "RDP"): lambda: {"values": [epsilon(RDPAccountant, [step], DELTA) for step in sweep()]},
}
