"""The running account."""

import copy
import json
import pickle
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renyi

SCHEDULE = st.lists(
    st.tuples(
        st.sampled_from([0.6, 0.8, 1.1, 2.0, 4.0]),
        st.sampled_from([0.001, 0.01, 0.2, None]),
        st.integers(1, 50),
    ),
    min_size=1,
    max_size=12,
)


def stepped(schedule, account=None):
    account = renyi.Accountant() if account is None else account
    for noise, rate, count in schedule:
        account.step(noise_multiplier=noise, sampling_rate=rate, count=count)
    return account


def same(a, b):
    return (a.renyi, a.order, a.exact.lower, a.exact.upper) == (b.renyi, b.order, b.exact.lower, b.exact.upper)


def test_nothing_costs_nothing():
    account = renyi.Accountant()
    assert account.epsilon(1e-5).renyi == 0 and account.epsilon(1e-5).exact.upper == 0
    assert account.delta(0).exact.upper == 0 and account.steps == 0


def test_equals_the_plan():
    account = renyi.Accountant()
    for _ in range(1000):
        account.step(noise_multiplier=1.1, sampling_rate=0.01)
    account.step(renyi.Laplace(20), count=3)
    account.step(renyi.Gaussian(9) + renyi.Laplace(20))
    account.step(noise_multiplier=9)
    plan = account.plan
    assert account.steps == 1006
    assert plan.steps == (
        renyi.Step(renyi.SampledGaussian(0.01, 1.1), 1000),
        renyi.Step(renyi.Laplace(20), 4),
        renyi.Step(renyi.Gaussian(9), 2),
    )
    assert same(account.epsilon(1e-5), renyi.epsilon(plan, delta=1e-5))
    found = account.delta(2.0)
    assert found.exact == renyi.delta(plan, epsilon=2.0).exact and found.epsilon == 2


def test_answers_keep_their_plan():
    account = stepped([(1.1, 0.01, 10)])
    before = account.epsilon(1e-5)
    account.step(noise_multiplier=1.1, sampling_rate=0.01)
    assert before.plan.steps[0].count == 10


@settings(max_examples=40, deadline=None)
@given(SCHEDULE, SCHEDULE)
def test_resumes_to_the_same_number(first, second):
    unbroken = stepped(second, stepped(first))
    state = json.loads(json.dumps(stepped(first).state_dict()))
    resumed = renyi.Accountant()
    resumed.step(renyi.PureDp(5))  # forgotten
    resumed.load_state_dict(state)
    stepped(second, resumed)
    assert resumed.steps == unbroken.steps and resumed.plan == unbroken.plan
    assert same(resumed.epsilon(1e-5), unbroken.epsilon(1e-5))
    pickled = pickle.loads(pickle.dumps(unbroken))
    assert same(pickled.epsilon(1e-5), unbroken.epsilon(1e-5))


@settings(max_examples=25, deadline=None)
@given(SCHEDULE, st.randoms())
def test_order_of_steps_does_not_matter(schedule, random):
    shuffled = list(schedule)
    random.shuffle(shuffled)
    a, b = stepped(schedule).epsilon(1e-5), stepped(shuffled).epsilon(1e-5)
    assert a.renyi == pytest.approx(b.renyi, rel=1e-12)
    assert a.exact.lower <= b.exact.upper and b.exact.lower <= a.exact.upper


def test_thousands_of_distinct_steps():
    account = renyi.Accountant()
    for i in range(3000):
        account.step(noise_multiplier=1 + i / 3000, sampling_rate=0.001)
    found = account.epsilon(1e-5)
    low, high = (renyi.epsilon(noise_multiplier=s, sampling_rate=0.001, steps=3000, delta=1e-5) for s in (2.0, 1.0))
    assert low.exact.upper < found.exact.lower < found.exact.upper < found.renyi
    assert found.exact.upper < high.exact.lower
    assert len(account.state_dict()["plan"]["steps"]) == 3000


def test_starts_from_a_plan():
    account = renyi.Accountant(renyi.Plan(renyi.Laplace(20), neighbors="replace-one") * 3)
    assert account.steps == 3 and account.plan.neighbors == "replace-one"
    with pytest.raises(renyi.Unsupported):
        account.step(renyi.Zcdp(0.1).sampled(renyi.Poisson(0.5)))
    assert account.steps == 3


@pytest.mark.parametrize(
    "step, field",
    [
        (dict(), "noise_multiplier"),
        (dict(noise_multiplier=0), "noise_multiplier"),
        (dict(noise_multiplier=1, sampling_rate=2), "sampling_rate"),
        (dict(noise_multiplier=1, count=0), "count"),
        (dict(noise_multiplier=1, count=1.0), "count"),
        (dict(what=3), "what"),
        (dict(what=renyi.Laplace(2), noise_multiplier=1), "noise_multiplier"),
        (dict(what=renyi.Laplace(2), sampling_rate=0.1), "sampling_rate"),
        (dict(what=renyi.Mechanism()), "mechanism"),
    ],
)
def test_a_bad_step_changes_nothing(step, field):
    account = stepped([(1.1, 0.01, 10)])
    with pytest.raises(renyi.InvalidArgument) as caught:
        account.step(**step)
    assert caught.value.field == field and account.steps == 10


@pytest.mark.parametrize(
    "state, field",
    [
        ({}, "state"),
        (None, "state"),
        ("text", "state"),
        ({"plan": {"renyi": 1, "steps": []}}, "state"),
        ({"plan": None}, "plan"),
        ({"plan": {"renyi": 2, "steps": []}}, "plan.renyi"),
        ({"plan": {"renyi": 1, "steps": 3}}, "plan.steps"),
        ({"plan": {"renyi": float("nan")}}, "plan"),
        ({"plan": {"renyi": 1, "steps": [{"mechanism": "laplace", "scale": -1}]}}, "plan.steps[0].scale"),
        ({"plan": {"renyi": 1, "steps": []}, "tolerance": 0}, "tolerance"),
        ({"plan": {"renyi": 1, "steps": []}, "memory": 1.5}, "memory"),
    ],
)
def test_a_bad_checkpoint_changes_nothing(state, field):
    account = stepped([(1.1, 0.01, 10)])
    if field != "state":
        state = {"tolerance": 1e-5, "memory": 512, **state}
    with pytest.raises(renyi.InvalidArgument) as caught:
        account.load_state_dict(state)
    assert caught.value.field == field and account.steps == 10


def test_a_checkpoint_says_how_exact_answers_are():
    coarse = renyi.Accountant(renyi.Laplace(2) * 3, tolerance=0.1, memory=64)
    resumed = renyi.Accountant()
    resumed.load_state_dict(json.loads(json.dumps(coarse.state_dict())))
    assert coarse.state_dict()["tolerance"] == 0.1 and coarse.state_dict()["memory"] == 64
    assert resumed.state_dict() == coarse.state_dict()
    assert same(resumed.epsilon(1e-6), coarse.epsilon(1e-6))
    fine = renyi.Accountant(coarse.plan)
    assert fine.epsilon(1e-6).exact.width < coarse.epsilon(1e-6).exact.width
    assert renyi.Plan.from_json(json.dumps(coarse.state_dict()["plan"])) == coarse.plan


def test_arrays_of_deltas_and_epsilons():
    account = renyi.Accountant(renyi.Laplace(30) * 100, tolerance=0.1)
    account.step(noise_multiplier=2, sampling_rate=0.1, count=7)
    many = account.epsilon([[1e-5], [1e-6]])
    assert many.shape == (2, 1)
    assert [same(one, account.epsilon(at)) for one, at in zip(many[:, 0], (1e-5, 1e-6))] == [True, True]
    assert account.delta([1.0, 2.0], want="renyi").renyi[1] == account.delta(2.0).renyi
    with pytest.raises(renyi.InvalidArgument) as caught:
        account.epsilon([1e-5, 2])
    assert caught.value.field == "delta[1]"


def test_copies_go_their_own_way():
    account = renyi.Accountant(renyi.custom_curve(lambda order: order / 8), tolerance=0.5)
    for made in (copy.copy(account), copy.deepcopy(account)):
        made.step(noise_multiplier=2)
        assert made.steps == 2 and account.steps == 1
        assert made.plan.steps[0] == account.plan.steps[0]


@pytest.mark.parametrize(
    "made, field",
    [
        (dict(neighbors=5), "neighbors"),
        (dict(neighbors=""), "neighbors"),
        (dict(tolerance="a"), "tolerance"),
        (dict(tolerance=True), "tolerance"),
        (dict(memory=[5]), "memory"),
        (dict(plan=3), "plan"),
    ],
)
def test_a_bad_start(made, field):
    with pytest.raises(renyi.InvalidArgument) as caught:
        renyi.Accountant(**made)
    assert caught.value.field == field


def test_threads_may_step_and_ask():
    account = renyi.Accountant()
    failures = []

    def work():
        try:
            for _ in range(50):
                account.step(noise_multiplier=1.1, sampling_rate=0.01)
                assert account.epsilon(1e-5, want="renyi").renyi > 0
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and account.steps == 200


def test_shows():
    assert repr(stepped([(1.1, None, 2)])).startswith("<Accountant after 2 steps: 2 x Gaussian(")
