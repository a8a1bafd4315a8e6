"""The shim for TensorFlow Privacy against dp_accounting, to which its code has moved: random runs, seeded."""

import math
import random

import numpy as np
import dp_accounting as dp
from dp_accounting.rdp import rdp_privacy_accountant as theirs

from renyi.compat.tensorflow_privacy import compute_dp_sgd_privacy, compute_rdp, get_privacy_spent

ORDERS = [1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0, 3.5, 4.0, 4.5, *range(5, 64), 128, 256, 512]


def runs(count):
    rng = random.Random("tensorflow privacy")
    for _ in range(count):
        yield 10 ** rng.uniform(-4, -0.3), rng.uniform(0.5, 8), rng.randint(1, 20_000)


def test_divergences():
    for q, sigma, steps in runs(40):
        event = dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(q, dp.GaussianDpEvent(sigma)), steps)
        whole = [order for order in ORDERS if float(order).is_integer()]
        found = compute_rdp(q, sigma, steps, whole)
        np.testing.assert_allclose(found, theirs.RdpAccountant(whole).compose(event)._rdp, rtol=1e-6)


def test_conversions():
    for q, sigma, steps in runs(60):
        rdp = compute_rdp(q, sigma, steps, ORDERS)
        for delta in (1e-8, 1e-5, 1e-2):
            eps, _, order = get_privacy_spent(ORDERS, rdp, target_delta=delta)
            their, their_order = theirs.compute_epsilon(ORDERS, rdp, delta)
            assert their * (1 - 1e-12) <= eps <= their * (1 + 1e-9) and (order == their_order or eps == 0)
        for eps in (0.5, 4.0):
            _, delta, _ = get_privacy_spent(ORDERS, rdp, target_eps=eps)
            their, _ = theirs.compute_delta(ORDERS, rdp, eps)
            assert math.isclose(delta, their, rel_tol=1e-9, abs_tol=1e-300)


def test_training_runs():
    for batch, epochs in ((32, 3), (256, 60), (1000, 0.5)):
        eps, _ = compute_dp_sgd_privacy(60_000, batch, 1.1, epochs, 1e-5)
        steps = math.ceil(epochs * 60_000 / batch)
        event = dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(batch / 60_000, dp.GaussianDpEvent(1.1)), steps)
        their = theirs.RdpAccountant(ORDERS).compose(event).get_epsilon(1e-5)
        assert 0.95 * their < eps <= their * (1 + 1e-9)
