"""accuracy: the error of noise before it is drawn, as the engine answers it."""

import json
import math

import numpy as np
import pytest

import renyi


def test_members_are_the_engines():
    plan = renyi.Laplace(10) * 3 + renyi.Gaussian(4)
    found = renyi.accuracy(plan, levels=[0.5, 0.99], bounds=[30], grid=0.5)
    answer = renyi.ask(
        {
            "op": "accuracy",
            "steps": [
                {"mechanism": "laplace", "scale": 10, "count": 3},
                {"mechanism": "gaussian", "stddev": 4},
            ],
            "levels": [0.5, 0.99],
            "bounds": [30],
            "grid": 0.5,
        }
    )
    assert found.to_dict() == answer
    assert list(found.stddev) == [answer["stddev"]["lower"], answer["stddev"]["upper"]]
    assert found.levels.level.tolist() == [0.5, 0.99]
    assert found.levels.half_width.upper.tolist() == [row["half_width"]["upper"] for row in answer["levels"]]
    assert found.bounds.probability.lower.tolist() == [answer["bounds"][0]["probability"]["lower"]]
    assert found.method == "contour"
    assert found.rounded.roundings == 4 and found.rounded.largest_shift == 1
    assert found.rounded.stddev.lower > found.stddev.upper


def test_a_single_noise():
    found = renyi.accuracy(renyi.Laplace(10))
    assert found.levels.half_width.upper[0] == pytest.approx(-10 * math.log(0.05), rel=1e-12)
    assert found.rounded is None and len(found.bounds.bound) == 0
    assert json.loads(found.to_json())["method"] == "closed-form"


def test_lists_of_plans_are_grids():
    found = renyi.accuracy([renyi.Gaussian(s) for s in (1, 2)])
    assert [round(one.stddev.upper) for one in found] == [1, 2]


def test_prints_every_figure():
    text = repr(renyi.accuracy(renyi.Skellam(10, 1), bounds=[5], levels=np.array([0.9])))
    assert "standard deviation" in text and "within, with probability 0.9" in text and "Pr[|error| > 5]" in text


@pytest.mark.parametrize(
    "options, field",
    [
        ({"levels": [0.5, 1.0]}, "levels[1]"),
        ({"levels": [math.nan]}, "levels[0]"),
        ({"bounds": -1}, "bounds[0]"),
        ({"grid": 3}, "grid"),
    ],
)
def test_errors_name_the_field(options, field):
    with pytest.raises(renyi.InvalidArgument) as error:
        renyi.accuracy(renyi.Laplace(1), **options)
    assert error.value.field == field


def test_steps_without_noise_are_unsupported():
    with pytest.raises(renyi.Unsupported):
        renyi.accuracy(renyi.PureDp(1))
    with pytest.raises(renyi.InvalidArgument):
        renyi.accuracy(None)
