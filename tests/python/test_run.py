"""Training runs told by their sizes."""

import pickle
import warnings

import numpy as np
import pytest

import renyi

SIZES = dict(dataset_size=60_000, batch_size=256, epochs=60)
SMALL = dict(dataset_size=1000, batch_size=10, epochs=2)


def test_what_sizes_come_to():
    run = renyi.Run(**SIZES)
    assert (run.steps, run.sampling) == (14063, renyi.Poisson(256 / 60_000))
    assert run.rules == (
        "sampling rate: B / N = 256 / 60000",
        "steps: ceil(epochs * N / B) = ceil(60 * 60000 / 256) = 14063",
        "size: N counts as public; zero-out says so: docs/guide/public-size.md",
    )
    assert run.plan(renyi.Gaussian(1.1)) == renyi.SampledGaussian(256 / 60_000, 1.1) * 14063
    assert run == pickle.loads(pickle.dumps(run))
    assert repr(run) == "Run(dataset_size=60000, batch_size=256, epochs=60.0)"
    assert renyi.Run(steps=3).sampling is None


@pytest.mark.parametrize("scheme", [renyi.FixedSize, "fixed-size"])
def test_schemes_by_class_and_by_name(scheme):
    run = renyi.Run(**SMALL, sampling=scheme)
    assert run.sampling == renyi.FixedSize(1000, 10)
    plan = run.plan(renyi.Laplace(2), neighbors="replace-one")
    assert plan.steps[0].what == renyi.Laplace(2).sampled(renyi.FixedSize(1000, 10))


@pytest.mark.parametrize(
    "question, rest",
    [
        (renyi.epsilon, dict(delta=1e-5)),
        (renyi.delta, dict(epsilon=1.0)),
        (renyi.rdp, dict(orders=[2, 8])),
        (renyi.compare, dict(delta=1e-5)),
        (renyi.explain, dict(delta=1e-5)),
        (renyi.loss, {}),
        (renyi.profile, {}),
        (renyi.relate, dict(to="zcdp")),
        (renyi.tradeoff, {}),
    ],
)
def test_every_question_takes_sizes(question, rest):
    told = question(**SMALL, noise_multiplier=2, **rest)
    same = question(renyi.SampledGaussian(0.01, 2) * 200, **rest)
    assert repr(told) == repr(same)
    if question is not renyi.rdp:
        assert [each.kind for each in told.warnings] == ["shuffled-loader"] and same.warnings == ()


def test_a_report_says_the_rules():
    found = renyi.report(**SMALL, noise_multiplier=2, delta=1e-5, remarks=["mine"])
    assert found.facts["dataset_size"] == 1000
    assert found.facts["remarks"] == [*renyi.Run(**SMALL).rules, "mine"]
    plan = renyi.SampledGaussian(0.01, 2) * 200
    assert renyi.report(plan, delta=1e-5, dataset_size=1000).facts["dataset_size"] == 1000
    many = renyi.report(dataset_size=[1000, 2000], sampling_rate=0.01, noise_multiplier=2, delta=1e-5)
    assert [each.facts["dataset_size"] for each in many] == [1000, 2000]


def test_sizes_broadcast():
    many = renyi.epsilon(
        dataset_size=1000, batch_size=[10, 20], epochs=2, noise_multiplier=[[1.5], [2]], delta=1e-5, want="renyi"
    )
    assert many.shape == (2, 2)
    alone = renyi.epsilon(dataset_size=1000, batch_size=20, epochs=2, noise_multiplier=1.5, delta=1e-5, want="renyi")
    assert many[0, 1] == alone and many[0, 1].run == alone.run and many.warnings == alone.warnings
    orders = renyi.rdp(dataset_size=1000, batch_size=[10, 20], epochs=2, noise_multiplier=2, orders=[[2], [3]])
    assert orders[1, 0] == renyi.rdp(**SMALL, noise_multiplier=2, orders=3)


def test_a_delta_of_one_in_n_is_warned_of():
    with pytest.warns(renyi.PrivacyWarning, match="delta = 0.001 is not below 1/N = 0.001") as issued:
        found = renyi.epsilon(**SMALL, noise_multiplier=2, delta=1e-3, want="renyi")
    assert issued[0].filename == __file__
    assert [each.kind for each in found.warnings] == ["large-delta", "shuffled-loader"]
    assert pickle.loads(pickle.dumps(found)).warnings == found.warnings
    for ask in (renyi.compare, renyi.report, renyi.explain):
        with pytest.warns(renyi.PrivacyWarning) as issued:
            ask(**SMALL, noise_multiplier=2, delta=1e-3)
        assert issued[0].filename == __file__
    with pytest.warns(renyi.PrivacyWarning) as issued:
        solved = renyi.calibrate(**SMALL, epsilon=1, delta=1e-3)
    assert issued[0].filename == __file__ and solved.warnings == found.warnings
    with pytest.warns(renyi.PrivacyWarning) as issued:
        renyi.epsilon(**SMALL, noise_multiplier=2, delta=[1e-5, 1e-3, 2e-3], want="renyi")
    assert len(issued) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        renyi.epsilon(**SMALL, noise_multiplier=2, delta=9.99e-4, want="renyi")
        renyi.calibrate(**SMALL, noise_multiplier=2, solve="delta", epsilon=1)


def test_one_number_is_solved_for():
    noise = renyi.calibrate(**SIZES, epsilon=3, delta=1e-5)
    assert noise.value == renyi.calibrate(sampling_rate=256 / 60_000, steps=14063, epsilon=3, delta=1e-5).value
    sizes = dict(dataset_size=60_000, noise_multiplier=2, epsilon=1, delta=1e-5)
    steps = renyi.calibrate(**sizes, batch_size=256, solve="steps")
    assert steps.value == renyi.calibrate(
        sampling_rate=256 / 60_000, noise_multiplier=2, solve="steps", epsilon=1, delta=1e-5
    ).value
    rate = renyi.calibrate(**sizes, steps=100, solve="sampling_rate")
    assert 0 < rate.value < 1 and rate.parameter == "sampling_rate"
    batch = renyi.calibrate(**sizes, steps=100, sampling="fixed-size", solve="batch_size")
    assert isinstance(batch.value, int) and batch.plan.steps[0].what.sampling.batch_size == batch.value
    records = renyi.calibrate(
        batch_size=10, steps=100, noise_multiplier=2, sampling="fixed-size", solve="dataset_size", epsilon=1, delta=1e-5
    )
    assert records.plan.steps[0].what.sampling.dataset_size == records.value
    shuffled = renyi.calibrate(**SIZES, sampling="shuffled", neighbors="zero-out", epsilon=3, delta=1e-5)
    assert shuffled.plan.steps[0].count == 60
    cost = renyi.calibrate(**SIZES, noise_multiplier=1.1, solve="epsilon", delta=1e-5)
    assert cost.value == pytest.approx(2.38169, 1e-5)


@pytest.mark.parametrize(
    "given, message",
    [
        (dict(batch_size=10), 'batch_size: got 10, allowed: together with "dataset_size"'),
        (dict(dataset_size=0), "dataset_size: got 0, allowed: an integer from 1 to 2^63-1"),
        (dict(dataset_size=1e3), "dataset_size: got 1000.0, allowed: an integer, or an array of integers"),
        (dict(dataset_size=10, batch_size=2, epochs=-1), "epochs: got -1, allowed: what makes 1 to 2^63-1 steps"),
        (dict(epochs=3), 'epochs: got 3, allowed: together with "dataset_size" and "batch_size"'),
        (dict(dataset_size=10, accumulation=2), 'accumulation: got 2, allowed: together with "batch_size"'),
        (dict(dataset_size=10, batch_limit=2), 'batch_limit: got 2, allowed: together with "sampling" truncated-'),
        (dict(sampling="shuffle"), 'sampling: got "shuffle" (did you mean shuffled?), allowed: one of poisson'),
        (dict(sampling="dice"), 'sampling: got "dice", allowed: one of poisson, fixed-size, with-replacement'),
        (dict(sampling=3), "sampling: got 3, allowed: one of poisson"),
        (dict(dataset_size=10, batch_size=[2, 30]), "batch_size[1]: got 30, allowed: at most the 10 records of"),
        (dict(dataset_size=10, batch_size=2, steps=0), "steps: got 0, allowed: an integer from 1 to 2^63-1"),
        (dict(dataset_size=10, batch_size=2, sampling_rate=0.1), "sampling_rate: got 0.1, allowed: either"),
    ],
)
def test_what_is_wrong_names_the_argument(given, message):
    with pytest.raises(renyi.InvalidArgument) as failure:
        renyi.epsilon(**given, noise_multiplier=2, delta=1e-5)
    assert str(failure.value).startswith(message)


def test_what_does_not_go_together():
    with pytest.raises(renyi.InvalidArgument, match="batch_size: got 3, allowed: nothing beside a plan"):
        renyi.epsilon(renyi.Gaussian(2), batch_size=3, delta=1e-5)
    with pytest.raises(renyi.InvalidArgument, match="noise_multiplier: got nothing"):
        renyi.epsilon(**SIZES, delta=1e-5)
    with pytest.raises(renyi.InvalidArgument, match="epochs: got 60, allowed: nothing that fixes the steps"):
        renyi.calibrate(**SIZES, noise_multiplier=2, solve="steps", epsilon=1, delta=1e-5)
    with pytest.raises(renyi.InvalidArgument, match="batch_size: got 256, allowed: nothing: it is solved for"):
        renyi.calibrate(**SIZES, noise_multiplier=2, solve="batch_size", epsilon=1, delta=1e-5)
    with pytest.raises(renyi.Unsupported, match="shuffled"):
        renyi.epsilon(**SIZES, noise_multiplier=2, sampling=renyi.Shuffled, delta=1e-5)


def test_arrays_are_as_wide_as_their_numbers():
    found = renyi.epsilon(**SIZES, noise_multiplier=np.array([1.1, 2.0]), delta=1e-5, want="renyi")
    assert [each.run.steps for each in found] == [14063, 14063]
