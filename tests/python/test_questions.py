"""epsilon, delta, rdp: one at a time and in arrays."""

import concurrent.futures
import copy
import decimal
import fractions
import functools
import math
import multiprocessing
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import renyi

RUN = dict(sampling_rate=0.01, noise_multiplier=1.1, steps=10_000)


def test_reference_epsilon():
    found = renyi.epsilon(**RUN, delta=1e-5)
    # The reference value of the truth tables, to the digits it has.
    assert found.exact.lower - 1e-12 <= 5.192583445883 <= found.exact.upper + 1e-12
    assert found.exact.width < 1e-8
    assert found.exact.engine == "contour" and found.exact.direction == "remove"
    assert found.exact.add.upper < found.exact.remove.lower
    assert found.exact.upper < found.renyi < 5.64
    assert found.delta == 1e-5
    assert 4 < found.order < 6 and found.conversion == "tight"
    assert float(found) == found.upper == found.exact.upper
    assert found.plan == renyi.SampledGaussian(0.01, 1.1) * 10_000
    assert found.unavailable is None


def test_says_whose_figure_it_is():
    attained = renyi.epsilon(**RUN, delta=1e-5)
    assert attained.standing == "attained" and attained.note is None
    promised = renyi.epsilon(renyi.PureDp(1.0), delta=1e-5)
    assert promised.standing == "promised"
    assert promised.note == "exact for the worst step with that promise; what was run may cost less"
    assert promised.note in repr(promised)
    assert pickle.loads(pickle.dumps(promised)) == promised
    account = renyi.Accountant()
    account.step(renyi.PureDp(1.0))
    assert account.epsilon(1e-5).standing == "promised"
    many = renyi.epsilon([renyi.PureDp(1.0), renyi.Gaussian(2)], delta=1e-5)
    assert list(many.standing) == ["promised", "attained"]
    assert [one.note is None for one in many] == [False, True]
    unknown = renyi.epsilon([renyi.Zcdp(0.1), renyi.Gaussian(2)], delta=1e-5)
    assert list(unknown.standing) == ["", "attained"]
    with pytest.raises(renyi.Unsupported, match="bounds on its divergences"):
        unknown[0].standing  # noqa: B018
    bound = renyi.epsilon(**RUN, delta=1e-5, want="renyi")
    assert bound.note is None
    with pytest.raises(renyi.Unsupported, match="not asked for"):
        bound.standing  # noqa: B018


def test_gaussian_closed_form():
    found = renyi.rdp(noise_multiplier=2, steps=3, orders=[1, 2, 4.5, math.inf])
    np.testing.assert_allclose(found[:3], 3 * np.array([1, 2, 4.5]) / 8, rtol=1e-14)
    assert np.all(found[:3] >= 3 * np.array([1, 2, 4.5]) / 8) and found[3] == math.inf
    assert isinstance(renyi.rdp(renyi.Gaussian(2), orders=2), float)


def test_directions_and_methods():
    both = [renyi.rdp(**RUN, orders=8, direction=d) for d in ("remove", "add")]
    assert renyi.rdp(**RUN, orders=8) == max(both) > min(both)
    assert renyi.rdp(**RUN, orders=8, method="integer", direction="remove") == pytest.approx(both[0], rel=1e-12)
    assert len(renyi.rdp(**RUN, orders="traditional")) > 10


def test_delta_goes_back():
    found = renyi.delta(**RUN, epsilon=renyi.epsilon(**RUN, delta=1e-5).exact.upper)
    assert found.exact.lower == pytest.approx(1e-5, rel=1e-8)
    assert found.epsilon > 5 and found.renyi > found.exact.upper


def test_parts_that_were_not_asked_for():
    found = renyi.epsilon(**RUN, delta=1e-5, want="renyi")
    assert float(found) == found.renyi
    with pytest.raises(renyi.Unsupported, match="want"):
        found.exact
    with pytest.raises(renyi.Unsupported, match="want"):
        renyi.epsilon(**RUN, delta=1e-5, want=["exact"]).renyi


def test_no_exact_figure():
    found = renyi.epsilon(renyi.Zcdp(0.1), delta=1e-5)
    assert found.unavailable and float(found) == found.renyi
    with pytest.raises(renyi.Unsupported) as caught:
        found.exact
    assert caught.value.why == found.unavailable
    many = renyi.epsilon([renyi.Zcdp(0.1), renyi.Gaussian(2)], delta=1e-5)
    assert many.exact.upper[0] == math.inf and many.exact.lower[0] == 0
    assert list(many.unavailable) == [found.unavailable, ""]
    with pytest.raises(renyi.Unsupported) as caught:
        renyi.epsilon(renyi.Zcdp(0.1), delta=1e-5, want="exact")
    assert caught.value.why == found.unavailable
    assert many.upper[0] == found.renyi and many.upper[1] == many.exact.upper[1]


def test_infinite_where_nothing_is_private():
    found = renyi.epsilon(renyi.Gaussian(1), delta=0)
    assert found.renyi == math.inf and found.exact.upper == math.inf
    assert "inf" in repr(found)


def test_broadcasts_every_number():
    found = renyi.epsilon(
        sampling_rate=np.array([0.01, 0.02])[:, None, None],
        noise_multiplier=[[1.0], [2.0], [3.0]],
        steps=np.array([100, 1000], dtype=np.int32),
        delta=1e-5,
    )
    assert found.shape == found.renyi.shape == found.exact.add.lower.shape == (2, 3, 2)
    assert found.delta.shape == (2, 3, 2) and len(found) == 2
    one = renyi.epsilon(sampling_rate=0.02, noise_multiplier=3.0, steps=100, delta=1e-5)
    assert found.renyi[1, 2, 0] == one.renyi
    assert found.exact.upper[1, 2, 0] == one.exact.upper
    assert found.exact.remove.lower[1, 2, 0] == one.exact.remove.lower
    assert found.exact.engine[1, 2, 0] == one.exact.engine
    assert found.exact.direction[1, 2, 0] == one.exact.direction
    assert found.conversion[1, 2, 0] == one.conversion and found.order[1, 2, 0] == one.order
    assert np.array_equal(np.asarray(found), found.upper)
    assert renyi.delta(**RUN, epsilon=np.linspace(0, 8, 5)).exact.upper.shape == (5,)
    orders = renyi.rdp(sampling_rate=[0.01, 0.1], noise_multiplier=1, orders=np.array([[2], [3], [4]]))
    assert orders.shape == (3, 2) and orders[2, 1] == renyi.rdp(renyi.SampledGaussian(0.1, 1), orders=4)
    assert renyi.epsilon(noise_multiplier=np.zeros(0), delta=1e-5).renyi.shape == (0,)


def test_plans_broadcast_too():
    plans = [renyi.Gaussian(2) * 3, renyi.Laplace(5)]
    found = renyi.epsilon(plans, delta=np.array([[1e-5], [1e-6], [1e-7]]))
    assert found.shape == (3, 2)
    assert found.exact.upper[2, 1] == renyi.epsilon(plans[1], delta=1e-7).exact.upper


@pytest.mark.parametrize(
    "arguments, field",
    [
        (dict(delta=2, noise_multiplier=1.0), "delta"),
        (dict(delta=math.nan, noise_multiplier=1.0), "delta"),
        (dict(delta="1e-5", noise_multiplier=1.0), "delta"),
        (dict(delta=True, noise_multiplier=1.0), "delta"),
        (dict(delta=1e-5), "noise_multiplier"),
        (dict(delta=1e-5, noise_multiplier=-1.0), "noise_multiplier"),
        (dict(delta=1e-5, noise_multiplier=[1, -1]), "noise_multiplier[1]"),
        (dict(delta=1e-5, noise_multiplier=[[1, 2], [1, -1]]), "noise_multiplier[1, 1]"),
        (dict(delta=1e-5, noise_multiplier=[1, [2]]), "noise_multiplier"),
        (dict(delta=1e-5, noise_multiplier=1.0, sampling_rate=1.5), "sampling_rate"),
        (dict(delta=1e-5, noise_multiplier=1.0, steps=1.5), "steps"),
        (dict(delta=1e-5, noise_multiplier=1.0, steps=0), "steps"),
        (dict(delta=1e-5, noise_multiplier=1.0, steps=[1, 0]), "steps[1]"),
        (dict(delta=1e-5, noise_multiplier=1.0, steps=2**63), "steps"),
        (dict(delta=[1e-5, 1e-6], noise_multiplier=[1, 2, 3]), "shapes"),
        (dict(delta=1e-5, noise_multiplier=1.0, want="all"), "want"),
        (dict(delta=1e-5, noise_multiplier=1.0, want=()), "want"),
        (dict(delta=1e-5, noise_multiplier=1.0, tolerance=0), "tolerance"),
        (dict(delta=1e-5, noise_multiplier=1.0, memory=0), "memory"),
        (dict(delta=1e-5, noise_multiplier=1.0, want="renyi", tolerance=1), "tolerance"),
        (dict(delta=1e-5, noise_multiplier=1.0, orders=[1, 2]), "orders"),
        (dict(delta=1e-5, noise_multiplier=1.0, conversion="loose"), "conversion"),
        (dict(delta=1e-5, noise_multiplier=1.0, neighbors="x"), "neighbors"),
        (dict(delta=1e-5, noise_multiplier=1.0, neighbors=5), "neighbors"),
        (dict(delta=1e-5, noise_multiplier=1.0, neighbors=""), "neighbors"),
        (dict(delta=1e-5, noise_multiplier=1.0, neighbors="\ud800"), "neighbors"),
        (dict(delta=1e-5, plan=renyi.Gaussian(1), neighbors=5), "neighbors"),
        (dict(delta=1e-5, noise_multiplier=1.0, steps=-(2**63) - 1), "steps"),
        (dict(delta=1e-5, noise_multiplier=10**400), "noise_multiplier"),
        (dict(delta=1e-5, noise_multiplier=1.0, conversion=5), "conversion"),
        (dict(delta=1e-5, noise_multiplier=1.0, conversion=["tight"]), "conversion"),
        (dict(delta=1e-5, noise_multiplier=1.0, want=5), "want"),
        (dict(delta=1e-5, noise_multiplier=1.0, want=None), "want"),
        (dict(delta=1e-5, noise_multiplier=1.0, want=[["renyi"]]), "want"),
        (dict(delta=1e-5, noise_multiplier=1.0, want=(["renyi"],)), "want"),
        (dict(delta=1e-5, noise_multiplier=1.0, tolerance="a"), "tolerance"),
        (dict(delta=1e-5, noise_multiplier=1.0, tolerance=np.array([1.0])), "tolerance"),
        (dict(delta=1e-5, noise_multiplier=1.0, tolerance=True), "tolerance"),
        (dict(delta=1e-5, noise_multiplier=1.0, tolerance=math.inf), "tolerance"),
        (dict(delta=1e-5, noise_multiplier=1.0, memory=[5]), "memory"),
        (dict(delta=1e-5, noise_multiplier=[True, 2.0]), "noise_multiplier"),
        (dict(delta=1e-5, noise_multiplier=[[2.0], [np.bool_(True)]]), "noise_multiplier"),
        (dict(delta=1e-5, noise_multiplier=[np.array([True]), np.array([2.0])]), "noise_multiplier"),
        (dict(delta=1e-5, noise_multiplier=1.0, steps=[True, 2]), "steps"),
        (dict(delta=1e-5, noise_multiplier=np.ma.array([1.0, 2.0], mask=[False, True])), "noise_multiplier"),
        (dict(delta=1e-5, noise_multiplier=[1.0, np.ma.masked]), "noise_multiplier"),
        (dict(delta=1e-5, noise_multiplier=1.0, steps=np.ma.array([1, 2], mask=[True, False])), "steps"),
        (dict(delta=1e-5, noise_multiplier=np.array([np.longdouble("1e4000")])), "noise_multiplier"),
        (dict(delta=-1, noise_multiplier=[1, 2]), "delta"),
        (dict(delta=[[1e-5], [2]], noise_multiplier=[1, 2, 3]), "delta[1, 0]"),
        (dict(delta=1e-5, sampling_rate=[[0.1], [0.2]], noise_multiplier=[1, -1]), "noise_multiplier[1]"),
        (dict(delta=1e-5, plan=renyi.Gaussian(1), steps=3), "steps"),
        (dict(delta=1e-5, plan=renyi.Plan(renyi.Gaussian(1)), neighbors="replace-one"), "neighbors"),
        (dict(delta=1e-5, plan="laplace"), "plan"),
        (dict(delta=1e-5, plan=[]), "plan"),
    ],
)
def test_bad_input_names_its_field(arguments, field):
    with pytest.raises(renyi.InvalidArgument) as caught:
        renyi.epsilon(**arguments)
    assert caught.value.field == field


def test_what_was_accepted_before_is_refused_still():
    run = dict(noise_multiplier=1.0, delta=1e-5)
    assert renyi.epsilon(**run, memory=5, tolerance=1) == renyi.epsilon(**run, memory=np.int64(5), tolerance=1.0)
    for option in (dict(memory=5.0), dict(tolerance=True)):
        with pytest.raises(renyi.InvalidArgument):
            renyi.epsilon(**run, **option)


@pytest.mark.parametrize(
    "arguments, field",
    [
        (dict(orders=[2, 0.5]), "orders[1]"),
        (dict(orders=0.5), "orders"),
        (dict(orders=[[2], [0.5]], noise_multiplier=[1, 2]), "orders[1, 0]"),
        (dict(orders=2, direction=5), "direction"),
        (dict(orders=2, direction="\ud800"), "direction"),
        (dict(orders=2, method=5), "method"),
        (dict(orders=2, method=None), "method"),
    ],
)
def test_bad_orders_and_ways(arguments, field):
    with pytest.raises(renyi.InvalidArgument) as caught:
        renyi.rdp(**{"noise_multiplier": 2, **arguments})
    assert caught.value.field == field


def test_masks_that_hide_nothing_are_no_matter():
    masked = np.ma.array([1.0, 2.0], mask=[False, False])
    found, expected = (renyi.epsilon(noise_multiplier=noise, delta=1e-5) for noise in (masked, [1, 2]))
    assert np.array_equal(found, expected)


def test_numbers_of_every_kind_are_the_same_run():
    expected = renyi.epsilon(noise_multiplier=2.0, sampling_rate=0.5, steps=1, delta=0.25)
    for number in (int, np.float32, np.int64, fractions.Fraction, np.longdouble, np.array):
        for half in (float, np.float32, fractions.Fraction):
            run = dict(noise_multiplier=number(2), sampling_rate=half(0.5), delta=half(0.25))
            assert renyi.epsilon(**run) == renyi.epsilon(**run, steps=np.int32(1)) == expected
            assert renyi.epsilon(**run).plan == expected.plan


def test_elements_are_answers():
    many = renyi.epsilon(
        sampling_rate=[[0.01], [0.02]], noise_multiplier=[1.0, 1.5, 2.0], steps=100, delta=[1e-5, 1e-6, 1e-7]
    )
    one = renyi.epsilon(sampling_rate=0.02, noise_multiplier=1.5, steps=100, delta=1e-6)
    assert many[1, 1] == one and many[1, 1].plan == one.plan and repr(many[-1, 1]) == repr(one)
    assert [[type(cell) for cell in row] for row in many] == [[renyi.Epsilon] * 3] * 2
    part = many[1, ::2]
    assert isinstance(part, renyi.EpsilonArray) and part.shape == (2,) and part.delta.tolist() == [1e-5, 1e-7]
    assert np.array_equal(part.exact.remove.upper, many.exact.remove.upper[1, ::2])
    assert np.array_equal(part, many.upper[1, ::2]) and part[1] == many[1, 2]
    mixed = renyi.delta([renyi.Zcdp(0.1), renyi.Gaussian(2)], epsilon=1)
    assert mixed[0] == renyi.delta(renyi.Zcdp(0.1), epsilon=1) and mixed[0].unavailable
    assert mixed[1].exact.remove == renyi.delta(renyi.Gaussian(2), epsilon=1).exact.remove
    only = renyi.epsilon(noise_multiplier=[1, 2], delta=1e-5, want="exact")
    assert only[1] == renyi.epsilon(noise_multiplier=2, delta=1e-5, want="exact")
    with pytest.raises(renyi.Unsupported):
        only[1].renyi
    with pytest.raises(IndexError):
        many[2]


def test_what_is_written_to_a_column_does_not_reach_the_answer():
    noise, deltas = np.array([1.0, 2.0]), np.array([1e-5, 1e-6])
    found = renyi.epsilon(noise_multiplier=noise, delta=deltas)
    before = pickle.dumps([found.upper, found.delta, found.exact.lower, found.exact.engine])
    for column in (found.renyi, found.order, found.delta, found.at, found.upper, found.exact.lower, noise, deltas):
        column[:] = 7
    found.exact.engine[:] = "mine"
    assert pickle.dumps([found.upper, found.delta, found.exact.lower, found.exact.engine]) == before
    assert found[0].plan == renyi.Plan(renyi.Gaussian(1))


def test_answers_can_be_stored_and_copied():
    one, many = renyi.epsilon(**RUN, delta=1e-5), renyi.delta(**RUN, epsilon=[[1.0], [2.0]])
    bound = renyi.epsilon(renyi.Zcdp(0.1), delta=1e-5)
    part = renyi.epsilon(renyi.Laplace(2), delta=1e-5, want="renyi")
    for found in (one, bound, part, many[0, 0]):
        for again in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
            assert again == found and again.plan == found.plan and repr(again) == repr(found)
            assert type(again) is type(found) and again._repr_html_() == found._repr_html_()
    assert pickle.loads(pickle.dumps(one.exact)).remove == one.exact.remove
    for again in (pickle.loads(pickle.dumps(many)), copy.deepcopy(many)):
        assert again.shape == (2, 1) and again[1, 0] == many[1, 0] and again[1, 0].plan == one.plan
        assert np.array_equal(again.exact.add.lower, many.exact.add.lower) and repr(again) == repr(many)
    with pytest.raises(renyi.Unsupported, match="want"):
        pickle.loads(pickle.dumps(part)).exact


def test_processes_may_share_the_work():
    ask = functools.partial(renyi.epsilon, renyi.Gaussian(2))
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        asked = [pool.submit(ask, delta=delta) for delta in (1e-5, 1e-6)]
        assert [one.result(timeout=3600) for one in asked] == [ask(delta=1e-5), ask(delta=1e-6)]


def test_comparisons_are_of_upper_bounds():
    low, high = (renyi.epsilon(noise_multiplier=sigma, delta=1e-5) for sigma in (2.0, 1.0))
    assert low < high and high > low and low <= low and high >= high and not high < low
    assert low < 3 < high and low <= low.upper and np.float64(low.upper) <= low
    assert high > np.float32(3) and high < 10**400
    assert low != high and low == renyi.epsilon(renyi.Gaussian(2), delta=1e-5) and len({low, low, high}) == 2
    assert low != low.upper
    for nan in (math.nan, np.float32("nan")):
        with pytest.raises(renyi.InvalidArgument):
            low > nan
    with pytest.raises(TypeError):
        low < renyi.delta(renyi.Gaussian(2), epsilon=1)
    with pytest.raises(TypeError):
        low < "3"


@pytest.mark.parametrize("spec", [".3f", ".0f", "10.2f", ".2e", ".4g", "g", ".1%", "%", "+.5f", ",.2f", "<12.3f", "8"])
def test_formats_are_rounded_up(spec):
    def said(text):
        return decimal.Decimal(text.strip().rstrip("%").replace(",", ""))

    scale = 100 if "%" in spec else 1
    for sigma in (0.1, 0.9, 2.0, 7.0):
        found = renyi.epsilon(noise_multiplier=sigma, delta=1e-5)
        shown, nearest = said(format(found, spec)), said(format(found.upper, spec))
        assert float(shown) >= found.upper * scale
        assert shown in (nearest, nearest + decimal.Decimal((0, (1,), nearest.as_tuple().exponent)))
    assert f"{renyi.epsilon(renyi.Gaussian(1), delta=0):.3f}" == "inf"
    large = renyi.epsilon(renyi.Gaussian(0.01), delta=1e-5)
    assert f"{large:_.2f}".replace("_", ",") == f"{large:,.2f}" and float(f"{large:_.2f}") >= float(large)
    assert float(f"{large:n}") >= float(large) and round(large, -400) == math.inf
    assert f"{found}" == str(found) == repr(found)


def test_arrays_show_bounds():
    many = renyi.epsilon(noise_multiplier=[1.0, 1.5], delta=1e-5)
    for text in (repr(many), repr(many.exact), many._repr_html_(), many.exact._repr_html_()):
        for one in many:
            assert f"{one.upper:.5g}"[:5] in text
    shown = [decimal.Decimal(text) for text in repr(many).split("bounds [")[1].rstrip("]>").split(", ")]
    assert all(text >= decimal.Decimal(float(upper)) for text, upper in zip(shown, many.upper))
    assert "[1]" in many._repr_html_() and "and 80 more" in renyi.epsilon(
        noise_multiplier=np.linspace(1, 2, 100), delta=1e-5
    )._repr_html_()


def test_an_interval_that_stopped_says_so():
    assert repr(renyi.Interval(1.0, 2.0, "lattice", True)) == "[1, 2] by lattice, stopped at its cap"
    assert repr(renyi.Interval(1.0, 2.0, "lattice", False)) == "[1, 2] by lattice"


def test_a_contradiction_is_shown():
    answer = renyi.epsilon(renyi.Gaussian(2.0), delta=1e-5)
    assert answer.contradiction == "" and "contradiction" not in answer.to_dict()["exact"]
    many = renyi.epsilon(renyi.Gaussian(2.0), delta=[1e-5, 1e-6])
    assert many[1].contradiction == ""
    restored, (_, values, plan, told) = answer.__reduce__()
    values["found"]["contradiction"] = "two methods gave intervals that do not meet"
    wrong = restored(renyi.Epsilon, values, plan, told)
    assert wrong.contradiction == wrong.to_dict()["exact"]["contradiction"] == values["found"]["contradiction"]
    assert "defect two methods gave" in repr(wrong) and "defect" in wrong._repr_html_()
    assert pickle.loads(pickle.dumps(wrong)).contradiction == wrong.contradiction
    del values["found"]["contradiction"]
    assert restored(renyi.Epsilon, values, plan, told).contradiction == ""


def test_unsupported_relation():
    shuffled = renyi.Gaussian(2).sampled(renyi.Shuffled(10))
    with pytest.raises(renyi.Unsupported, match="^neighbors: .*add-or-remove-one"):
        renyi.epsilon(shuffled, delta=1e-5)
    epoch = renyi.epsilon(shuffled, delta=1e-5, neighbors="zero-out").exact.upper
    step = renyi.epsilon(renyi.Gaussian(2), delta=1e-5, neighbors="zero-out").exact.upper
    assert step <= epoch <= step * (1 + 1e-12)


def test_what_is_printed_is_still_a_bound():
    found = renyi.epsilon(**RUN, delta=1e-5)
    shown = repr(found)
    upper = decimal.Decimal(shown.split("<= ")[1].split(" ")[0])
    lower = decimal.Decimal(shown.split("[")[1].split(",")[0])
    assert upper >= decimal.Decimal(found.upper) and lower <= decimal.Decimal(found.exact.lower)
    assert upper - lower < decimal.Decimal("3e-5")
    assert str(upper) in found._repr_html_()


def test_intervals_are_small_values():
    interval = renyi.epsilon(**RUN, delta=1e-5).exact
    lower, upper = interval
    assert lower in interval and upper in interval and upper + 1 not in interval
    assert interval == renyi.epsilon(**RUN, delta=1e-5).exact


def test_options_reach_the_engine():
    grid = renyi.epsilon(**RUN, delta=1e-5, orders="traditional", want="renyi")
    free = renyi.epsilon(**RUN, delta=1e-5, want="renyi")
    assert grid.renyi > free.renyi
    assert renyi.epsilon(**RUN, delta=1e-5, orders=[8], want="renyi").order == 8
    assert renyi.epsilon(**RUN, delta=1e-5, conversion="classical", want="renyi").renyi > free.renyi
    coarse = renyi.epsilon(renyi.Laplace(2) * 3, delta=1e-6, tolerance=0.1)
    fine = renyi.epsilon(renyi.Laplace(2) * 3, delta=1e-6, tolerance=1e-6)
    assert coarse.exact.engine == fine.exact.engine == "lattice"
    assert fine.exact.width < coarse.exact.width


def test_a_long_array_can_be_interrupted():
    program = (
        "import signal, numpy as np, renyi\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored in what a shell runs in the background
        "print('ready', flush=True)\n"
        "renyi.epsilon(noise_multiplier=np.linspace(0.5, 5, 3_000_000), sampling_rate=0.01, steps=100, delta=1e-5)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"ready\n"
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=3600)
    assert b"KeyboardInterrupt" in said


def test_a_method_answers_the_renyi_bound_alone():
    run = dict(sampling_rate=0.01, noise_multiplier=4, steps=10_000)
    found = renyi.epsilon(**run, delta=1e-5, method="closed-form")
    with pytest.raises(renyi.Unsupported, match="not asked for"):
        found.exact
    # 2 q^2 a / s^2 a step, Canonne, Kamath, Steinke 2020, Proposition 12.
    a = found.order
    divergence = 10_000 * 2 * 0.01**2 / 16 * a
    expected = divergence + (math.log(1e5) - math.log(a)) / (a - 1) - math.log1p(1 / (a - 1))
    assert found.renyi == pytest.approx(expected, rel=1e-12)
    usual = renyi.epsilon(**run, delta=1e-5, want="renyi")
    assert renyi.epsilon(**run, delta=1e-5, method="series").renyi == pytest.approx(usual.renyi, rel=1e-9)
    whole = renyi.epsilon(**run, delta=1e-5, method="integer")
    assert whole.order == round(whole.order) and whole.renyi >= usual.renyi
    assert renyi.delta(**run, epsilon=2, method="closed-form").renyi > renyi.delta(**run, epsilon=2, want="renyi").renyi
    many = renyi.epsilon(**run, delta=[1e-5, 1e-6], method="closed-form")
    assert many.renyi[0] == found.renyi < many.renyi[1]
    with pytest.raises(renyi.Unsupported, match="noise_multiplier >= 4 fails"):
        renyi.epsilon(**RUN, delta=1e-5, method="closed-form")
    for bad in (dict(method="guess"), dict(method=3), dict(method="series", want="exact")):
        with pytest.raises(renyi.InvalidArgument) as refused:
            renyi.epsilon(**run, delta=1e-5, **bad)
        assert refused.value.field == "method"
