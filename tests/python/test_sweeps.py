"""sweep: the grids of the command, and grids from keywords."""

import json
import math
import os
import pickle
import signal
import subprocess
import sys

import numpy as np
import pytest

import renyi
from support import command, in_build

GRID = {
    "renyi-sweep": 1,
    "request": {
        "op": "epsilon",
        "steps": [
            {
                "mechanism": "sampled-gaussian",
                "sampling_rate": {"from": 0.001, "to": 0.1, "points": 3, "scale": "log"},
                "noise_multiplier": {"values": [1.1, 2, -1]},
                "count": 100,
            }
        ],
        "delta": 1e-5,
    },
}


@in_build
@pytest.mark.parametrize("jobs", [None, 1, 3])
def test_files_have_the_bytes_of_the_command(tmp_path, jobs):
    (tmp_path / "grid.json").write_text(json.dumps(GRID))
    found = renyi.sweep(GRID, jobs=jobs)
    for ending in ("csv", "jsonl"):
        command("sweep", tmp_path / "grid.json", "--out", tmp_path / f"command.{ending}")
        found.save(tmp_path / f"python.{ending}")
        assert (tmp_path / f"python.{ending}").read_bytes() == (tmp_path / f"command.{ending}").read_bytes()
    assert found.to_dict()["rows"] == list(found.rows)


@in_build
@pytest.mark.parametrize(
    "asked",
    [
        dict(epochs=[1, 5], noise_multiplier=[1, 2], dataset_size=60_000, batch_size=256, delta=1e-5),
        dict(delta=[1e-5, 1e-6], batch_size=[20, 25], dataset_size=[600, 700], epochs=[1, 2], noise_multiplier=[4, 8]),
        dict(steps=[1, 2], sampling_rate=[0.1, 0.2], noise_multiplier=[4, 8], delta=[1e-5, 1e-6]),
        dict(delta=[1e-5, 1e-6], accumulation=[1, 2], batch_size=[20, 30], dataset_size=600, steps=[3, 4],
             noise_multiplier=4, unit=[1, 2]),
        dict(op="delta", noise_multiplier=[4, 8], epsilon=[1, 2], unit=[1, 2]),
        dict(op="calibrate", delta=[1e-5, 1e-6], epsilon=[1, 2], steps=[1, 2], sampling_rate=[0.5, 0.6]),
    ],
    ids=str,
)
def test_keywords_have_the_axes_of_the_command_in_its_order(asked):
    asked = {**asked, "want": "renyi"}
    flags = {"--" + name.replace("_", "-"): value for name, value in asked.items() if name not in ("op", "want")}
    if asked.get("op") == "calibrate":
        flags["--solve"], asked["by"], flags["--by"] = "noise-multiplier", "renyi", "renyi"
    else:
        flags["--want"] = "renyi"
    words = [
        word
        for flag, value in flags.items()
        for word in (flag, ",".join(map(str, value)) if isinstance(value, list) else str(value))
    ]
    if asked.get("op") == "calibrate":
        del asked["want"]
    table = command("sweep", asked.get("op", "epsilon"), *words, "--format", "csv")
    assert renyi.sweep(**asked).to_csv() == table


def test_the_grids_that_are_taken(tmp_path):
    (tmp_path / "grid.json").write_text(json.dumps(GRID))
    rows = renyi.sweep(GRID).rows
    for grid in (json.dumps(GRID), tmp_path / "grid.json", str(tmp_path / "grid.json")):
        assert renyi.sweep(grid).rows == rows
    with pytest.raises(FileNotFoundError):
        renyi.sweep(tmp_path / "none.json")


def test_one_number_of_each_row():
    costs = renyi.sweep(noise_multiplier=[2.0, -1.0], delta=1e-5)
    assert costs.quantity == "epsilon" and costs.upper[0] == costs["exact_upper"][0] and np.isnan(costs.upper[1])
    bounds = renyi.sweep(plan=renyi.Zcdp(0.1), delta=[1e-5, 1e-6])
    assert np.array_equal(bounds.upper, bounds["renyi_epsilon"])
    solved = renyi.sweep(op="calibrate", steps=[1, 2], epsilon=1, delta=1e-5)
    assert solved.quantity == "noise_multiplier" and np.array_equal(solved.upper, solved["value"])


def test_rows_without_an_answer_say_why():
    found = renyi.sweep(GRID)
    assert len(found) == 9 and len(found.failures) == 3
    assert all("noise_multiplier: got -1" in row["error"]["message"] for row in found.failures)
    assert [row["index"] for row in found.failures] == [2, 5, 8]
    assert np.isnan(found["exact_upper"][[2, 5, 8]]).all() and (found["error_kind"] == "invalid_argument").sum() == 3
    assert "3 without an answer" in repr(found) and found._repr_html_().count("<tr>") == 10


def test_keywords_are_combined_and_answer_as_epsilon_does():
    found = renyi.sweep(noise_multiplier=np.array([4.0, 8.0]), steps=range(1, 4), delta=[1e-5, 1e-6])
    assert found.axes == ("noise_multiplier", "steps", "delta") and len(found) == 12
    single = renyi.epsilon(noise_multiplier=found["noise_multiplier"], steps=found["steps"], delta=found["delta"])
    assert np.array_equal(found["exact_upper"], single.upper) and np.array_equal(found["renyi_epsilon"], single.renyi)
    assert found["steps"].dtype == np.int64 and found["noise_multiplier"].dtype == np.float64
    assert found["engine"].tolist() == ["closed-form"] * 12
    with pytest.raises(KeyError):
        found["nonsense"]


@pytest.mark.parametrize(
    "asked, single",
    [
        (dict(sampling_rate=0.01, noise_multiplier=[1.1], steps=10, delta=1e-5), renyi.epsilon),
        (dict(dataset_size=600, batch_size=[20], epochs=2, noise_multiplier=2, delta=1e-5), renyi.epsilon),
        (dict(dataset_size=60, batch_size=6, steps=[3], sampling="fixed-size", noise_multiplier=4, delta=1e-5,
              want="renyi", orders=[2, 8]), renyi.epsilon),
        (dict(op="delta", noise_multiplier=4, epsilon=[0.5], neighbors="replace-one", unit=2), renyi.delta),
        (dict(op="delta", plan=renyi.Laplace(2.0) + renyi.Gaussian(3.0), epsilon=[0.25]), renyi.delta),
        (dict(op="calibrate", steps=[10], epsilon=3, delta=1e-5), renyi.calibrate),
        (dict(op="calibrate", solve="steps", noise_multiplier=4, epsilon=[3], delta=1e-5), renyi.calibrate),
    ],
    ids=str,
)
def test_a_row_is_the_answer_of_the_question(asked, single):
    row, = renyi.sweep(**asked)
    one = {name: value[0] if name != "orders" and isinstance(value, list) else value for name, value in asked.items()}
    expected = single(**{name: value for name, value in one.items() if name != "op"}).to_dict()
    answer = row["answer"]
    kept = {name: answer[name] for name in expected if name not in ("path", "parameter")}
    assert kept == {name: value for name, value in expected.items() if name not in ("path", "parameter")}


@pytest.mark.parametrize(
    "asked, field",
    [
        (dict(noise_multiplier=[1.0], delta=1e-5, op="rdp"), "op"),
        (dict(noise_multiplier=[1.0], delta=1e-5, solve="steps"), "solve"),
        (dict(op="calibrate", noise_multiplier=[1.0], delta=1e-5, epsilon=1), "noise_multiplier"),
        (dict(op="calibrate", solve="luck", steps=[1], delta=1e-5, epsilon=1), "solve"),
        (dict(plan=renyi.Gaussian(1.0), steps=[1, 2], delta=1e-5), "steps"),
        (dict(noise_multiplier=[[1.0]], delta=1e-5), "noise_multiplier"),
        (dict(noise_multiplier=[object()], delta=1e-5), "noise_multiplier"),
        (dict(noise_multiplier=1.0, delta=1e-5), "request"),
        (dict(noise_multiplier=[1.0], delta=1e-5, jobs=0), "jobs"),
        (dict(noise_multiplier=[1.0, 1.0], delta=1e-5), "run.noise_multiplier.values"),
        (dict(grid=GRID, delta=1e-5), "delta"),
        (dict(grid=7), "grid"),
        (dict(grid={"renyi-sweep": 1, "request": {object()}}), "grid"),
        (dict(noise_multiplier=[1.0, 2.0]), "delta"),
        (dict(noise_multiplier=[1.0, 2.0], delta=1e-5, want="luck"), "want"),
    ],
    ids=str,
)
def test_bad_arguments_are_named(asked, field):
    with pytest.raises(renyi.InvalidArgument) as refused:
        renyi.sweep(**asked)
    assert refused.value.field == field


def test_values_beyond_numbers():
    found = renyi.sweep(op="delta", noise_multiplier=4, epsilon=[1.0, math.inf])
    assert found["epsilon"].tolist() == [1.0, math.inf] and found["exact_upper"][1] == 0


def test_saved_names_and_values(tmp_path):
    found = renyi.sweep(noise_multiplier=[1.0, 2.0], delta=1e-5)
    with pytest.raises(renyi.InvalidArgument, match="csv or .jsonl"):
        found.save(tmp_path / "rows.txt")
    assert pickle.loads(pickle.dumps(found)).rows == found.rows
    assert list(found) == list(found.rows) and "noise_multiplier" in repr(found)
    assert len(repr(renyi.sweep(noise_multiplier=np.linspace(1, 2, 30), delta=1e-5, want="renyi")).splitlines()) == 23


def test_frames():
    pandas = pytest.importorskip("pandas")
    frame = renyi.sweep(noise_multiplier=[1.0, 2.0], steps=[1, 2], delta=1e-5).to_frame()
    assert isinstance(frame, pandas.DataFrame) and frame.shape[0] == 4
    assert frame.pivot(index="noise_multiplier", columns="steps", values="exact_upper").shape == (2, 2)


def test_control_c_ends_a_sweep():
    program = """
import numpy as np, renyi
print("ready", flush=True)
renyi.sweep(sampling_rate=np.linspace(0.1, 0.2, 500), noise_multiplier=np.linspace(0.5, 1, 500), steps=5000, delta=1e-5)
"""
    path = os.pathsep.join(sys.path)
    run = subprocess.Popen(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )
    assert run.stdout.readline() == "ready\n"
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=600)
    assert run.returncode != 0 and "KeyboardInterrupt" in errors
