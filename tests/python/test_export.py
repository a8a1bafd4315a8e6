"""to_dict, to_json, to_frame and round: answers are what the requests and the command answer, to the last digit."""

import copy
import csv
import io
import json
import math
import pickle
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import renyi
from renyi import _format, _native
from support import batch, command, in_build, request_of

SGD = renyi.SampledGaussian(0.01, 1.1) * 1000
PLANS = {
    "laplace": renyi.Plan(renyi.Laplace(2.0)),
    "promise": renyi.PureDp(0.25) * 4,
    "bounds": renyi.Plan(renyi.Zcdp(0.1)),
    "infinite": renyi.mechanism("approx-dp", epsilon=0.5, delta=1e-7) * 4,
    "replaced": renyi.Plan(renyi.Gaussian(4.0), neighbors="replace-one", unit=2),
    "shuffled": renyi.Plan(renyi.Gaussian(4.0).sampled(renyi.Shuffled(10)), neighbors="zero-out") * 3,
    "tree": renyi.TreeAggregation(4.0, 8) * 1,
    "hopeless": renyi.mechanism("non-private") * 1,
}
TRUNCATED = renyi.Gaussian(4.0).sampled(renyi.TruncatedPoisson(0.01, 100, 5)) * 3
# Each question in Python, and the members of its request.
QUESTIONS = [
    (renyi.epsilon, {"delta": 1e-5}),
    (renyi.epsilon, {"delta": 0.0, "want": ["renyi"], "orders": [2.0, 8.0], "conversion": "classical"}),
    (renyi.epsilon, {"delta": 1e-5, "tolerance": 1e-9}),
    (renyi.delta, {"epsilon": 1.0}),
    (renyi.delta, {"epsilon": math.inf}),
    (renyi.profile, {"epsilons": [0.5, 3.0]}),
    (renyi.compare, {"delta": 1e-5, "epsilon": 4.0}),
    (renyi.explain, {"delta": 1e-5, "group_size": 2}),
    (renyi.relate, {}),
    (renyi.loss, {"direction": "add"}),
]


def csv_rows(text):
    return list(csv.reader(io.StringIO(text)))


def as_printed(value):
    """A cell as the command prints it in CSV."""
    if value is None:
        return ""
    return str(renyi._export.number(float(value))) if isinstance(value, (int, float)) else str(value)


def answers():
    for name, plan in PLANS.items():
        for ask, members in QUESTIONS:
            yield pytest.param(ask, members, plan, id=f"{ask.__name__}-{name}")
    yield pytest.param(renyi.delta, {"epsilon": 1.0, "want": ["renyi"]}, TRUNCATED, id="delta-truncated")


@pytest.mark.parametrize("ask, members, plan", list(answers()))
def test_answers_are_those_of_the_requests(ask, members, plan):
    request = json.dumps(request_of(ask.__name__, plan, **members))
    try:
        found = ask(plan, **members)
    except renyi.Unsupported:
        with pytest.raises(renyi.Unsupported):
            _native.ask_request(request)
        return
    assert found.to_json() == _native.ask_request(request)
    assert found.to_dict() == renyi.ask(request)
    assert pickle.loads(pickle.dumps(found)).to_json() == found.to_json()


@in_build
def test_answers_are_those_of_the_batch():
    asked = [(ask, members, plan) for ask, members in QUESTIONS[:6] for plan in (SGD, PLANS["shuffled"], PLANS["tree"])]
    lines = batch(*(request_of(ask.__name__, plan, **members) for ask, members, plan in asked))
    assert lines == [ask(plan, **members).to_json() for ask, members, plan in asked]
    stated = renyi.report(SGD, delta=1e-5, title="T").to_json()
    assert [stated] == batch(request_of("report", SGD, delta=1e-5, title="T", formats=["markdown", "html"]))


def test_a_method_is_part_of_the_answer():
    found = renyi.epsilon(SGD, delta=1e-5, method="integer")
    assert found.to_dict()["renyi"]["method"] == "integer"
    many = renyi.epsilon(SGD, delta=[1e-5, 1e-6], method="integer")
    assert many[0].to_json() == found.to_json()


def test_a_truncated_sample_says_how_often_it_is_cut():
    one = renyi.delta(TRUNCATED, epsilon=1, want="renyi").to_dict()
    assert one["sampling"][0]["path"] == "steps[0]" and 0 < one["sampling"][0]["overflow_probability"] < 1
    assert renyi.delta(TRUNCATED, epsilon=[1, 1], want="renyi").to_dict()["answers"] == [one, one]


def test_elements_of_arrays_export_as_single_answers_do():
    plans = [SGD, *(plan for name, plan in PLANS.items() if name != "hopeless")]
    many = renyi.epsilon([[plan] for plan in plans], delta=[1e-5, 1e-3])
    assert [many.to_dict()["answers"][0]] == [renyi.epsilon(SGD, delta=1e-5).to_dict()]
    single = [[renyi.epsilon(plan, delta=delta) for delta in (1e-5, 1e-3)] for plan in plans]
    assert many.to_dict() == {"shape": [len(plans), 2], "answers": [one.to_dict() for row in single for one in row]}
    assert json.loads(many.to_json()) == many.to_dict()
    header, rows = many._table()
    assert [list(one._table().rows[0]) for row in single for one in row] == [list(row) for row in rows]


# The unknown of a plan, and of a run, with the request that asks for it.
STEPS = [{"mechanism": "sampled-gaussian", "sampling_rate": 0.01, "noise_multiplier": 1.1, "count": 1000}]
CALIBRATIONS = [
    (dict(sampling_rate=0.01, steps=1000), {"noise_multiplier": None}),
    (dict(sampling_rate=0.01, noise_multiplier=1.1, solve="steps"), {"count": None}),
    (dict(sampling_rate=0.01, steps=1000, by="renyi"), {"noise_multiplier": None}),
    (dict(sampling_rate=0.01, steps=1000, conversion="classical", tolerance=1e-7), {"noise_multiplier": None}),
]


@pytest.mark.parametrize("told, blank", CALIBRATIONS, ids=str)
def test_calibrations_are_those_of_the_requests(told, blank):
    found = renyi.calibrate(**told, epsilon=3, delta=1e-5)
    options = {name: told[name] for name in ("by", "conversion", "tolerance") if name in told}
    request = {"op": "calibrate", "steps": [{**STEPS[0], **blank}], "epsilon": 3, "delta": 1e-5, **options}
    assert found.to_json() == _native.ask_request(json.dumps(request))
    assert pickle.loads(pickle.dumps(found)).to_json() == copy.copy(found).to_json() == found.to_json()
    assert pickle.loads(pickle.dumps(found)) == found


def test_calibrations_say_where_the_number_is():
    inner = renyi.Parallel([renyi.Laplace(2.0), [renyi.Gaussian(3.0), renyi.Laplace(4.0)]])
    plan = renyi.Plan(renyi.Gaussian(9.0), renyi.Plan(renyi.Gaussian(9.0), inner))
    found = renyi.calibrate(plan, solve="scale", step=(1, 1, 1, 1), epsilon=30, delta=1e-5)
    assert found.to_dict()["path"] == "steps[1].plan[1].parallel[1][1].scale"
    request = request_of("calibrate", plan, epsilon=30, delta=1e-5)
    request["steps"][1]["plan"][1]["parallel"][1][1]["scale"] = None
    assert found.to_dict() == renyi.ask(request)
    chosen = renyi.calibrate(renyi.Gaussian(1.0), epsilon=0.5, delta=1e-5).to_dict()
    assert chosen == renyi.ask(request_of("calibrate", renyi.Plan(), epsilon=0.5, delta=1e-5)
                               | {"steps": [{"mechanism": "gaussian", "noise_multiplier": None}]})
    assert "classical" in chosen
    for name in ("epsilon", "delta", "unit"):
        target = {"epsilon": 3, "delta": 1e-5, name: None}
        kept = {key: value for key, value in target.items() if value is not None}
        solved = renyi.calibrate(renyi.Gaussian(30.0), solve=name, **kept).to_dict()
        assert solved == renyi.ask(request_of("calibrate", renyi.Plan(renyi.Gaussian(30.0))) | target)


DIVERGENCES = [
    ((renyi.NormalLaw(0, 1), renyi.NormalLaw(1, 2)), {"family": "normal", "p": {"mean": 0, "stddev": 1}}
     | {"q": {"mean": 1, "stddev": 2}}),
    (([0.5, 0.5, 0.0], [0.4, 0.4, 0.2]), {"family": "discrete", "p": [0.5, 0.5, 0.0], "q": [0.4, 0.4, 0.2]}),
]


@pytest.mark.parametrize("laws, pair", DIVERGENCES, ids=["normal", "discrete"])
def test_divergences_are_those_of_the_requests(laws, pair):
    request = {"op": "divergence", "pair": pair, "orders": [0.5, 2, "inf"], "epsilons": [0, 0.5]}
    found = renyi.divergence(*laws, orders=[0.5, 2, math.inf], epsilons=[0, 0.5])
    assert found.to_json() == _native.ask_request(json.dumps(request))
    assert [row[0] for row in found._table().rows] == ["renyi"] * 3 + ["kl", "total-variation"] + ["hockey-stick"] * 2


# Each question in Python, and the same one as flags.
RUN = dict(noise_multiplier=4, steps=10)
FLAGS = ["--noise-multiplier", "4", "--steps", "10"]
TABLES = [
    (renyi.epsilon, dict(delta=1e-5), ["--delta", "1e-5"]),
    (renyi.delta, dict(epsilon=1), ["--epsilon", "1"]),
    (renyi.profile, dict(epsilons=[1, 2]), ["--epsilons", "1,2"]),
    (renyi.profile, dict(deltas=[1e-5], want="exact"), ["--deltas", "1e-5", "--want", "exact"]),
    (renyi.tradeoff, dict(type_1_errors=[0.1, 0.5]), ["--type-1-errors", "0.1,0.5"]),
    (renyi.compare, dict(delta=1e-5, epsilon=3), ["--delta", "1e-5", "--epsilon", "3"]),
    (renyi.explain, dict(group_size=2, baseline=[0.1]), ["--group-size", "2", "--baseline", "0.1"]),
    (renyi.relate, dict(), []),
    (renyi.relate, dict(omega=[2.0]), ["--given-omega", "2"]),
    (renyi.loss, dict(), []),
]


@in_build
@pytest.mark.parametrize("ask, asked, flags", TABLES, ids=lambda value: getattr(value, "__name__", None))
def test_tables_are_those_of_the_command(ask, asked, flags):
    header, *rows = csv_rows(command(ask.__name__, *FLAGS, *flags, "--format", "csv"))
    table = ask(**RUN, **asked)._table()
    first = list(table.header).index(header[0])  # epsilon and delta have the given number before
    assert header == list(table.header)[first:]
    assert rows == [[as_printed(cell) for cell in row[first:]] for row in table.rows]


@in_build
def test_the_table_of_a_calibration_is_that_of_the_command():
    flags = ["--solve", "noise-multiplier", "--sampling-rate", "0.01", "--steps", "1000"]
    header, *rows = csv_rows(command("calibrate", *flags, "--epsilon", "2", "--delta", "1e-5", "--format", "csv"))
    table = renyi.calibrate(sampling_rate=0.01, steps=1000, epsilon=2, delta=1e-5)._table()
    assert (header, rows) == (list(table.header), [[as_printed(cell) for cell in row] for row in table.rows])


def test_tables_of_arrays_have_the_numbers_that_were_given():
    many = renyi.epsilon(noise_multiplier=[[1.0], [2.0]], steps=[10, 20, 30], delta=1e-5)
    header, rows = many._table()
    assert header[:4] == ["noise_multiplier", "steps", "delta", "renyi_epsilon"]
    assert [tuple(row[:3]) for row in rows] == [(s, n, 1e-5) for s in (1.0, 2.0) for n in (10, 20, 30)]
    assert [row[header.index("exact_upper")] for row in rows] == many.upper.ravel().tolist()
    assert [row[:2] for row in many[1, ::2]._table().rows] == [[2.0, 10], [2.0, 30]]
    grid = renyi.calibrate(steps=[10, 20], epsilon=3, delta=1e-5)
    header, rows = grid._table()
    assert header[:5] == ["steps", "epsilon", "delta", "parameter", "value"]
    assert [row[0] for row in rows] == [10, 20] and [row[4] for row in rows] == grid.value.tolist()
    assert [row[0] for row in grid[1:]._table().rows] == [20]
    profiles = renyi.profile(noise_multiplier=[1.0, 2.0], epsilons=[0.5, 1])
    assert [row[0] for row in profiles._table().rows] == [1.0, 1.0, 2.0, 2.0]
    assert profiles.to_dict()["answers"][1] == renyi.profile(noise_multiplier=2.0, epsilons=[0.5, 1]).to_dict()


def test_frames():
    pandas = pytest.importorskip("pandas")
    frame = renyi.epsilon(noise_multiplier=[1.0, 2.0], steps=10, delta=1e-5).to_frame()
    assert isinstance(frame, pandas.DataFrame) and frame.shape == (2, 14)
    assert frame["noise_multiplier"].tolist() == [1.0, 2.0] and frame["exact_upper"].dtype == np.float64
    assert renyi.loss(renyi.Zcdp(0.1)).to_frame()["lower"].isna().any()
    assert renyi.report(SGD, delta=1e-5).to_frame()["exact_upper"][0] == renyi.epsilon(SGD, delta=1e-5).upper


def test_a_frame_without_pandas_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(renyi.Unsupported, match="pip install pandas"):
        renyi.epsilon(SGD, delta=1e-5).to_frame()


@given(st.floats(0, 1e18, exclude_min=True), st.integers(0, 12))
def test_rounding_keeps_bounds(value, digits):
    up, down = _format.rounded_up(value, digits), _format.rounded_down(value, digits)
    assert down <= value <= up
    assert up - down <= 1.000001 * 10.0**-digits + 4 * math.ulp(value)
    assert round(up, digits) == up and round(down, digits) == down


def test_round_and_float():
    found = renyi.epsilon(SGD, delta=1e-5)
    assert float(found) == found.upper <= round(found, 3) == 1.516 and round(found) == 2
    assert round(renyi.epsilon(renyi.PureDp(0.25), delta=0), 2) == 0.25
    many = renyi.epsilon(SGD, delta=[1e-5, 1e-6])
    assert (round(many, 2) >= many.upper).all() and (round(many, 2) - many.upper <= 0.01).all()
    assert round(renyi.epsilon(PLANS["hopeless"], delta=1e-5), 3) == math.inf
    noise = renyi.calibrate(sampling_rate=0.01, steps=1000, epsilon=3, delta=1e-5)
    rate = renyi.calibrate(noise_multiplier=1.1, steps=1000, solve="sampling_rate", epsilon=3, delta=1e-5)
    assert noise.value <= round(noise, 2) < noise.value + 0.01 and round(noise) == 1
    assert rate.value >= round(rate, 3) > rate.value - 0.001
