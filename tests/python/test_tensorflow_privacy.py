"""The shim for TensorFlow Privacy against the published formulas."""

import decimal
import math
import warnings

import numpy as np
import pytest

import renyi
from renyi.compat.tensorflow_privacy import compute_dp_sgd_privacy, compute_rdp, get_privacy_spent

ORDERS = [1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0, 3.5, 4.0, 4.5, *range(5, 64), 128, 256, 512]


def published_rdp(q, sigma, order):
    """Mironov, Talwar and Zhang 2019, Section 3.3, for whole orders, with 50 digits: the sum is almost 1."""
    with decimal.localcontext() as context:
        context.prec = 50
        rate, noise = decimal.Decimal(q), decimal.Decimal(sigma)
        terms = [
            math.comb(order, k) * rate**k * (1 - rate) ** (order - k) * ((k * k - k) / (2 * noise**2)).exp()
            for k in range(order + 1)
        ]
        return float(sum(terms).ln() / (order - 1))


def tight_epsilon(order, divergence, delta):
    """Canonne, Kamath and Steinke 2020, Proposition 12."""
    return max(0.0, divergence + math.log1p(-1 / order) - math.log(delta * order) / (order - 1))


@pytest.mark.parametrize("q, sigma, steps", [(0.01, 1.1, 10_000), (0.5, 0.8, 3), (1e-3, 4.0, 1)])
def test_rdp_is_the_published_formula_rounded_up(q, sigma, steps):
    orders = [2, 3, 7, 20, 64]
    found = compute_rdp(q, sigma, steps, orders)
    expected = np.array([steps * published_rdp(q, sigma, order) for order in orders])
    assert isinstance(found, np.ndarray) and np.all(found >= expected * (1 - 1e-15))
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_rdp_at_the_ends():
    assert compute_rdp(1.0, 2.0, 10, 8.0) == pytest.approx(10 * 8 / 8) and isinstance(
        compute_rdp(1.0, 2.0, 1, 8), float
    )
    assert compute_rdp(0.0, 1.0, 10, [2, 4]).tolist() == [0, 0]
    assert compute_rdp(0.1, 1.0, 0, [2, 4]).tolist() == [0, 0]
    assert compute_rdp(0.1, 1.0, 1e3, [2, math.inf])[1] == math.inf
    assert compute_rdp(0.1, 0.0, 1, 2) == math.inf
    assert compute_rdp(0.1, 1.0, 5, range(2, 5)).shape == (3,)
    assert 0 < compute_rdp(0.1, 1.0, 1, 1) < compute_rdp(0.1, 1.0, 1, 1.5)
    assert compute_rdp(0.1, 1e9, 1, 2) <= compute_rdp(0.1, 1e6, 1, 2)  # unsupported noise is a larger cost


@pytest.mark.parametrize("delta", [1e-9, 1e-5, 1e-2])
def test_epsilon_is_the_published_conversion(delta):
    rdp = compute_rdp(0.01, 1.1, 10_000, ORDERS)
    epsilons = [tight_epsilon(order, divergence, delta) for order, divergence in zip(ORDERS, rdp)]
    eps, same, order = get_privacy_spent(ORDERS, rdp, target_delta=delta)
    assert same == delta and order == ORDERS[int(np.argmin(epsilons))]
    assert min(epsilons) <= eps * (1 + 1e-15) and eps == pytest.approx(min(epsilons), rel=1e-9)
    assert eps < min(rdp + np.log(1 / delta) / (np.array(ORDERS) - 1))  # the classical conversion gives more
    assert eps >= renyi.epsilon(sampling_rate=0.01, noise_multiplier=1.1, steps=10_000, delta=delta).exact.lower


def test_delta_is_the_published_conversion():
    rdp = compute_rdp(0.01, 1.1, 10_000, ORDERS)
    eps, delta, order = get_privacy_spent(ORDERS, rdp, target_eps=6.0)
    logs = [(a - 1) * (r - 6.0 + math.log1p(-1 / a)) - math.log(a) for a, r in zip(ORDERS, rdp)]
    assert eps == 6.0 and order == ORDERS[int(np.argmin(logs))]
    assert delta == pytest.approx(math.exp(min(logs)), rel=1e-9)


def test_a_sum_of_parts_is_converted_as_a_whole():
    """The way of their documentation: several runs, added up."""
    orders = range(2, 33)
    total = np.zeros_like(orders, dtype=float)
    for q, sigma, steps in ((0.01, 1.1, 500), (0.02, 1.3, 200)):
        total += compute_rdp(q, sigma, steps, orders)
    plan = renyi.SampledGaussian(0.01, 1.1) * 500 + renyi.SampledGaussian(0.02, 1.3) * 200
    expected = renyi.epsilon(plan, delta=1e-5, want="renyi", orders=list(orders))
    eps, _, order = get_privacy_spent(orders, total, target_delta=1e-5)
    assert eps == pytest.approx(expected.renyi, rel=1e-9) and order == expected.order


def test_what_says_nothing():
    assert get_privacy_spent([2.0, 4.0], [math.inf, math.inf], target_delta=1e-5) == (math.inf, 1e-5, 2.0)
    assert get_privacy_spent([2.0], [math.inf], target_eps=3.0) == (3.0, 1.0, 2.0)
    assert get_privacy_spent([1.0], [0.5], target_delta=1e-5) == (math.inf, 1e-5, 1.0)
    assert get_privacy_spent(2, 0.0, target_delta=1e-5)[0] == 0
    assert get_privacy_spent([2.0], [1.0], target_delta=0)[0] == math.inf
    assert get_privacy_spent([2.0, math.inf], [0.3, 1.0], target_delta=0)[0] == pytest.approx(1.0)
    twice = get_privacy_spent([8.0, 8.0], [5.0, 1.0], target_delta=1e-5)
    assert twice == get_privacy_spent([8.0], [1.0], target_delta=1e-5)  # both are bounds: the smaller one counts


@pytest.mark.parametrize(
    "field, given",
    [
        ("target_eps", {}),
        ("target_eps", {"target_eps": 1.0, "target_delta": 1e-5}),
        ("target_eps", {"target_eps": -1.0}),
        ("target_delta", {"target_delta": -1e-5}),
        ("target_delta", {"target_delta": 2.0}),
        ("rdp", {"rdp": [1.0], "target_delta": 1e-5}),
        ("rdp", {"rdp": [1.0, -1.0], "target_delta": 1e-5}),
        ("rdp", {"rdp": [1.0, math.nan], "target_delta": 1e-5}),
        ("orders", {"orders": [0.5, 2.0], "target_delta": 1e-5}),
    ],
)
def test_what_is_refused_names_the_argument(field, given):
    with pytest.raises(renyi.InvalidArgument) as refused:
        get_privacy_spent(**{"orders": [2.0, 4.0], "rdp": [1.0, 2.0], **given})
    assert refused.value.field == field


@pytest.mark.parametrize(
    "field, given",
    [
        ("q", {"q": 1.5}),
        ("noise_multiplier", {"noise_multiplier": -1}),
        ("steps", {"steps": -1}),
        ("steps", {"steps": 2.5}),
    ],
)
def test_runs_that_are_refused_name_the_argument(field, given):
    with pytest.raises(renyi.InvalidArgument) as refused:
        compute_rdp(**{"q": 0.1, "noise_multiplier": 1.0, "steps": 1, "orders": [2], **given})
    assert refused.value.field == field


def test_the_helper_for_training_runs():
    eps, order = compute_dp_sgd_privacy(n=60_000, batch_size=256, noise_multiplier=1.1, epochs=60, delta=1e-5)
    steps = math.ceil(60 * 60_000 / 256)
    by_grid = get_privacy_spent(ORDERS, compute_rdp(256 / 60_000, 1.1, steps, ORDERS), target_delta=1e-5)[0]
    assert by_grid * 0.999 < eps <= by_grid and 5 < order < 12
    exact = renyi.epsilon(dataset_size=60_000, batch_size=256, epochs=60, noise_multiplier=1.1, delta=1e-5)
    assert eps == pytest.approx(exact.renyi, rel=1e-12) and exact.exact.upper < eps
    assert compute_dp_sgd_privacy(100, 100, 2.0, 1, 1e-3)[0] == pytest.approx(
        renyi.epsilon(renyi.Gaussian(2.0), delta=1e-3).renyi
    )
    assert compute_dp_sgd_privacy(1000, 10, 0.0, 1, 1e-5)[0] == math.inf
    with pytest.raises(renyi.InvalidArgument) as refused:
        compute_dp_sgd_privacy(100, 101, 1.0, 1, 1e-5)
    assert refused.value.field in ("n", "batch_size")


def test_a_delta_that_says_little_is_warned_of():
    with pytest.warns(renyi.PrivacyWarning):
        compute_dp_sgd_privacy(1000, 10, 1.0, 1, 1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compute_dp_sgd_privacy(1000, 10, 1.0, 1, 1e-5)
