"""design_filter: which kind of filter lets most steps run, as the engine answers it."""

import json
import math

import pytest

import renyi


def test_members_are_the_engines():
    found = renyi.design_filter(sampling_rate=0.01, noise_multiplier=1.1, steps=10_000, epsilon=6, delta=1e-5)
    step = {"mechanism": "sampled-gaussian", "sampling_rate": 0.01, "noise_multiplier": 1.1, "count": 10_000}
    answer = renyi.ask({"op": "filter-design", "steps": [step], "epsilon": 6, "delta": 1e-5})
    assert found.to_dict() == answer and json.loads(found.to_json()) == answer
    assert found.counted == "steps" and found.expected == 10_000 and found.best == "order"
    assert found["order"].epsilon == pytest.approx(5.6318, abs=5e-5)
    assert found["order"].count == found.if_fixed_in_advance.renyi.count < found.if_fixed_in_advance.exact.count
    assert found.if_fixed_in_advance.exact.epsilon == pytest.approx(5.1926, abs=5e-5)
    assert found["pure"].budget is None and "unbounded" in found["pure"].unavailable
    with pytest.raises(KeyError):
        found["exact"]


def test_a_plan_of_several_steps_is_repeated():
    found = renyi.design_filter(renyi.Laplace(20) * 3 + renyi.Gaussian(10) * 5, epsilon=4, delta=1e-6)
    assert found.counted == "repetitions" and found.expected == 1
    assert found["zcdp"].budget["kind"] == "zcdp" and found["zcdp"].count > 0


def test_what_is_not_there_has_a_reason():
    found = renyi.design_filter(renyi.Rdp(order=10, epsilon=0.1) * 20, epsilon=9, delta=1e-5)
    assert found.if_fixed_in_advance.exact.epsilon is None
    assert "bounds" in found.if_fixed_in_advance.exact.unavailable
    nothing = renyi.design_filter(renyi.ApproxDp(0.1, 1e-7), epsilon=1, delta=1e-8)
    assert nothing.best is None and nothing["order"].epsilon == math.inf


def test_arrays_frames_and_text():
    grid = renyi.design_filter(renyi.Gaussian(20.0) * 100, epsilon=[1, 2], delta=1e-6)
    assert [one.best for one in grid] == ["gdp", "gdp"] and grid[0]["gdp"].count < grid[1]["gdp"].count
    text = repr(grid[1])
    assert "filters within epsilon 2 at delta 1e-06" in text and "mu 0.448" in text
    assert len(grid[1]._table().rows) == 10


def test_bad_input():
    with pytest.raises(renyi.InvalidArgument, match="epsilon"):
        renyi.design_filter(renyi.Gaussian(1.0), epsilon=0, delta=1e-5)
    with pytest.raises(renyi.InvalidArgument, match="delta"):
        renyi.design_filter(renyi.Gaussian(1.0), epsilon=1, delta=1)
