"""Custom mechanisms."""

import copy
import itertools
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renyi


def test_a_callable_curve_is_the_mechanism_it_describes():
    own = renyi.custom_curve(lambda order: order / 8, name="Gaussian 2")
    found, known = renyi.epsilon(own * 3, delta=1e-5), renyi.epsilon(renyi.Gaussian(2) * 3, delta=1e-5)
    assert known.renyi * (1 - 1e-12) <= found.renyi <= known.renyi * (1 + 1e-6)
    assert "own" in repr(own) or "Gaussian 2" in repr(own)
    assert found.unavailable and float(found) == found.renyi
    assert renyi.rdp(own * 3, orders=4) == pytest.approx(1.5, rel=1e-12)


def test_what_a_curve_does_wrong_is_said():
    with pytest.raises(ZeroDivisionError):
        renyi.epsilon(renyi.custom_curve(lambda order: 1 / 0), delta=1e-5)
    for bad in (math.nan, -1.0, "much"):
        with pytest.raises(renyi.InvalidArgument):
            renyi.epsilon(renyi.custom_curve(lambda order: bad), delta=1e-5)
    assert renyi.epsilon(renyi.custom_curve(lambda order: math.inf), delta=1e-5).renyi == math.inf
    with pytest.raises(renyi.InvalidArgument, match="divergence"):
        renyi.custom_curve(3)
    for name in ("", 5, "\ud800"):
        with pytest.raises(renyi.InvalidArgument, match="name"):
            renyi.custom_curve(lambda order: 1, name=name)
        with pytest.raises(renyi.InvalidArgument, match="name"):
            renyi.custom_pair([0.5, 0.5], [0.4, 0.6], name=name)


def test_curves_in_arrays_call_back_from_several_threads():
    plans = [renyi.custom_curve(lambda order, s=s: order / (2 * s * s)) * 2 for s in range(1, 40)]
    found = renyi.epsilon(plans, delta=1e-5, want="renyi").renyi
    assert np.all(np.diff(found) < 0)
    with pytest.raises(ZeroDivisionError):
        renyi.epsilon(plans + [renyi.Plan(renyi.custom_curve(lambda order: 1 / 0))], delta=1e-5)


def brute_force_delta(p, q, times, epsilon):
    """Over every outcome of `times` independent runs."""
    total = 0.0
    for outcome in itertools.product(range(len(p)), repeat=times):
        total += max(0.0, math.prod(p[i] for i in outcome) - math.exp(epsilon) * math.prod(q[i] for i in outcome))
    return total


PROBABILITIES = st.lists(st.integers(1, 100), min_size=2, max_size=4)


@settings(max_examples=30, deadline=None)
@given(PROBABILITIES, st.data(), st.integers(1, 4), st.floats(0, 2))
def test_probability_vectors_are_exact(weights, data, times, epsilon):
    others = data.draw(st.lists(st.integers(1, 100), min_size=len(weights), max_size=len(weights)))
    p, q = (np.array(side) / sum(side) for side in (weights, others))
    found = renyi.delta(renyi.custom_pair(p, q) * times, epsilon=epsilon).exact
    slack = 1e-12
    for interval, truth in (
        (found.remove, brute_force_delta(p, q, times, epsilon)),
        (found.add, brute_force_delta(q, p, times, epsilon)),
    ):
        assert interval.lower * (1 - slack) - slack <= truth <= interval.upper * (1 + slack) + slack
        assert interval.width <= 1e-4 * interval.upper + 1e-12


def test_randomized_response_by_its_vectors():
    own = renyi.custom_pair([0.75, 0.25], [0.25, 0.75], name="a coin") * 20
    known = renyi.RandomizedResponse(0.75) * 20
    for orders in (1, 2, 17.5, math.inf):
        assert renyi.rdp(own, orders=orders) == pytest.approx(renyi.rdp(known, orders=orders), rel=1e-12)
    a, b = renyi.epsilon(own, delta=1e-6).exact, renyi.epsilon(known, delta=1e-6).exact
    assert a.lower <= b.upper and b.lower <= a.upper and a.width < 1e-4


def test_log_densities():
    def normal(mean):
        return lambda x: -0.5 * (x - mean) ** 2 - 0.5 * math.log(2 * math.pi)

    own = renyi.custom_pair(normal(0), normal(1), name="shifted normal")
    for order in (1, 2, 5.5):
        assert renyi.rdp(own * 2, orders=order) == pytest.approx(order, rel=1e-8)
    found = renyi.epsilon(own, delta=1e-5)
    assert found.renyi == pytest.approx(renyi.epsilon(renyi.Gaussian(1), delta=1e-5).renyi, rel=1e-6)


def test_laws_of_a_family_and_pairs():
    laws = renyi.NormalLaw(0, 1), renyi.NormalLaw(1, 1.5)
    own = renyi.custom_pair(*laws)
    both = max(float(renyi.divergence(*pair, orders=[2]).renyi.p_q.upper[0]) for pair in (laws, laws[::-1]))
    assert renyi.rdp(own, orders=2) == pytest.approx(both, rel=1e-12)
    assert renyi.rdp(renyi.custom_pair(renyi.Pair.normal(*laws)), orders=2) == renyi.rdp(own, orders=2)
    with pytest.raises(renyi.InvalidArgument, match="q"):
        renyi.custom_pair(renyi.NormalLaw())


def test_own_mechanisms_are_equal_to_themselves_only():
    make = lambda: renyi.custom_pair([0.5, 0.5], [0.4, 0.6])
    a, b = make(), make()
    assert a == a and a != b
    assert [count for _, count in (a + b + a).merged()] == [2, 1]
    assert (a + b).steps[0].what == a
    with pytest.raises(renyi.Unsupported, match="JSON"):
        (a + b).to_json()


def test_vectors_with_zeros():
    together = renyi.epsilon(renyi.custom_pair([0.5, 0.5, 0], [0.4, 0.6, 0]) * 3, delta=1e-6)
    assert together.unavailable is None
    apart = renyi.epsilon(renyi.custom_pair([0.5, 0.5, 0], [0.4, 0.4, 0.2]) * 3, delta=1e-6)
    assert apart.unavailable is None and apart.exact.lower == apart.renyi == math.inf
    # Q alone has 0.2, three times over: 1 - 0.8^3 = 0.488.
    beyond = renyi.epsilon(renyi.custom_pair([0.5, 0.5, 0], [0.4, 0.4, 0.2]) * 3, delta=0.49)
    assert math.isfinite(beyond.renyi)


def test_nothing_beside_a_pair():
    pair = renyi.Pair.bernoulli(0.5, 0.4)
    for more in ({"q": [0.5, 0.5]}, {"normalize": True}, {"support": (0, 1)}, {"points": [1]}):
        with pytest.raises(renyi.InvalidArgument) as caught:
            renyi.custom_pair(pair, **more)
        assert caught.value.field == next(iter(more))


def test_copies_share_it():
    own = renyi.custom_curve(lambda order: order / 8)
    plan = own * 3 + renyi.Laplace(2)
    assert copy.copy(own) == copy.deepcopy(own) == own
    assert copy.deepcopy(plan) == copy.copy(plan) == plan
    found = renyi.epsilon(plan, delta=1e-5)
    assert copy.deepcopy(found) == found and copy.deepcopy(found).plan == plan
    for stored in (own, plan, found):
        with pytest.raises(renyi.Unsupported):
            pickle.dumps(stored)


def test_in_an_accountant_and_every_report():
    own = renyi.custom_pair([0.75, 0.25], [0.25, 0.75])
    account = renyi.Accountant()
    account.step(own, count=20)
    assert account.epsilon(1e-6).exact == renyi.epsilon(own * 20, delta=1e-6).exact
    assert renyi.explain(own * 20, baseline=[0.01]).outcomes
    assert renyi.relate(own * 20)
    assert renyi.loss(own * 20)
    assert renyi.compare(own * 20, delta=1e-6)
