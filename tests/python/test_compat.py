"""The adapters without the tools they adapt to: what they say, and how numbers beyond the ranges are moved."""

import importlib
import math
import subprocess
import sys

import pytest

import renyi
from renyi._error_names import renamed_errors
from renyi.compat._ranges import event_within_range, history_within_range, orders_from_one, orders_within_range
from renyi.records import decode

MODULE = "dp_accounting.dp_event"


@pytest.mark.parametrize(
    "name, tool, package",
    [
        ("opacus", "opacus", "opacus"),
        ("opacus_noise", "opacus", "opacus"),
        ("dp_accounting", "dp_accounting", "dp-accounting"),
    ],
)
def test_says_what_is_missing(name, tool, package, monkeypatch):
    monkeypatch.delitem(sys.modules, f"renyi.compat.{name}", raising=False)
    monkeypatch.setitem(sys.modules, tool, None)
    with pytest.raises(ImportError, match=f"renyi.compat.{name} needs .*pip install {package}"):
        importlib.import_module(f"renyi.compat.{name}")


def test_renyi_alone_imports_neither():
    code = "import renyi, sys; sys.exit(any(name in sys.modules for name in ('opacus', 'dp_accounting', 'torch')))"
    assert subprocess.run([sys.executable, "-c", code], timeout=3600).returncode == 0


def event(kind, **fields):
    return {"module_name": MODULE, "class_name": kind, **fields}


def gaussian(noise):
    return event("GaussianDpEvent", noise_multiplier=noise)


def sampled(rate, inside):
    return event("PoissonSampledDpEvent", sampling_probability=rate, event=inside)


@pytest.mark.parametrize(
    "row, moved",
    [
        ([1.0, 0.1, 5], [1.0, 0.1, 5]),
        ([1e7, 0.1, 5], [1e6, 0.1, 5]),
        ([math.inf, 0.1, 5], [1e6, 0.1, 5]),
        ([0.009, 0.1, 5], [0.009, 1.0, 5]),
        ([1e-60, 0.1, 5], [0.0, 1.0, 5]),
        ([1e60, 1.0, 5], [1e50, 1.0, 5]),
        ([1.0, 1e-120, 5], [1.0, 1e-100, 5]),
        ([0.0, 0.1, 5], [0.0, 0.1, 5]),
        ([-1.0, 0.1, 5], [-1.0, 0.1, 5]),
        ([1.0, 1.5, 5], [1.0, 1.5, 5]),
        (["1", 0.1, 5], ["1", 0.1, 5]),
        ([1.0, 0.1], [1.0, 0.1]),
        (None, None),
    ],
)
def test_rows(row, moved):
    assert history_within_range([row]) == [moved]


@pytest.mark.parametrize("history", [None, 5, {}, "[]"])
def test_what_is_no_history_stays_what_it_is(history):
    assert history_within_range(history) == history


def test_orders():
    assert orders_within_range(orders_from_one("alphas", [1, 1.5, math.inf])) == [1 + 1e-9, 1.5, math.inf]
    assert orders_from_one("alphas", [1, 2]).tolist() == [1, 2]  # the divergence of order 1 is known
    for bad in ([], [0.5, 2], [2, math.nan], -1.0, "2"):
        with pytest.raises(renyi.InvalidArgument) as caught:
            orders_from_one("alphas", bad)
        assert caught.value.field == "alphas"


def test_words():
    with pytest.raises(renyi.InvalidArgument, match="^target_delta: got -1, ") as caught:
        with renamed_errors({"delta": "target_delta"}):
            renyi.epsilon(renyi.Gaussian(1), delta=-1)
    assert caught.value.field == caught.value.args[0] == "target_delta"
    with pytest.raises(renyi.InvalidArgument, match="^delta: "):
        with renamed_errors({"epsilon": "target_epsilon"}):
            renyi.epsilon(renyi.Gaussian(1), delta=-1)


def test_nan_stays_what_it_is():
    assert math.isnan(history_within_range([[math.nan, 0.1, 5]])[0][0])
    assert math.isnan(event_within_range(gaussian(math.nan), "add-or-remove-one")["noise_multiplier"])


@pytest.mark.parametrize(
    "record, moved",
    [
        (gaussian(3.0), gaussian(3.0)),
        (gaussian(1e60), gaussian(1e50)),
        (gaussian(1e-60), gaussian(0.0)),
        (event("LaplaceDpEvent", noise_multiplier=1e60), event("LaplaceDpEvent", noise_multiplier=1e50)),
        (sampled(0.1, gaussian(1e7)), sampled(0.1, gaussian(1e6))),
        (sampled(0.1, gaussian(0.005)), gaussian(0.005)),
        (sampled(1e-120, gaussian(1.0)), sampled(1e-100, gaussian(1.0))),
        (sampled(0.1, event("NoOpDpEvent")), sampled(0.1, event("NoOpDpEvent"))),
        (
            event("ComposedDpEvent", events=[sampled(0.1, gaussian(0.005))]),
            event("ComposedDpEvent", events=[gaussian(0.005)]),
        ),
    ],
)
def test_events(record, moved):
    assert event_within_range(record, "add-or-remove-one") == moved


def test_many_gaussians_on_one_sample():
    inside = event("SelfComposedDpEvent", event=gaussian(0.05), count=100)  # 0.005 together
    assert event_within_range(sampled(0.1, inside), "zero-out") == inside
    assert event_within_range(sampled(0.1, inside), "replace-one") == inside
    few = event("SelfComposedDpEvent", event=gaussian(0.05), count=20)
    assert event_within_range(sampled(0.1, few), "zero-out") == sampled(0.1, few)


def drawn(how, inside):
    return event(f"Sampled{how}ReplacementDpEvent", source_dataset_size=50, sample_size=5, event=inside)


@pytest.mark.parametrize("how", ["With", "Without"])
@pytest.mark.parametrize("neighbors", ["add-or-remove-one", "replace-one", "zero-out"])
def test_samples_of_fixed_size(how, neighbors):
    assert event_within_range(drawn(how, gaussian(1e7)), neighbors) == drawn(how, gaussian(1e6))
    # All records cost no less where one is replaced; elsewhere they may, and the little noise is refused.
    left_out = how == "Without" and neighbors == "replace-one"
    little = drawn(how, gaussian(0.005))
    assert event_within_range(little, neighbors) == (gaussian(0.005) if left_out else little)


@pytest.mark.parametrize("noise, rate", [(0.0100001, 0.3), (0.02, 0.01), (1.0, 0.3)])
def test_leaving_the_sample_out_costs_no_less(noise, rate):
    """What _ranges does below noise 0.01, where both can be computed."""
    all_records, sample = (
        renyi.epsilon(plan * 3, delta=1e-5) for plan in (renyi.Gaussian(noise), renyi.SampledGaussian(rate, noise))
    )
    assert all_records.exact.lower >= sample.exact.lower and all_records.renyi >= sample.renyi
    assert decode([[noise, rate, 3]], "opacus", "add-or-remove-one").steps[0].count == 3
