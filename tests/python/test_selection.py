"""The best of several runs, from Python."""

import copy
import pickle

import pytest

import renyi


def test_selection_agrees_with_the_plan_file():
    run = renyi.PureDp(0.1)
    by_class = renyi.Select(run, law="geometric", mean=20)
    by_file = renyi.Plan.from_json(
        '{"renyi":1,"steps":[{"select":[{"mechanism":"pure-dp","epsilon":0.1}],"runs":{"law":"geometric","mean":20}}]}'
    )
    one = renyi.epsilon(by_class, delta=1e-6, want=["renyi"]).renyi
    assert one == renyi.epsilon(by_file, delta=1e-6, want=["renyi"]).renyi
    assert one > renyi.epsilon(renyi.Plan(run), delta=1e-6, want=["renyi"]).renyi
    assert renyi.epsilon(by_class, delta=0, want=["renyi"]).renyi == pytest.approx(0.3)


@pytest.mark.parametrize(
    "law, numbers",
    [
        ("geometric", {"mean": 5}),
        ("logarithmic", {"gamma": 0.1}),
        ("negative-binomial", {"eta": 0.5, "gamma": 0.1}),
        ("poisson", {"mean": 5}),
    ],
)
def test_selection_is_a_value(law, numbers):
    made = renyi.Select([renyi.Gaussian(8), renyi.Laplace(20)], law=law, **numbers)
    assert pickle.loads(pickle.dumps(made)) == made == copy.deepcopy(made)
    assert hash(pickle.loads(pickle.dumps(made))) == hash(made)
    assert law in repr(made)
    plan = renyi.Plan.from_json(renyi.Plan(made).to_json())
    (step,) = plan.steps
    assert step.what == made


def test_selection_names_what_is_wrong():
    with pytest.raises(renyi.InvalidArgument, match="law"):
        renyi.Select(renyi.Gaussian(8), law="uniform", mean=3)
    for law in (None, 5):
        with pytest.raises(renyi.InvalidArgument, match="one of geometric, logarithmic, negative-binomial, poisson"):
            renyi.Select(renyi.Gaussian(8), law=law, mean=3)
    with pytest.raises(renyi.InvalidArgument, match="mean"):
        renyi.Select(renyi.Gaussian(8), law="geometric", mean=0.5)
    with pytest.raises(renyi.InvalidArgument, match="gamma"):
        renyi.Select(renyi.Gaussian(8), law="geometric", gamma=0.5)
    with pytest.raises(renyi.InvalidArgument, match="run"):
        renyi.Select("gaussian", law="geometric", mean=5)
    with pytest.raises(renyi.InvalidArgument):
        renyi.Select(renyi.Gaussian(8), law="geometric", mean=5).sampled(renyi.Poisson(rate=0.1))
