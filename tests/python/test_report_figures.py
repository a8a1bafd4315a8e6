"""profile, tradeoff, compare, explain, relate, loss of Gaussian noise: the closed forms that everybody can check."""

import math

import numpy as np
import pytest

import renyi
from renyi.reports import compare, explain, loss, profile, relate, tradeoff

SGD = renyi.SampledGaussian(0.01, 1.1) * 1000


def cdf(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def near(interval, truth, relative=1e-11):
    lower, upper = interval
    slack = relative * abs(truth)
    return lower - slack <= truth <= upper + slack and upper - lower <= 1e-6 * max(1e-300, abs(truth))


def gaussian_delta(mu, epsilon):
    return cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * cdf(-mu / 2 - epsilon / mu)


def test_gaussian_profile():
    found = profile(noise_multiplier=2.0, steps=4, epsilons=[0.0, 0.5, 1.0, 3.0])  # mu = 1
    for i, epsilon in enumerate(found.epsilon):
        assert near((found.exact.lower[i], found.exact.upper[i]), gaussian_delta(1.0, epsilon))
    assert np.all(found.renyi > found.exact.upper) and np.all(found.upper == found.exact.upper)
    back = profile(noise_multiplier=2.0, steps=4, deltas=found.delta)
    np.testing.assert_allclose(back.epsilon, found.epsilon, atol=1e-6)
    assert back.given == "delta" and np.all(back.delta == found.delta)


def test_upper_is_the_rényi_bound_where_there_is_no_other():
    bounds = profile(renyi.Zcdp(0.1), epsilons=[0.5, 1.0])
    assert bounds.exact is None and all(bounds.unavailable) and np.all(bounds.upper == bounds.renyi)
    nothing = profile(renyi.Zcdp(0.1), epsilons=[0.5], want="exact")
    assert nothing.upper.tolist() == [1.0] and nothing.unavailable[0]
    assert profile(renyi.Zcdp(0.1), deltas=[0.5], want="exact").upper.tolist() == [math.inf]
    renyi_only = profile(SGD, epsilons=[0.5], want="renyi")
    assert renyi_only.exact is None and renyi_only.unavailable.tolist() == [""]


def test_gaussian_tradeoff():
    found = tradeoff(renyi.Gaussian(1.0), type_1_errors=[cdf(-3.0), cdf(-1.0), 0.5])
    for i, quantile in enumerate((3.0, 1.0, 0.0)):  # f(a) = Phi(Phi^-1(1 - a) - mu)
        power = cdf(1 - quantile)
        assert found.power.lower[i] - 1e-9 <= power <= found.power.upper[i] + 1e-9
        assert found.type_2_error.lower[i] - 1e-9 <= 1 - power <= found.type_2_error.upper[i] + 1e-9
        assert found.power.upper[i] - found.power.lower[i] < 1e-6
    assert near(found.advantage, 2 * cdf(0.5) - 1)


def test_gaussian_loss():
    found = loss(noise_multiplier=2.0, steps=4, orders=[0.5, 3.0], at_least=[0.0, 2.0], within=[1.0])
    for one in (found.remove, found.add):  # L is normal with mean 1/2 and variance 1
        assert one.known and near(one.mean, 0.5) and near(one.variance, 1.0) and 0.0 in one.skewness
        assert near((one.log_mgf.lower[1], one.log_mgf.upper[1]), 3 / 2 + 9 / 2)
        assert near((one.at_least.lower[0], one.at_least.upper[0]), cdf(0.5))
        assert near((one.at_least.lower[1], one.at_least.upper[1]), cdf(-1.5))
        assert near((one.within.lower[0], one.within.upper[0]), cdf(0.5) - cdf(-1.5))
        assert set(one.at_least.method) == {"closed-form"}


def test_gaussian_relations():
    found = relate(renyi.Gaussian(2.0), order=[3.0], omega=5.0)
    assert near((found.gdp.mu_lower, found.gdp.mu), 0.5) and near((found.zcdp.rho_lower, found.zcdp.rho), 1 / 8)
    assert [row.omega for row in found.tcdp] == [5.0] and near((found.tcdp[0].rho_lower, found.tcdp[0].rho), 1 / 8)
    assert [row.order for row in found.moments] == [3.0]
    assert found.moments[0].rdp == pytest.approx(4 / 8, rel=1e-12) and found.moments[0].rdp >= 4 / 8
    assert found.pure.epsilon is None and "unbounded" in found.pure.none
    assert relate(renyi.Gaussian(2.0), to="cdp").zcdp is None


def test_gaussian_promises():
    found = explain(renyi.Gaussian(1.0), baseline=[0.5], orders=[2.0], factors=[math.e], delta=1e-5, group_size=2)
    assert found.outcomes[0].exact.upper == pytest.approx(cdf(1.0), rel=1e-6)
    assert found.outcomes[0].exact.lower == pytest.approx(cdf(-1.0), rel=1e-6)
    assert found.orders[0].epsilon == pytest.approx(1.0, rel=1e-12) and found.pure_epsilon == math.inf
    assert found.bayes.expected_log_factor == pytest.approx(0.5, rel=1e-12)
    assert found.outcomes[0].pure is None and found.outcomes[0].unavailable == {"pure": "the loss is unbounded"}
    assert found.approximate.epsilon == renyi.epsilon(renyi.Gaussian(1.0), delta=1e-5).renyi
    assert (found.delta, found.group.size, found.group.stability) == (1e-5, 2, 2)
    assert found.approximate.upper == renyi.epsilon(renyi.Gaussian(1.0), delta=1e-5).exact.upper
    assert found.bayes.tails[0].upper == pytest.approx(cdf(-0.5), rel=1e-9)
    assert found.bayes.tails[0].exact.method == "closed-form"
    assert found.group.scaled.upper == renyi.epsilon(renyi.Gaussian(0.5), delta=1e-5).exact.upper
    without = explain(renyi.Gaussian(1.0))
    assert without.approximate is None and without.group is None
    assert without.outcomes[0].exact == found.outcomes[0].exact


def test_comparison():
    found = compare(renyi.PureDp(0.25) * 4, delta=1e-5, epsilon=2.0)
    assert found["basic"].epsilon == pytest.approx(1.0, rel=1e-12) and found["basic"].largest_count.count == 2
    assert found.best == "exact" and found["exact"].epsilon <= min(t.epsilon for t in found.theorems if t.epsilon)
    assert found["renyi-event"].epsilon is None and found["renyi-event"].event == 1e-5
    assert (found.delta, found.epsilon) == (1e-5, 2.0)
    with pytest.raises(KeyError):
        found["nonsense"]


def test_comparison_of_a_training_run_shows_known_accountants():
    found = compare(dataset_size=60_000, batch_size=256, epochs=60, noise_multiplier=1.1, delta=1e-5)
    assert found["opacus-rdp"].epsilon == pytest.approx(2.5966555286883684, rel=1e-9)  # what Opacus 1.6.0 prints
    assert found["renyi-plan"].epsilon <= found["dp-accounting-rdp"].epsilon <= found["opacus-rdp"].epsilon
    assert found["exact"].epsilon < found["prv"].epsilon < found["exact"].epsilon + 0.011
    clt = found["gdp-clt"]
    assert clt.epsilon is None and clt.epsilon_estimate < found["exact"].epsilon  # it is no bound
    assert "no bound; estimate 2.32436" in str(found)
    with pytest.raises(KeyError):
        compare(renyi.Laplace(2.0), delta=1e-5)["prv"]


def test_comparison_says_how_delta_was_divided():
    found = compare(renyi.Gaussian(2.0), delta=1e-5)
    (step,) = found["basic"].split.steps
    assert step.epsilon == found["basic"].epsilon == renyi.epsilon(renyi.Gaussian(2.0), delta=1e-5).exact.upper
    assert (step.delta, step.count, found["basic"].split.slack) == (1e-5, 1, 0.0)
    (step,), slack = found["advanced"].split.steps, found["advanced"].split.slack
    assert 0 < slack < 1e-5 and step.delta + slack <= 1e-5
    assert found["renyi-plan"].split is None
