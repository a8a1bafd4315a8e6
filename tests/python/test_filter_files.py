"""Files of filters: locked as by the command, compared, replaced at once, and never at the cost of others."""

import copy
import fcntl
import os
import pickle
import stat
import subprocess
import sys
import threading

import pytest

import renyi
from renyi import Budget, Filter, Gaussian, PureDp


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
