"""The number that spends a budget and no more."""

import copy
import math
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import renyi

TARGET = dict(epsilon=3, delta=1e-5)


def test_noise_for_a_budget():
    found = renyi.calibrate(sampling_rate=0.01, steps=10_000, **TARGET)
    assert found.parameter == "noise_multiplier" and found.by == "exact"
    assert found.exact.upper <= 3 and found.exact.lower > 3 - 1e-6
    assert found.renyi > 3 and found.order > 1 and found.unspent == 0
    assert float(found) == found.value == found.plan.steps[0].what.noise_multiplier
    again = renyi.epsilon(sampling_rate=0.01, noise_multiplier=found.value, steps=10_000, delta=1e-5)
    assert again.exact.upper <= 3
    less = renyi.epsilon(sampling_rate=0.01, noise_multiplier=found.value * (1 - 1e-6), steps=10_000, delta=1e-5)
    assert less.exact.lower > 3


def test_by_the_renyi_bound():
    found = renyi.calibrate(sampling_rate=0.01, steps=10_000, by="renyi", **TARGET)
    assert found.by == "renyi" and found.exact is None and 3 - 1e-6 < found.renyi <= 3


def test_steps_and_rate():
    steps = renyi.calibrate(solve="steps", sampling_rate=0.01, noise_multiplier=2, **TARGET)
    assert isinstance(steps.value, int) and int(steps) == steps.value
    run = dict(sampling_rate=0.01, noise_multiplier=2.0, delta=1e-5)
    assert renyi.epsilon(steps=steps.value, **run).exact.upper <= 3
    assert renyi.epsilon(steps=steps.value + 1, **run).exact.lower > 3
    rate = renyi.calibrate(solve="sampling_rate", noise_multiplier=2, steps=1000, **TARGET)
    assert 0.01 < rate.value < 1


def test_steps_of_a_plan():
    """Solves for how often the step may run, as --solve steps of the command does."""
    run = renyi.SampledGaussian(0.01, 2)
    steps = renyi.calibrate(run, solve="steps", **TARGET)
    assert steps.value == renyi.calibrate(solve="steps", sampling_rate=0.01, noise_multiplier=2, **TARGET).value
    assert isinstance(steps.value, int) and steps.parameter == "steps" and steps.plan == run * steps.value
    assert renyi.epsilon(run * (steps.value + 1), delta=1e-5).exact.lower > 3
    two = renyi.Gaussian(9) + renyi.Laplace(20) * 7
    second = renyi.calibrate(two, solve="steps", step=1, **TARGET)
    assert second.value == renyi.calibrate(two, solve="count", step=1, **TARGET).value == second.plan.steps[1].count
    with pytest.raises(renyi.InvalidArgument) as caught:
        renyi.calibrate(run, solve="steps", steps=3, **TARGET)
    assert caught.value.field == "steps"


def test_gaussian_on_all_records():
    found = renyi.calibrate(steps=100, **TARGET)
    assert found.plan == renyi.Plan(renyi.Gaussian(found.value)) * 100
    assert found.exact.engine == "closed-form"


def test_a_number_inside_a_plan():
    plan = renyi.SampledGaussian(0.01, 1.5) * 1000 + (renyi.Laplace(10) + renyi.Gaussian(5)) * 2
    scale = renyi.calibrate(plan, solve="scale", step=(1, 0), **TARGET)
    assert scale.plan.steps[1].what.steps[0].what == renyi.Laplace(scale.value)
    noise = renyi.calibrate(plan, solve="noise_multiplier", step=(1, 1), **TARGET)
    assert noise.plan.steps[1].what.steps[1].what == renyi.Gaussian(noise.value)
    count = renyi.calibrate(plan, solve="count", step=0, **TARGET)
    assert count.plan.steps[0].count == count.value > 1000


def test_steps_by_numpy_and_orders_of_moments():
    plan = renyi.Laplace(1) + renyi.Moments(3, 0.1)
    scale = renyi.calibrate(renyi.Laplace(1), solve="scale", step=np.int64(0), **TARGET)
    assert scale == renyi.calibrate(renyi.Laplace(1), solve="scale", **TARGET)
    found = renyi.calibrate(plan, solve="alpha", step=[1], **TARGET)
    assert found.plan.steps[1].what == renyi.Moments(3, found.value)
    with pytest.raises(renyi.Error) as caught:  # whatever the engine says of it, in this package's word
        renyi.calibrate(renyi.Laplace(1), solve="order", **TARGET)
    assert "lambda" not in caught.value.field


def test_the_order_of_moments_can_be_solved_for():
    step, target = renyi.Moments(3, 0.1), dict(epsilon=3, delta=1e-2)
    order = renyi.calibrate(step, solve="order", **target)
    assert order.parameter == "order" and order.plan == renyi.Plan(renyi.Moments(order.value, 0.1))
    assert order.renyi <= 3


def test_three_digits_and_what_they_cost():
    found = renyi.calibrate(sampling_rate=0.01, steps=10_000, **TARGET)
    assert found.rounded.value == 1.57 and found.rounded.spent <= 3
    again = renyi.epsilon(sampling_rate=0.01, noise_multiplier=1.57, steps=10_000, delta=1e-5)
    assert found.rounded.spent == again.exact.upper and found.rounded.unspent == 3 - again.exact.upper
    assert "three digits" in repr(found)
    steps = renyi.calibrate(solve="steps", sampling_rate=0.01, noise_multiplier=1.1, **TARGET)
    assert steps.value == 3712 and steps.rounded.value == 3710 and isinstance(steps.rounded.value, int)


def test_the_target_itself():
    run = dict(sampling_rate=0.01, noise_multiplier=1.1, steps=10_000)
    epsilon = renyi.calibrate(solve="epsilon", delta=1e-5, **run)
    assert epsilon.value == renyi.epsilon(delta=1e-5, **run).exact.upper and epsilon.rounded.value == 5.2
    delta = renyi.calibrate(solve="delta", epsilon=3, **run)
    answer = renyi.delta(epsilon=3, **run)
    assert delta.value == answer.exact.upper and delta.renyi == answer.renyi and "exact delta" in repr(delta)
    several = renyi.calibrate(renyi.Laplace(2), solve="epsilon", delta=[1e-3, 1e-5])
    assert several.value[0] < several.value[1]
    # A step's own epsilon, since the target's is given.
    own = renyi.calibrate(renyi.PureDp(1) * 4, solve="epsilon", epsilon=3, delta=0)
    assert own.value == pytest.approx(0.75)


def test_the_largest_group():
    found = renyi.calibrate(solve="unit", noise_multiplier=100, steps=100, **TARGET)
    assert found.value == 7 and isinstance(found.value, int) and found.plan.unit == 7 and found.beyond == ""
    parts = renyi.calibrate(renyi.Parallel([renyi.Laplace(2), renyi.Gaussian(9)]), solve="unit", **TARGET)
    assert parts.value == 1 and "several parts" in parts.beyond


def test_numbers_of_parts_runs_and_samples():
    parts = renyi.Plan(renyi.Gaussian(50)) + renyi.Parallel([renyi.Laplace(9), renyi.Laplace(8) + renyi.Gaussian(5)])
    noise = renyi.calibrate(parts, solve="noise_multiplier", step=(1, 1, 1), **TARGET)
    assert noise.plan.steps[1].what.parts[1].steps[1].what == renyi.Gaussian(noise.value)
    tuning = renyi.Select(renyi.SampledGaussian(0.01, 2) * 1000, law="geometric", mean=10)
    inside = renyi.calibrate(tuning, solve="noise_multiplier", step=(0, 0), **TARGET)
    assert inside.by == "renyi" and inside.plan.steps[0].what.run.steps[0].what.noise_multiplier == inside.value
    mean = renyi.calibrate(tuning, solve="runs.mean", **TARGET)
    assert mean.plan.steps[0].what.numbers["mean"] == mean.value > 10
    batch = renyi.Gaussian(1.5).sampled(renyi.FixedSize(60_000, 256)) * 1000
    assert renyi.calibrate(batch, solve="sampling.batch_size", **TARGET).value == 472


def test_broadcasts():
    found = renyi.calibrate(sampling_rate=[0.01, 0.02], steps=1000, epsilon=np.array([[1], [2], [3]]), delta=1e-5)
    assert found.shape == (3, 2) and found.value.shape == (3, 2)
    assert np.all(np.diff(found.value, axis=0) < 0) and np.all(np.diff(found.value, axis=1) > 0)
    one = renyi.calibrate(sampling_rate=0.02, steps=1000, epsilon=2, delta=1e-5)
    assert found[1, 1].value == one.value == found.value[1, 1]
    assert found.exact.upper[1, 1] == one.exact.upper
    assert [len(row) for row in found] == [2, 2, 2]


@pytest.mark.parametrize(
    "arguments, error, field",
    [
        (dict(sampling_rate=0.01, **TARGET), renyi.InvalidArgument, "steps"),
        (dict(sampling_rate=0.01, noise_multiplier=1, steps=3, **TARGET), renyi.InvalidArgument, "noise_multiplier"),
        (dict(solve="luck", steps=3, **TARGET), renyi.InvalidArgument, "solve"),
        (dict(plan=renyi.Laplace(1), solve="luck", **TARGET), renyi.InvalidArgument, "solve"),
        (dict(plan=renyi.Laplace(1), solve="scale", step=4, **TARGET), renyi.InvalidArgument, "step"),
        (dict(steps=3, epsilon=-1, delta=1e-5), renyi.InvalidArgument, "epsilon"),
        (dict(steps=3, epsilon=[1, -1], delta=1e-5), renyi.InvalidArgument, "epsilon[1]"),
        (dict(steps=3, by="luck", **TARGET), renyi.InvalidArgument, "by"),
        (dict(steps=3, by=5, **TARGET), renyi.InvalidArgument, "by"),
        (dict(steps=[3, 4], by="luck", **TARGET), renyi.InvalidArgument, "by"),
        (dict(solve=[], steps=3, **TARGET), renyi.InvalidArgument, "solve"),
        (dict(plan=renyi.Laplace(1), solve="scale", step=-1, **TARGET), renyi.InvalidArgument, "step"),
        (dict(plan=renyi.Laplace(1), solve="scale", step="a", **TARGET), renyi.InvalidArgument, "step"),
        (dict(plan=renyi.Laplace(1), solve="scale", step=[0, 0.5], **TARGET), renyi.InvalidArgument, "step"),
        (dict(steps=[[3], [4]], epsilon=[1, 2, -1], delta=1e-5), renyi.InvalidArgument, "epsilon[2]"),
        (dict(steps=[3, 4], epsilon=-1, delta=1e-5), renyi.InvalidArgument, "epsilon"),
        (dict(plan=[renyi.Laplace(1), renyi.PureDp(1)], solve="scale", **TARGET), renyi.InvalidArgument, "solve[1]"),
        (dict(solve="steps", noise_multiplier=[9, 1], epsilon=2, delta=1e-5), renyi.Unsupported, "epsilon[1]"),
        (dict(plan=renyi.Zcdp(1), solve="rho", by="exact", **TARGET), renyi.Unsupported, None),
        (dict(steps=3, epsilon=1), renyi.InvalidArgument, "delta"),
        (dict(steps=3, delta=1e-5), renyi.InvalidArgument, "epsilon"),
        (dict(solve="delta", delta=1e-5, noise_multiplier=2), renyi.InvalidArgument, "epsilon"),
        (dict(solve="unit", unit=2, noise_multiplier=2, **TARGET), renyi.InvalidArgument, "unit"),
        (dict(plan=renyi.Parallel([renyi.Laplace(1)]), solve="scale", step=(0, 1, 0), **TARGET), renyi.InvalidArgument, "step"),
    ],
)
def test_bad_input(arguments, error, field):
    with pytest.raises(error) as caught:
        renyi.calibrate(**arguments)
    assert field is None or caught.value.field == field


def test_answers_can_be_stored_and_copied():
    one, grid = renyi.calibrate(steps=100, **TARGET), renyi.calibrate(steps=[100, 200], **TARGET)
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
    again = pickle.loads(pickle.dumps(grid))
    assert again.shape == (2,) and again[0] == one and np.array_equal(again.value, grid.value)
    assert renyi.calibrate(steps=[], **TARGET).value.dtype == np.float64


@pytest.mark.parametrize("run", ["sampling_rate=0.01, ", ""])  # by seconds and by microseconds each
@pytest.mark.parametrize("after", [0.2, 0.7])
def test_a_long_grid_can_be_interrupted(run, after):
    program = (
        "import signal, numpy as np, renyi\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored in what a shell runs in the background
        "print('ready', flush=True)\n"
        f"renyi.calibrate({run}steps=np.arange(1, 1_000_000), epsilon=1, delta=1e-5)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"ready\n"
        time.sleep(after)
        child.send_signal(signal.SIGINT)
        try:
            _, said = child.communicate(timeout=3600)
        finally:
            child.kill()  # a process that hangs fails the test and does not block others
    assert b"KeyboardInterrupt" in said


def test_an_error_of_the_users_ends_a_grid():
    calls = []

    def broken(order):
        calls.append(order)
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError):
        renyi.explain([renyi.custom_curve(broken)] * 5000)
    assert len(calls) < 2500


def test_shows():
    found = renyi.calibrate(steps=100, **TARGET)
    assert repr(found).startswith("<noise_multiplier = 13.9") and "exact epsilon" in found._repr_html_()
    grid = renyi.calibrate(steps=range(1, 40), **TARGET)
    assert "<th" in grid._repr_html_() and "[19]" in grid._repr_html_() and "and 19 more" in grid._repr_html_()


def test_the_classical_noise_stands_beside_the_exact_one():
    found = renyi.calibrate(steps=1, epsilon=0.5, delta=1e-5)
    assert found.classical == pytest.approx(math.sqrt(2 * math.log(1.25e5)) / 0.5, rel=1e-12)
    assert "classical 9.68962" in repr(found)
    assert renyi.calibrate(steps=1, epsilon=1, delta=1e-5).classical is None


def test_epochs_and_batch_sizes_of_runs_given_by_their_sizes():
    run = dict(dataset_size=60_000, noise_multiplier=1.1, epsilon=2, delta=1e-5)
    epochs = renyi.calibrate(**run, batch_size=256, solve="epochs")
    steps = renyi.calibrate(**run, batch_size=256, solve="steps")
    assert renyi.Run(dataset_size=60_000, batch_size=256, epochs=epochs.value).steps == steps.value
    assert epochs.plan == steps.plan and epochs.exact == steps.exact and epochs.warnings[0].kind == "shuffled-loader"
    batch = renyi.calibrate(**run, epochs=[5, 10], solve="batch_size")
    for value, length in zip(batch.value, (5, 10)):
        sizes = dict(dataset_size=60_000, epochs=length, noise_multiplier=1.1, delta=1e-5)
        assert renyi.epsilon(**sizes, batch_size=int(value)).exact.upper <= 2
        assert renyi.epsilon(**sizes, batch_size=int(value) + 1).exact.upper > 2
    with pytest.raises(renyi.InvalidArgument, match="epochs: got nothing, allowed: together with"):
        renyi.calibrate(**run, solve="epochs")


def test_the_only_step_with_a_number_needs_no_index():
    plan = renyi.Gaussian(3) * 2 + renyi.Laplace(2)
    assert renyi.calibrate(plan, solve="scale", **TARGET) == renyi.calibrate(plan, solve="scale", step=1, **TARGET)
    noise = renyi.calibrate(plan, **TARGET)
    assert noise.value == renyi.calibrate(plan, solve="stddev", **TARGET).value
    with pytest.raises(renyi.InvalidArgument, match="step: got nothing, allowed: one of the 2 steps with count: 0, 1"):
        renyi.calibrate(plan, solve="count", **TARGET)
    with pytest.raises(renyi.Unsupported, match="an l2_sensitivity of its own"):
        renyi.calibrate(renyi.Gaussian(stddev=3, l2_sensitivity=2), step=0, **TARGET)


def test_several_unknowns_share_a_budget():
    plan = renyi.Gaussian(3) * 12 + renyi.Laplace(2) * 3
    found = renyi.calibrate(plan, split=[60, 40], epsilon=1, delta=1e-6)
    first, second = found.values
    assert (first.step, first.parameter, second.parameter) == ((0,), "stddev", "scale")
    assert 12 / 2 / first.value**2 / 0.6 == pytest.approx((3 / second.value / 0.4) ** 2 / 2)
    assert renyi.epsilon(found.plan, delta=1e-6).exact == found.exact and found.exact.upper <= 1
    assert first.value < first.rounded and found.rounded_epsilon < found.exact.upper
    places = [(1, "scale"), (0, "noise_multiplier")]
    turned = renyi.calibrate(plan, split=[40, 60], solve=places, epsilon=1, delta=1e-6)
    assert [each.value for each in turned.values] == pytest.approx([second.value, first.value])
    both = renyi.Plan(renyi.Gaussian(3), renyi.Laplace(2), unit=2)
    persons = renyi.calibrate(both, split=[60, 40], epsilon=1, delta=1e-6)
    assert persons.plan.unit == 2 and 0.999 < renyi.epsilon(persons.plan, delta=1e-6).exact.upper <= 1
    for each in (found, persons):
        assert each.to_dict()["values"][0]["value"] == each.values[0].value
        assert pickle.loads(pickle.dumps(each)).to_json() == each.to_json()
        assert [row[1] for row in each._table().rows] == [value.value for value in each.values]
    equal = renyi.calibrate(plan, split="equal-error", epsilon=1, delta=1e-6)
    assert equal.values[0].stddev == pytest.approx(equal.values[1].stddev)
    assert "stddev = " in repr(equal) and "scale" in equal._repr_html_()


@pytest.mark.parametrize(
    "arguments, field",
    [
        (dict(split=[1]), "split"),
        (dict(split="fair"), "split"),
        (dict(split=[1, -1]), "split[1]"),
        (dict(split=[1, 1], solve=[(0, "stddev"), (7, "scale")]), "solve"),
        (dict(split=[1, 1], solve=[(0, "stddev"), (1, "count")]), "solve[1]"),
        (dict(split=[1, 1], solve=[3]), "solve"),
        (dict(split=[1, 1], solve="luck"), "solve"),
        (dict(split=[1, 1], steps=3), "split"),
        (dict(split=[1, 1], unit=2), "unit"),
        (dict(split=[1, 1], neighbors="zero-out"), "neighbors"),
        (dict(split=[1, 1], delta=None), "delta"),
    ],
)
def test_a_bad_split(arguments, field):
    plan = renyi.Gaussian(3) * 12 + renyi.Laplace(2) * 3
    with pytest.raises(renyi.Error) as caught:
        renyi.calibrate(plan, **{"epsilon": 1, "delta": 1e-6, **arguments})
    assert caught.value.field == field


@pytest.mark.parametrize(
    "ask",
    [
        lambda: renyi.calibrate(solve="sigma", steps=10, **TARGET),
        lambda: renyi.calibrate(solve="sigma", dataset_size=100, batch_size=10, epochs=3, **TARGET),
        lambda: renyi.sweep(op="calibrate", solve="sigma", steps=[10], **TARGET),
    ],
)
def test_a_misspelt_unknown_is_refused_with_what_may_have_been_meant(ask):
    with pytest.raises(renyi.InvalidArgument, match=r"^solve: got 'sigma' \(did you mean noise_multiplier\?\), allowed"):
        ask()


def test_batch_sizes_are_not_rounded_unseen():
    run = dict(dataset_size=1234, epochs=1, noise_multiplier=1.1, epsilon=3.9252, delta=1e-5)
    found = renyi.calibrate(**run, solve="batch_size")
    assert round(found) == round(found, 1) == found.value == 1234
    with pytest.raises(renyi.Unsupported, match="a smaller batch size may cost more"):
        round(found, -1)
