"""Divergences of two laws: closed forms, the engine's own answers, and sums straight from the definition."""

import copy
import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renyi
from renyi import _native
from renyi.divergences import divergence
from renyi.pair import BernoulliLaw, LaplaceLaw, MultivariateNormalLaw, NormalLaw, Pair

ORDERS = [0.5, 1.0, 2.0, math.inf]


def engine(pair, **members):
    """The answer of the command ``renyi divergence``."""
    plan = renyi.Plan(renyi.Gaussian(1.0))
    return json.loads(_native.ask(plan._engine, json.dumps({"op": "divergence", "pair": pair, **members})))


def numbers(ends):
    return [math.inf if end == "inf" else end for end in (ends["lower"], ends["upper"])]


def cdf(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def holds(lower, upper, truth, slack=1e-12):
    return lower - slack * abs(truth) <= truth <= upper + slack * abs(truth) and upper - lower <= 1e-8 * abs(truth)


@pytest.mark.parametrize(
    "p, q, request_of",
    [
        (
            NormalLaw(0, 1),
            NormalLaw(1.5, 2),
            {"family": "normal", "p": {"mean": 0, "stddev": 1}, "q": {"mean": 1.5, "stddev": 2}},
        ),
        (
            LaplaceLaw(),
            LaplaceLaw(1, 2),
            {"family": "laplace", "p": {"location": 0, "scale": 1}, "q": {"location": 1, "scale": 2}},
        ),
        (BernoulliLaw(0.25), BernoulliLaw(0.75), {"family": "bernoulli", "p": 0.25, "q": 0.75}),
        (BernoulliLaw(0), BernoulliLaw(1), {"family": "bernoulli", "p": 0, "q": 1}),
        (
            MultivariateNormalLaw([0, 0], [[2, 1], [1, 2]]),
            MultivariateNormalLaw(np.array([1, -1]), np.array([[2, 1], [1, 2]])),
            {"family": "multivariate-normal", "p": [0, 0], "q": [1, -1], "covariance": [[2, 1], [1, 2]]},
        ),
        ([0.5, 0.25, 0.25], np.array([0.1, 0.2, 0.7]), {"family": "discrete", "p": [0.5, 0.25, 0.25], "q": [0.1, 0.2, 0.7]}),
    ],
)
def test_the_bits_of_the_command(p, q, request_of):
    found = divergence(p, q, epsilons=[0, 0.5, math.inf])
    answer = engine(request_of, epsilons=[0, 0.5, "inf"])
    assert found.orders.tolist() == ORDERS and found.epsilons.tolist() == [0, 0.5, math.inf]
    assert set(answer) == {"renyi", "kl", "total_variation", "hockey_stick"}
    for direction in ("p_q", "q_p"):
        for rows, both in ((answer["renyi"], found.renyi), (answer["hockey_stick"], found.hockey_stick)):
            ends = getattr(both, direction)
            assert [[low, high] for low, high in zip(ends.lower, ends.upper)] == [numbers(row[direction]) for row in rows]
        assert list(getattr(found.kl, direction)) == numbers(answer["kl"][direction])
    assert list(found.total_variation) == numbers(answer["total_variation"])


def test_normal_closed_form():
    orders = np.array([0.25, 0.5, 1, 2, 7.5])
    found = divergence(NormalLaw(0, 2), NormalLaw(3, 2), orders=orders, epsilons=[0.75])
    for i, order in enumerate(orders):
        assert holds(found.renyi.p_q.lower[i], found.renyi.p_q.upper[i], order * 9 / 8)
    assert holds(*found.total_variation, 2 * cdf(0.75) - 1)
    stick = cdf(0.75 - 0.5) - math.exp(0.75) * cdf(-0.75 - 0.5)  # mu = 3/2
    assert holds(found.hockey_stick.q_p.lower[0], found.hockey_stick.q_p.upper[0], stick)


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(1, 1000), min_size=n, max_size=n) for _ in range(2)])
    ),
    st.floats(0, 1).map(lambda u: 0.1 * 200**u),
    st.floats(0, 1).map(lambda u: 3 * u),
)
@settings(max_examples=60, deadline=None)
def test_discrete_laws_from_the_definition(weights, order, epsilon):
    p, q = (np.array(w, dtype=np.longdouble) / np.sum(np.array(w, dtype=np.longdouble)) for w in weights)
    found = divergence(*weights, orders=[order, 1, math.inf], epsilons=[epsilon], normalize=True)
    tolerance = 1e-12

    def inside(ends, i, truth):
        slack = tolerance * max(1.0, abs(truth), 1 / abs(order - 1) if order != 1 else 1.0)
        return ends.lower[i] - slack <= truth <= ends.upper[i] + slack

    for ends, a, b in ((found.renyi.p_q, p, q), (found.renyi.q_p, q, p)):
        kl = float(np.sum(a * np.log(a / b)))
        assert inside(ends, 1, kl)
        if abs(order - 1) > 1e-3:
            assert inside(ends, 0, float(np.log(np.sum(a**order * b ** (1 - order))) / (order - 1)))
        assert inside(ends, 2, float(np.max(np.log(a / b))))
    for ends, a, b in ((found.hockey_stick.p_q, p, q), (found.hockey_stick.q_p, q, p)):
        truth = float(np.sum(np.maximum(0, a - np.exp(np.longdouble(epsilon)) * b)))
        assert inside(ends, 0, truth)
    half = float(np.sum(np.abs(p - q)) / 2)
    assert found.total_variation.lower - tolerance <= half <= found.total_variation.upper + tolerance


def log_normal_density(mean, stddev=1.0):
    return lambda x: -0.5 * ((x - mean) / stddev) ** 2 - math.log(stddev) - 0.5 * math.log(2 * math.pi)


def test_log_densities():
    found = divergence(log_normal_density(0.0), log_normal_density(1.0), epsilons=[1.0])
    assert found.orders.tolist() == [0.5, 1.0, 2.0] and found.pair.family == "densities"
    np.testing.assert_allclose(found.renyi.p_q.upper, [0.25, 0.5, 1.0], rtol=1e-9)
    assert found.kl.q_p.upper == pytest.approx(0.5, rel=1e-9)
    assert found.total_variation.upper == pytest.approx(2 * cdf(0.5) - 1, rel=1e-9)
    assert "estimates" in repr(found)


def test_a_support_and_points():
    uniform, rising = (lambda x: 0.0), (lambda x: math.log(2 * x) if x > 0 else -math.inf)
    pair = Pair.densities(rising, uniform, support=(0, 1), points=[0.5])
    assert pair.renyi(2.0).upper[0] == pytest.approx(math.log(4 / 3), rel=1e-8)
    with pytest.raises(renyi.NotConverged):  # the other way it is infinite
        divergence(pair, orders=[2.0])
    found = divergence(pair, orders=[0.5])
    assert found.total_variation.upper == pytest.approx(0.25, rel=1e-8)


def test_far_out_a_power_may_overflow():
    calls = []

    def quartic(x):
        calls.append(abs(x))
        return -(x**4) - math.log(2 * math.gamma(1.25))  # 1e90 ** 4 is an OverflowError of Python's

    found = divergence(quartic, log_normal_density(0.0), orders=[0.5])
    assert max(calls) > 1e77
    p = np.linspace(-12, 12, 240001)
    overlap = np.sum(np.exp((-(p**4) - math.log(2 * math.gamma(1.25)) + log_normal_density(0.0)(p)) / 2)) * 1e-4
    assert found.renyi.p_q.upper[0] == pytest.approx(-2 * math.log(overlap), rel=1e-7)


def test_own_errors_come_through():
    def broken(x):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        divergence(broken, log_normal_density(0.0))


def test_pairs():
    pair = Pair.bernoulli(0.25, 0.75)
    assert repr(pair) == "<Pair of laws: bernoulli>" and pair.swapped().family == "bernoulli"
    found = divergence(pair, orders=[2.0])
    assert found.pair is pair
    assert np.array_equal(found.renyi.p_q.upper, pair.renyi([2.0]).upper)
    assert np.array_equal(found.renyi.q_p.upper, pair.swapped().renyi(2.0).upper)
    assert pair.hockey_stick([0.0, 1.0]).lower.shape == (2,)
    made = [
        Pair.normal(NormalLaw(), NormalLaw(1)),
        Pair.laplace(LaplaceLaw(), LaplaceLaw(1)),
        Pair.multivariate_normal([0], [1], [[1]]),
        Pair.discrete([2, 2], [1, 3], normalize=True),
        Pair.densities(log_normal_density(0.0), log_normal_density(1.0)),
    ]
    assert [one.family for one in made] == ["normal", "laplace", "multivariate-normal", "discrete", "densities"]
    assert all(one.renyi(0.5).lower[0] > 0 for one in made)


def test_pairs_and_answers_can_be_stored():
    pairs = [
        Pair.normal(NormalLaw(), NormalLaw(1)),
        Pair.laplace(LaplaceLaw(), LaplaceLaw(1, 2)),
        Pair.bernoulli(0.25, 0.5),
        Pair.multivariate_normal([0, 1], [1, 0], [[1, 0], [0, 2]]),
        Pair.discrete([2, 2], [1, 3], normalize=True),
    ]
    for pair in pairs + [pair.swapped() for pair in pairs]:
        again = pickle.loads(pickle.dumps(pair))
        assert again.family == pair.family and copy.deepcopy(pair) is pair
        found, stored = divergence(pair), pickle.loads(pickle.dumps(divergence(pair)))
        assert np.array_equal(divergence(again).renyi.p_q.upper, found.renyi.p_q.upper)
        assert np.array_equal(stored.renyi.q_p.lower, found.renyi.q_p.lower) and stored.kl.p_q == found.kl.p_q
    with pytest.raises(renyi.Unsupported, match="functions"):
        pickle.dumps(Pair.densities(log_normal_density(0.0), log_normal_density(1.0)))


def test_orders_keep_their_shape():
    found = divergence(BernoulliLaw(0.5), BernoulliLaw(0.2), orders=[[1, 2], [3, 4]], epsilons=[[0.0], [0.1]])
    assert found.orders.shape == found.renyi.q_p.lower.shape == (2, 2)
    assert found.hockey_stick.p_q.upper.shape == found.epsilons.shape == (2, 1)
    assert found.renyi.p_q.upper[1, 0] == divergence(BernoulliLaw(0.5), BernoulliLaw(0.2), orders=3).renyi.p_q.upper[0]
    assert repr(found).count("[") == 2 * (4 + 1) + 2 * 2 + 1


def test_an_order_may_be_asked_for_alone():
    found = divergence(BernoulliLaw(0.5), BernoulliLaw(0.2), orders=2)
    assert found.orders.shape == found.renyi.p_q.upper.shape == (1,)
    assert divergence(BernoulliLaw(0.5), BernoulliLaw(0.2)).hockey_stick.p_q.upper.shape == (0,)


@pytest.mark.parametrize(
    "ask, field",
    [
        (lambda: divergence(NormalLaw(0, -1), NormalLaw()), "p.stddev"),
        (lambda: divergence(NormalLaw(), NormalLaw(math.nan)), "q.mean"),
        (lambda: divergence(NormalLaw(), NormalLaw("one")), "q.mean"),
        (lambda: divergence(LaplaceLaw(), LaplaceLaw(0, 0)), "q.scale"),
        (lambda: divergence(BernoulliLaw(0.5), BernoulliLaw(2)), "q"),
        (lambda: divergence([0.5, 0.5], [0.5, 0.6]), "q"),
        (lambda: divergence([0.5, 0.5], [1.0]), "q"),
        (lambda: divergence([0.5, math.nan], [0.5, 0.5]), "p[1]"),
        (lambda: divergence([[0.5, 0.5]], [0.5, 0.5]), "p"),
        (lambda: divergence([0.5, 0.5]), "q"),
        (lambda: divergence([0.5, 0.5], NormalLaw()), "p, q"),
        (lambda: divergence(NormalLaw(), LaplaceLaw()), "p, q"),
        (lambda: divergence(0.5, 0.5), "p, q"),
        (lambda: divergence(Pair.bernoulli(0.5, 0.2), [1.0]), "q"),
        (lambda: divergence(Pair.bernoulli(0.5, 0.2), points=5), "points"),
        (lambda: divergence(log_normal_density(0.0), log_normal_density(0.0), points=5), "points"),
        (lambda: divergence(MultivariateNormalLaw([0], [[1]]), MultivariateNormalLaw([0], [[2]])), "covariance"),
        (lambda: divergence(MultivariateNormalLaw([0], [1]), MultivariateNormalLaw([0], [1])), "covariance"),
        (lambda: divergence(BernoulliLaw(0.5), BernoulliLaw(0.2), orders=[2, 0]), "orders"),
        (lambda: divergence(BernoulliLaw(0.5), BernoulliLaw(0.2), orders=[math.nan]), "orders"),
        (lambda: divergence(BernoulliLaw(0.5), BernoulliLaw(0.2), orders="all"), "orders"),
        (lambda: divergence(BernoulliLaw(0.5), BernoulliLaw(0.2), epsilons=[-1]), "epsilons"),
        (lambda: divergence(log_normal_density(0.0), lambda x: "much"), "log_q"),
        (lambda: divergence(log_normal_density(0.0), lambda x: math.nan), "log_q"),
        (lambda: divergence(log_normal_density(0.0), log_normal_density(0.0), support=(-1, 1)), "log_p"),
        (lambda: divergence(log_normal_density(0.0), log_normal_density(0.0), support=(1, 0)), "support"),
        (lambda: divergence(log_normal_density(0.0), log_normal_density(0.0), support=(math.nan, 0)), "support"),
        (lambda: divergence(log_normal_density(0.0), log_normal_density(0.0), points=[math.nan]), "points"),
    ],
)
def test_errors_name_the_field(ask, field):
    with pytest.raises(renyi.InvalidArgument) as refused:
        ask()
    assert isinstance(refused.value, ValueError) and refused.value.field == field


@pytest.mark.parametrize("support", [(-math.inf, math.inf), (-9, 9), (-8, math.inf), (-math.inf, 8)], ids=str)
def test_densities_in_the_place_of_log_densities_are_noticed(support):
    log_p = log_normal_density(0.0)
    density = lambda x: math.exp(log_normal_density(1.0)(x)) if abs(x) < 1e3 else 0.0
    with pytest.raises(renyi.InvalidArgument, match="log_q: .* the natural logarithm of a density"):
        divergence(log_p, density, support=support)
    with pytest.raises(renyi.InvalidArgument, match="log_p: .* not the density itself"):
        renyi.custom_pair(density, log_p, support=support)


def test_other_faults_of_log_densities_are_told_as_they_are():
    with pytest.raises(renyi.InvalidArgument, match="integrates to 2.718"):  # the logarithm of e, on a unit interval
        divergence(lambda x: 1.0, lambda x: 0.0, support=(0, 1))
    with pytest.raises(renyi.InvalidArgument, match="integrates to 2.506"):
        divergence(lambda x: -x * x / 2, log_normal_density(0.0))


def test_densities_have_no_answer_at_infinity():
    with pytest.raises(renyi.Unsupported, match="supremum") as refused:
        divergence(log_normal_density(0.0), log_normal_density(1.0), orders=[math.inf])
    assert refused.value.field == "orders"


def test_printed():
    text = repr(divergence(BernoulliLaw(0.5), BernoulliLaw(0.2), epsilons=[0.5]))
    assert "[0.223143, 0.223144]" in text and "[0.192744, 0.192745]" in text  # ln(5/4), and the other way
    assert "total variation [0.3, 0.3]" in text and "hockey-stick epsilon" in text
    html = divergence(BernoulliLaw(0.5), BernoulliLaw(0.2))._repr_html_()
    assert html.count("<table>") == 1 and "[0.223143, 0.223144]" in html
