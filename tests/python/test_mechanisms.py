"""Mechanisms and plans as values."""

import copy
import json
import pickle

import numpy as np
import pytest

import renyi

EVERY = [
    renyi.Gaussian(2),
    renyi.Gaussian(stddev=3, l2_sensitivity=0.5),
    renyi.Laplace(20),
    renyi.Laplace(3, l1_sensitivity=2),
    renyi.RandomizedResponse(0.75),
    renyi.RandomizedResponse(0.6, categories=5),
    renyi.PureDp(0.5),
    renyi.SampledGaussian(0.01, 1.1),
    renyi.Zcdp(0.1),
    renyi.Tcdp(0.1, 10),
    renyi.Cdp(0.1, 0.5),
    renyi.Gdp(0.5),
    renyi.Moments(8, 1.5),
    renyi.TreeAggregation(2, 64),
    renyi.NoOp(),
    renyi.Rdp(10, 0.1, points=[[20, 0.3]]),
    renyi.Pairs([[0.75, 0.25], [0.25, 0.75]]),
]


@pytest.mark.parametrize("mechanism", EVERY, ids=repr)
def test_goes_round_by_json_and_pickle(mechanism):
    plan = renyi.Plan(mechanism) * 7
    back = renyi.Plan.from_json(plan.to_json())
    assert back == plan
    assert back.steps == (renyi.Step(mechanism, 7),)
    assert type(back.steps[0].what) is type(mechanism)
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism
    assert copy.deepcopy(mechanism) == mechanism
    assert renyi.epsilon(back, delta=1e-5, want="renyi").renyi == renyi.epsilon(plan, delta=1e-5, want="renyi").renyi


@pytest.mark.parametrize("mechanism", EVERY, ids=repr)
def test_repr_evaluates_to_the_same(mechanism):
    assert eval(repr(mechanism), vars(renyi)) == mechanism


def test_equal_parameters_are_equal_mechanisms():
    assert renyi.Gaussian(2) == renyi.Gaussian(stddev=2)
    assert renyi.Gaussian(2) != renyi.Gaussian(3)
    assert renyi.Laplace(2) != renyi.Gaussian(2)
    assert len({renyi.Laplace(2), renyi.Laplace(2.0), renyi.Laplace(3)}) == 2


def test_values_do_not_change():
    with pytest.raises(AttributeError):
        renyi.Laplace(2).scale = 3


def test_numpy_numbers_are_numbers():
    assert renyi.SampledGaussian(np.float64(0.5), np.int32(2)) == renyi.SampledGaussian(0.5, 2.0)
    assert renyi.Laplace(np.float32(2)) * np.int64(3) == renyi.Laplace(2) * 3
    assert renyi.Laplace(np.longdouble(2)) == renyi.Laplace(np.array(2)) == renyi.Laplace(2)


def test_composition_by_plus_and_times():
    a, b = renyi.SampledGaussian(0.01, 1.1), renyi.Laplace(20)
    plan = 10_000 * a + b * 3
    assert plan.steps == (renyi.Step(a, 10_000), renyi.Step(b, 3))
    assert (a + b).steps == (renyi.Step(a, 1), renyi.Step(b, 1))
    twice = (a + b) * 2
    assert twice.steps == (renyi.Step(renyi.Plan(a, b), 2),)
    assert (twice + a).merged() == (renyi.Step(a, 3), renyi.Step(b, 2))
    assert json.loads(twice.to_json())["steps"][0]["count"] == 2
    assert plan != twice and plan == 10_000 * a + 3 * b


def test_sums():
    a, b = renyi.Gaussian(1), renyi.Laplace(20) * 3
    assert sum([a, b, a]) == a + b + a and sum([b]) == b and sum([a]) == renyi.Plan(a)
    with pytest.raises(TypeError):
        1 + a
    with pytest.raises(TypeError):
        0.5 + b


def test_a_gaussian_knows_its_noise_multiplier():
    assert renyi.Gaussian(2).noise_multiplier == 2
    assert renyi.Gaussian(stddev=3, l2_sensitivity=0.5).noise_multiplier == 6
    assert renyi.Plan.from_json(renyi.Plan(renyi.Gaussian(2)).to_json()).steps[0].what.noise_multiplier == 2


def test_no_attribute_is_made_up():
    with pytest.raises(AttributeError, match="stddev"):
        renyi.Laplace(2).stddev


def test_neighbors_stay():
    plan = renyi.Plan(renyi.Gaussian(2), neighbors="replace-one")
    assert (plan * 3 + renyi.Laplace(2)).neighbors == "replace-one"
    with pytest.raises(renyi.InvalidArgument, match="neighbors"):
        plan + renyi.Plan(renyi.Laplace(2))
    assert (plan + renyi.SampledGaussian(0.1, 1)).neighbors == "replace-one"
    with pytest.raises(renyi.Unsupported, match="replace-one"):
        plan + renyi.Zcdp(0.1).sampled(renyi.Poisson(0.1))


@pytest.mark.parametrize(
    "make, field",
    [
        (lambda: renyi.Gaussian(), "noise_multiplier"),
        (lambda: renyi.Gaussian(0), "noise_multiplier"),
        (lambda: renyi.Gaussian(1, stddev=2), "noise_multiplier"),
        (lambda: renyi.Gaussian(stddev=-2), "stddev"),
        (lambda: renyi.Laplace("2"), "scale"),
        (lambda: renyi.Laplace(float("nan")), "scale"),
        (lambda: renyi.Laplace(10**400), "scale"),
        (lambda: renyi.RandomizedResponse(1.5), "truth_probability"),
        (lambda: renyi.RandomizedResponse(0.5, 2.5), "categories"),
        (lambda: renyi.SampledGaussian(0.1, None), "noise_multiplier"),
        (lambda: renyi.Moments(-1, 1), "order"),
        (lambda: renyi.Laplace(1) * 0, "count"),
        (lambda: renyi.Laplace(1) * 2.5, "count"),
        (lambda: renyi.Laplace(1) * 2**63, "count"),
        (lambda: renyi.Plan(3), "steps"),
        (lambda: renyi.Plan(neighbors="friends"), "neighbors"),
        (lambda: renyi.Plan(unit=0), "unit"),
        (lambda: renyi.Plan(unit=2**31), "unit"),
        (lambda: renyi.Plan(unit=2.5), "unit"),
        (lambda: renyi.Plan(unit=True), "unit"),
        (lambda: renyi.Plan(neighbors=5), "neighbors"),
        (lambda: renyi.Plan(neighbors="\ud800"), "neighbors"),
        (lambda: renyi.Plan.from_json(5), "text"),
        (lambda: renyi.Plan.from_json(None), "text"),
        (lambda: renyi.Plan.from_json({}), "text"),
        (lambda: renyi.Plan.from_json('{"\ud800": 1}'), "text"),
        (lambda: renyi.Gaussian(2, l2_sensitivity=np.array([1.0, 2.0])), "l2_sensitivity"),
        (lambda: renyi.Laplace(np.array([1.0])), "scale"),
        (lambda: renyi.Laplace(np.longdouble("1e4000")), "scale"),
        (lambda: renyi.Laplace(np.ma.masked), "scale"),
        (lambda: renyi.Mechanism() * 2, "mechanism"),
        (lambda: renyi.Mechanism() + renyi.Laplace(1), "mechanism"),
        (lambda: renyi.Plan.from_json('{"renyi":1,"steps":[{"mechanism":"laplace","scale":-1}]}'), "steps[0].scale"),
    ],
)
def test_bad_input_names_its_field(make, field):
    with pytest.raises(renyi.InvalidArgument) as caught:
        make()
    assert isinstance(caught.value, ValueError)
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field}: got ")
    assert pickle.loads(pickle.dumps(caught.value)).field == field


@pytest.mark.parametrize(
    "ask",
    [
        lambda what: renyi.Plan(renyi.Laplace(1), what),
        lambda what: renyi.Accountant(what),
        lambda what: renyi.Accountant().step(what),
        lambda what: renyi.Filter(renyi.Budget.zcdp(1)).charge(what),
        lambda what: renyi.Odometer.zcdp(delta=1e-5).charge(what),
        lambda what: renyi.epsilon(what, delta=1e-5),
        lambda what: renyi.Run(dataset_size=100, batch_size=10, epochs=1).plan(what),
    ],
)
@pytest.mark.parametrize("data", [[181.5, 63.25], np.array([181.5]), {"ana": 181.5}])
def test_errors_do_not_print_what_may_be_data(ask, data):
    with pytest.raises(renyi.InvalidArgument) as caught:
        ask(data)
    assert "181.5" not in str(caught.value)


def test_a_list_of_steps_is_refused_with_the_way_to_give_them():
    with pytest.raises(renyi.InvalidArgument) as caught:
        renyi.Plan([renyi.Gaussian(2.0)] * 50)
    assert str(caught.value) == "steps: got a list, allowed: mechanisms and plans, one by one: Plan(*steps)"


def test_shows_in_notebooks():
    plan = renyi.Laplace(20) * 3
    assert repr(plan) == "<Plan: 3 x Laplace(scale=20.0, l1_sensitivity=1.0) (add-or-remove-one)>"
    assert "3 x" in plan._repr_html_() and "<table>" in plan._repr_html_()
    many = sum((renyi.Laplace(i) for i in range(2, 30)), renyi.Plan())
    assert repr(many).endswith("and 20 more kinds of step (add-or-remove-one)>")


def test_renyi_dp_at_one_order_and_at_several():
    one = renyi.mechanism("rdp", order=10, epsilon=0.1)
    assert one.parameters == {"order": 10, "epsilon": 0.1}
    assert pickle.loads(pickle.dumps(one)) == one and "order=10" in repr(one)
    assert list(renyi.rdp(one, orders=[2, 10, 11]).round(12)) == [0.1, 0.1, float("inf")]
    table = renyi.mechanism("rdp", points=[[2, 0.03], [8, 0.12]])
    assert table.parameters == {} and "inf" not in repr(table)
    assert pickle.loads(pickle.dumps(table)) == table
    assert renyi.mechanism("rdp-points", points=[[2, 0.03], [8, 0.12]]) == table
    with pytest.raises(renyi.InvalidArgument) as refused:
        renyi.mechanism("rdp", epsilon=0.1)
    assert refused.value.field == "order"
