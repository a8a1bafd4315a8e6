"""Our accountants keep the contract of dp_accounting's, and work in their place."""

import copy
import math
import random

import attr
import dp_accounting as dp
import numpy as np
import pytest
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant as TheirRdp

import events
import renyi
from events import ADD_OR_REMOVE, REPLACE, ZERO_OUT
from guide import run_examples
from renyi.compat.dp_accounting import ExactAccountant, RdpAccountant

OURS = (RdpAccountant, ExactAccountant)
both = pytest.mark.parametrize("make", OURS)
GAUSSIAN = dp.GaussianDpEvent(2.0)
SAMPLED = dp.PoissonSampledDpEvent(0.01, dp.GaussianDpEvent(1.1))


class UnknownDpEvent(dp.DpEvent):
    pass


@attr.s(frozen=True, auto_attribs=True)
class PrivateDpEvent(dp.DpEvent):
    """Has no named tuple."""

    _noise_multiplier: float = 1.0


def nested(event):
    return [
        event,
        dp.ComposedDpEvent([event]),
        dp.SelfComposedDpEvent(event, 10),
        dp.ComposedDpEvent([GAUSSIAN, event]),
    ]


@both
@pytest.mark.parametrize(
    "event", [None, dp.NoOpDpEvent(), dp.ComposedDpEvent([]), dp.PoissonSampledDpEvent(0.0, dp.GaussianDpEvent(0.0))]
)
def test_nothing_costs_nothing(make, event):
    account = make()
    if event is not None:
        assert account.supports(event)
        account.compose(event)
    assert [account.get_epsilon(delta) for delta in (0, 1e-12, 1)] == [0, 0, 0]
    assert [account.get_delta(epsilon) for epsilon in (0, 1e-12, math.inf)] == [0, 0, 0]


NON_PRIVATE = [dp.NonPrivateDpEvent(), dp.GaussianDpEvent(0), dp.GaussianDpEvent(0.0), dp.LaplaceDpEvent(0.0)]
NON_PRIVATE += [dp.GaussianDpEvent(1e-60), dp.dp_event.DiscreteLaplaceDpEvent(0.0, 1)]


@both
@pytest.mark.parametrize("event", [form for event in NON_PRIVATE for form in nested(event)])
def test_no_privacy_is_infinite(make, event):
    account = make()
    assert account.supports(event)
    account.compose(GAUSSIAN).compose(event).compose(GAUSSIAN)
    assert [account.get_epsilon(delta) for delta in (0, 1e-5, 0.99, 1)] == [math.inf] * 4
    assert [account.get_delta(epsilon) for epsilon in (0, 100, math.inf)] == [1] * 3


@both
def test_a_sample_without_noise_shows_those_who_are_drawn(make):
    account = make().compose(dp.PoissonSampledDpEvent(0.1, dp.GaussianDpEvent(0.0)))
    assert account.get_epsilon(0.05) == math.inf and account.get_epsilon(0.1001) == 0
    assert account.get_delta(3.0) == pytest.approx(0.1)


@both
def test_infinite_where_theirs_is(make):
    theirs = {RdpAccountant: TheirRdp, ExactAccountant: PLDAccountant}[make]
    for event in (GAUSSIAN, SAMPLED):
        assert theirs().compose(event).get_epsilon(0) == make().compose(event).get_epsilon(0) == math.inf
    for event in (dp.NonPrivateDpEvent(), dp.GaussianDpEvent(0.0)):
        for delta in (0, 1e-5, 1):
            assert theirs().compose(event).get_epsilon(delta) == make().compose(event).get_epsilon(delta) == math.inf
        assert theirs().compose(event).get_delta(1.0) == make().compose(event).get_delta(1.0) == 1
    assert make().compose(dp.LaplaceDpEvent(2.0)).get_epsilon(0) == pytest.approx(0.5)  # pure: known at delta 0


UNSUPPORTED = [
    dp.UnsupportedDpEvent(),
    UnknownDpEvent(),
    PrivateDpEvent(),
    dp.PoissonSampledDpEvent(0.1, dp.SelfComposedDpEvent(dp.LaplaceDpEvent(1.0), 2)),
]
UNSUPPORTED += [dp.SingleEpochTreeAggregationDpEvent(1.0, 8)]
UNSUPPORTED += [dp.PoissonSampledDpEvent(0.1, dp.dp_event.RepeatAndSelectDpEvent(dp.LaplaceDpEvent(1.0), 5.0, 1.0))]


@both
@pytest.mark.parametrize("event", UNSUPPORTED, ids=lambda event: type(event).__name__)
def test_unsupported_is_refused_and_nothing_changes(make, event):
    account = make().compose(SAMPLED, 7)
    before = account.get_epsilon(1e-5), account.ledger
    for form in nested(event):
        assert not account.supports(form)
        assert account._maybe_compose(form, 1, False).invalid_event == event
        with pytest.raises(dp.UnsupportedEventError, match="caused by subevent"):
            account.compose(form)
    assert (account.get_epsilon(1e-5), account.ledger) == before


@both
def test_unsupported_relations(make):
    response = dp.RandomizedResponseDpEvent(0.5, 4)
    assert [
        make(neighboring_relation=relation).supports(response) for relation in (ADD_OR_REMOVE, REPLACE, ZERO_OUT)
    ] == [False, True, False]
    assert [
        make(neighboring_relation=relation).supports(SAMPLED) for relation in (ADD_OR_REMOVE, REPLACE, ZERO_OUT)
    ] == [True, True, True]
    assert make(neighboring_relation=REPLACE).supports(dp.PoissonSampledDpEvent(0.01, dp.GaussianDpEvent(1e-3)))
    assert make(neighboring_relation=REPLACE).neighboring_relation is REPLACE
    with pytest.raises(ValueError, match="neighboring_relation"):
        make(neighboring_relation="replace-one")


@both
def test_samples_of_fixed_size_are_served(make):
    """Their noise is beside one record's contribution, and so is that of our sampled steps."""
    events = {
        dp.SampledWithoutReplacementDpEvent(100, 10, GAUSSIAN): renyi.FixedSize(100, 10),
        dp.SampledWithReplacementDpEvent(100, 10, GAUSSIAN): renyi.WithReplacement(100, 10),
    }
    for event, scheme in events.items():
        found = renyi.convert(event, neighbors="replace-one")
        step = renyi.Gaussian(GAUSSIAN.noise_multiplier).sampled(scheme)
        assert found == renyi.Plan(step, neighbors="replace-one")
        assert make(neighboring_relation=REPLACE).supports(event)


def test_discrete_laplace_is_theirs():
    rng = random.Random(5)
    for relation in (ADD_OR_REMOVE, ZERO_OUT):
        for _ in range(8):
            event = dp.dp_event.DiscreteLaplaceDpEvent(events.log_uniform(rng, 0.02, 1.5), rng.randint(1, 4))
            event = dp.SelfComposedDpEvent(event, rng.randint(1, 12))
            ours = ExactAccountant(neighboring_relation=relation).compose(event)
            theirs = PLDAccountant(relation, value_discretization_interval=1e-4).compose(event)
            for delta in (1e-3, 1e-6):
                found = ours.get_epsilon_interval(delta)
                # Theirs is rounded up by its discretization.
                assert found.lower <= theirs.get_epsilon(delta) <= found.upper * (1 + 1e-3) + 2e-3


@pytest.mark.parametrize("shape", [0.0, 0.5, 1.0, 3.0])
def test_the_best_of_several_runs_is_theirs(shape):
    """Both use the same theorem, which takes the best of two orders: renyi among all orders, dp_accounting among those
    that it is given."""
    rng, orders = random.Random(int(10 * shape)), 1 + np.logspace(-2, 4, 3000)
    for kind in (events.gaussian, events.zcdp, events.sampled, events.laplace):
        event = dp.dp_event.RepeatAndSelectDpEvent(kind(rng), events.log_uniform(rng, 1.5, 200), shape)
        theirs, ours = TheirRdp(orders).compose(event), RdpAccountant().compose(event)
        for delta in (1e-3, 1e-6):
            assert ours.get_epsilon(delta) <= theirs.get_epsilon(delta) * (1 + 1e-6)
            if kind is not events.laplace:  # bounded losses: the bound of pure DP beside it is ours alone
                assert ours.get_epsilon(delta) == pytest.approx(theirs.get_epsilon(delta), rel=1e-3)


def test_the_best_of_a_poisson_number_of_runs():
    """Theirs leaves out the outcome of no run, ln(m) for ln(m + exp(-m)), and has the Rényi bound's delta for the exact one."""
    for mean in (10.0, 100.0):
        event = dp.dp_event.RepeatAndSelectDpEvent(dp.GaussianDpEvent(10.0), mean, math.inf)
        ours, theirs = RdpAccountant().compose(event), TheirRdp().compose(event)
        for delta in (1e-3, 1e-6):
            assert ours.get_epsilon(delta) <= theirs.get_epsilon(delta) * (1 + 1e-4)
    with pytest.raises(dp.UnsupportedEventError, match="use RdpAccountant"):
        ExactAccountant().compose(event)


def test_no_exact_figure_of_zcdp():
    assert RdpAccountant().supports(dp.ZCDpEvent(0.1)) and not ExactAccountant().supports(dp.ZCDpEvent(0.1))
    with pytest.raises(dp.UnsupportedEventError, match="use RdpAccountant"):
        ExactAccountant().compose(dp.ZCDpEvent(0.1))


BAD = [
    dp.GaussianDpEvent(-1.0),
    dp.GaussianDpEvent(math.nan),
    dp.LaplaceDpEvent(-1.0),
    dp.PoissonSampledDpEvent(1.5, GAUSSIAN),
]
BAD += [dp.PoissonSampledDpEvent(math.nan, GAUSSIAN), dp.SelfComposedDpEvent(GAUSSIAN, -2), dp.GaussianDpEvent("1")]
FIELDS = ["noise_multiplier"] * 3 + ["sampling_probability"] * 2 + ["count", "noise_multiplier"]


@both
@pytest.mark.parametrize("event, field", list(zip(BAD, FIELDS)), ids=repr)
def test_bad_values_are_refused_and_nothing_changes(make, event, field):
    account = make().compose(SAMPLED)
    before = account.get_epsilon(1e-5), account.ledger
    for form in (event, dp.ComposedDpEvent([GAUSSIAN, event])):
        assert not account.supports(form)
        with pytest.raises(renyi.InvalidArgument) as caught:
            account.compose(form)
        assert caught.value.field == field
    for count, error in ((0, ValueError), (-1, ValueError), (2.0, TypeError)):
        with pytest.raises(error):
            account.compose(GAUSSIAN, count)
    with pytest.raises(dp.UnsupportedEventError, match="2\\^63"):
        account.compose(GAUSSIAN, 2**63 - 1)
    with pytest.raises(TypeError):
        account.compose("GaussianDpEvent")
    assert (account.get_epsilon(1e-5), account.ledger) == before
    for delta in (-1e-9, 1.5, math.nan):
        with pytest.raises(renyi.InvalidArgument, match="^target_delta: "):
            account.get_epsilon(delta)
    for epsilon in (-1e-9, math.nan):
        with pytest.raises(renyi.InvalidArgument, match="^target_epsilon: "):
            account.get_delta(epsilon)


@both
def test_counts_and_order_of_composition(make):
    rng = random.Random(3)
    for _ in range(20):
        parts = [events.composed(rng, [events.gaussian, events.laplace, events.sampled]) for _ in range(3)]
        counts = [rng.randint(1, 5) for _ in parts]
        at_once, one_by_one, as_one = make(), make(), make()
        for part, count in zip(parts, counts):
            at_once.compose(part, count)
        for part, count in reversed(list(zip(parts, counts))):
            for _ in range(count):
                one_by_one.compose(part)
        as_one.compose(at_once.ledger)
        expected = at_once.get_epsilon(1e-6)
        assert one_by_one.get_epsilon(1e-6) == pytest.approx(expected, rel=1e-5)
        assert as_one.get_epsilon(1e-6) == pytest.approx(expected, rel=1e-5)


@both
def test_ledger_plan_and_copies(make):
    account = make().compose(SAMPLED, 3).compose(dp.NoOpDpEvent()).compose(SAMPLED).compose(dp.LaplaceDpEvent(9.0))
    assert account.ledger == dp.ComposedDpEvent([dp.SelfComposedDpEvent(SAMPLED, 4), dp.LaplaceDpEvent(9.0)])
    assert account.plan == renyi.SampledGaussian(0.01, 1.1) * 4 + renyi.Laplace(9)
    twin = copy.deepcopy(account).compose(GAUSSIAN)
    assert twin.get_epsilon(1e-5) > account.get_epsilon(1e-5) and len(account.plan.steps) == 2


def test_figures_are_those_of_renyi_epsilon():
    plan = renyi.SampledGaussian(0.01, 1.1) * 10_000
    event = dp.SelfComposedDpEvent(SAMPLED, 10_000)
    answer, delta = renyi.epsilon(plan, delta=1e-5), renyi.delta(plan, epsilon=2.0)
    bound, exact = RdpAccountant().compose(event), ExactAccountant().compose(event)
    assert bound.get_epsilon_and_optimal_order(1e-5) == (answer.renyi, answer.order)
    assert bound.get_delta_and_optimal_order(2.0) == (delta.renyi, delta.order)
    assert exact.get_epsilon_interval(1e-5) == answer.exact and exact.get_delta_interval(2.0) == delta.exact
    assert exact.get_epsilon_lower_bound(1e-5) == answer.exact.lower
    assert ExactAccountant(value_discretization_interval=1e-2).compose(event).get_epsilon(1e-5) == answer.exact.upper
    assert len(bound.orders) == len(bound.rdp) == len(TheirRdp().orders)
    assert list(RdpAccountant().compose(dp.NonPrivateDpEvent()).rdp[:2]) == [math.inf, math.inf]


def test_given_orders_are_respected():
    bound = RdpAccountant([2.0, 3.0]).compose(SAMPLED, 1000)
    assert bound.get_epsilon_and_optimal_order(1e-5)[1] in (2, 3)
    assert bound.get_epsilon(1e-5) > RdpAccountant().compose(SAMPLED, 1000).get_epsilon(1e-5)
    assert (
        RdpAccountant([1.0]).compose(dp.GaussianDpEvent(1000.0)).get_epsilon(0.1) == 0
    )  # by total variation, as theirs
    for orders in ([], [0.5, 2], [math.nan], "2"):
        with pytest.raises(ValueError, match="orders"):
            RdpAccountant(orders)


def test_beyond_the_ranges_of_plans():
    """Sound bounds, and nothing claimed from below; more noise never costs more."""
    noises = [1e-3, 5e-3, 9.9e-3, 0.01, 0.011, 0.1, 1, 1e5, 1e6, 1.1e6, 1e7, math.inf]
    for make in OURS:
        cost = [
            make().compose(dp.PoissonSampledDpEvent(0.1, dp.GaussianDpEvent(noise)), 100).get_epsilon(1e-5)
            for noise in noises
        ]
        assert cost == sorted(cost, reverse=True) and all(map(math.isfinite, cost))
    rare = ExactAccountant().compose(dp.PoissonSampledDpEvent(1e-200, GAUSSIAN))
    assert 0 <= rare.get_epsilon(1e-5) < 1e-9
    joint = dp.PoissonSampledDpEvent(0.1, dp.SelfComposedDpEvent(dp.GaussianDpEvent(0.05), 100))  # 0.005 together
    low, all_records = (
        ExactAccountant().compose(joint),
        ExactAccountant().compose(dp.SelfComposedDpEvent(dp.GaussianDpEvent(0.05), 100)),
    )
    assert low.get_epsilon(1e-5) == all_records.get_epsilon(1e-5) and low.get_epsilon_lower_bound(1e-5) == 0


@pytest.mark.parametrize(
    "make, theirs, near", [(RdpAccountant, TheirRdp, 2e-3), (ExactAccountant, PLDAccountant, 1e-3)]
)
def test_inside_their_calibration(make, theirs, near):
    def event(noise):
        return dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(0.02, dp.GaussianDpEvent(noise)), 500)

    bracket = dp.ExplicitBracketInterval(0.5, 10)  # theirs takes minutes at noise near 0; ours does not:
    found = dp.calibrate_dp_mechanism(make, event, 1.5, 1e-5)
    assert found == pytest.approx(dp.calibrate_dp_mechanism(theirs, event, 1.5, 1e-5, bracket), rel=near)
    assert make().compose(event(found)).get_epsilon(1e-5) <= 1.5
    by = {RdpAccountant: "renyi", ExactAccountant: "exact"}[make]
    exactly = renyi.calibrate(sampling_rate=0.02, steps=500, epsilon=1.5, delta=1e-5, by=by)
    assert found == pytest.approx(exactly.value, abs=2e-6)

    def steps(count):
        return dp.SelfComposedDpEvent(SAMPLED, max(count, 1))

    most = dp.calibrate_dp_mechanism(make, steps, 1.5, 1e-5, dp.ExplicitBracketInterval(1, 10_000), discrete=True)
    assert make().compose(steps(most)).get_epsilon(1e-5) <= 1.5 < make().compose(steps(most + 2)).get_epsilon(1e-5)


def test_epsilon_falls_with_noise():
    for make in OURS:
        costs = [
            make().compose(dp.PoissonSampledDpEvent(0.02, dp.GaussianDpEvent(0.5 + 0.01 * i)), 300).get_epsilon(1e-5)
            for i in range(200)
        ]
        assert costs == sorted(costs, reverse=True)


def test_events_convert_to_the_same_plan():
    rng = random.Random(11)
    for _ in range(100):
        event = events.composed(rng, [events.gaussian, events.laplace, events.zcdp, events.sampled])
        plan = RdpAccountant().compose(event).plan
        assert renyi.convert(event).merged() == renyi.convert(event.to_named_tuple()).merged() == plan.merged()
    shown = renyi.convert(dp.ComposedDpEvent([GAUSSIAN, dp.NonPrivateDpEvent()]))
    assert shown == renyi.Plan(renyi.Gaussian(2), renyi.mechanism("non-private"))


def test_the_guide():
    assert run_examples("docs/guide/drop-in.md", "import dp_accounting") == 4
