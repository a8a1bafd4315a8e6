"""Records of other tools. None of the tools is needed here: tests/peers and tests/opacus have the real ones."""

import collections
import doctest
import fractions
import json
import math
import pathlib

import numpy as np
import pytest

import renyi

MODULE = "dp_accounting.dp_event"
HISTORY = [(1.1, 0.01, 600), (1.3, 0.01, 400)]
RUN = renyi.SampledGaussian(0.01, 1.1) * 600 + renyi.SampledGaussian(0.01, 1.3) * 400


def named(kind, **fields):
    made = collections.namedtuple(kind, ["module_name", "class_name", *fields])
    return made(MODULE, kind, *fields.values())


class Event:
    """As dp_accounting's: knows its named tuple, and is callable or not as it likes."""

    def __init__(self, record):
        self._record = record

    def to_named_tuple(self):
        return self._record


GAUSSIAN = named("GaussianDpEvent", noise_multiplier=2.0)
SAMPLED = named(
    "PoissonSampledDpEvent", sampling_probability=0.01, event=named("GaussianDpEvent", noise_multiplier=1.1)
)
COMPOSED = named("ComposedDpEvent", events=[named("SelfComposedDpEvent", event=SAMPLED, count=600), GAUSSIAN])
PLAN = renyi.SampledGaussian(0.01, 1.1) * 600 + renyi.Gaussian(2)


def as_objects(record):
    if isinstance(record, list):
        return [as_objects(item) for item in record]
    return {key: as_objects(item) for key, item in record._asdict().items()} if hasattr(record, "_asdict") else record


@pytest.mark.parametrize(
    "record",
    [
        HISTORY,
        tuple(map(list, HISTORY)),
        json.dumps(HISTORY),
        np.array(HISTORY, dtype=object),
        np.array(HISTORY),
        {"history": np.array(HISTORY)},
        [np.array(row) for row in HISTORY],
        [(noise, rate, float(steps)) for noise, rate, steps in HISTORY],
        {"history": [[noise, rate, float(steps)] for noise, rate, steps in HISTORY], "mechanism": "rdp"},
        [
            (np.float64(noise), np.float32(rate).astype(float).round(2), np.int64(steps))
            for noise, rate, steps in HISTORY
        ],
        collections.OrderedDict(history=HISTORY, mechanism="rdp"),
        {"history": HISTORY, "mechanism": renyi.convert},  # Opacus 1.4 puts a method there
        json.dumps({"history": HISTORY, "mechanism": "prv"}),
    ],
)
def test_opacus(record):
    assert renyi.convert(record) == renyi.convert(record, source="opacus") == RUN
    assert renyi.convert(record, neighbors="zero-out").neighbors == "zero-out"


@pytest.mark.parametrize(
    "record",
    [
        COMPOSED,
        Event(COMPOSED),
        json.dumps(COMPOSED),
        json.loads(json.dumps(COMPOSED)),
        as_objects(COMPOSED),
        json.dumps(as_objects(COMPOSED)),
        COMPOSED._replace(events=[Event(COMPOSED.events[0]), Event(GAUSSIAN)]),
        COMPOSED._replace(module_name=MODULE.encode()),
    ],
)
def test_events(record):
    assert renyi.convert(record) == renyi.convert(record, source="dp_accounting") == PLAN


def test_nothing_recorded():
    for record in ([], {"history": []}, "[]", np.empty((0, 3)), named("NoOpDpEvent")):
        assert renyi.convert(record).steps == ()


def test_relation():
    replaced = renyi.convert(GAUSSIAN, neighbors="replace-one")
    assert replaced.steps[0].what == renyi.Gaussian(stddev=2, l2_sensitivity=2)  # a sum moves by 2C
    assert renyi.convert(SAMPLED, neighbors="replace-one").steps[0].what == renyi.SampledGaussian(0.01, 1.1)
    zcdp = named("PoissonSampledDpEvent", sampling_probability=0.01, event=named("ZCDpEvent", rho=0.5, xi=0.0))
    with pytest.raises(renyi.Unsupported, match="^record: "):
        renyi.convert(zcdp, neighbors="replace-one")
    for neighbors in ("friends", "", 5, ["zero-out"]):
        with pytest.raises(renyi.InvalidArgument) as caught:
            renyi.convert(GAUSSIAN, neighbors=neighbors)
        assert caught.value.field == "neighbors" and "zero-out" in caught.value.allowed


LAPLACE = named("LaplaceDpEvent", noise_multiplier=2.0)


def drawn(how, event):
    return named(f"Sampled{how}ReplacementDpEvent", source_dataset_size=600, sample_size=30, event=event)


@pytest.mark.parametrize(
    "record, step",
    [
        (SAMPLED._replace(event=LAPLACE), renyi.Laplace(2).sampled(renyi.Poisson(0.01))),
        (SAMPLED._replace(event=named("ZCDpEvent", rho=0.5)), renyi.Zcdp(0.5).sampled(renyi.Poisson(0.01))),
        (drawn("Without", GAUSSIAN), renyi.Gaussian(2).sampled(renyi.FixedSize(600, 30))),
        (drawn("With", GAUSSIAN), renyi.Gaussian(2).sampled(renyi.WithReplacement(600, 30))),
        (drawn("Without", LAPLACE), renyi.Laplace(2).sampled(renyi.FixedSize(600, 30))),
        (
            named(
                "TruncatedSubsampledGaussianDpEvent",
                dataset_size=600,
                sampling_probability=0.05,
                truncated_batch_size=40,
                noise_multiplier=2.0,
            ),
            renyi.Gaussian(2).sampled(renyi.TruncatedPoisson(0.05, 600, 40)),
        ),
    ],
    ids=lambda value: value.class_name if hasattr(value, "class_name") else "",
)
def test_samples(record, step):
    for given in (record, Event(record), json.dumps(record), as_objects(record)):
        assert renyi.convert(given) == renyi.Plan(step)


SHOWN = renyi.mechanism("non-private")


@pytest.mark.parametrize(
    "record, plan",
    [
        ([(0.0, 1.0, 3)], SHOWN * 3),
        ([(1.1, 0.01, 5), (0.0, 0.01, 1)], renyi.SampledGaussian(0.01, 1.1) * 5 + SHOWN.sampled(renyi.Poisson(0.01))),
        (named("NonPrivateDpEvent"), renyi.Plan(SHOWN)),
        (named("ComposedDpEvent", events=[GAUSSIAN, named("NonPrivateDpEvent")]), renyi.Plan(renyi.Gaussian(2), SHOWN)),
    ],
)
def test_no_privacy(record, plan):
    assert renyi.convert(record).merged() == plan.merged()
    assert renyi.epsilon(renyi.convert(record), delta=1e-5).upper == math.inf


def best_of(shape):
    return named("RepeatAndSelectDpEvent", event=GAUSSIAN, mean=20.0, shape=shape)


@pytest.mark.parametrize(
    "record, step",
    [
        (
            named("DiscreteLaplaceDpEvent", noise_parameter=0.25, sensitivity=3),
            renyi.mechanism("discrete-laplace", scale=4, sensitivity=3),
        ),
        (named("EpsilonDeltaDpEvent", epsilon=0.5, delta=1e-6), renyi.mechanism("approx-dp", epsilon=0.5, delta=1e-6)),
        (named("ExponentialMechanismDpEvent", epsilon=0.5), renyi.mechanism("exponential", epsilon=0.5)),
        (best_of(1), renyi.Select(renyi.Gaussian(2), law="geometric", mean=20)),
        (best_of(math.inf), renyi.Select(renyi.Gaussian(2), law="poisson", mean=20)),
    ],
    ids=lambda value: value.class_name if hasattr(value, "class_name") else "",
)
def test_what_the_catalogue_has(record, step):
    for given in (record, Event(record), as_objects(record), list(record)):
        assert renyi.convert(given) == renyi.Plan(step)


def test_trees_state_what_they_assume():
    record = named("SingleEpochTreeAggregationDpEvent", noise_multiplier=8.83, step_counts=1600)
    plan = renyi.convert(record)
    assert "keep their rounds" in plan.assumption and plan.assumption in repr(plan)
    answer = renyi.epsilon(plan, delta=1e-6)
    assert answer.assumption == plan.assumption and "assuming that a record" in repr(answer)
    for report in (renyi.relate(plan), renyi.explain(plan, delta=1e-6), renyi.loss(plan)):
        assert plan.assumption in repr(report)
    assert renyi.convert(record, neighbors="zero-out").assumption is None
    assert renyi.Plan(renyi.Gaussian(2)).assumption is None


LOOP: list = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    "record, match",
    [
        (3, "record"),
        (None, "record"),
        (object(), "record"),
        ("", "no JSON"),
        ("{", "no JSON"),
        ("3", "record"),
        ({"steps": []}, "record"),
        ([(1.0, 0.1, 3), (math.nan, 0.1, 3)], r"^\[1\]\[0\]: got NaN"),
        ({"history": [(1.0, math.inf, 3)]}, r"^history\[0\]\[1\]: got inf"),
        (named("ComposedDpEvent", events=[named("ZCDpEvent", rho=math.nan)]), r"^events\[0\]\.rho: got NaN"),
        ([(1.0, 0.1, 10**5000)], r"^\[0\]\[2\]: got a long integer"),
        ([(fractions.Fraction(10**400), 0.1, 3)], r"^\[0\]\[0\]"),
        ([(np.bool_(True), 0.1, 3)], r"^\[0\]\[0\]"),
        ({"history": None}, "^history"),
        ([(1.0, 0.1, 3, 4)], r"\[0\]"),
        ([(1.0, 1.5, 3)], r"\[0\]\[1\]"),
        ([(1.0, 0.5, 3.5)], r"\[0\]\[2\]"),
        ([(1.0, 0.5, 1e30)], r"\[0\]\[2\]"),
        (np.array([(1.0, 0.5, 3.5)]), r"\[0\]\[2\]"),
        ([(1.0, object(), 3)], r"\[0\]\[1\]"),
        (LOOP, "deeper"),
        ('{"history": [], "history": []}', "history"),
        (named("GaussianDpEvent", noise_multiplier=-1.0), "noise_multiplier"),
        (named("GaussianDpEvent", noise=1.0), "noise"),
        (named("ComposedDpEvent", events=[GAUSSIAN._replace(module_name="os")]), "os"),
        (named("ComposedDpEvent", events=[GAUSSIAN._replace(class_name="system")]), "system"),
        (named("GaussianDpEvent", noise_multiplier=object()), "noise_multiplier"),
    ],
)
def test_refused(record, match):
    with pytest.raises(renyi.Error, match=match):
        renyi.convert(record)


def test_source():
    for source in ("tensorflow", "", ["opacus"]):
        with pytest.raises(renyi.InvalidArgument, match="source"):
            renyi.convert(HISTORY, source=source)
    with pytest.raises(renyi.Error):
        renyi.convert(HISTORY, source="dp_accounting")
    with pytest.raises(renyi.Error):
        renyi.convert(COMPOSED, source="opacus")
    for source in ("opacus", "dp_accounting"):
        with pytest.raises(renyi.InvalidArgument, match="^record: got 3"):
            renyi.convert(3, source=source)


def test_the_guide():
    """The examples that need none of the tools; tests/peers and tests/opacus run the others."""
    guide = pathlib.Path(__file__).parents[2] / "docs/guide/drop-in.md"
    if not guide.exists():
        pytest.skip("installed without the documents")
    outcome = doctest.testfile(str(guide), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert outcome.attempted == 11 and outcome.failed == 0
