"""profile, tradeoff, compare, explain, relate, loss: arrays and lists of plans, and errors that name the field."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renyi
from renyi.reports import compare, explain, loss, profile, relate, tradeoff

SGD = renyi.SampledGaussian(0.01, 1.1) * 1000
UNIT = st.floats(0, 1)


@given(
    noise=st.lists(UNIT.map(lambda u: 0.5 * 40**u), min_size=1, max_size=3),
    steps=st.integers(1, 1000),
    deltas=st.lists(UNIT.map(lambda u: 0.5 * 1e-9**u), min_size=1, max_size=2),
)
@settings(max_examples=15, deadline=None)
def test_arrays_have_the_bits_of_single_answers(noise, steps, deltas):
    grid = compare(noise_multiplier=noise, steps=steps, delta=np.array(deltas)[:, None])
    points = profile(noise_multiplier=noise, steps=steps, deltas=deltas)
    assert grid.shape == (len(deltas), len(noise)) and points.shape == (len(noise),)
    for j, sigma in enumerate(noise):
        alone = profile(noise_multiplier=sigma, steps=steps, deltas=deltas)
        assert np.array_equal(points[j].renyi, alone.renyi) and np.array_equal(points[j].upper, alone.upper)
        for i, delta in enumerate(deltas):
            single = compare(noise_multiplier=sigma, steps=steps, delta=delta)
            assert grid[i, j].theorems == single.theorems and grid[i, j].delta == delta
            bound = renyi.epsilon(noise_multiplier=sigma, steps=steps, delta=delta)
            assert single["renyi-plan"].epsilon == alone.renyi[i] == bound.renyi
            assert single["exact"].epsilon == alone.exact.upper[i] == bound.exact.upper


def test_every_question_takes_arrays_and_lists_of_plans():
    for ask in (profile, tradeoff, loss, relate, explain):
        grid = ask(noise_multiplier=[[1.0], [2.0]], steps=[1, 2, 3])
        assert grid.shape == (2, 3)
        assert grid[1, 2].plan == renyi.Gaussian(2.0) * 3
        assert ask([renyi.Gaussian(1.0), renyi.Gaussian(2.0)]).shape == (2,)
    assert relate(noise_multiplier=1.0, rho=[1.0, 2.0]).zcdp.rho.tolist() == [1.0, 2.0]
    sizes = explain(noise_multiplier=4.0, delta=[1e-5, 1e-6], group_size=[[2], [4]])
    assert sizes.group.size.tolist() == [[2, 2], [4, 4]] and sizes.delta.tolist() == [[1e-5, 1e-6]] * 2
    budgets = compare(noise_multiplier=4.0, delta=1e-5, epsilon=[1.0, 2.0], event=0.5)
    assert budgets.epsilon.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "ask, field",
    [
        (lambda: profile(SGD, epsilons=[1.0, 2.0, -1.0]), "epsilons[2]"),
        (lambda: profile(SGD, epsilons=[math.nan]), "epsilons[0]"),
        (lambda: profile(SGD, epsilons=[]), "epsilons"),
        (lambda: profile(SGD, epsilons=[[1.0]]), "epsilons"),
        (lambda: profile(SGD, epsilons="many"), "epsilons"),
        (lambda: profile(SGD, deltas=[-math.inf]), "deltas[0]"),
        (lambda: profile(SGD, epsilons=[1.0], deltas=[1e-5]), "deltas"),
        (lambda: profile(SGD, want="everything"), "want"),
        (lambda: profile(SGD, want=5), "want"),
        (lambda: profile(SGD, conversion=5), "conversion"),
        (lambda: profile(noise_multiplier=[1.0, 2.0], epsilons=[1.0, -1.0]), "epsilons[1]"),
        (lambda: compare(noise_multiplier=[[1.0], [2.0]], delta=[0.1, 0.2, 2.0]), "delta[2]"),
        (lambda: compare(noise_multiplier=[1.0, 2.0], delta=-1), "delta"),
        (lambda: relate(noise_multiplier=[1.0, 2.0], order=[1.0, math.nan]), "order[1]"),
        (lambda: relate(SGD, to=5), "to"),
        (lambda: loss(SGD, direction=5), "direction"),
        (lambda: profile(SGD, want="renyi", memory=5), "memory"),
        (lambda: profile(SGD, memory=1.5), "memory"),
        (lambda: profile(SGD, tolerance=math.nan), "tolerance"),
        (lambda: profile(SGD, orders=[1.0]), "orders[0]"),
        (lambda: profile(SGD, conversion="loose"), "conversion"),
        (lambda: profile(noise_multiplier=-1.0), "noise_multiplier"),
        (lambda: profile(), "noise_multiplier"),
        (lambda: profile(SGD, steps=2), "steps"),
        (lambda: tradeoff(SGD, type_1_errors=[0.5, 1.5]), "type_1_errors[1]"),
        (lambda: compare(SGD, delta=math.nan), "delta"),
        (lambda: compare(SGD, delta=True), "delta"),
        (lambda: compare(SGD, delta=1e-5, epsilon=-1.0), "epsilon"),
        (lambda: compare(SGD, delta=1e-5, event=0.0), "event"),
        (lambda: compare(SGD, delta=[0.1, 2.0]), "delta[1]"),
        (lambda: explain(SGD, baseline=[0.5, 1.0]), "baseline[1]"),
        (lambda: explain(SGD, orders="several"), "orders"),
        (lambda: explain(SGD, factors=[0.5]), "factors[0]"),
        (lambda: explain(SGD, group_size=1), "group_size"),
        (lambda: explain(SGD, group_size=2.0), "group_size"),
        (lambda: relate(SGD, to="everything"), "to"),
        (lambda: relate(SGD, omega=[2.0, 1.0]), "omega[1]"),
        (lambda: relate(SGD, order=[1.0, math.nan]), "order[1]"),
        (lambda: relate(SGD, to="gdp", order=2.0), "order"),
        (lambda: relate(SGD, rho=-1.0), "rho"),
        (lambda: loss(SGD, direction="sideways"), "direction"),
        (lambda: loss(SGD, at_least=[math.inf]), "at_least[0]"),
        (lambda: loss(SGD, within=[-1.0]), "within[0]"),
        (lambda: loss(SGD, orders=[-1.0]), "orders[0]"),
    ],
)
def test_errors_name_the_field(ask, field):
    with pytest.raises(renyi.InvalidArgument) as refused:
        ask()
    assert isinstance(refused.value, ValueError)
    assert refused.value.field == field
    assert str(refused.value).startswith(f"{field}: got ") and "lambda" not in str(refused.value)


def test_no_proven_answer():
    with pytest.raises(renyi.Unsupported, match="give the mechanism itself"):
        tradeoff(renyi.Zcdp(0.1))
