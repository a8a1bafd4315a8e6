"""Calls that are repeated, reordered or changed: a charge counts once, and nobody else gets its receipt."""

import pytest

from serving import GAUSSIAN, in_threads


@pytest.fixture(scope="module")
def budgets(server):
    server.add_scope("clinic", 10)
    server.add_scope("census", 10)
    return server


def spent(server, scope="clinic"):
    return server.call("show", {"scope": scope}).json["scopes"][0]["charges"]


def test_a_repeated_charge_counts_once(budgets):
    before = spent(budgets)
    first, second = budgets.charge("clinic", "same").json, budgets.charge("clinic", "same").json
    assert second.pop("repeated") and first == second
    assert spent(budgets) == before + 1


def test_repeated_at_once_it_counts_once(budgets):
    before = spent(budgets)
    receipts = []
    in_threads(16, lambda i: receipts.append(budgets.charge("clinic", "at-once").json))
    assert len({receipt["entry"] for receipt in receipts}) == 1
    assert sum(not receipt.get("repeated", False) for receipt in receipts) == 1
    assert spent(budgets) == before + 1


def test_order_does_not_matter(budgets):
    before = spent(budgets)
    keys = [f"order-{i}" for i in range(8)]
    first = {key: budgets.charge("clinic", key).json["hash"] for key in keys}
    again = {key: budgets.charge("clinic", key).json["hash"] for key in reversed(keys)}
    assert first == again and spent(budgets) == before + len(keys)


@pytest.mark.parametrize("other", [
    {"scope": "census", "steps": GAUSSIAN}, {"scope": "clinic", "steps": GAUSSIAN, "count": 2},
    {"scope": "clinic", "steps": [{"mechanism": "gaussian", "noise_multiplier": 5}]},
    {"scope": "clinic", "steps": GAUSSIAN, "comment": "another"}, {"scope": "clinic", "steps": GAUSSIAN, "person": "bob"},
])
def test_the_same_key_with_other_content_is_a_conflict(budgets, other):
    budgets.charge("clinic", "conflict")
    before = spent(budgets), spent(budgets, "census")
    answer = budgets.call("charge", other, key="conflict")
    assert (answer.status, answer.kind) == (409, "conflict")
    reserved = budgets.call("reserve", {"scope": "clinic", "steps": GAUSSIAN, "expires_in": 60}, key="conflict")
    assert reserved.status == 409
    assert (spent(budgets), spent(budgets, "census")) == before


def test_several_charges(budgets):
    before = spent(budgets)
    body = {"charges": [{"scope": "clinic", "steps": GAUSSIAN}] * 3}
    first = budgets.call("charge", body, key="several").json["receipts"]
    assert [one["key"] for one in first] == ["several/0", "several/1", "several/2"]
    again = budgets.call("charge", body, key="several").json["receipts"]
    assert [one["hash"] for one in first] == [one["hash"] for one in again] and all(one["repeated"] for one in again)
    assert spent(budgets) == before + 3
    more = {"charges": body["charges"] + [{"scope": "census", "steps": GAUSSIAN}]}
    assert budgets.call("charge", more, key="several").status == 200  # what is new is charged, once
    assert spent(budgets) == before + 3
    assert budgets.call("charge", {"charges": [{"scope": "clinic", "steps": GAUSSIAN, "key": "own"}]}, key="k").status == 400


def test_a_refusal_is_an_answer(budgets):
    body = {"scope": "census", "steps": GAUSSIAN, "count": 10_000}
    first = budgets.call("charge", body, key="too-much")
    assert first.status == 200 and not first.json["accepted"] and first.json["refused_by"] == "census"
    assert budgets.records()[-1]["accepted"] is False
    assert not budgets.call("charge", body, key="too-much").json["accepted"]


def test_the_receipt_of_another_is_not_shown(budgets):
    """Two analysts of one scope: the key of the first gives the second nothing, above all no secret."""
    ana = budgets.new_token("ana", "analyst", ["clinic"])["token"]
    bob = budgets.new_token("bob", "analyst", ["clinic"])["token"]
    body = {"scope": "clinic", "steps": GAUSSIAN, "expires_in": 600}
    mine = budgets.call("reserve", body, ana, "private").json
    assert budgets.call("reserve", body, ana, "private").json["secret"] == mine["secret"]
    for token, stated in [(bob, body), (budgets.token, body), (bob, {**body, "person": "ana"}), (bob, {**body, "person": ""})]:
        answer = budgets.call("reserve", stated, token, "private")
        assert answer.status == 409 and mine["secret"] not in answer.body.decode() and mine["hash"] not in answer.body.decode()
    # Nor by the ticket, the history or the export.
    for verb, asked, token in [("ticket", {"ticket": mine["ticket"]}, bob), ("history", {}, bob), ("export", {}, budgets.token)]:
        assert mine["secret"] not in budgets.call(verb, asked, token).body.decode()
    assert budgets.call("open", {"ticket": mine["ticket"], "secret": "0" * 32}, bob, "steal").status in (200, 400)
    assert budgets.call("ticket", {"ticket": mine["ticket"]}, bob).json["state"] == "reserved"
    opened = budgets.call("open", {"ticket": mine["ticket"], "secret": mine["secret"]}, ana, "open")
    assert opened.json["accepted"]
    assert budgets.call("open", {"ticket": mine["ticket"], "secret": mine["secret"]}, ana, "open").json["repeated"]


