"""Limits of time, and control-C."""

import inspect
import signal
import threading

import numpy as np
import pytest

import renyi

RUN = dict(sampling_rate=0.01, noise_multiplier=1.1, steps=1000)
SLOW = renyi.Laplace(2).sampled(renyi.Poisson(0.1)) * 10  # every value of its curve is an integral


def test_at_the_limit_an_answer_contains_the_unlimited_one():
    free = renyi.epsilon(**RUN, delta=1e-5)
    then = renyi.epsilon(**RUN, delta=1e-5, timeout=0)
    assert then.exact.lower <= free.exact.lower and then.exact.upper >= free.exact.upper
    assert then.exact.limited and then.exact.engine == "bounds"
    assert then.limit.startswith("the time limit of 0 s was reached")
    assert then.to_dict()["limit"] == then.limit
    assert free.limit == "" and "limit" not in free.to_dict()


def test_arrays_and_reports_say_so_too():
    then = renyi.delta(**RUN, epsilon=[0.1, 1.0], timeout=0)
    free = renyi.delta(**RUN, epsilon=[0.1, 1.0])
    assert np.all(then.exact.upper >= free.exact.lower) and np.all(then.exact.limited)
    assert then[0].limit.startswith("the time limit")
    assert renyi.tradeoff(**RUN, timeout=0).limit.startswith("the time limit")
    assert renyi.tradeoff(**RUN).limit == ""


def test_where_nothing_is_proved_the_limit_is_an_error():
    with pytest.raises(renyi.LimitReached) as reached:
        renyi.epsilon(SLOW, delta=1e-5, timeout=0)
    assert reached.value.limit == "time" and "0 s" in reached.value.why and "more time" in reached.value.instead
    with pytest.raises(renyi.LimitReached):
        renyi.calibrate(sampling_rate=0.01, steps=1000, epsilon=2, delta=1e-5, timeout=0)
    assert renyi.epsilon(SLOW, delta=1e-5).upper < 5  # the limit ended with its question


def test_a_timeout_is_a_number_of_seconds():
    for wrong in (-1, float("nan")):
        with pytest.raises(renyi.InvalidArgument) as error:
            renyi.epsilon(**RUN, delta=1e-5, timeout=wrong)
        assert error.value.field == "timeout"
    assert renyi.epsilon(**RUN, delta=1e-5, timeout=3600).exact == renyi.epsilon(**RUN, delta=1e-5).exact


def test_every_question_has_a_timeout():
    questions = "accuracy ask calibrate certify compare delta design_filter divergence epsilon explain loss profile rdp"
    for name in (questions + " relate report sweep tradeoff verify").split():
        assert "timeout" in inspect.signature(getattr(renyi, name)).parameters, name
    for method in (renyi.Accountant.epsilon, renyi.Accountant.delta):
        assert "timeout" in inspect.signature(method).parameters


def test_a_sweep_limits_each_point():
    rows = renyi.sweep(**RUN, delta=[1e-5, 1e-6], timeout=0)
    assert all("time limit" in row["answer"]["limit"] for row in rows.rows)


def test_control_c_ends_a_question():
    """The handler runs while the engine works: without a look at signals it would run after the answer only."""
    plan = renyi.Plan(*(renyi.Laplace(2 + i / 1000).sampled(renyi.Poisson(0.1)) * 2 for i in range(1000)))

    class Pressed(Exception):
        pass

    def press(number, frame):
        raise Pressed

    before = signal.signal(signal.SIGINT, press)
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    try:
        timer.start()
        with pytest.raises(Pressed):
            renyi.profile(plan, deltas=[10.0**-k for k in range(1, 300)])
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
