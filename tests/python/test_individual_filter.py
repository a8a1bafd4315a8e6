"""Individual accounts from Python: decisions, arrays, errors that charge nothing, files, and threads."""

import copy
import json
import math
import os
import pickle
import stat
import threading

import numpy as np
import pytest

import renyi
from renyi import IndividualFilter

ZCDP = {"kind": "zcdp", "rho": 0.5}


def test_every_record_pays_for_its_own_norm():
    accounts = IndividualFilter(3, ZCDP)
    assert accounts.charge([1.0, 0.5, 0.0], noise_multiplier=1).tolist() == [True, True, True]
    assert accounts.spent.tolist() == [[0.5], [0.125], [0.0]]
    assert accounts.left.tolist() == [[0.0], [0.375], [0.5]]
    assert accounts.active.tolist() == [False, True, True]
    may = accounts.charge(np.float32([0.25, 0.5, 0.0]), noise_multiplier=1)
    assert may.dtype == bool and may.tolist() == [False, True, True]
    assert (accounts.records, accounts.steps, accounts.neighbors) == (3, 2, "add-or-remove-one")
    assert accounts.budget == ZCDP and accounts.limits.tolist() == [0.5]
    assert accounts.guarantee == renyi.Plan(renyi.Zcdp(0.5))
    assert "0.125" not in repr(accounts)


@pytest.mark.parametrize("rate", [1.0, 0.2])
def test_costs_are_those_of_the_mechanisms(rate):
    orders = [2.0, 8.0, 32.0]
    budget = {"kind": "curve", "limits": [{"order": order, "epsilon": 1e3} for order in orders]}
    accounts = IndividualFilter(4, budget, neighbors="zero-out")
    norms = np.array([2.0, 1.0, 0.25, 1.1])
    accounts.charge(norms, noise_multiplier=1.3, sampling_rate=rate, clip=2.0)
    for norm, row in zip(norms, accounts.spent):
        noise = 1.3 * 2.0 / norm
        step = renyi.SampledGaussian(rate, noise) if rate < 1 else renyi.Gaussian(noise)
        exact = np.array([renyi.rdp(step, orders=order) for order in orders])
        assert (row >= exact * (1 - 1e-9)).all() and (row <= exact * 1.01).all()


def test_who_was_not_drawn_pays_for_the_clip():
    accounts = IndividualFilter(4, ZCDP)
    may = accounts.charge(np.array([0.5, 0.0]), drawn=[2, 0], noise_multiplier=2, sampling_rate=0.5)
    assert may.tolist() == [True, True]
    assert accounts.spent[:, 0].tolist() == [0.0, 0.125, 0.03125, 0.125]
    accounts.charge([], drawn=[], noise_multiplier=1)
    accounts.charge([0.25], drawn=np.array([1], dtype=np.uint64), noise_multiplier=1)
    assert accounts.active.tolist() == [False, False, False, False]
    assert accounts.spent[:, 0].tolist() == [0.5, 0.5, 0.5, 0.5]


def test_balances_are_a_view_that_cannot_be_written_to():
    accounts = IndividualFilter(2, ZCDP)
    spent = accounts.spent
    accounts.charge([1.0, 0.0], noise_multiplier=1)
    assert spent.tolist() == [[0.5], [0.0]]
    with pytest.raises(ValueError):
        spent[0] = 0
    del accounts
    assert spent[0, 0] == 0.5


BAD = [
    ("norms[1]", dict(norms=[0.5, math.nan, 0.5])),
    ("norms[2]", dict(norms=[0.5, 0.5, -0.1])),
    ("norms[0]", dict(norms=[math.inf, 0.5, 0.5])),
    ("norms[0]", dict(norms=[1.0000001, 0.5, 0.5])),
    ("norms", dict(norms=[0.5, 0.5])),
    ("norms", dict(norms=[[0.5, 0.5, 0.5]])),
    ("norms", dict(norms="text")),
    ("norms", dict(norms=[0.5], drawn=[0, 1])),
    ("drawn[1]", dict(norms=[0.5, 0.5], drawn=[0, 3])),
    ("drawn[0]", dict(norms=[0.5, 0.5], drawn=[-1, 0])),
    ("drawn[1]", dict(norms=[0.5, 0.5], drawn=[1, 1])),
    ("drawn", dict(norms=[0.5, 0.5, 0.5], drawn=np.array([True, False, True]))),
    ("drawn", dict(norms=[0.5], drawn=[0.5])),
    ("noise_multiplier", dict(norms=[0.5, 0.5, 0.5], noise_multiplier=0)),
    ("noise_multiplier", dict(norms=[0.5, 0.5, 0.5], noise_multiplier="1")),
    ("sampling_rate", dict(norms=[0.5, 0.5, 0.5], sampling_rate=1.5)),
    ("sampling_rate", dict(norms=[0.5, 0.5, 0.5], sampling_rate=math.nan)),
    ("clip", dict(norms=[0.0, 0.0, 0.0], clip=0)),
]


@pytest.mark.parametrize("field, arguments", BAD)
def test_bad_input_charges_nothing(field, arguments):
    accounts = IndividualFilter(3, ZCDP)
    accounts.charge([0.5, 0.25, 0.0], noise_multiplier=1)
    before = accounts.spent.tolist()
    with pytest.raises(renyi.InvalidArgument) as error:
        accounts.charge(**{"noise_multiplier": 2.0, **arguments})
    assert error.value.field == field
    assert accounts.spent.tolist() == before and accounts.steps == 1


@pytest.mark.parametrize("budget", [{"kind": "pure", "epsilon": 1}, {"kind": "approx", "epsilon": 1, "delta": 1e-5}])
def test_kinds_without_a_cost_are_refused(budget):
    with pytest.raises(renyi.Unsupported):
        IndividualFilter(2, budget)


BAD_BUDGETS = [3, None, {"kind": "zcdp"}, {"kind": "zcdp", "rho": math.nan}, "{", {"kind": object()}]


@pytest.mark.parametrize("budget", BAD_BUDGETS)
def test_bad_budgets_are_refused(budget):
    with pytest.raises(renyi.InvalidArgument):
        IndividualFilter(2, budget)


def test_budgets_come_in_several_forms():
    budget = renyi.Budget.zcdp(0.5)
    assert IndividualFilter(1, json.dumps(ZCDP)).budget == IndividualFilter(1, budget).budget == ZCDP


def test_relations():
    with pytest.raises(renyi.Unsupported, match="replace-one"):
        IndividualFilter(2, ZCDP, neighbors="replace-one")
    for records in (0, -1, 2.5):
        with pytest.raises(renyi.InvalidArgument):
            IndividualFilter(records, ZCDP)


def test_files_are_marked_private_and_keep_every_bit(tmp_path):
    path = tmp_path / "accounts.json"
    accounts = IndividualFilter(50, {"kind": "shares", "epsilon": 3, "delta": 1e-5, "orders": [4, 16]})
    accounts.charge(np.linspace(0, 1, 50), noise_multiplier=1.1, sampling_rate=0.1)
    accounts.save(path)
    accounts.save(str(path))
    assert path.read_text().startswith('{"private":"This file is private data.')
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert os.listdir(tmp_path) == ["accounts.json"]
    again = IndividualFilter.load(path)
    assert (again.spent == accounts.spent).all() and again.steps == 1 and again.budget == accounts.budget
    path.write_text(path.read_text().replace('"steps":1', '"steps":0'))
    with pytest.raises(renyi.InvalidArgument, match="checksum"):
        IndividualFilter.load(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(renyi.InvalidArgument):
        IndividualFilter.load(path)
    with pytest.raises(FileNotFoundError, match="missing/accounts.json'$"):
        accounts.save(tmp_path / "missing" / "accounts.json")


def test_private_files_follow_no_link_and_are_read_by_nobody_else(tmp_path, monkeypatch):
    path, trap = tmp_path / "accounts.json", tmp_path / "trap"
    for name in (f"{path}.partial", tmp_path / ".accounts.json.new", tmp_path / f".accounts.json.{'0' * 16}.new"):
        os.symlink(trap, name)
    accounts = IndividualFilter(2, ZCDP)
    old_mask = os.umask(0)
    try:
        accounts.save(path)
        os.chmod(path, 0o644)
        accounts.save(path)
    finally:
        os.umask(old_mask)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600 and not trap.exists()
    monkeypatch.setattr("secrets.token_hex", lambda count: "0" * (2 * count))  # the link is where the file would be
    before = path.read_bytes()
    accounts.charge([1.0, 0.0], noise_multiplier=2)
    with pytest.raises(FileExistsError):
        accounts.save(path)
    assert path.read_bytes() == before and not trap.exists()
    os.symlink(trap, tmp_path / "link.json")
    with pytest.raises(renyi.InvalidArgument):
        accounts.save(tmp_path / "link.json")
    assert not trap.exists()


def test_accounts_of_others_are_not_replaced(tmp_path):
    path = tmp_path / "accounts.json"
    IndividualFilter(2, ZCDP).save(path)
    mine, other = IndividualFilter.load(path), IndividualFilter.load(path)
    for accounts in (mine, other):
        accounts.charge([1.0, 0.5], noise_multiplier=2)
    other.save(path)
    for accounts in (mine, IndividualFilter(2, ZCDP)):
        with pytest.raises(renyi.InvalidArgument, match="IndividualFilter.load") as caught:
            accounts.save(path)
        assert caught.value.field == "path" and IndividualFilter.load(path).steps == 1
    mine.save(path, overwrite=True)
    mine.charge([1.0, 0.5], noise_multiplier=2)
    mine.save(path)
    assert IndividualFilter.load(path).steps == 2


def test_there_are_no_copies():
    accounts = IndividualFilter(2, ZCDP)
    for make in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(renyi.Unsupported, match="cannot be copied or pickled.*save it"):
            make(accounts)


def test_threads_charge_one_after_the_other():
    accounts = IndividualFilter(10_000, {"kind": "zcdp", "rho": 1e3})
    norms = np.full(10_000, 1.0)

    def work():
        for _ in range(25):
            accounts.charge(norms, noise_multiplier=1.0)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert accounts.steps == 100 and (accounts.spent == 50).all()


def test_tensors_are_taken():
    torch = pytest.importorskip("torch")
    accounts = IndividualFilter(3, ZCDP)
    may = accounts.charge(torch.tensor([0.5, 1.0]), drawn=torch.tensor([2, 0]), noise_multiplier=1.0)
    assert may.tolist() == [True, True] and accounts.spent[:, 0].tolist() == [0.5, 0.5, 0.125]
