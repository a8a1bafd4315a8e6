"""profile, tradeoff, compare, explain, relate, loss: every member of the engine's answer, to the last bit."""

import dataclasses
import decimal
import json
import math
import re
from typing import Optional

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renyi
from renyi import _native, reports
from renyi._decode import decode
from renyi._report import Columns, Ends
from renyi.reports import LargestCount, compare, explain, loss, profile, relate, tradeoff

SGD = renyi.SampledGaussian(0.01, 1.1) * 1000
PLANS = {
    "sampled": SGD,
    "gaussian": renyi.Gaussian(2.0) * 3,
    "laplace": renyi.Laplace(2.0) * 3,
    "response": renyi.Plan(renyi.RandomizedResponse(0.75)),
    "promise": renyi.PureDp(0.25) * 4,
    "bounds": renyi.Plan(renyi.Zcdp(0.1)),
    "mixed": SGD + renyi.Laplace(4.0) * 5,
    "replaced": renyi.Plan(renyi.Gaussian(4.0), neighbors="replace-one"),
}
QUESTIONS = [
    (profile, {}),
    (profile, {"epsilons": [0.0, 0.5, 3.0], "tolerance": 1e-4, "memory": 64}),
    (profile, {"deltas": [0.0, 1e-5, 1.0], "orders": [2.0, 8.0, math.inf], "conversion": "classical"}),
    (profile, {"deltas": [1e-5], "want": ["renyi"]}),
    (profile, {"epsilons": [1.0], "want": ["exact"]}),
    (tradeoff, {}),
    (tradeoff, {"type_1_errors": [0.0, 0.01, 0.5, 1.0]}),
    (compare, {"delta": 1e-5}),
    (compare, {"delta": 1e-5, "epsilon": 4.0, "event": 0.001}),
    (compare, {"delta": 1e-5, "epsilon": math.inf}),
    (explain, {}),
    (explain, {"baseline": [0.01, 0.5], "orders": [2.0, math.inf], "factors": [2.0], "delta": 1e-5, "group_size": 3}),
    (explain, {"orders": "traditional"}),
    (relate, {}),
    (relate, {"to": "zcdp", "rho": 500.0}),
    (relate, {"omega": [2.0, 3.0], "lambda": [1.5, 7.0]}),
    (loss, {}),
    (loss, {"direction": "add", "orders": [0.0, 0.5], "at_least": [-1.0, 0.25], "within": [0.5]}),
]


def engine(op, plan, **members):
    """The engine's own answer."""
    request = {"op": op, **{name: text_if_infinite(value) for name, value in members.items()}}
    return json.loads(_native.ask(plan._engine, json.dumps(request)))


def text_if_infinite(value):
    if isinstance(value, list):
        return [text_if_infinite(item) for item in value]
    return "inf" if value == math.inf else value


def number(value):
    return math.inf if value == "inf" else value


def agrees(found, answer):
    """Counts the leaves of the answer that the report contains. Fails at the first that is missing or different."""
    if isinstance(found, LargestCount):
        expected = {"unlimited": math.inf}.get(answer, answer) if not isinstance(answer, dict) else answer["at_least"]
        assert found.count == expected and found.or_more == isinstance(answer, dict)
        return 1
    if isinstance(answer, dict):
        return sum(member_agrees(found, name, value) for name, value in answer.items())
    if isinstance(answer, list) and isinstance(found, Columns):
        return sum(cell_agrees(found, name, i, row[name]) for i, row in enumerate(answer) for name in row)
    if isinstance(answer, list):
        assert len(found) == len(answer)
        return sum(agrees(one, value) for one, value in zip(found, answer))
    assert found == number(answer) and isinstance(found, (str, bool)) == isinstance(number(answer), (str, bool))
    return 1


def member_agrees(found, name, value):
    word = "order" if name == "lambda" else name
    if isinstance(value, dict) and set(value) == {"unavailable"}:
        assert getattr(found, word) is None and found.unavailable[word] == value["unavailable"]
        return 1
    return agrees(getattr(found, word), value)


def cell_agrees(columns, name, index, value):
    column = getattr(columns, name)
    if isinstance(value, dict):
        return sum(cell_agrees(column, part, index, inner) for part, inner in value.items())
    assert column[index] == number(value)
    return 1


def leaves(answer):
    if isinstance(answer, (dict, list)):
        return sum(leaves(part) for part in (answer.values() if isinstance(answer, dict) else answer))
    return 1


def profile_agrees(found, answer):
    assert found.given == ("epsilon" if "at_epsilons" in answer else "delta")
    asked = "delta" if found.given == "epsilon" else "epsilon"
    rows = answer[f"at_{found.given}s"]
    assert len(found) == len(rows) and found.note == answer.get("note")
    count = "note" in answer
    for i, row in enumerate(rows):
        assert found.at[i] == row[found.given]
        count += 1
        if "renyi" in row:
            assert (found.renyi[i], found.order[i]) == (number(row["renyi"][asked]), number(row["renyi"]["order"]))
            assert found.conversion[i] == row["renyi"]["conversion"]
            count += 3
        if "unavailable" in row.get("exact", {}):
            assert found.unavailable[i] == row["exact"]["unavailable"]
            count += 1
        elif "exact" in row:
            count += sum(cell_agrees(found.exact, name, i, value) for name, value in row["exact"].items())
    assert ("renyi" in rows[0]) == (found.renyi is not None)
    return count


def tradeoff_agrees(found, answer):
    points = answer.pop("points")
    assert len(found) == len(points)
    count = agrees(found, answer)
    return count + sum(cell_agrees(found, name, i, row[name]) for i, row in enumerate(points) for name in row)


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("ask, members", QUESTIONS)
def test_every_member_of_the_answer(ask, members, name):
    plan = PLANS[name]
    words = {"order" if member == "lambda" else member: value for member, value in members.items()}
    try:
        answer = engine(ask.__name__, plan, **members)
    except renyi.Unsupported as refused:
        with pytest.raises(renyi.Unsupported) as again:
            ask(plan, **words)
        assert str(again.value) == str(refused)
        return
    found = ask(plan, **words)
    in_all = leaves(answer)
    check = {profile: profile_agrees, tradeoff: tradeoff_agrees}.get(ask, agrees)
    assert check(found, answer) == in_all > 0
    assert found.plan == plan
    assert found._repr_html_().startswith("<div>") and repr(found).startswith("<")


def test_a_note_on_wide_intervals_is_kept():
    found = profile(SGD + renyi.Laplace(4.0) * 5, epsilons=[0.5], tolerance=1e-15)
    assert "wider than the tolerance" in found.exact.note[0]


# ---- the decoder


@dataclasses.dataclass(frozen=True)
class Part:
    value: float


@dataclasses.dataclass(frozen=True)
class Whole:
    part: Part
    text: Optional[str]


def test_unknown_and_missing_members_are_errors():
    assert decode(Whole, {"part": {"value": "inf"}}) == Whole(Part(math.inf), None)
    for broken in (
        {},
        {"part": {}},
        {"part": {"value": 1, "more": 2}},
        {"part": {"value": 1}, "more": 2},
        {"part": {"value": "1"}},
        {"part": {"value": True}},
        {"part": {"value": None}},
        {"part": {"value": 1}, "text": 3},
        {"part": {"unavailable": "why"}},
    ):
        with pytest.raises(TypeError):
            decode(Whole, broken)


def test_a_profile_refuses_members_it_does_not_know():
    from renyi.reports._profile import _read

    row = {"epsilon": 1, "renyi": {"delta": 0.5, "order": 2, "conversion": "tight"}}
    assert _read({}, SGD, {"at_epsilons": [row]}, {}).renyi[0] == 0.5
    for broken in (
        {"at_epsilons": [{"epsilon": 1, "more": 1}]},
        {"at_epsilons": [{"epsilon": 1}], "more": 1},
        {"at_epsilons": [{"epsilon": 1, "renyi": {"delta": 0.5, "order": 2, "conversion": "tight", "more": 1}}]},
        {"at_epsilons": [{"epsilon": 1, "exact": {"lower": 0, "upper": 1}}]},
    ):
        with pytest.raises((TypeError, KeyError)):
            _read({}, SGD, broken, {})


@pytest.mark.parametrize("given_by, most", [("epsilon", 1.0), ("delta", math.inf)])
def test_nothing_is_known_where_a_point_has_no_figure(given_by, most):
    from renyi.reports._profile import _read

    ends = {"lower": 0.1, "upper": 0.2, "engine": "contour"}
    known = {**ends, "direction": "add", "remove": ends, "add": ends, "standing": "attained"}
    asked = "delta" if given_by == "epsilon" else "epsilon"

    def row(at, exact):
        return {given_by: at, "renyi": {asked: 0.5, "order": 2, "conversion": "tight"}, "exact": exact}

    found = _read({}, SGD, {f"at_{given_by}s": [row(0.25, known), row(0.5, {"unavailable": "no figure"})]}, {})
    assert found.unavailable.tolist() == ["", "no figure"]
    assert found.exact.lower.tolist() == [0.1, 0.0] and found.exact.upper.tolist() == [0.2, most]
    assert found.upper.tolist() == [0.2, 0.5]
    assert "unavailable: no figure" in repr(found)


def test_largest_counts():
    assert LargestCount._from_json(7) == LargestCount(7, False)
    assert LargestCount._from_json({"at_least": 9}) == LargestCount(9, True)
    assert LargestCount._from_json("unlimited") == LargestCount(math.inf, False)
    texts = [str(LargestCount(*count)) for count in ((7, False), (9, True), (math.inf, False))]
    assert texts == ["7", "9 or more", "unlimited"]
    with pytest.raises(TypeError):
        LargestCount._from_json("many")


# ---- closed forms


def cdf(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def near(interval, truth, relative=1e-11):
    lower, upper = interval
    slack = relative * abs(truth)
    return lower - slack <= truth <= upper + slack and upper - lower <= 1e-6 * max(1e-300, abs(truth))


def gaussian_delta(mu, epsilon):
    return cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * cdf(-mu / 2 - epsilon / mu)


def test_gaussian_profile():
    found = profile(noise_multiplier=2.0, steps=4, epsilons=[0.0, 0.5, 1.0, 3.0])  # mu = 1
    for i, epsilon in enumerate(found.epsilon):
        assert near((found.exact.lower[i], found.exact.upper[i]), gaussian_delta(1.0, epsilon))
    assert np.all(found.renyi > found.exact.upper) and np.all(found.upper == found.exact.upper)
    back = profile(noise_multiplier=2.0, steps=4, deltas=found.delta)
    np.testing.assert_allclose(back.epsilon, found.epsilon, atol=1e-6)
    assert back.given == "delta" and np.all(back.delta == found.delta)


def test_upper_is_the_rényi_bound_where_there_is_no_other():
    bounds = profile(renyi.Zcdp(0.1), epsilons=[0.5, 1.0])
    assert bounds.exact is None and all(bounds.unavailable) and np.all(bounds.upper == bounds.renyi)
    nothing = profile(renyi.Zcdp(0.1), epsilons=[0.5], want="exact")
    assert nothing.upper.tolist() == [1.0] and nothing.unavailable[0]
    assert profile(renyi.Zcdp(0.1), deltas=[0.5], want="exact").upper.tolist() == [math.inf]
    renyi_only = profile(SGD, epsilons=[0.5], want="renyi")
    assert renyi_only.exact is None and renyi_only.unavailable.tolist() == [""]


def test_gaussian_tradeoff():
    found = tradeoff(renyi.Gaussian(1.0), type_1_errors=[cdf(-3.0), cdf(-1.0), 0.5])
    for i, quantile in enumerate((3.0, 1.0, 0.0)):  # f(a) = Phi(Phi^-1(1 - a) - mu)
        power = cdf(1 - quantile)
        assert found.power.lower[i] - 1e-9 <= power <= found.power.upper[i] + 1e-9
        assert found.type_2_error.lower[i] - 1e-9 <= 1 - power <= found.type_2_error.upper[i] + 1e-9
        assert found.power.upper[i] - found.power.lower[i] < 1e-6
    assert near(found.advantage, 2 * cdf(0.5) - 1)


def test_gaussian_loss():
    found = loss(noise_multiplier=2.0, steps=4, orders=[0.5, 3.0], at_least=[0.0, 2.0], within=[1.0])
    for one in (found.remove, found.add):  # L is normal with mean 1/2 and variance 1
        assert one.known and near(one.mean, 0.5) and near(one.variance, 1.0) and 0.0 in one.skewness
        assert near((one.log_mgf.lower[1], one.log_mgf.upper[1]), 3 / 2 + 9 / 2)
        assert near((one.at_least.lower[0], one.at_least.upper[0]), cdf(0.5))
        assert near((one.at_least.lower[1], one.at_least.upper[1]), cdf(-1.5))
        assert near((one.within.lower[0], one.within.upper[0]), cdf(0.5) - cdf(-1.5))
        assert set(one.at_least.method) == {"closed-form"}


def test_gaussian_relations():
    found = relate(renyi.Gaussian(2.0), order=[3.0], omega=5.0)
    assert near((found.gdp.mu_lower, found.gdp.mu), 0.5) and near((found.zcdp.rho_lower, found.zcdp.rho), 1 / 8)
    assert [row.omega for row in found.tcdp] == [5.0] and near((found.tcdp[0].rho_lower, found.tcdp[0].rho), 1 / 8)
    assert [row.order for row in found.moments] == [3.0]
    assert found.moments[0].rdp == pytest.approx(4 / 8, rel=1e-12) and found.moments[0].rdp >= 4 / 8
    assert found.pure.epsilon is None and "unbounded" in found.pure.none
    assert relate(renyi.Gaussian(2.0), to="cdp").zcdp is None


def test_gaussian_promises():
    found = explain(renyi.Gaussian(1.0), baseline=[0.5], orders=[2.0], factors=[math.e], delta=1e-5, group_size=2)
    assert found.outcomes[0].exact.upper == pytest.approx(cdf(1.0), rel=1e-6)
    assert found.outcomes[0].exact.lower == pytest.approx(cdf(-1.0), rel=1e-6)
    assert found.orders[0].epsilon == pytest.approx(1.0, rel=1e-12) and found.pure_epsilon == math.inf
    assert found.bayes.expected_log_factor == pytest.approx(0.5, rel=1e-12)
    assert found.outcomes[0].pure is None and found.outcomes[0].unavailable == {"pure": "the loss is unbounded"}
    assert found.approximate.epsilon == renyi.epsilon(renyi.Gaussian(1.0), delta=1e-5).renyi
    assert (found.delta, found.group.size, found.group.stability) == (1e-5, 2, 2)
    assert found.approximate.upper == renyi.epsilon(renyi.Gaussian(1.0), delta=1e-5).exact.upper
    assert found.bayes.tails[0].upper == pytest.approx(cdf(-0.5), rel=1e-9)
    assert found.bayes.tails[0].exact.method == "closed-form"
    assert found.group.scaled.upper == renyi.epsilon(renyi.Gaussian(0.5), delta=1e-5).exact.upper
    without = explain(renyi.Gaussian(1.0))
    assert without.approximate is None and without.group is None
    assert without.outcomes[0].exact == found.outcomes[0].exact


def test_comparison():
    found = compare(renyi.PureDp(0.25) * 4, delta=1e-5, epsilon=2.0)
    assert found["basic"].epsilon == pytest.approx(1.0, rel=1e-12) and found["basic"].largest_count.count == 2
    assert found.best == "exact" and found["exact"].epsilon <= min(t.epsilon for t in found.theorems if t.epsilon)
    assert found["renyi-event"].epsilon is None and found["renyi-event"].event == 1e-5
    assert (found.delta, found.epsilon) == (1e-5, 2.0)
    with pytest.raises(KeyError):
        found["nonsense"]


def test_comparison_of_a_training_run_shows_known_accountants():
    found = compare(dataset_size=60_000, batch_size=256, epochs=60, noise_multiplier=1.1, delta=1e-5)
    assert found["opacus-rdp"].epsilon == pytest.approx(2.5966555286883684, rel=1e-9)  # what Opacus 1.6.0 prints
    assert found["renyi-plan"].epsilon <= found["dp-accounting-rdp"].epsilon <= found["opacus-rdp"].epsilon
    assert found["exact"].epsilon < found["prv"].epsilon < found["exact"].epsilon + 0.011
    clt = found["gdp-clt"]
    assert clt.epsilon is None and clt.epsilon_estimate < found["exact"].epsilon  # it is no bound
    assert "no bound; estimate 2.32436" in str(found)
    with pytest.raises(KeyError):
        compare(renyi.Laplace(2.0), delta=1e-5)["prv"]


def test_comparison_says_how_delta_was_divided():
    found = compare(renyi.Gaussian(2.0), delta=1e-5)
    (step,) = found["basic"].split.steps
    assert step.epsilon == found["basic"].epsilon == renyi.epsilon(renyi.Gaussian(2.0), delta=1e-5).exact.upper
    assert (step.delta, step.count, found["basic"].split.slack) == (1e-5, 1, 0.0)
    (step,), slack = found["advanced"].split.steps, found["advanced"].split.slack
    assert 0 < slack < 1e-5 and step.delta + slack <= 1e-5
    assert found["renyi-plan"].split is None


# ---- many at once


UNIT = st.floats(0, 1)


@given(
    noise=st.lists(UNIT.map(lambda u: 0.5 * 40**u), min_size=1, max_size=3),
    steps=st.integers(1, 1000),
    deltas=st.lists(UNIT.map(lambda u: 0.5 * 1e-9**u), min_size=1, max_size=2),
)
@settings(max_examples=15, deadline=None)
def test_arrays_have_the_bits_of_single_answers(noise, steps, deltas):
    grid = compare(noise_multiplier=noise, steps=steps, delta=np.array(deltas)[:, None])
    points = profile(noise_multiplier=noise, steps=steps, deltas=deltas)
    assert grid.shape == (len(deltas), len(noise)) and points.shape == (len(noise),)
    for j, sigma in enumerate(noise):
        alone = profile(noise_multiplier=sigma, steps=steps, deltas=deltas)
        assert np.array_equal(points[j].renyi, alone.renyi) and np.array_equal(points[j].upper, alone.upper)
        for i, delta in enumerate(deltas):
            single = compare(noise_multiplier=sigma, steps=steps, delta=delta)
            assert grid[i, j].theorems == single.theorems and grid[i, j].delta == delta
            bound = renyi.epsilon(noise_multiplier=sigma, steps=steps, delta=delta)
            assert single["renyi-plan"].epsilon == alone.renyi[i] == bound.renyi
            assert single["exact"].epsilon == alone.exact.upper[i] == bound.exact.upper


def test_every_question_takes_arrays_and_lists_of_plans():
    for ask in (profile, tradeoff, loss, relate, explain):
        grid = ask(noise_multiplier=[[1.0], [2.0]], steps=[1, 2, 3])
        assert grid.shape == (2, 3)
        assert grid[1, 2].plan == renyi.Gaussian(2.0) * 3
        assert ask([renyi.Gaussian(1.0), renyi.Gaussian(2.0)]).shape == (2,)
    assert relate(noise_multiplier=1.0, rho=[1.0, 2.0]).zcdp.rho.tolist() == [1.0, 2.0]
    sizes = explain(noise_multiplier=4.0, delta=[1e-5, 1e-6], group_size=[[2], [4]])
    assert sizes.group.size.tolist() == [[2, 2], [4, 4]] and sizes.delta.tolist() == [[1e-5, 1e-6]] * 2
    budgets = compare(noise_multiplier=4.0, delta=1e-5, epsilon=[1.0, 2.0], event=0.5)
    assert budgets.epsilon.tolist() == [1.0, 2.0]


# ---- errors


@pytest.mark.parametrize(
    "ask, field",
    [
        (lambda: profile(SGD, epsilons=[1.0, 2.0, -1.0]), "epsilons[2]"),
        (lambda: profile(SGD, epsilons=[math.nan]), "epsilons[0]"),
        (lambda: profile(SGD, epsilons=[]), "epsilons"),
        (lambda: profile(SGD, epsilons=[[1.0]]), "epsilons"),
        (lambda: profile(SGD, epsilons="many"), "epsilons"),
        (lambda: profile(SGD, deltas=[-math.inf]), "deltas[0]"),
        (lambda: profile(SGD, epsilons=[1.0], deltas=[1e-5]), "deltas"),
        (lambda: profile(SGD, want="everything"), "want"),
        (lambda: profile(SGD, want=5), "want"),
        (lambda: profile(SGD, conversion=5), "conversion"),
        (lambda: profile(noise_multiplier=[1.0, 2.0], epsilons=[1.0, -1.0]), "epsilons[1]"),
        (lambda: compare(noise_multiplier=[[1.0], [2.0]], delta=[0.1, 0.2, 2.0]), "delta[2]"),
        (lambda: compare(noise_multiplier=[1.0, 2.0], delta=-1), "delta"),
        (lambda: relate(noise_multiplier=[1.0, 2.0], order=[1.0, math.nan]), "order[1]"),
        (lambda: relate(SGD, to=5), "to"),
        (lambda: loss(SGD, direction=5), "direction"),
        (lambda: profile(SGD, want="renyi", memory=5), "memory"),
        (lambda: profile(SGD, memory=1.5), "memory"),
        (lambda: profile(SGD, tolerance=math.nan), "tolerance"),
        (lambda: profile(SGD, orders=[1.0]), "orders[0]"),
        (lambda: profile(SGD, conversion="loose"), "conversion"),
        (lambda: profile(noise_multiplier=-1.0), "noise_multiplier"),
        (lambda: profile(), "noise_multiplier"),
        (lambda: profile(SGD, steps=2), "steps"),
        (lambda: tradeoff(SGD, type_1_errors=[0.5, 1.5]), "type_1_errors[1]"),
        (lambda: compare(SGD, delta=math.nan), "delta"),
        (lambda: compare(SGD, delta=True), "delta"),
        (lambda: compare(SGD, delta=1e-5, epsilon=-1.0), "epsilon"),
        (lambda: compare(SGD, delta=1e-5, event=0.0), "event"),
        (lambda: compare(SGD, delta=[0.1, 2.0]), "delta[1]"),
        (lambda: explain(SGD, baseline=[0.5, 1.0]), "baseline[1]"),
        (lambda: explain(SGD, orders="several"), "orders"),
        (lambda: explain(SGD, factors=[0.5]), "factors[0]"),
        (lambda: explain(SGD, group_size=1), "group_size"),
        (lambda: explain(SGD, group_size=2.0), "group_size"),
        (lambda: relate(SGD, to="everything"), "to"),
        (lambda: relate(SGD, omega=[2.0, 1.0]), "omega[1]"),
        (lambda: relate(SGD, order=[1.0, math.nan]), "order[1]"),
        (lambda: relate(SGD, to="gdp", order=2.0), "order"),
        (lambda: relate(SGD, rho=-1.0), "rho"),
        (lambda: loss(SGD, direction="sideways"), "direction"),
        (lambda: loss(SGD, at_least=[math.inf]), "at_least[0]"),
        (lambda: loss(SGD, within=[-1.0]), "within[0]"),
        (lambda: loss(SGD, orders=[-1.0]), "orders[0]"),
    ],
)
def test_errors_name_the_field(ask, field):
    with pytest.raises(renyi.InvalidArgument) as refused:
        ask()
    assert isinstance(refused.value, ValueError)
    assert refused.value.field == field
    assert str(refused.value).startswith(f"{field}: got ") and "lambda" not in str(refused.value)


def test_no_proven_answer():
    with pytest.raises(renyi.Unsupported, match="give the mechanism itself"):
        tradeoff(renyi.Zcdp(0.1))


# ---- for people


def shown_intervals(text):
    return [tuple(map(decimal.Decimal, pair)) for pair in re.findall(r"\[([-\d.e+]+), ([-\d.e+]+)\]", text)]


def contains(shown, lower, upper):
    return shown[0] <= decimal.Decimal(float(lower)) and decimal.Decimal(float(upper)) <= shown[1]


@pytest.mark.parametrize("name", ["sampled", "laplace", "mixed"])
def test_printed_numbers_are_still_bounds(name):
    plan = PLANS[name]
    found = profile(plan)
    for text in (repr(found), found._repr_html_()):
        ends = shown_intervals(text)
        assert len(ends) == len(found)
        for i, shown in enumerate(ends):
            assert contains(shown, found.exact.lower[i], found.exact.upper[i])
    for line, bound in zip(repr(found).splitlines()[2:], found.renyi):
        assert decimal.Decimal(line.split()[-2]) >= decimal.Decimal(float(bound))
    points = tradeoff(plan)
    shown = shown_intervals(repr(points))
    assert contains(shown[0], *points.advantage)
    for i in range(len(points)):
        assert contains(shown[1 + 2 * i], points.type_2_error.lower[i], points.type_2_error.upper[i])
        assert contains(shown[2 + 2 * i], points.power.lower[i], points.power.upper[i])
    theorems = compare(plan, delta=1e-5)
    lines = {line.split()[0]: line.split()[1] for line in repr(theorems).splitlines()[2:]}
    for row in theorems.theorems:
        if row.epsilon is not None:
            assert decimal.Decimal(lines[row.name]) >= decimal.Decimal(row.epsilon)


def test_printed_promises_relations_and_losses_are_still_bounds():
    promises = explain(SGD, delta=1e-5, group_size=4)
    lines = [line.split() for line in repr(promises).splitlines()]
    assert len(lines) > 12 and "at delta 1e-05" in repr(promises)
    for line, at in zip(lines[2:], promises.orders):
        assert decimal.Decimal(line[1]) >= decimal.Decimal(at.epsilon)
    shown = shown_intervals(repr(promises))
    for by_renyi, exact, outcome in zip(shown[::2], shown[1::2], promises.outcomes):
        assert contains(by_renyi, outcome.renyi.lower, outcome.renyi.upper)
        assert contains(exact, outcome.exact.lower, outcome.exact.upper)
    relations = relate(SGD, to="tcdp")
    for shown, row in zip(shown_intervals(repr(relations)), relations.tcdp):
        assert contains(shown, row.rho_lower, row.rho)
    assert "mu_estimate" in repr(relate(SGD, to="gdp"))
    losses = loss(SGD, direction="remove")
    assert losses.add is None and losses.remove is not None
    shown = shown_intervals(losses._repr_html_())
    assert contains(shown[0], *losses.remove.mean) and contains(shown[1], *losses.remove.variance)
    tails = losses.remove.at_least
    for at, lower, upper in zip(shown[5:], tails.lower, tails.upper):
        assert contains(at, lower, upper)
    assert "add" not in repr(losses).replace("add-or-remove-one", "")


def test_an_interval():
    ends = Ends(1 / 3, 2 / 3)
    assert repr(ends) == "[0.333333, 0.666667]" and 0.5 in ends and 0.7 not in ends and tuple(ends) == (1 / 3, 2 / 3)


def test_html_is_escaped():
    assert "<script" not in explain(SGD)._repr_html_()
    assert "&lt;=" in explain(SGD)._repr_html_()


def test_reports_are_values():
    for found in (profile(SGD, epsilons=[1.0]), relate(SGD, to="pure")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            found.plan = None
    assert set(reports.__all__) >= {"profile", "tradeoff", "compare", "explain", "relate", "loss"}
