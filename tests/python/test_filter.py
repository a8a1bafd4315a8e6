"""Budgets and filters: decisions before each step."""

import copy
import json
import os
import pickle
import stat
import subprocess
import sys
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


def test_files_are_replaced_at_once_and_edits_are_found(tmp_path):
    path = tmp_path / "filter.json"
    filter = Filter(Budget.zcdp(0.5))
    filter.save(path)
    os.chmod(path, 0o666)  # more than the mask of a new file allows
    assert filter.charge(Gaussian(2))
    filter.save(str(path))
    assert [file.name for file in tmp_path.iterdir()] == ["filter.json"]
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o666
    loaded = Filter.load(path)
    assert loaded.to_json() == filter.to_json() and loaded.history == filter.history
    text = path.read_text()
    for edited in (text.replace('"rho":0.5', '"rho":5'), text.replace("gaussian", "laplace"), text[:-9], "", "[]"):
        path.write_text(edited)
        with pytest.raises(renyi.InvalidArgument):
            Filter.load(path)
    path.write_bytes(b"\xff")
    with pytest.raises(renyi.InvalidArgument) as caught:
        Filter.load(path)
    assert caught.value.field == "path"
    with pytest.raises(FileNotFoundError):
        Filter.load(tmp_path / "none.json")
    with pytest.raises(FileNotFoundError, match=f"in the folder '{tmp_path}/none': '{tmp_path}/none/filter.json'$"):
        filter.save(tmp_path / "none" / "filter.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        filter.save(tmp_path / "folder")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["filter.json", "folder"]


def charged_by_another(path, noise):
    """Charges a step as ``renyi filter charge`` does: another program, through the same lock."""
    command = [sys.executable, "-m", "renyi", "filter", "charge", str(path), "--noise-multiplier", str(noise)]
    subprocess.run(command, check=True, capture_output=True)


def test_no_charge_of_others_is_lost(tmp_path):
    path = tmp_path / "filter.json"
    Filter(Budget.zcdp(0.5)).save(path)
    filter = Filter.load(path)
    assert filter.charge(Gaussian(4))
    charged_by_another(path, 2)
    before = path.read_bytes()
    with pytest.raises(renyi.InvalidArgument, match="Filter.load it again, .* or overwrite=True") as caught:
        filter.save(path)
    assert caught.value.field == "path" and path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["filter.json"]
    again = Filter.load(path)
    assert again.charge(Gaussian(4))
    again.save(path)
    again.save(os.path.relpath(path))  # another name of the same file
    assert Filter.load(path).history == Gaussian(2) * 1 + Gaussian(4) * 1
    charged_by_another(path, 8)  # the file of a save is one of the command
    assert len(Filter.load(path).history.steps) == 3


def test_equal_charges_of_two_objects_are_not_taken_for_one(tmp_path):
    path = tmp_path / "filter.json"
    Filter(Budget.zcdp(0.5)).save(path)
    filters = [Filter.load(path), Filter.load(path)]
    for filter in filters:
        assert filter.charge(Gaussian(4))
    filters[0].save(path)
    assert path.read_text() == filters[1].to_json() + "\n"
    with pytest.raises(renyi.InvalidArgument):
        filters[1].save(path)


def test_a_file_that_this_object_does_not_know_is_not_replaced(tmp_path):
    path = tmp_path / "filter.json"
    spent = Filter(Budget.zcdp(0.5))
    assert spent.charge(Gaussian(1))
    spent.save(path)
    copies = [Filter(Budget.zcdp(0.5)), copy.copy(spent), copy.deepcopy(spent), pickle.loads(pickle.dumps(spent))]
    for filter in copies:
        with pytest.raises(renyi.InvalidArgument, match="a new file; Filter.load .*; or overwrite=True") as caught:
            filter.save(path)
        assert caught.value.field == "path" and Filter.load(path).history == spent.history
    copies[0].save(path, overwrite=True)
    assert Filter.load(path).history.steps == ()
    with pytest.raises(renyi.InvalidArgument):
        spent.save(path)
    spent.save(tmp_path / "other.json")
    path.unlink()
    spent.save(path)  # nothing is there
    assert spent.charge(Gaussian(9)) is not None and Filter.load(path).history == Gaussian(1) * 1


def test_only_files_are_saved_to(tmp_path):
    path, link, pipe = tmp_path / "filter.json", tmp_path / "link.json", tmp_path / "pipe"
    filter = Filter(Budget.zcdp(0.5))
    filter.save(path)
    link.symlink_to(path)
    os.mkfifo(pipe)
    for name in (link, pipe):
        for overwrite in (False, True):
            with pytest.raises(renyi.InvalidArgument) as caught:
                filter.save(name, overwrite=overwrite)
            assert caught.value.field == "path"
    assert link.is_symlink() and pipe.is_fifo() and sorted(os.listdir(tmp_path)) == ["filter.json", "link.json", "pipe"]


def test_saving_waits_for_the_lock(tmp_path):
    import fcntl

    path = tmp_path / "filter.json"
    filter = Filter(Budget.zcdp(0.5))
    filter.save(path)
    assert filter.charge(Gaussian(4))
    saved = threading.Event()

    def save():
        filter.save(path)
        saved.set()

    with open(path) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        thread = threading.Thread(target=save)
        thread.start()
        assert not saved.wait(0.2) and Filter.load(path).history.steps == ()
    thread.join()
    assert saved.is_set() and Filter.load(path).history == filter.history


def test_a_file_that_was_replaced_while_waiting_is_looked_at_again(tmp_path):
    import fcntl

    path, beside = tmp_path / "filter.json", tmp_path / "beside.json"
    filter = Filter(Budget.zcdp(0.5))
    filter.save(path)
    other = Filter.load(path)
    assert filter.charge(Gaussian(4)) and other.charge(Gaussian(2))
    errors = []

    def save():
        try:
            filter.save(path)
        except renyi.InvalidArgument as error:
            errors.append(error.field)

    with open(path) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        thread = threading.Thread(target=save)
        thread.start()
        other.save(beside)
        os.replace(beside, path)
    thread.join()
    assert errors == ["path"] and Filter.load(path).history == other.history


def test_threads_save_the_latest_state(tmp_path):
    filter, path = Filter(Budget.pure(1)), tmp_path / "filter.json"

    def work():
        for _ in range(10):
            assert filter.charge(PureDp(0.01))
            filter.save(path)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Filter.load(path).history == PureDp(0.01) * 40 and os.listdir(tmp_path) == ["filter.json"]


def test_file_and_folder_are_brought_to_the_disk(tmp_path, monkeypatch):
    path, settled, sync = tmp_path / "filter.json", [], os.fsync

    def noted(file):
        settled.append((os.fstat(file).st_ino, path.exists() and path.stat().st_ino == os.fstat(file).st_ino))
        sync(file)

    monkeypatch.setattr(os, "fsync", noted)
    filter, folder = Filter(Budget.zcdp(0.5)), tmp_path.stat().st_ino
    for _ in range(2):
        filter.save(path)
        assert settled == [(path.stat().st_ino, False), (folder, False)]  # the file before it has its name
        settled.clear()


def test_nothing_is_left_when_the_disk_fails(tmp_path, monkeypatch):
    path = tmp_path / "filter.json"
    filter = Filter(Budget.zcdp(0.5))
    filter.save(path)
    before = path.read_bytes()
    assert filter.charge(Gaussian(4))

    def full(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        for name in (path, tmp_path / "new.json"):
            with pytest.raises(OSError, match=f"'{name}'$"):
                filter.save(name)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["filter.json"]
    filter.save(path)
    assert Filter.load(path).history == filter.history


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
