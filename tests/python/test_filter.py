"""Budgets and filters: decisions before each step."""

import copy
import json
import pickle
import threading

import numpy as np
import pytest

import renyi
from renyi import Budget, Filter, Gaussian, Laplace, PureDp, SampledGaussian

BUDGETS = [
    Budget.pure(1),
    Budget.zcdp(0.5),
    Budget.zcdp(0.5).with_infinite_mass(1e-9),
    Budget.tcdp(0.1, 20),
    Budget.gdp(1),
    Budget.approx(1, 1e-6),
    Budget.order(8, 0.3),
    Budget.curve({2: 0.5, float("inf"): 4}),
    Budget.curve_of(SampledGaussian(0.01, 1.1) * 100),
    Budget.shares(2, {4: 1e-6, 16: 9e-6}),
]


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda budget: budget.kind)
def test_a_budget_is_a_value_with_a_stored_form(budget):
    assert Budget.from_json(budget.to_json()) == budget and json.loads(budget.to_json()) == budget.to_dict()
    assert pickle.loads(pickle.dumps(budget)) == budget == copy.deepcopy(budget)
    assert hash(Budget.from_json(budget.to_json())) == hash(budget)
    assert [other for other in BUDGETS if other == budget] == [budget] and budget != 0.5
    assert budget.is_within(budget) and repr(budget).startswith(f"<Budget: {budget.kind}, ")
    guarantee = budget.guarantee("replace-one")
    assert guarantee.neighbors == "replace-one" and len(guarantee.steps) >= 1
    assert float(budget.epsilon(1e-4)) == float(renyi.epsilon(budget.guarantee(), delta=1e-4)) > 0


def test_orders_are_given_as_dictionaries_pairs_or_arrays():
    assert Budget.curve({8: 2, 2: 1}) == Budget.curve([(2, 1), [8, 2]])
    assert Budget.shares(1, {8: 1e-6, 4: 2e-6}) == Budget.shares(1, ((4, np.float64(2e-6)), (8, 1e-6)))
    equal = Budget.shares(1, delta=1e-5, orders=np.array([4, 8, 16])).to_dict()["shares"]
    assert [share["order"] for share in equal] == [4, 8, 16]
    assert len({share["delta"] for share in equal}) == 1 and sum(share["delta"] for share in equal) <= 1e-5
    assert Budget.shares(1, delta=1e-5).epsilon(1e-5) <= 1.0001
    plan = Gaussian(2) * 3
    chosen = Budget.curve_of(plan, orders=[2, 5]).to_dict()["limits"]
    assert [limit["epsilon"] for limit in chosen] == pytest.approx(renyi.rdp(plan, orders=[2, 5]))


@pytest.mark.parametrize(
    "make, field",
    [
        (lambda: Budget(), "budget"),
        (lambda: Budget.pure(-1), "epsilon"),
        (lambda: Budget.pure(float("nan")), "epsilon"),
        (lambda: Budget.zcdp("0.5"), "rho"),
        (lambda: Budget.tcdp(0.1, 1), "omega"),
        (lambda: Budget.gdp(None), "mu"),
        (lambda: Budget.approx(1, 2), "delta"),
        (lambda: Budget.order(1, 0.5), "order"),
        (lambda: Budget.curve({}), "limits"),
        (lambda: Budget.curve(5), "limits"),
        (lambda: Budget.curve(["ab"]), "limits"),
        (lambda: Budget.curve([(2, "x")]), "limits[0].epsilon"),
        (lambda: Budget.curve_of("plan"), "plan"),
        (lambda: Budget.shares(1), "shares"),
        (lambda: Budget.shares(1, {4: 1e-6}, delta=1e-6), "delta"),
        (lambda: Budget.shares(1, delta=float("nan")), "delta"),
        (lambda: Budget.shares(1, delta=1e-6, orders=[]), "orders"),
        (lambda: Budget.zcdp(1).with_infinite_mass(1), "infinite_mass"),
        (lambda: Budget.zcdp(1).guarantee("one"), "neighbors"),
        (lambda: Budget.from_json('{"kind":"zcdp"}'), "rho"),
        (lambda: Filter(0.5), "budget"),
        (lambda: Filter(None), "budget"),
        (lambda: Filter("zcdp"), "budget"),
        (lambda: Filter("{"), "budget, byte 2"),
        (lambda: Filter({"kind": "zcdp"}), "budget.rho"),
        (lambda: Filter({"kind": "zcdp", "rho": float("nan")}), "budget"),
        (lambda: Filter({"kind": "zcdp", "rho": object()}), "budget"),
        (lambda: Filter({"kind": "zcdp", "rho": 1}, cap='{"kind":"zcdp","rho":1,"mu":2}'), "cap.mu"),
        (lambda: Filter(Budget.zcdp(1), cap=2), "cap"),
        (lambda: Filter(Budget.zcdp(1), cap=Budget.zcdp(0.5)), "budget"),
        (lambda: Filter(Budget.zcdp(1), neighbors="one"), "neighbors"),
        (lambda: Filter(Budget.zcdp(1), unit=0), "unit"),
    ],
)
def test_bad_budgets_name_the_field(make, field):
    with pytest.raises(renyi.InvalidArgument) as caught:
        make()
    assert caught.value.field == field


def test_budgets_may_be_given_in_their_stored_form():
    for budget in BUDGETS:
        filter = Filter(budget.to_dict(), cap=budget.to_json())
        assert filter.budget == filter.cap == budget and budget.is_within(budget.to_dict())
    filter.set_budget({"kind": "shares", "epsilon": 1, "shares": budget.to_dict()["shares"]})
    assert filter.budget.to_dict()["epsilon"] == 1
    found = renyi.design_filter(Gaussian(20) * 100, epsilon=2, delta=1e-6)
    assert Filter(found[found.best].budget).headroom(Gaussian(20)) == found[found.best].count


def test_charges_until_the_budget_is_spent():
    filter = Filter(Budget.pure(1))
    assert filter.headroom(PureDp(0.1)) == 10
    assert filter.charge(PureDp(0.1), 9) and filter.may_run(PureDp(0.1)) and not filter.may_run(PureDp(0.1), 2)
    before = filter.to_json()
    verdict = filter.charge(PureDp(0.2))
    assert not verdict and verdict.runs is False and verdict.reason.startswith("epsilon would be 1.1")
    assert verdict.after[0].spent > 1 and not verdict.after[0].within
    assert filter.to_json() == before
    verdict = filter.charge(PureDp(0.1))
    assert verdict and verdict.reason == "" and verdict.after == filter.remaining()
    assert filter.remaining()[0].left == 0 and filter.headroom(PureDp(1e-6)) == 0
    assert filter.history == PureDp(0.1) * 10


def test_every_form_of_a_step():
    by_number, by_value = Filter(Budget.order(8, 3)), Filter(Budget.order(8, 3))
    assert by_number.charge(noise_multiplier=4, count=2) and by_value.charge(Gaussian(4), 2)
    assert by_number.charge(noise_multiplier=4, sampling_rate=0.1) and by_value.charge(SampledGaussian(0.1, 4) * 1)
    plan = Laplace(10) * 2 + Gaussian(8)
    assert by_number.charge(plan, np.int64(2)) and by_value.charge(Laplace(10), 4) and by_value.charge(Gaussian(8) * 2)
    assert by_number.to_json() == by_value.to_json()
    assert by_number.headroom(noise_multiplier=4) == by_value.headroom(Gaussian(4)) > 1
    assert by_number.headroom(plan) == by_value.headroom(plan * 1) > 1 and by_number.headroom(plan * 10**6) == 0
    assert by_number.headroom(Gaussian(4) * 3) == by_number.headroom(Gaussian(4)) // 3
    assert by_number.may_run(noise_multiplier=4) == by_value.may_run(Gaussian(4))
    assert by_number.would_fit(noise_multiplier=0.5) == by_value.would_fit(Gaussian(0.5))


@pytest.mark.parametrize(
    "charge, field",
    [
        (lambda filter: filter.charge(), "noise_multiplier"),
        (lambda filter: filter.charge("gaussian"), "step"),
        (lambda filter: filter.charge(Gaussian(4), 0), "count"),
        (lambda filter: filter.charge(Gaussian(4), -1), "count"),
        (lambda filter: filter.charge(Gaussian(4), 1.0), "count"),
        (lambda filter: filter.charge(Gaussian(4), noise_multiplier=1), "noise_multiplier"),
        (lambda filter: filter.charge(Gaussian(4), sampling_rate=0.5), "sampling_rate"),
        (lambda filter: filter.charge(renyi.Plan(Gaussian(4), neighbors="zero-out")), "neighbors"),
        (lambda filter: filter.charge(renyi.Plan(Gaussian(4), unit=2)), "unit"),
        (lambda filter: filter.headroom(renyi.Plan(Gaussian(4), unit=2)), "unit"),
        (lambda filter: filter.headroom("gaussian"), "step"),
        (lambda filter: filter.charge(noise_multiplier=4, steps=3), "steps"),
        (lambda filter: filter.may_run(Gaussian(4), steps=3), "steps"),
        (lambda filter: filter.step(Gaussian(4), steps=3).__enter__(), "steps"),
        (lambda filter: filter.would_fit(Gaussian(4), steps=3), "steps"),
        (lambda filter: filter.would_fit(Gaussian(4) * 2), "step"),
        (lambda filter: filter.set_budget(Budget.zcdp(2)), "budget"),
        (lambda filter: filter.set_budget("zcdp"), "budget"),
    ],
)
def test_bad_steps_charge_nothing(charge, field):
    filter = Filter(Budget.zcdp(1))
    before = filter.to_json()
    with pytest.raises(renyi.InvalidArgument) as caught:
        charge(filter)
    assert caught.value.field == field and filter.to_json() == before


def test_errors_say_what_to_do():
    filter = Filter(Budget.zcdp(1), unit=2)
    for step, allowed in (
        (renyi.Plan(Gaussian(4), neighbors="replace-one", unit=2), "add-or-remove-one, as in the filter"),
        (Gaussian(4) * 1, "2, as in the filter"),
    ):
        with pytest.raises(renyi.InvalidArgument) as caught:
            filter.may_run(step)
        assert caught.value.allowed == allowed
    with pytest.raises(renyi.InvalidArgument, match="got 3, allowed: count=3 "):
        filter.charge(noise_multiplier=4, steps=3)


def test_a_step_without_a_cost_of_the_kind_is_unsupported():
    with pytest.raises(renyi.Unsupported):
        Filter(Budget.pure(1)).charge(Gaussian(4))


def test_steps_in_a_loop():
    filter, results = Filter(Budget.zcdp(0.5)), []
    with pytest.raises(renyi.BudgetExceeded) as caught:
        for noise in (2, 2, 1):
            with filter.step(Gaussian(noise)) as verdict:
                results.append((noise, verdict.runs, round(filter.remaining()[0].spent, 6)))  # charged before
    assert results == [(2, True, 0.125), (2, True, 0.25)]
    error = caught.value
    assert isinstance(error, renyi.Error) and error.field == "step" and not error.verdict
    assert error.would_fit == renyi.FittingStep("noise_multiplier", 1.415) and filter.may_run(Gaussian(1.415))
    assert str(error) == (
        "rho would be 0.75, its limit is 0.5, and 0.25 is left; would run with noise_multiplier 1.415"
    )
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.verdict == error.verdict
    with pytest.raises(renyi.BudgetExceeded) as caught, filter.step(Gaussian(1) * 2):
        results.append("ran")
    assert caught.value.would_fit is None and len(results) == 2


def test_a_failure_in_the_body_refunds_nothing():
    filter = Filter(Budget.zcdp(0.5))
    with pytest.raises(RuntimeError), filter.step(Gaussian(2)):
        raise RuntimeError
    assert filter.history == Gaussian(2) * 1
    filter.step(Gaussian(2))  # without "with" nothing is entered, nothing is charged
    assert filter.history == Gaussian(2) * 1


def test_the_budget_moves_below_the_cap():
    filter = Filter(Budget.zcdp(0.5), cap=Budget.zcdp(1), neighbors="replace-one", unit=3)
    assert (filter.neighbors, filter.unit) == ("replace-one", 3)
    filter.set_budget(Budget.zcdp(1))
    filter.set_budget(Budget.zcdp(0.25))
    assert filter.budget == Budget.zcdp(0.25) and filter.cap == Budget.zcdp(1)
    assert filter.guarantee == Budget.zcdp(1).guarantee("replace-one")
    assert float(filter.epsilon(1e-5)) == float(Budget.zcdp(1).epsilon(1e-5))
    assert Filter.from_json(filter.to_json()).to_json() == filter.to_json()
    assert "units of 3" in repr(filter)


def test_the_cost_if_fixed_in_advance_is_that_of_the_history():
    filter = Filter(Budget.curve_of(SampledGaussian(0.01, 1.1) * 1000))
    assert filter.charge(SampledGaussian(0.01, 1.1), 900)
    found = filter.cost_if_fixed_in_advance(1e-5)
    assert float(found) == float(renyi.epsilon(filter.history, delta=1e-5)) < float(filter.epsilon(1e-5))


def test_infinite_losses_need_their_own_budget():
    step = renyi.ApproxDp(0.1, 1e-6)
    with pytest.raises(renyi.Unsupported):
        Filter(Budget.zcdp(1)).may_run(step)
    filter = Filter(Budget.zcdp(1).with_infinite_mass(1e-5))
    assert filter.headroom(step) == 10 and filter.remaining()[-1].name == "infinite mass"


def test_balances_are_tables():
    filter = Filter(Budget.curve({2: 1.0, float("inf"): 5.0}))
    left = filter.remaining()
    assert len(left) == 2 and left[0] is list(left)[0] and left[1:][0] == left[1]
    assert left.to_dict()["balances"][1] == {
        "name": "order inf", "order": "inf", "spent": 0, "limit": 5, "left": 5, "within": True
    }  # fmt: skip
    assert left["order inf"] is left[1]
    with pytest.raises(renyi.InvalidArgument) as caught:
        left["mu"]
    assert caught.value.field == "name" and caught.value.allowed == "one of 'order 2', 'order inf'"
    assert json.loads(left.to_json()) == left.to_dict() and "order inf" in left._repr_html_()
    pandas = pytest.importorskip("pandas")
    frame = left.to_frame()
    assert isinstance(frame, pandas.DataFrame) and list(frame["limit"]) == [1, 5]


def test_a_new_filter_has_all_of_its_limit_left():
    filter = Filter(Budget.order(8, 0.6868695))
    assert repr(filter.remaining()) == "<Balances: order 8 has 0.686869 of 0.686869 left>"
    assert repr(filter).startswith("<Filter after 0 steps: order, order 8, epsilon 0.6868695; ")
    assert filter.charge(Gaussian(10)) and repr(filter).startswith("<Filter after 1 step: ")
    assert filter.charge(Gaussian(10)) and repr(filter).startswith("<Filter after 2 steps: ")


def test_custom_steps_run_and_cannot_be_stored():
    filter = Filter(Budget.order(2, 1.0))
    step = renyi.custom_curve(lambda order: 0.1 * order)
    assert filter.charge(step, 4) and not filter.charge(step, 2)
    with pytest.raises(renyi.Unsupported):
        filter.to_json()


def test_copies_are_independent():
    filter = Filter(Budget.zcdp(0.5))
    other = pickle.loads(pickle.dumps(filter))
    assert other.charge(Gaussian(2)) and filter.history.steps == ()


def test_threads_never_spend_more_than_the_budget():
    filter, admitted = Filter(Budget.pure(1)), []

    def work():
        for _ in range(40):
            if filter.charge(PureDp(0.01)):
                admitted.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(admitted) == 100 and filter.history == PureDp(0.01) * 100
