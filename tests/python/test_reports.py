"""profile, tradeoff, compare, explain, relate, loss: every member of the engine's answer, to the last bit."""

import dataclasses
import json
import math
from typing import Optional

import numpy as np
import pytest

import renyi
from renyi import _native
from renyi._decode import decode
from renyi._report import Columns
from renyi.reports import LargestCount, compare, explain, loss, profile, relate, tradeoff
from support import text_if_infinite

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
    "infinite": renyi.mechanism("approx-dp", epsilon=0.5, delta=1e-7) * 4,
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
    word = {"lambda": "order", "delta_apart": "infinite_mass"}.get(name, name)
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
            assert found.infinite_mass[i] == row["renyi"].get("delta_apart", 0)
            count += 3 + ("delta_apart" in row["renyi"])
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
