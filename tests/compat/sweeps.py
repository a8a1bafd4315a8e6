"""Grids, and sweeps that were interrupted: rows of FILE, and FILE.sweep beside it.

The format says that a sweep is gone on with by the version that began it; every other version refuses it and touches
nothing, and makes the same rows of the grid where it begins afresh.
"""

import csv
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import renyi

import corpus

FILES = ("sweeps/*",)
RENYI = os.environ["RENYI_BINARY"]
STEP = {"mechanism": "sampled-gaussian", "sampling_rate": 0.01}
GRIDS = {
    "csv": {"op": "epsilon", "delta": 1e-5, "steps": [
        {**STEP, "noise_multiplier": {"from": 0.8, "to": 2, "points": 6},
         "count": {"from": 10, "to": 1000, "points": 6, "scale": "log"}}]},
    "jsonl": {"op": "calibrate", "by": "renyi", "delta": 1e-5, "epsilon": {"from": 1, "to": 2, "points": 12},
              "steps": [{**STEP, "noise_multiplier": None, "count": {"values": [100, 1000]}}]},
}


def make(folder):
    (folder / "sweeps").mkdir()
    for ending, request in GRIDS.items():
        (folder / f"sweeps/{ending}.grid").write_text(json.dumps({"renyi-sweep": 1, "request": request}) + "\n")
        _interrupt(folder / f"sweeps/rows.{ending}")


def _words(rows):
    return [RENYI, "sweep", rows.with_name(f"{rows.suffix[1:]}.grid"), "--jobs", "1", "--out", rows]


def _interrupt(rows):
    """Kills a sweep when it has some rows, as often as it takes to be in time."""
    state = rows.with_name(rows.name + ".sweep")
    while not state.exists():
        rows.unlink(missing_ok=True)
        with subprocess.Popen(_words(rows), stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and not (rows.exists() and rows.read_bytes().count(b"\n") > 3):
                time.sleep(0.0005)
            process.kill()
    # The row at which a machine stops is seldom whole.
    rows.write_bytes(rows.read_bytes()[:-3])


def meaning(path):
    """Both the grid and the files beside the rows decide what the whole sweep says."""
    rows = path.with_name("rows." + ("jsonl" if "jsonl" in path.name else "csv"))
    state = json.loads(rows.with_name(rows.name + ".sweep").read_text())
    kept = rows.read_text().splitlines(keepends=True)[:-1]
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "sweeps" / rows.name
        shutil.copytree(path.parent, copy.parent)
        whole = _completed(copy) if state["version"] == corpus.VERSION else _begun_afresh(copy)
    return {"state": state, "kept": kept, "close": {"whole": whole}}


def _completed(rows):
    done = subprocess.run(_words(rows), capture_output=True, text=True)
    if done.returncode != 0 or rows.with_name(rows.name + ".sweep").exists():
        raise renyi.InvalidArgument("sweep", done.stderr, "rows that are gone on with")
    return _values(rows)


def _begun_afresh(rows):
    """Another version's sweep is refused as a whole, and stays as it is."""
    before = {path.name: path.read_bytes() for path in rows.parent.iterdir()}
    refused = subprocess.run(_words(rows), capture_output=True, text=True)
    assert refused.returncode == 2, "a sweep of another version was gone on with"
    assert before == {path.name: path.read_bytes() for path in rows.parent.iterdir()}, "a refused sweep was touched"
    rows.with_name(rows.name + ".sweep").unlink()
    rows.unlink()
    return _completed(rows)


def _values(rows):
    if rows.suffix == ".jsonl":
        return [json.loads(line) for line in rows.read_text().splitlines()]
    with rows.open(newline="") as file:
        return [[_value(cell) for cell in row] for row in csv.reader(file)]


def _value(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


def places(path):
    """Not in the last row of an interrupted sweep, which was not complete and is computed anew."""
    content = path.read_bytes()
    end = content.rfind(b"\n") if path.name.startswith("rows.") else len(content)
    return [at for at in range(end) if corpus.is_meaning(content[at])]
