"""One question by every way of asking it: the same doubles, to the last bit."""

import ctypes
import json
import math
import os
import subprocess

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renyi
from support import BUILD, COMMAND, in_build

RATE = st.one_of(st.none(), st.floats(1e-6, 1.0))
NOISE = st.floats(0.3, 50.0)
STEPS = st.integers(1, 10**6)
DELTA = st.sampled_from([1e-10, 1e-6, 1e-5, 0.01])
RUN = st.tuples(RATE, NOISE, STEPS, DELTA)


def step_of(rate, noise, steps):
    mechanism = renyi.Gaussian(noise) if rate is None else renyi.SampledGaussian(rate, noise)
    return mechanism * steps


def figures(found):
    exact = found.exact
    return [found.renyi, found.order, exact.lower, exact.upper]


def from_json(answer):
    return [
        math.inf if value == "inf" else value
        for value in (
            answer["renyi"]["epsilon"],
            answer["renyi"]["order"],
            answer["exact"]["lower"],
            answer["exact"]["upper"],
        )
    ]


def request_of(rate, noise, steps, delta):
    return {"op": "epsilon", **json.loads(step_of(rate, noise, steps).to_json()), "delta": delta}


@settings(max_examples=60, deadline=None)
@given(st.lists(RUN, min_size=1, max_size=6).filter(lambda runs: len({run[0] is None for run in runs}) == 1))
def test_scalar_plan_array_and_accountant(runs):
    single = [
        figures(renyi.epsilon(sampling_rate=rate, noise_multiplier=noise, steps=steps, delta=delta))
        for rate, noise, steps, delta in runs
    ]
    assert single == [figures(renyi.epsilon(step_of(*run[:3]), delta=run[3])) for run in runs]
    rates, noises, steps, deltas = zip(*runs)
    many = renyi.epsilon(
        sampling_rate=None if rates[0] is None else np.array(rates),
        noise_multiplier=np.array(noises),
        steps=np.array(steps),
        delta=np.array(deltas),
    )
    columns = [many.renyi, many.order, many.exact.lower, many.exact.upper]
    assert np.array_equal(np.array(single).T, np.array(columns))
    account = renyi.Accountant()
    account.step(step_of(*runs[0][:3]))
    assert figures(account.epsilon(runs[0][3])) == single[0]


@settings(max_examples=40, deadline=None)
@given(RUN)
def test_the_table_of_requests(run):
    request = request_of(*run)
    plan = step_of(*run[:3])
    answer = json.loads(renyi._native.ask(plan._engine, json.dumps({"op": "epsilon", "delta": request["delta"]})))
    assert from_json(answer) == figures(renyi.epsilon(plan, delta=run[3]))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(1.0, 1e4), min_size=1, max_size=5), NOISE, st.floats(1e-6, 1.0))
def test_orders_alone_and_together(orders, noise, rate):
    plan = renyi.SampledGaussian(rate, noise) * 10
    together = renyi.rdp(plan, orders=orders)
    assert list(together) == [renyi.rdp(plan, orders=order) for order in orders]
    run = dict(sampling_rate=rate, noise_multiplier=noise, steps=10)
    assert list(together) == list(renyi.rdp(**run, orders=orders))
    assert list(together) == [renyi.rdp(**run, orders=order) for order in orders]


LIBRARY = BUILD / "lib" / "librenyi_c.so"


@pytest.fixture(scope="module")
def call():
    """renyi_call of the C interface."""
    library = ctypes.CDLL(os.fspath(LIBRARY))
    library.renyi_call.restype = ctypes.c_void_p
    library.renyi_call.argtypes = [ctypes.c_char_p]
    library.renyi_free.argtypes = [ctypes.c_void_p]

    def ask(request):
        text = library.renyi_call(json.dumps(request).encode())
        try:
            return json.loads(ctypes.string_at(text))
        finally:
            library.renyi_free(text)

    return ask


@in_build
@settings(max_examples=40, deadline=None)
@given(run=RUN)
def test_the_c_interface(call, run):
    request = request_of(*run)
    del request["renyi"]
    assert from_json(call(request)) == figures(renyi.epsilon(step_of(*run[:3]), delta=run[3]))


@in_build
def test_the_command():
    runs = [(0.01, 1.1, 10_000, 1e-5), (None, 3.7, 12, 1e-6), (0.3, 0.9, 5, 1e-10)]
    requests = [request_of(*run) for run in runs]
    for request in requests:
        del request["renyi"]
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    printed = subprocess.run([os.fspath(COMMAND), "batch"], input=lines, capture_output=True, text=True, check=True)
    answers = [from_json(json.loads(line)) for line in printed.stdout.splitlines()]
    assert answers == [figures(renyi.epsilon(step_of(*run[:3]), delta=run[3])) for run in runs]


# A run described by its sizes, as arguments of Python and as flags of the command.
TOLD = [
    dict(dataset_size=60000, batch_size=256, epochs=60, noise_multiplier=1.1, delta=1e-5),
    dict(dataset_size=1000, batch_size=3, accumulation=4, epochs=0.1, noise_multiplier=0.9, delta=1e-5),
    dict(dataset_size=1000, batch_size=10, epochs=2, steps=7, noise_multiplier=2, delta=1e-6),
    dict(dataset_size=5000, sampling_rate=0.02, steps=30, noise_multiplier=2, delta=1e-6),
    dict(dataset_size=1000, batch_size=10, epochs=1, sampling="fixed-size", noise_multiplier=3, delta=1e-6),
    dict(dataset_size=1000, batch_size=10, epochs=1, sampling="with-replacement", noise_multiplier=3, delta=1e-6),
    dict(dataset_size=300, batch_size=9, steps=9, sampling="truncated-poisson", batch_limit=20, noise_multiplier=3)
    | dict(delta=1e-6),
    dict(dataset_size=99, batch_size=10, epochs=3, sampling="shuffled", neighbors="zero-out", noise_multiplier=4)
    | dict(delta=1e-6),
    dict(steps=3, noise_multiplier=4, unit=2, dataset_size=50, delta=1e-6),
]


def by_command(told):
    flags = [word for name, value in told.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    run = [os.fspath(COMMAND), "epsilon", *flags, "--format", "json"]
    return json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)


def as_request(told):
    run = dict(told)
    beside = {name: run.pop(name) for name in ("delta", "neighbors", "unit") if name in run}
    return {"op": "epsilon", "run": run, **beside}


@in_build
@pytest.mark.parametrize("told", TOLD)
def test_a_run_told_by_its_sizes(call, told):
    expected = by_command(told)
    assert figures(renyi.epsilon(**told)) == from_json(expected)
    answer = call(as_request(told))
    assert answer == expected
    assert renyi.epsilon(**told).run.steps == answer["run"]["steps"]
    assert list(renyi.epsilon(**told).run.rules) == answer["run"]["rules"]
    assert [(each.kind, str(each)) for each in renyi.epsilon(**told).warnings] == [
        (each["kind"], each["message"]) for each in answer["warnings"]
    ]


class Result(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("renyi", "order", "lower", "upper")] + [("status", ctypes.c_int)]

    def figures(self):
        return [self.renyi, self.order, self.lower, self.upper]


@in_build
def test_a_run_told_by_its_sizes_in_c():
    library, result = ctypes.CDLL(os.fspath(LIBRARY)), Result()
    library.renyi_plan_from_run.restype = ctypes.c_void_p
    library.renyi_plan_free.argtypes = [ctypes.c_void_p]
    for told in TOLD:
        if "unit" in told:  # which C says in a plan file
            continue
        run, neighbors = as_request(told)["run"], told.get("neighbors")
        plan = library.renyi_plan_from_run(json.dumps(run).encode(), neighbors and neighbors.encode(), None)
        delta, place = ctypes.c_double(told["delta"]), ctypes.byref(result)
        assert library.renyi_plan_epsilon(ctypes.c_void_p(plan), delta, place, None) == 0
        library.renyi_plan_free(plan)
        assert result.figures() == from_json(by_command(told))
    numbers = [ctypes.c_int64(60000), ctypes.c_int64(256), *map(ctypes.c_double, (60, 1.1, 1e-5))]
    assert library.renyi_training_epsilon(*numbers, place, None) == 0
    assert result.figures() == from_json(by_command(TOLD[0]))
