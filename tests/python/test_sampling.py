"""Samples, neighbouring relations, units and parallel parts, as values and in every question."""

import copy
import json
import math
import pickle

import numpy as np
import pytest

import renyi

SCHEMES = [
    renyi.Poisson(rate=0.01),
    renyi.FixedSize(dataset_size=60000, batch_size=256),
    renyi.FixedSize(dataset_size=60000, batch_size=256, padded=True),
    renyi.WithReplacement(dataset_size=600, batch_size=20),
    renyi.TruncatedPoisson(rate=0.01, dataset_size=60000, batch_limit=700),
    renyi.Shuffled(batches=234),
]
#: Analysed by what needs no pair of densities: randomized response and pure DP.
RESPONSE, PURE = renyi.RandomizedResponse(0.75), renyi.PureDp(0.5)
RUN = dict(sampling_rate=0.01, noise_multiplier=1.1, steps=100)


def bits(answer):
    return answer.renyi.hex(), answer.exact.lower.hex(), answer.exact.upper.hex()


# ---- values


@pytest.mark.parametrize("scheme", SCHEMES, ids=repr)
def test_schemes_are_values(scheme):
    assert eval(repr(scheme), vars(renyi)) == scheme
    assert copy.deepcopy(scheme) == scheme == pickle.loads(pickle.dumps(scheme))
    assert len({scheme, copy.copy(scheme)}) == 1 and scheme not in [other for other in SCHEMES if other is not scheme]
    with pytest.raises(AttributeError):
        scheme.rate = 0.5


@pytest.mark.parametrize("scheme", SCHEMES, ids=repr)
@pytest.mark.parametrize("inner", [RESPONSE, renyi.Laplace(2), renyi.Gaussian(1.5)], ids=repr)
def test_sampled_mechanisms_are_values(inner, scheme):
    step = inner.sampled(scheme)
    assert step == inner.sampled(scheme) and hash(step) == hash(inner.sampled(scheme))
    assert step != inner and inner != step and step.kind == inner.kind
    assert step.mechanism == inner and step.sampling == scheme
    assert eval(repr(step), vars(renyi)) == step
    assert pickle.loads(pickle.dumps(step)) == step == copy.deepcopy(step)
    assert not isinstance(step, type(inner))  # nobody takes it for the step on all records


@pytest.mark.parametrize("scheme", SCHEMES, ids=repr)
@pytest.mark.parametrize("inner", [RESPONSE, PURE], ids=repr)
def test_go_round_by_json(inner, scheme):
    plan = renyi.Plan(inner.sampled(scheme), neighbors="zero-out") * 7
    written = json.loads(plan.to_json())["steps"][0]
    assert written["sampling"]["scheme"] == scheme.scheme and written["count"] == 7
    back = renyi.Plan.from_json(plan.to_json())
    assert back == plan and back.steps == (renyi.Step(inner.sampled(scheme), 7),)
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_equal_samples_merge_and_others_do_not():
    a, b = PURE.sampled(renyi.Poisson(0.1)), PURE.sampled(renyi.Poisson(0.2))
    assert (a * 3 + b + a + PURE).merged() == (renyi.Step(a, 4), renyi.Step(b, 1), renyi.Step(PURE, 1))


@pytest.mark.parametrize(
    "make, field",
    [
        (lambda: renyi.Poisson(1.5), "rate"),
        (lambda: renyi.Poisson(-0.1), "rate"),
        (lambda: renyi.Poisson(math.nan), "rate"),
        (lambda: renyi.Poisson("0.1"), "rate"),
        (lambda: renyi.FixedSize(10, 11), "batch_size"),
        (lambda: renyi.FixedSize(10, 1, padded=1), "padded"),
        (lambda: renyi.FixedSize(0, 1), "dataset_size"),
        (lambda: renyi.FixedSize(10, 2.5), "batch_size"),
        (lambda: renyi.WithReplacement(10, 0), "batch_size"),
        (lambda: renyi.TruncatedPoisson(0.1, 100, 0), "batch_limit"),
        (lambda: renyi.Shuffled(0), "batches"),
        (lambda: renyi.Shuffled(True), "batches"),
        (lambda: renyi.Laplace(1).sampled(0.1), "sampling"),
        (lambda: renyi.Laplace(1).sampled(renyi.Poisson), "sampling"),
        (lambda: renyi.SampledGaussian(0.1, 1).sampled(renyi.Poisson(0.1)), "sampling"),
        (lambda: PURE.sampled(renyi.Poisson(0.1)).sampled(renyi.Poisson(0.1)), "sampling"),
        (lambda: renyi.Parallel([PURE]).sampled(renyi.Poisson(0.1)), "mechanism"),
        (lambda: renyi.Parallel([]), "parts"),
        (lambda: renyi.Parallel(PURE), "parts"),
        (lambda: renyi.Parallel([3]), "parts"),
        (lambda: renyi.Parallel([[3]]), "steps"),
        (lambda: renyi.Parallel([PURE], neighbors="friends"), "neighbors"),
        (lambda: renyi.Parallel([PURE * 2, renyi.Plan(PURE, neighbors="zero-out")]), "neighbors"),
        (lambda: renyi.Parallel([renyi.Plan(PURE, unit=2)]), "neighbors"),
        (lambda: renyi.Plan(renyi.Parallel([PURE], neighbors="zero-out")), "neighbors"),
        (lambda: renyi.Accountant(neighbors="zero-out").step(renyi.Parallel([PURE])), "neighbors"),
        (lambda: renyi.Plan(PURE, unit=2) + renyi.Plan(PURE), "unit"),
        (lambda: renyi.Plan(renyi.Plan(PURE, unit=2)), "unit"),
        (lambda: renyi.Accountant(unit=3).step(renyi.Plan(PURE)), "unit"),
        (lambda: renyi.epsilon(renyi.Plan(PURE, unit=2), unit=3, delta=1e-5), "unit"),
        (lambda: renyi.epsilon(**RUN, unit=0, delta=1e-5), "unit"),
        (lambda: renyi.epsilon(**RUN, unit=1.5, delta=1e-5), "unit"),
    ],
)
def test_bad_input_names_its_field(make, field):
    with pytest.raises(renyi.InvalidArgument) as caught:
        make()
    assert caught.value.field.split(".")[-1] == field


# ---- what they cost


def test_a_poisson_sample_of_gaussian_noise_is_the_sampled_gaussian():
    by_name = renyi.SampledGaussian(0.01, 1.1) * 100
    by_sample = renyi.Gaussian(1.1).sampled(renyi.Poisson(0.01)) * 100
    assert bits(renyi.epsilon(by_sample, delta=1e-5)) == bits(renyi.epsilon(by_name, delta=1e-5))
    orders = np.array([1.5, 2, 8])
    assert (renyi.rdp(by_sample, orders=orders) == renyi.rdp(by_name, orders=orders)).all()


def test_sampled_responses_have_their_closed_form():
    """Order 2 of (1-g) Q + g P against Q: ln(1 + g^2 (E_Q[(P/Q)^2] - 1))."""
    rate = 0.1
    for plan, p in ((RESPONSE, 0.75), (PURE, 1 / (1 + math.exp(-0.5)))):
        spread = p**2 / (1 - p) + (1 - p) ** 2 / p - 1
        for count in (1, 5):
            found = renyi.rdp(plan.sampled(renyi.Poisson(rate)) * count, orders=2)
            assert found == pytest.approx(count * math.log1p(rate**2 * spread), rel=1e-12)


def test_an_epoch_is_one_step_and_an_exchange_two_records():
    zeroed = renyi.Plan(renyi.Gaussian(4).sampled(renyi.Shuffled(10)), neighbors="zero-out") * 5
    replaced = renyi.Plan(renyi.Gaussian(4).sampled(renyi.Shuffled(10)), neighbors="replace-one") * 5
    assert renyi.rdp(zeroed, orders=3) == pytest.approx(5 * 3 / (2 * 4**2), rel=1e-12)
    assert renyi.rdp(replaced, orders=3) == pytest.approx(5 * 3 / (2 * 2**2), rel=1e-12)


def test_units_scale_what_is_tight():
    one, four = (renyi.rdp(renyi.Gaussian(8), orders=3, unit=unit) for unit in (1, 4))
    assert four == pytest.approx(16 * one, rel=1e-12) and four >= 16 * one
    assert renyi.rdp(renyi.PureDp(0.1), orders=math.inf, unit=3) == pytest.approx(0.3, rel=1e-12)
    plan = renyi.Plan(renyi.Gaussian(8), unit=4)
    assert plan.unit == 4 and (plan * 3).unit == 4 and (plan + PURE).unit == 4
    assert plan != renyi.Plan(renyi.Gaussian(8)) and renyi.Plan.from_json(plan.to_json()) == plan
    assert repr(plan).endswith("(add-or-remove-one, units of 4)>")
    assert json.loads(plan.to_json())["unit"] == 4


@pytest.mark.parametrize("neighbors", ["add-or-remove-one", "replace-one", "zero-out"])
@pytest.mark.parametrize("unit", [1, 3])
def test_runs_by_keywords_have_relation_and_unit(neighbors, unit):
    run = dict(noise_multiplier=6.0, steps=10, neighbors=neighbors, unit=unit)
    plan = renyi.Plan(renyi.Gaussian(6), neighbors=neighbors, unit=unit) * 10
    by_run, by_plan = renyi.epsilon(**run, delta=1e-5), renyi.epsilon(plan, delta=1e-5)
    assert bits(by_run) == bits(by_plan) and by_run.plan == plan
    many = renyi.epsilon(**{**run, "noise_multiplier": [6.0, 9.0]}, delta=1e-5)
    assert bits(many[0]) == bits(by_plan) and many[0].plan == plan
    assert renyi.delta(**run, epsilon=1).exact.upper == renyi.delta(plan, epsilon=1).exact.upper
    assert renyi.rdp(**run, orders=2) == renyi.rdp(plan, orders=2)
    assert renyi.profile(**run, epsilons=[1.0]).upper == renyi.profile(plan, epsilons=[1.0]).upper
    assert renyi.calibrate(steps=10, epsilon=2, delta=1e-5, neighbors=neighbors, unit=unit).plan.unit == unit
    assert renyi.relate(**run, to="zcdp").zcdp.rho == renyi.relate(plan, to="zcdp").zcdp.rho


def test_a_sampled_gaussian_takes_every_relation_and_unit():
    for neighbors in ("add-or-remove-one", "replace-one", "zero-out"):
        for unit in (1, 4):
            made = renyi.Plan(renyi.SampledGaussian(0.01, 1.1), neighbors=neighbors, unit=unit)
            assert made.steps[0].what == renyi.SampledGaussian(0.01, 1.1)


def test_parallel_parts():
    a, b = renyi.PureDp(0.5), renyi.PureDp(0.2)
    parts = renyi.Parallel([a, b * 2, [b, b, b]])
    assert parts.parts == (renyi.Plan(a), b * 2, renyi.Plan(b, b, b)) and parts.neighbors == "add-or-remove-one"
    assert renyi.rdp(parts, orders=math.inf) == pytest.approx(0.6)  # the largest part counts
    assert renyi.rdp(parts * 2 + a, orders=math.inf) == pytest.approx(1.7)
    assert parts == renyi.Parallel([a, b * 2, [b, b, b]]) and parts != renyi.Parallel([a])
    assert hash(parts) == hash(copy.deepcopy(parts)) and pickle.loads(pickle.dumps(parts)) == parts
    plan = parts * 2
    assert renyi.Plan.from_json(plan.to_json()) == plan
    assert [len(part) for part in json.loads(plan.to_json())["steps"][0]["parallel"]] == [1, 1, 3]
    assert (plan + parts).merged() == (renyi.Step(parts, 3),)
    zeroed = renyi.Parallel([renyi.Gaussian(2).sampled(renyi.Shuffled(5)), a], neighbors="zero-out")
    assert renyi.epsilon(zeroed, delta=1e-5).plan.neighbors == (zeroed * 3).neighbors == "zero-out"
    with pytest.raises(renyi.Unsupported, match="replace-one"):
        renyi.Plan(renyi.Parallel([a], neighbors="replace-one"), neighbors="replace-one")


def test_accountants_have_relation_and_unit():
    account = renyi.Accountant(neighbors="zero-out", unit=2)
    step = renyi.Gaussian(9).sampled(renyi.Shuffled(20))
    for _ in range(3):
        account.step(step)
    assert account.plan == renyi.Plan(step, neighbors="zero-out", unit=2) * 3
    assert bits(account.epsilon(1e-5)) == bits(renyi.epsilon(account.plan, delta=1e-5))
    resumed = renyi.Accountant()
    resumed.load_state_dict(json.loads(json.dumps(account.state_dict())))
    resumed.step(step)
    assert resumed.plan == renyi.Plan(step, neighbors="zero-out", unit=2) * 4
    assert pickle.loads(pickle.dumps(account)).plan == account.plan
    parts = renyi.Accountant(renyi.Parallel([PURE, PURE * 2]))
    parts.step(PURE.sampled(renyi.Poisson(0.1)), count=4)
    assert parts.steps == 5 and parts.epsilon(1e-5).upper > 0


def test_calibration_reaches_the_sample():
    plan = PURE.sampled(renyi.Poisson(0.5)) * 40
    found = renyi.calibrate(plan, solve="sampling.rate", epsilon=1, delta=1e-6)
    assert 0 < found.value < 0.5
    assert found.plan == PURE.sampled(renyi.Poisson(found.value)) * 40
    assert 1 - 1e-5 <= renyi.epsilon(found.plan, delta=1e-6).upper <= 1


# ---- custom mechanisms


def normal(mean):
    return lambda x: -((x - mean) ** 2) / 2 - math.log(2 * math.pi) / 2


def test_custom_pairs_of_probabilities_are_sampled_exactly():
    mine = renyi.custom_pair([0.75, 0.25], [0.25, 0.75]).sampled(renyi.Poisson(0.1))
    built_in = RESPONSE.sampled(renyi.Poisson(0.1))
    found, truth = renyi.epsilon(mine * 20, delta=1e-5), renyi.epsilon(built_in * 20, delta=1e-5)
    assert found.exact.upper == pytest.approx(truth.exact.upper, rel=1e-5)
    assert mine == mine.mechanism.sampled(renyi.Poisson(0.1)) and mine != renyi.custom_pair([0.75, 0.25], [0.25, 0.75])
    assert repr(mine) == "<CustomMechanism: custom pair>.sampled(Poisson(rate=0.1))"
    with pytest.raises(renyi.Unsupported, match="no JSON form"):
        (mine * 2).to_json()


@pytest.mark.parametrize("rate", [0.1, 1e-3, 1e-6])
def test_own_densities_are_sampled_by_their_mixture(rate):
    mine = renyi.custom_pair(normal(1), normal(0)).sampled(renyi.Poisson(rate))
    orders = [1.5, 2, 8]
    for direction in ("remove", "add"):
        found = renyi.rdp(mine, orders=orders, direction=direction)
        truth = renyi.rdp(renyi.SampledGaussian(rate, 1), orders=orders, direction=direction)
        assert found == pytest.approx(truth, rel=1e-9)
    account = renyi.Accountant(mine)
    account.step(mine, count=99)
    assert account.epsilon(1e-5, want="renyi").renyi == pytest.approx(
        renyi.epsilon(renyi.SampledGaussian(rate, 1) * 100, delta=1e-5, want="renyi").renyi, rel=1e-6
    )


def test_custom_curves_are_sampled_by_a_bound():
    mine = renyi.custom_curve(lambda order: order / 8).sampled(renyi.Poisson(0.01))
    bound, exact = renyi.rdp(mine, orders=3), renyi.rdp(renyi.SampledGaussian(0.01, 2), orders=3)
    assert exact < bound <= 3 / 8 * (1 + 1e-12)
    with pytest.raises(renyi.Unsupported):
        renyi.Plan(mine, neighbors="replace-one")


# ---- others' mistakes


@pytest.mark.parametrize("whole", [1, np.int64(1), np.int32(1), np.uint8(1), np.float32(1), np.longdouble(1)], ids=repr)
def test_whole_noise_takes_the_path_of_any_other(whole):
    """An integer is the number it is: the same bits as the float, in every question."""
    run = dict(sampling_rate=0.01, steps=100)
    truth = renyi.epsilon(noise_multiplier=1.0, **run, delta=1e-5)
    assert bits(renyi.epsilon(noise_multiplier=whole, **run, delta=1e-5)) == bits(truth)
    assert bits(renyi.epsilon(noise_multiplier=np.array([whole]), **run, delta=1e-5)[0]) == bits(truth)
    assert bits(renyi.epsilon(renyi.SampledGaussian(0.01, whole) * 100, delta=1e-5)) == bits(truth)
    sampled = renyi.Gaussian(whole).sampled(renyi.Poisson(0.01)) * 100
    assert bits(renyi.epsilon(sampled, delta=1e-5)) == bits(truth)
    account = renyi.Accountant()
    account.step(noise_multiplier=whole, sampling_rate=0.01, count=100)
    assert bits(account.epsilon(1e-5)) == bits(truth)
    for order in (2, 2.5):
        found = renyi.rdp(noise_multiplier=whole, **run, orders=order)
        assert found.hex() == renyi.rdp(noise_multiplier=1.0, **run, orders=order).hex()


def test_whole_noise_in_json():
    step = '{"mechanism":"sampled-gaussian","sampling_rate":0.01,"noise_multiplier":%s,"count":100}'
    text = '{"renyi":1,"steps":[' + step + "]}"
    whole, real = (renyi.Plan.from_json(text % number) for number in ("1", "1.0"))
    assert whole == real and whole.to_json() == real.to_json()
    assert bits(renyi.epsilon(whole, delta=1e-5)) == bits(renyi.epsilon(real, delta=1e-5))


def test_a_sampled_zcdp_step_is_no_sampled_gaussian():
    """Only rho a is known of it: Gaussian noise of that rho on the sample would be the wrong curve."""
    step = renyi.Zcdp(0.5).sampled(renyi.Poisson(0.01))
    assert step.kind == "zcdp" and renyi.epsilon(step * 100, delta=1e-5).unavailable is not None
    gaussian = renyi.SampledGaussian(0.01, 1) * 100
    assert renyi.epsilon(step * 100, delta=1e-5).renyi > renyi.epsilon(gaussian, delta=1e-5).renyi
