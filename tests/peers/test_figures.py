"""Our figures against those of dp_accounting: random events, seeded."""

import logging
import math
import random

import dp_accounting as dp
import pytest
import scipy.integrate
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant as TheirRdp
from dp_accounting.rdp.rdp_privacy_accountant import DEFAULT_RDP_ORDERS

import events
from events import ADD_OR_REMOVE, REPLACE, ZERO_OUT
from optimistic import delta_reached
import renyi
from renyi.compat.dp_accounting import ExactAccountant, RdpAccountant

logging.getLogger("absl").setLevel(logging.ERROR)

RELATIVE = 1e-9
LEAST = 1e-300  # below this, the value of the peer is rounded to 0
DELTAS = (1e-9, 1e-6, 1e-5, 1e-3, 0.1)

#: What dp_accounting gets right under the relation, Rényi divergences.
SAME = {
    ADD_OR_REMOVE: [events.gaussian, events.laplace, events.zcdp, events.sampled],
    ZERO_OUT: [events.gaussian, events.laplace, events.zcdp, events.sampled],
    REPLACE: [events.response, events.zcdp],
}


def worst_excess(ours, theirs, at):
    """Ours over theirs, relative, over epsilons and deltas."""
    pairs = [(ours.get_epsilon(delta), theirs.get_epsilon(delta)) for delta in DELTAS]
    pairs += [(ours.get_delta(epsilon), theirs.get_delta(epsilon)) for epsilon in (0.0, 0.5, 2.0)]
    for mine, their in pairs:
        assert math.isfinite(mine) and mine <= their * (1 + RELATIVE) + LEAST, (mine, their, at)
    return max(mine / their - 1 for mine, their in pairs if their > 0)


@pytest.mark.parametrize("relation", SAME, ids=lambda relation: relation.name)
def test_our_renyi_bound_is_never_above_theirs(relation):
    rng, cases, excess = random.Random(f"renyi {relation.name}"), 120, []
    for _ in range(cases):
        event = events.composed(rng, SAME[relation], most=1000)
        orders = rng.choice(
            [None, DEFAULT_RDP_ORDERS, sorted({1 + rng.expovariate(0.1) for _ in range(20)}), [2, 4, 8, 64]]
        )
        theirs = TheirRdp(orders, relation).compose(event)
        excess.append(worst_excess(RdpAccountant(orders, relation).compose(event), theirs, (event, orders)))
        excess.append(worst_excess(RdpAccountant(None, relation).compose(event), theirs, (event, "all orders")))
    print(f"\n{relation.name}: {cases} events, given orders and all orders, 8 figures each;", end=" ")
    print(f"ours over theirs by at most {max(excess):.1e}")


def defects(relation, kinds, cases, accountants):
    """Their figures below our exact lower end, each proven by a third route."""
    rng, found = random.Random(f"exact {relation.name} {len(kinds)}"), []
    asked = 0
    for _ in range(cases):
        event, delta = events.composed(rng, kinds), rng.choice(DELTAS)
        ours = ExactAccountant(relation).compose(event)
        exact = ours.get_epsilon_interval(delta)
        for name, make in accountants.items():
            their = make(neighboring_relation=relation)
            if not their.supports(event):
                continue
            asked += 1
            epsilon = float(their.compose(event).get_epsilon(delta))
            if epsilon < exact.lower:
                found.append((name, event, delta, epsilon, exact, ours.plan))
    return asked, found


def report(relation, asked, found):
    print(f"\n{relation.name}: {asked} figures of theirs, {len(found)} below our exact lower end")
    for name, event, delta, epsilon, exact, plan in found:
        reached = max(delta_reached(plan, epsilon, direction) for direction in ("remove", "add"))
        print(f"  {name} {epsilon:.6g} at delta {delta:g}, exact {exact!r}; delta there >= {reached:.3g}: {event}")
        assert reached > delta, (name, event)  # proven: their epsilon is too small


@pytest.mark.parametrize("relation", [ADD_OR_REMOVE, ZERO_OUT], ids=lambda relation: relation.name)
def test_their_figures_are_not_below_ours_where_they_are_sound(relation):
    kinds = [events.gaussian, events.laplace, events.sampled_once]
    asked, found = defects(relation, kinds, 40, {"RdpAccountant": TheirRdp, "PLDAccountant": PLDAccountant})
    report(relation, asked, found)
    assert asked >= 80


def test_defects_under_replace_one_are_proven():
    """Gaussian and Laplace noise in RdpAccountant, counts of randomized response in PLDAccountant (docs/peers.md)."""
    kinds = [events.gaussian, events.laplace, events.response]
    asked, found = defects(REPLACE, kinds, 60, {"RdpAccountant": TheirRdp, "PLDAccountant": PLDAccountant})
    report(REPLACE, asked, found)
    assert {name for name, *_ in found} == {"RdpAccountant", "PLDAccountant"}
    for name, event, *_ in found:  # nothing else is wrong there
        assert ("RandomizedResponse" if name == "PLDAccountant" else "noise_multiplier") in repr(event)


#: The lines of docs/peers.md: accountant, relation, event, delta, their epsilon, our exact one.
LISTED = [
    (TheirRdp, REPLACE, dp.SelfComposedDpEvent(dp.GaussianDpEvent(20.0), 10), 1e-5, 0.6158, 1.1994),
    (TheirRdp, REPLACE, dp.LaplaceDpEvent(10.0), 1e-5, 0.1028, 0.2000),
    (PLDAccountant, REPLACE, dp.SelfComposedDpEvent(dp.RandomizedResponseDpEvent(0.9, 10), 20), 1e-5, 0.7472, 8.5968),
]


@pytest.mark.parametrize("make, relation, event, delta, theirs, ours", LISTED)
def test_listed_defects(make, relation, event, delta, theirs, ours):
    account = ExactAccountant(relation).compose(event)
    epsilon = make(neighboring_relation=relation).compose(event).get_epsilon(delta)
    exact = account.get_epsilon_interval(delta)
    print(f"\n{make.__name__} {epsilon:.7g}, exact {exact.lower:.7g} to {exact.upper:.7g}: {event}")
    assert epsilon == pytest.approx(theirs, abs=1e-4) and exact.upper == pytest.approx(ours, abs=1e-4)
    assert epsilon < exact.lower and delta_reached(account.plan, epsilon) > delta


def test_rounding_is_no_perfect_privacy():
    """Their divergence comes out negative, which they take for an epsilon of 0 (docs/peers.md)."""
    rate, noise, steps, delta = 1e-6, 1e5, 10**9, 1e-12
    event = dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(rate, dp.GaussianDpEvent(noise)), steps)
    assert TheirRdp().compose(event).get_epsilon(delta) == 0
    # The first step alone has this delta at epsilon 0, its total variation q (2 Phi(1/(2s)) - 1): all have no less.
    assert rate * math.erf(0.5 / noise / math.sqrt(2)) > delta
    exact = ExactAccountant().compose(event).get_epsilon_interval(delta)
    assert (
        1.3219e-6 < exact.lower <= exact.upper < 1.3221e-6
        and RdpAccountant().compose(event).get_epsilon(delta) > exact.lower
    )


def test_nan_is_no_perfect_privacy():
    event = dp.GaussianDpEvent(math.nan)
    assert TheirRdp().compose(event).get_epsilon(1e-5) == 0  # the defect listed in docs/peers.md
    with pytest.raises(ValueError, match="^noise_multiplier: got NaN"):
        RdpAccountant().compose(event)


@pytest.mark.parametrize("event", [dp.GaussianDpEvent(-1.0), dp.LaplaceDpEvent(-1.0), dp.LaplaceDpEvent(0.0)], ids=repr)
def test_their_ledger_has_what_was_refused(event):
    theirs = TheirRdp()
    with pytest.raises((ValueError, ZeroDivisionError)):
        theirs.compose(event)
    assert theirs.ledger == event and theirs.get_epsilon(1e-5) == 0


def test_pure_steps_at_delta_0():
    for theirs in (TheirRdp, PLDAccountant):
        assert theirs().compose(dp.LaplaceDpEvent(2.0)).get_epsilon(0) == math.inf
    for ours in (RdpAccountant, ExactAccountant):
        assert ours().compose(dp.LaplaceDpEvent(2.0)).get_epsilon(0) == pytest.approx(0.5, rel=1e-12)


def test_their_divergences_at_fractional_orders():
    order, rate, noise = 1.1, 0.1, 4.72

    def moment(x):
        law = math.exp(-0.5 * (x / noise) ** 2) / (noise * math.sqrt(2 * math.pi))
        return law * math.expm1(order * math.log1p(rate * math.expm1((x - 0.5) / noise**2)))

    truth = math.log1p(scipy.integrate.quad(moment, -80, 80, points=[0], epsabs=1e-16)[0]) / (order - 1)
    event = dp.PoissonSampledDpEvent(rate, dp.GaussianDpEvent(noise))
    ours, theirs = RdpAccountant([order]).compose(event).rdp[0], TheirRdp([order]).compose(event)._rdp[0]
    assert ours == pytest.approx(truth, rel=1e-9) and truth == pytest.approx(2.5e-4, rel=0.01)
    assert theirs == pytest.approx(7.1e-4, rel=0.01)


def test_the_judge_is_below_the_truth_and_near_it():
    for relation, kinds in (
        (ADD_OR_REMOVE, [events.gaussian, events.laplace, events.sampled_once]),
        (REPLACE, [events.response]),
    ):
        rng = random.Random(7)
        for _ in range(8):
            account = ExactAccountant(relation).compose(events.composed(rng, kinds, most=4))
            for direction in ("remove", "add"):
                exact = account._steps.delta(0.3, want="exact").exact
                exact = getattr(exact, direction)
                reached = delta_reached(account.plan, 0.3, direction)
                assert reached <= exact.upper * (1 + 1e-6) + 1e-13, (account.plan, direction)
                assert reached >= exact.lower * 0.99 - 1e-6, (account.plan, direction)


@pytest.mark.parametrize("rate, noise, steps", [(256 / 60_000, 1.1, 14_063), (0.01, 1.1, 10_000), (0.001, 0.7, 500)])
def test_compare_shows_what_their_rdp_accountant_prints(rate, noise, steps):
    """The row dp-accounting-rdp is what RdpAccountant prints, which is looser at orders that are no integers."""
    theirs = TheirRdp()
    theirs.compose(dp.PoissonSampledDpEvent(rate, dp.GaussianDpEvent(noise)), steps)
    row = renyi.compare(sampling_rate=rate, noise_multiplier=noise, steps=steps, delta=1e-5)["dp-accounting-rdp"]
    assert row.epsilon == pytest.approx(theirs.get_epsilon(1e-5), rel=1e-5)
    assert row.epsilon <= theirs.get_epsilon(1e-5) * (1 + RELATIVE)
