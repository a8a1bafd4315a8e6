"""renyi.noise: forms and types of the values, what to account for, errors, threads, and loose checks of the laws."""

import json
import math
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import renyi
from renyi import noise
from support import COMMAND, command, in_build

try:
    noise.bernoulli(1, probability=0.5)
except renyi.Unsupported:
    pytest.skip("built without exact noise", allow_module_level=True)

SIZE = 20_000

#: Each law on values with its parameters, the mechanism that it is accounted for as, and its variance.
LAWS = {
    "gaussian": (noise.gaussian, {"stddev": 3.0}, renyi.Gaussian(3.0), 9.0),
    "laplace": (noise.laplace, {"scale": 2.0}, renyi.Laplace(2.0), 8.0),
    "discrete_gaussian": (noise.discrete_gaussian, {"stddev": 3.0}, renyi.DiscreteGaussian(3.0, 1.0), 9.0),
    "discrete_laplace": (noise.discrete_laplace, {"scale": 2.0}, renyi.DiscreteLaplace(2.0, 1.0), 7.8353),
    "skellam": (noise.skellam, {"variance": 9.0}, renyi.Skellam(9.0, 1.0), 9.0),
}
REAL = ("gaussian", "laplace")
WHOLE = tuple(name for name in LAWS if name not in REAL)


def drawn(name, values, **more):
    law, parameters, _, _ = LAWS[name]
    return law(values, **parameters, **more)


# ---- what to account for

@pytest.mark.parametrize("name", LAWS)
def test_the_step_is_the_mechanism_with_the_same_parameters(name):
    assert drawn(name, [0, 0]).step == LAWS[name][2]


def test_sensitivity_is_in_the_step():
    assert noise.gaussian(0.0, stddev=3, sensitivity=2).step == renyi.Gaussian(stddev=3.0, l2_sensitivity=2.0)
    assert noise.laplace(0.0, scale=3, sensitivity=0.5).step == renyi.Laplace(3.0, l1_sensitivity=0.5)
    assert noise.skellam(0, variance=4, sensitivity=2).step == renyi.Skellam(4.0, 2.0)
    chosen = noise.report_noisy_max([0.0], score_scale=4.0, sensitivity=2.0, monotonic=True)
    assert chosen.step == renyi.ReportNoisyMax(4.0, 2.0, 1.0)
    kept = noise.randomized_response([1], truth_probability=0.75, categories=4)
    assert kept.step == renyi.RandomizedResponse(0.75, 4)


def test_steps_are_accounted_for_as_others_are():
    plan = noise.gaussian([1.0], stddev=4.0).step * 10 + noise.exponential([1.0, 2.0], epsilon=0.1).step
    assert plan == renyi.Gaussian(4.0) * 10 + renyi.Exponential(0.1)
    assert renyi.epsilon(plan, delta=1e-5).exact.upper > renyi.epsilon(renyi.Gaussian(4.0) * 10, delta=1e-5).exact.lower


def test_more_can_be_drawn_than_accounted_for():
    noisy = noise.discrete_gaussian([1], stddev=1e7)
    assert '"stddev":10000000' in repr(noisy) and noisy.to_dict()["step"]["stddev"] == 1e7
    with pytest.raises(renyi.InvalidArgument) as caught:
        noisy.step
    assert caught.value.field == "step.stddev"


def test_samples_are_no_steps_of_their_own():
    assert noise.poisson_sample(3, sampling_rate=0.5).step is None
    assert noise.shuffle(3).step is None and "step" not in noise.shuffle(3).to_dict()


def test_facts_of_a_release():
    noisy = noise.gaussian(np.zeros(10), stddev=8.0, grid=2**-10, range=4096)
    assert (noisy.grid, noisy.range) == (2**-10, 4096.0)
    assert 8.0 <= noisy.effective_stddev < 8.001
    assert noisy.draws >= 10 and 0 <= noisy.timing_delta < 1e-9
    assert np.all(noisy.values / 2**-10 == np.round(noisy.values / 2**-10))
    whole = noise.skellam([1], variance=4.0)
    assert whole.grid is None and whole.range is None and whole.effective_stddev is None


def test_the_grid_that_is_chosen_is_a_fine_power_of_two():
    for stddev in (1e-3, 0.7, 1.0, 3e5):
        for kind in (np.float32, np.float64):
            grid = noise.gaussian(kind(0), stddev=stddev).grid
            assert math.frexp(grid)[0] == 0.5 and grid <= stddev / 1000


# ---- forms

@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("given, kind", [
    (np.float32, np.float32), (np.float64, np.float64), (">f4", np.float32), (">f8", np.float64),
    (np.float16, np.float64), (np.longdouble, np.float64), (np.int32, np.float64), (np.uint64, np.float64),
    (bool, np.float64), (object, np.float64),
])
def test_types_of_real_numbers(name, given, kind):
    noisy = drawn(name, np.ones((2, 3), dtype=given))
    assert noisy.values.dtype == kind and noisy.values.shape == (2, 3)


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("given", [np.int64, np.int8, np.uint8, np.uint64, bool, object, ">i4"])
def test_types_of_whole_numbers(name, given):
    noisy = drawn(name, np.ones((2, 3), dtype=given))
    assert noisy.values.dtype == np.int64 and noisy.values.shape == (2, 3)


@pytest.mark.parametrize("name", LAWS)
def test_shapes(name):
    for shape in [(), (0,), (1,), (3, 0, 2), (2, 3, 4)]:
        values = drawn(name, np.zeros(shape, dtype=np.int64)).values
        assert isinstance(values, np.ndarray) and values.shape == shape
    assert drawn(name, []).values.shape == (0,)
    assert drawn(name, [[1, 2], [3, 4]]).values.shape == (2, 2)


def test_one_number_gives_one_number():
    assert type(noise.gaussian(1.5, stddev=1).values) is float
    assert type(noise.gaussian(2, stddev=1).values) is float
    assert type(noise.gaussian(np.float32(2), stddev=1).values) is np.float32
    assert type(noise.gaussian(np.float64(2), stddev=1).values) is np.float64
    assert type(noise.skellam(2, variance=1.0).values) is int
    assert type(noise.skellam(True, variance=1.0).values) is int


@pytest.mark.parametrize("name", LAWS)
def test_values_that_are_not_contiguous_keep_their_places(name):
    kind = float if name in REAL else int
    values = np.zeros((40, 6), dtype=kind)
    values[::2, ::3] = 10**9
    for view in (values, values.T, values[::-2], values[:, 1:4], np.asfortranarray(values)):
        noisy = drawn(name, view).values
        assert np.array_equal(noisy > 10**8, view > 10**8) and np.abs(noisy - view).max() < 1000


@pytest.mark.parametrize("name", LAWS)
def test_the_values_are_not_changed(name):
    values = np.arange(1000, dtype=np.float64 if name in REAL else np.int64)
    values.flags.writeable = False
    noisy = drawn(name, values)
    assert np.array_equal(values, np.arange(1000)) and not np.array_equal(values, noisy.values)
    assert not np.shares_memory(values, noisy.values)


def test_out():
    values = np.zeros((3, 2))
    noisy = noise.gaussian(values, stddev=1.0, out=values)
    assert noisy.values is values and np.all(values != 0)
    single = np.zeros((3, 2), dtype=np.float32)
    for wrong in (np.zeros(6), single, np.zeros((2, 3)).T, [0] * 6, np.zeros((3, 4))[:, ::2]):
        with pytest.raises(renyi.InvalidArgument, match="^out: "):
            noise.gaussian(values, stddev=1.0, out=wrong)
    whole = np.zeros(5, dtype=np.int64)
    assert noise.discrete_laplace(whole, scale=9.0, out=whole).values is whole
    fixed = np.zeros(2)
    fixed.flags.writeable = False
    with pytest.raises(renyi.InvalidArgument, match="^out: "):
        noise.laplace([1.0, 2.0], scale=1.0, out=fixed)


def test_a_failure_writes_nothing():
    values = np.ones(4)
    with pytest.raises(renyi.InvalidArgument):
        noise.gaussian(values, stddev=1.0, grid=0.3, out=values)
    assert np.array_equal(values, np.ones(4))


# ---- answers

def test_answers_are_arrays_and_convert():
    noisy = noise.gaussian([1.0, 2.0], stddev=2.0, grid=0.5, range=64)
    assert np.array_equal(np.asarray(noisy), noisy.values) and np.add(noisy, 1).shape == (2,)
    assert np.asarray(noisy, dtype=np.float32).dtype == np.float32
    said = json.loads(noisy.to_json())
    assert said == noisy.to_dict() and said["values"] == noisy.values.tolist()
    assert list(said) == ["values", "grid", "range", "effective_stddev", "draws", "timing_delta", "step"]
    assert renyi.mechanism(said["step"].pop("mechanism"), **said["step"]) == noisy.step
    assert repr(noisy) == (
        "<float64 of shape (2,) on the grid 0.5, account for Gaussian(stddev=2.0, l2_sensitivity=1.0)>"
    )
    again = pickle.loads(pickle.dumps(noisy))
    assert np.array_equal(again.values, noisy.values) and again.step == noisy.step
    assert type(noise.skellam(3, variance=1.0).to_dict()["values"]) is int


def test_masks_and_permutations_are_indices():
    data = np.arange(100)
    mask = noise.fixed_size_sample(100, sample_size=10)
    assert mask.values.dtype == bool and len(data[mask.values]) == 10
    assert sorted(data[noise.shuffle(100).values]) == list(data)


def test_choices_are_indices():
    chosen = noise.permute_and_flip([0.0, 1000.0, 3.0], epsilon=1.0)
    assert (chosen.index, "abc"[chosen]) == (1, "b")
    assert json.loads(chosen.to_json())["index"] == 1 and repr(chosen).startswith("<candidate 1, account for ")


# ---- errors

@pytest.mark.parametrize("field, call", [
    ("stddev", lambda: noise.gaussian([1.0], stddev=0)),
    ("stddev", lambda: noise.gaussian([1.0], stddev=-1.0)),
    ("stddev", lambda: noise.gaussian([1.0], stddev=math.nan)),
    ("stddev", lambda: noise.gaussian([1.0], stddev=math.inf)),
    ("stddev", lambda: noise.gaussian([1.0], stddev="1")),
    ("stddev", lambda: noise.gaussian([1.0], stddev=[1.0])),
    ("grid", lambda: noise.gaussian([1.0], stddev=1.0, grid=0.3)),
    ("grid", lambda: noise.laplace([1.0], scale=1.0, grid=0)),
    ("grid", lambda: noise.laplace([1.0], scale=1.0, grid=-0.5)),
    ("range", lambda: noise.gaussian([1.0], stddev=1.0, range=-1)),
    ("range", lambda: noise.gaussian([1.0], stddev=1.0, range=math.nan)),
    ("sensitivity", lambda: noise.gaussian([1.0], stddev=1.0, sensitivity=-1)),
    ("scale", lambda: noise.discrete_laplace([1], scale=0)),
    ("variance", lambda: noise.skellam([1], variance=-1)),
    ("sensitivity", lambda: noise.skellam([1], variance=1, sensitivity=math.nan)),
    ("scale", lambda: noise.geometric(3, scale=0)),
    ("size", lambda: noise.geometric(-1, scale=1)),
    ("size", lambda: noise.geometric(1.5, scale=1)),
    ("size", lambda: noise.geometric((2**40, 2**40), scale=1)),
    ("size", lambda: noise.shuffle(True)),
    ("probability", lambda: noise.bernoulli(3, probability=1.5)),
    ("probability", lambda: noise.bernoulli(3, probability=math.nan)),
    ("exponent", lambda: noise.bernoulli_exp(3, exponent=-1)),
    ("truth_probability", lambda: noise.randomized_response([1], truth_probability=1.5)),
    ("categories", lambda: noise.randomized_response([1], truth_probability=0.5, categories=1)),
    ("epsilon", lambda: noise.exponential([1.0], epsilon=-1)),
    ("score_scale", lambda: noise.report_noisy_max([1.0], score_scale=0)),
    ("monotonic", lambda: noise.exponential([1.0], epsilon=1, monotonic=1)),
    ("scores", lambda: noise.exponential([], epsilon=1)),
    ("scores", lambda: noise.exponential([[1.0]], epsilon=1)),
    ("sampling_rate", lambda: noise.poisson_sample(3, sampling_rate=-0.1)),
    ("sample_size", lambda: noise.fixed_size_sample(3, sample_size=4)),
    ("steps", lambda: noise.random_allocation(3, steps=0)),
    ("values", lambda: noise.gaussian(["a"], stddev=1)),
    ("values", lambda: noise.gaussian([None], stddev=1)),
    ("values", lambda: noise.gaussian([1j], stddev=1)),
    ("values", lambda: noise.gaussian([[1.0], [2.0, 3.0]], stddev=1)),
    ("values", lambda: noise.gaussian(np.ma.array([1.0]), stddev=1)),
    ("values", lambda: noise.skellam([1.0], variance=1)),
    ("values", lambda: noise.skellam(["1"], variance=1)),
])
def test_errors_name_the_argument(field, call):
    with pytest.raises(renyi.InvalidArgument) as caught:
        call()
    assert caught.value.field == field


# ---- data never raise errors

def test_hostile_real_numbers():
    values = np.array([np.nan, np.inf, -np.inf, 1e308, -1e308, -0.0, 5e-324])
    for kind in (np.float64, np.float32, np.longdouble):
        with np.errstate(over="ignore"):
            noisy = noise.gaussian(values.astype(kind), stddev=1.0, range=100.0).values
        assert np.all(np.abs(noisy) <= 100) and np.all(np.abs(noisy[[0, 5, 6]]) < 20)
        assert np.all(noisy[[1, 3]] > 80) and np.all(noisy[[2, 4]] < -80)
    assert abs(noise.laplace([10**400, -(10**400)], scale=1.0, range=100.0).values[0]) <= 100


def test_hostile_whole_numbers():
    ends = [2**63 - 1, -(2**63), 2**70, -(2**70)]
    noisy = noise.discrete_gaussian(ends, stddev=3.0).values
    assert np.all(noisy[[0, 2]] > 2**63 - 1000) and np.all(noisy[[1, 3]] < -(2**63) + 1000)
    assert noise.skellam(np.array([2**64 - 1], dtype=np.uint64), variance=1.0).values[0] > 2**62
    kept = noise.randomized_response([-5, 99, 2**70], truth_probability=1 - 1e-14, categories=3).values
    assert kept.tolist() == [0, 2, 2]


def test_integers_that_no_type_of_numpy_holds_together():
    noisy = noise.discrete_gaussian([[2**63, -1], [0, 2**63 - 1]], stddev=3.0).values
    assert noisy.shape == (2, 2) and noisy.dtype == np.int64
    assert noisy[0, 0] > 2**63 - 1000 and abs(noisy[0, 1]) < 100 and noisy[1, 1] > 2**63 - 1000
    with pytest.raises(renyi.InvalidArgument):
        noise.discrete_gaussian([2**63, -1.0], stddev=3.0)


def test_hostile_scores():
    scores = [math.nan, math.inf, -math.inf, 0.0, 10**400]
    assert noise.exponential(scores, epsilon=10.0, range=1000).index in (1, 4)


# ---- laws, loosely: tests/noise has the proofs

@pytest.mark.parametrize("name", LAWS)
def test_means_and_variances(name):
    noisy = drawn(name, np.zeros(SIZE, dtype=np.int64)).values
    variance = LAWS[name][3]
    assert abs(noisy.mean()) < 6 * math.sqrt(variance / SIZE)
    assert abs((noisy.astype(float) ** 2).mean() / variance - 1) < 6 * math.sqrt(6 / SIZE)


def test_coins():
    far = 6 * math.sqrt(0.25 * 0.75 / SIZE)
    assert abs(noise.bernoulli(SIZE, probability=0.25).values.mean() - 0.25) < far
    assert abs(noise.bernoulli_exp((SIZE // 2, 2), exponent=math.log(4)).values.mean() - 0.25) < far
    assert abs(noise.poisson_sample(SIZE, sampling_rate=0.25).values.mean() - 0.25) < far
    kept = noise.randomized_response(np.full(SIZE, 3), truth_probability=0.25, categories=4).values
    assert np.all(np.abs(np.bincount(kept, minlength=4) / SIZE - 0.25) < far)


def test_draws():
    numbers = noise.geometric(SIZE, scale=3.0).values
    ratio = math.exp(-1 / 3)
    mean, variance = ratio / (1 - ratio), ratio / (1 - ratio) ** 2
    assert numbers.min() == 0 and abs(numbers.mean() - mean) < 6 * math.sqrt(variance / SIZE)
    steps = noise.random_allocation(SIZE, steps=4).values
    assert np.all(np.abs(np.bincount(steps, minlength=4) / SIZE - 0.25) < 6 * math.sqrt(0.1875 / SIZE))
    assert sorted(noise.shuffle(1000).values) == list(range(1000))
    assert not np.array_equal(noise.shuffle(1000).values, noise.shuffle(1000).values)
    assert noise.fixed_size_sample(1000, sample_size=0).values.sum() == 0


# ---- threads and processes

def test_threads_draw_at_once_and_different_numbers():
    found = []

    def draw():
        for _ in range(20):
            found.append(noise.gaussian(np.zeros(1000), stddev=2.0**20).values.tobytes())

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 80


def test_other_threads_run_while_noise_is_drawn():
    """A thread that holds the interpreter's lock for the whole draw would stop the clock of the other one."""
    values = np.zeros(3_000_000)
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.0005):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    noise.gaussian(values, stddev=1.0, out=values)
    during = len(ticks) - before
    done.set()
    thread.join()
    assert during > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_draws_other_numbers():
    program = """
import os, sys
from renyi import noise
noise.shuffle(10)
read, write = os.pipe()
if os.fork() == 0:
    os.write(write, noise.shuffle(50).values.tobytes())
    os._exit(0)
mine = noise.shuffle(50).values.tobytes()
os.wait()
sys.exit(os.read(read, 400) == mine)
"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_torch_is_not_imported():
    program = "import sys, renyi; renyi.noise.gaussian([1.0], stddev=1); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


# ---- tensors

def test_tensors():
    torch = pytest.importorskip("torch")
    for kind in (torch.float32, torch.float64):
        values = torch.zeros(3, 4, dtype=kind, requires_grad=True)
        noisy = noise.gaussian(values, stddev=5.0)
        assert isinstance(noisy.values, torch.Tensor) and noisy.values.dtype == kind
        assert noisy.values.shape == (3, 4) and noisy.values.device == values.device
        assert not noisy.values.requires_grad and bool((values == 0).all())
        assert np.asarray(noisy).shape == (3, 4) and noisy.to_dict()["values"] == noisy.values.tolist()
    assert noise.laplace(torch.zeros(2, 3).T, scale=1.0).values.shape == (3, 2)
    assert noise.skellam(torch.tensor(3), variance=1.0).values.dtype == torch.int64
    for kind in (torch.float16, torch.bfloat16):
        with pytest.raises(renyi.InvalidArgument, match="^values: got a tensor of torch.b?float16, allowed: float32"):
            noise.gaussian(torch.zeros(2, dtype=kind), stddev=1.0)


# ---- the command

@in_build
def test_the_command_prints_the_same_members():
    said = json.loads(command("noise", "laplace", "--scale", "2", "--grid", "1/4", "--json", text="1\n2\n"))
    known = noise.laplace([1.0, 2.0], scale=2.0, grid=0.25).to_dict()
    assert list(said) == list(known)
    assert {**said, "values": []} == {**known, "values": []} and len(said["values"]) == 2


@in_build
def test_the_command_says_that_memory_is_out():
    limited = 'ulimit -v 1000000; exec "$0" noise shuffle --size 1e9'
    run = subprocess.run(["sh", "-c", limited, os.fspath(COMMAND)], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (3, "", "renyi: out of memory\n")
