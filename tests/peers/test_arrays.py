"""Arrays under NumPy 2, which this environment has from PyPI: each element is the answer to the scalar question.

tests/python runs with Debian's NumPy 1; the scalar calls hand the engine Python's own numbers.
"""

import math
import random

import dp_accounting as dp
import numpy as np
import pytest
from dp_accounting.rdp import RdpAccountant as TheirRdp
from dp_accounting.rdp.rdp_privacy_accountant import DEFAULT_RDP_ORDERS

import events
import renyi
from events import ADD_OR_REMOVE, REPLACE, ZERO_OUT
from renyi.compat.dp_accounting import RdpAccountant

RATES, NOISES, STEPS = [0.01, 0.2], [0.8, 1.1, 3.0], [1, 100]
DELTAS, EPSILONS, ORDERS = [1e-9, 1e-5, 0.1], [0.0, 0.5, 2.0], [1.0, 1.5, 2.0, 4.5, 64.0, math.inf]
RUN = {"sampling_rate": RATES, "noise_multiplier": NOISES, "steps": STEPS}
PLAN = renyi.SampledGaussian(0.02, 1.3) * 50 + renyi.Laplace(4)
SHAPE = tuple(map(len, RUN.values()))


def test_this_is_numpy_2():
    print(f"\nNumPy {np.__version__}")
    assert int(np.__version__.split(".")[0]) >= 2


def on_axes(*columns):
    """One axis each: they broadcast against each other."""
    return np.meshgrid(*columns, indexing="ij", sparse=True)


def parts(answer):
    exact = answer.exact
    return [getattr(answer, name) for name in ("renyi", "order", "upper")] + [
        getattr(ends, name) for ends in (exact, exact.remove, exact.add) for name in ("lower", "upper")
    ]


def same_elements(found, scalar_of):
    """``found``: arrays of one shape. Every element differs from its neighbours, or a repeated one would not show."""
    shape = np.shape(found[0])
    scalars = [scalar_of(*index) for index in np.ndindex(shape)]
    for array, *values in zip(found, *scalars):
        assert array.shape == shape and array.dtype == np.float64
        assert array.ravel().tolist() == values
    assert len(set(np.ravel(found[0]).tolist())) > np.size(found[0]) // 2


@pytest.mark.parametrize("ask, name, at", [(renyi.epsilon, "delta", DELTAS), (renyi.delta, "epsilon", EPSILONS)])
def test_answers_of_runs(ask, name, at):
    rates, noises, steps, given = on_axes(*RUN.values(), at)
    found = ask(sampling_rate=rates, noise_multiplier=noises, steps=steps, **{name: given})
    assert found.shape == (*SHAPE, len(at))

    def scalar(rate, noise, count, index):
        run = {"sampling_rate": RATES[rate], "noise_multiplier": NOISES[noise], "steps": STEPS[count]}
        return parts(ask(**run, **{name: at[index]}))

    same_elements(parts(found), scalar)


@pytest.mark.parametrize("ask, name, at", [(renyi.epsilon, "delta", DELTAS), (renyi.delta, "epsilon", EPSILONS)])
def test_answers_of_plans(ask, name, at):
    same_elements(parts(ask(PLAN, **{name: at})), lambda index: parts(ask(PLAN, **{name: at[index]})))
    plans = [PLAN, renyi.Gaussian(2.0), renyi.Gaussian(3.0) * 5]
    found = ask(plans, **{name: at[1]})
    same_elements(parts(found), lambda index: parts(ask(plans[index], **{name: at[1]})))


def test_rdp():
    for plan in (PLAN, renyi.Gaussian(2.0)):
        same_elements([renyi.rdp(plan, orders=ORDERS)], lambda index: [renyi.rdp(plan, orders=ORDERS[index])])
    rates, noises, steps, orders = on_axes(*RUN.values(), ORDERS)
    found = renyi.rdp(sampling_rate=rates, noise_multiplier=noises, steps=steps, orders=orders)

    def scalar(rate, noise, count, index):
        plan = renyi.SampledGaussian(RATES[rate], NOISES[noise]) * STEPS[count]
        return [renyi.rdp(plan, orders=ORDERS[index])]

    same_elements([found], scalar)


@pytest.mark.parametrize(
    "p, q", [(renyi.NormalLaw(0, 1), renyi.NormalLaw(1.5, 2)), ([0.5, 0.25, 0.25], [0.1, 0.2, 0.7])]
)
def test_divergence(p, q):
    orders, epsilons = [0.5, 1.0, 2.0, 4.5], [0.0, 0.3, 0.9]

    def ends(found, way):
        return [getattr(getattr(found, way), end) for end in ("lower", "upper")]

    found = renyi.divergence(p, q, orders=orders, epsilons=epsilons)
    for way in ("p_q", "q_p"):
        same_elements(
            ends(found.renyi, way),
            lambda index: [end[0] for end in ends(renyi.divergence(p, q, orders=orders[index]).renyi, way)],
        )
        same_elements(
            ends(found.hockey_stick, way),
            lambda index: [
                end[0] for end in ends(renyi.divergence(p, q, epsilons=epsilons[index]).hockey_stick, way)
            ],
        )
    vectors = renyi.divergence(np.array([0.5, 0.25, 0.25]), np.array([0.1, 0.2, 0.7]), orders=[2.0])
    assert vectors.renyi.p_q.upper[0] == pytest.approx(math.log(0.25 / 0.1 + 0.0625 / 0.2 + 0.0625 / 0.7), rel=1e-12)


@pytest.mark.parametrize(
    "of",
    [
        lambda values: np.array(values)[::-1][::-1],
        lambda values: np.repeat(values, 3)[::3],
        lambda values: np.array(values + values).reshape(2, -1)[1],
        lambda values: np.array(values, dtype=">f8"),
        lambda values: np.array(values, dtype=object),
        lambda values: tuple(map(np.float64, values)),
    ],
    ids=["reversed twice", "strided", "row", "big-endian", "objects", "NumPy's numbers"],
)
def test_however_the_array_lies_in_memory(of):
    run = {"sampling_rate": 0.01, "noise_multiplier": 1.1, "steps": 100}
    expected = [renyi.epsilon(**run, delta=delta).upper for delta in DELTAS]
    assert renyi.epsilon(**run, delta=of(DELTAS)).upper.tolist() == expected
    expected = [renyi.epsilon(**{**run, "noise_multiplier": noise}, delta=1e-5).upper for noise in NOISES]
    assert renyi.epsilon(**{**run, "noise_multiplier": of(NOISES)}, delta=1e-5).upper.tolist() == expected
    expected = [renyi.rdp(PLAN, orders=order) for order in ORDERS]
    assert renyi.rdp(PLAN, orders=of(ORDERS)).tolist() == expected


def sampled(rng):
    """Compares where dp_accounting does not lose the divergence in rounding (docs/peers.md)."""
    rate, noise = events.log_uniform(rng, 0.01, 0.3), events.log_uniform(rng, 0.8, 4)
    return dp.PoissonSampledDpEvent(rate, dp.GaussianDpEvent(noise))


#: At others, their divergences of samples are too large.
WHOLE = [float(order) for order in DEFAULT_RDP_ORDERS if order == int(order)]
SAME = [
    (ADD_OR_REMOVE, [events.gaussian, events.laplace, events.zcdp], list(DEFAULT_RDP_ORDERS)),
    (ADD_OR_REMOVE, [events.gaussian, sampled], WHOLE),
    (ZERO_OUT, [events.gaussian, sampled], WHOLE),
    (REPLACE, [events.response, events.zcdp], list(DEFAULT_RDP_ORDERS)),
]


@pytest.mark.parametrize("relation, kinds, orders", SAME)
def test_divergences_of_the_accountant(relation, kinds, orders):
    rng, worst = random.Random(f"rdp {relation.name} {len(orders)}"), 0.0
    for _ in range(20):
        event = events.composed(rng, kinds, most=1000)
        ours, theirs = (make(orders, relation).compose(event) for make in (RdpAccountant, TheirRdp))
        assert ours.rdp.tolist() == [renyi.rdp(ours.plan, orders=order) for order in orders]
        assert ours.rdp == pytest.approx(theirs._rdp, rel=1e-9), event
        worst = max(worst, float(np.max(np.abs(ours.rdp / theirs._rdp - 1))))
    print(f"\n{relation.name}: 20 events, {len(orders)} orders, divergences within {worst:.1e} of theirs")


def test_no_privacy_is_infinite_at_every_order():
    assert RdpAccountant([1.0, 2.0, 3.5]).compose(dp.NonPrivateDpEvent()).rdp.tolist() == [math.inf] * 3
