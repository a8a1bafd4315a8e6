"""Asks dp-accounting: RDP at its default orders, PLD at its default discretisation. Each question gets a new
accountant."""

import dp_accounting as dp
from dp_accounting import pld, rdp
from questions import DELTA, NOISE, RATE, SCHEDULE_DELTA, STEPS, TARGET_EPSILON, part_of_sweep, schedule, sweep

PACKAGES = ["dp-accounting", "numpy", "scipy"]


def event(rate, noise, count):
    return dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(rate, dp.GaussianDpEvent(noise)), count)


def epsilon(accountant, steps, delta):
    composed = dp.ComposedDpEvent([event(*step) for step in steps])
    return accountant().compose(composed).get_epsilon(delta)


def calibration(accountant):
    return dp.calibrate_dp_mechanism(accountant, lambda noise: event(RATE, noise, STEPS), TARGET_EPSILON, DELTA)


def of_part():
    chosen, steps = part_of_sweep()
    return {"values": [epsilon(pld.PLDAccountant, [step], DELTA) for step in steps], "chosen": chosen}


REFERENCE = [(RATE, NOISE, STEPS)]
METHODS = {
    ("renyi", "RDP"): lambda: epsilon(rdp.RdpAccountant, REFERENCE, DELTA),
    ("calibration", "RDP"): lambda: calibration(rdp.RdpAccountant),
    ("calibration", "PLD"): lambda: calibration(pld.PLDAccountant),
    ("exact", "PLD"): lambda: epsilon(pld.PLDAccountant, REFERENCE, DELTA),
    ("heterogeneous", "RDP"): lambda: epsilon(rdp.RdpAccountant, schedule(), SCHEDULE_DELTA),
    ("heterogeneous", "PLD"): lambda: epsilon(pld.PLDAccountant, schedule(), SCHEDULE_DELTA),
    ("sweep", "RDP"): lambda: {"values": [epsilon(rdp.RdpAccountant, [step], DELTA) for step in sweep()]},
    ("sweep", "PLD"): of_part,
}
