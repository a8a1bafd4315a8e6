"""Calls that are repeated, reordered or changed: a charge counts once, and nobody else gets its receipt."""

import pytest

from serving import GAUSSIAN, ROOT, in_threads, renyi


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
    {"scope": "clinic", "steps": GAUSSIAN, "count": 2},
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
    own = {"charges": [{"scope": "clinic", "steps": GAUSSIAN, "key": "own"}, {"scope": "clinic", "steps": GAUSSIAN}]}
    assert [one["key"] for one in budgets.call("charge", own, key="k").json["receipts"]] == ["own", "k/1"]


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
    for token, stated in [(bob, body), (budgets.token, {**body, "person": "ana"})]:
        answer = budgets.call("reserve", stated, token, "private")
        assert answer.status == 200 and "repeated" not in answer.json and answer.json["ticket"] != mine["ticket"]
        assert mine["secret"] not in answer.body.decode() and mine["hash"] not in answer.body.decode()
    # Nor by the ticket, the history or the export.
    for verb, asked, token in [("ticket", {"ticket": mine["ticket"]}, bob), ("history", {}, bob), ("export", {}, budgets.token)]:
        assert mine["secret"] not in budgets.call(verb, asked, token).body.decode()
    assert budgets.call("open", {"ticket": mine["ticket"], "secret": "0" * 32}, bob, "steal").status in (200, 400)
    assert budgets.call("ticket", {"ticket": mine["ticket"]}, bob).json["state"] == "reserved"
    opened = budgets.call("open", {"ticket": mine["ticket"], "secret": mine["secret"]}, ana, "open")
    assert opened.json["accepted"]
    assert budgets.call("open", {"ticket": mine["ticket"], "secret": mine["secret"]}, ana, "open").json["repeated"]


@pytest.fixture(scope="module")
def two(budgets):
    """Two analysts of one scope, one of whom has another one besides."""
    return {name: budgets.new_token(name, "analyst", scopes)["token"]
            for name, scopes in {"carl": ["clinic"], "dora": ["clinic", "census"]}.items()}


@pytest.mark.parametrize("scope", ["clinic", "census"])
def test_nobody_can_burn_the_key_of_another(budgets, two, scope):
    """Nor learn from an answer that somebody has used it."""
    key = f"monthly-{scope}"
    other = budgets.charge(scope, key, two["dora"])
    mine = budgets.charge("clinic", key, two["carl"])
    assert other.status == mine.status == 200 and other.json["entry"] != mine.json["entry"]
    assert "repeated" not in mine.json and mine.json["key"] == other.json["key"] == key
    again = budgets.charge("clinic", key, two["carl"]).json
    assert again.pop("repeated") and again == mine.json
    # Neither is a charge of other content a conflict, as long as it is another's.
    changed = budgets.call("charge", {"scope": "clinic", "steps": GAUSSIAN, "count": 2}, budgets.token, key)
    assert changed.status == 200 and mine.json["hash"] not in changed.body.decode()
    assert budgets.call("verify").json["valid"]


def test_a_key_is_one_of_its_scope(budgets, two):
    first = budgets.charge("clinic", "both", two["dora"]).json
    second = budgets.charge("census", "both", two["dora"]).json
    assert first["entry"] != second["entry"]
    assert budgets.charge("census", "both", two["dora"]).json["hash"] == second["hash"]
    assert budgets.call("charge", {"scope": "census", "steps": GAUSSIAN, "count": 2}, two["dora"], "both").status == 409
    # The log has each key once, with the lineage of its token and the scope.
    recorded = next(entry for entry in budgets.history() if entry["hash"] == second["hash"])["request"]["key"]
    tokens = budgets.get("/v1/tokens", token=budgets.token).json["tokens"]
    dora = next(token["id"] for token in tokens if token["name"] == "dora")
    assert recorded == f"token-{dora}:census:both"
    # Who writes a key as the log has it gets nothing by it.
    written = budgets.call("charge", {"scope": "census", "steps": GAUSSIAN}, budgets.token, recorded)
    assert written.status == 200 and written.json["hash"] != second["hash"] and "repeated" not in written.json


def test_a_rotated_token_repeats_its_calls(budgets):
    old = budgets.new_token("eve", "analyst", ["clinic"])
    body = {"scope": "clinic", "steps": GAUSSIAN, "expires_in": 600}
    charged = budgets.charge("clinic", "before", old["token"]).json
    reserved = budgets.call("reserve", body, old["token"], "reserved").json
    for round in range(2):
        answer = budgets.request("POST", f"/v1/tokens/{old['id']}/rotate", {"expires_in": 3600}, budgets.token)
        assert answer.status == 201
        new = answer.json
        budgets.secrets.add(new["token"])
        assert (new["name"], new["role"], new["scopes"], bool(new["expires"])) == ("eve", "analyst", ["clinic"], True)
        assert budgets.call("show", token=old["token"]).status == 401
        again = budgets.charge("clinic", "before", new["token"])
        assert again.status == 200 and again.json["repeated"] and again.json["hash"] == charged["hash"]
        assert budgets.call("reserve", body, new["token"], "reserved").json["secret"] == reserved["secret"]
        old = new
    # A token that is merely made under the same name is somebody else's.
    budgets.request("DELETE", "/v1/tokens/" + old["id"], token=budgets.token)
    other = budgets.new_token("eve", "analyst", ["clinic"])["token"]
    assert "repeated" not in budgets.charge("clinic", "before", other).json


# ---- What earlier versions have recorded: keys of the whole log.


@pytest.fixture
def restored(start, tmp_path):
    """A server with the log that version 0.8.1 has written, in which ana's charge has the key "november"."""
    export = ROOT / "tests/compat/0.8.1/ledgers/clinic.jsonl"
    renyi("ledger", "import", export, tmp_path / "old.ledger")
    server = start("--ledger", str(tmp_path / "old.ledger"))
    server.tokens = {name: server.new_token(name, "analyst", ["clinic", "pure"])["token"] for name in ("ana", "bob")}
    return server


NOVEMBER = {"scope": "clinic", "steps": GAUSSIAN, "count": 2, "comment": "two counts"}


def test_a_retry_that_began_under_an_earlier_version_is_answered(restored):
    recorded = next(entry for entry in restored.history() if entry["request"].get("key") == "november")
    for _ in range(2):
        again = restored.call("charge", NOVEMBER, restored.tokens["ana"], "november").json
        assert again["repeated"] and (again["entry"], again["hash"]) == (recorded["entry"], recorded["hash"])
    changed = restored.call("charge", {**NOVEMBER, "count": 1}, restored.tokens["ana"], "november")
    assert (changed.status, changed.kind) == (409, "conflict")
    assert restored.call("verify").json["valid"]


def test_a_key_of_an_earlier_version_is_no_one_elses(restored):
    by_bob = restored.call("charge", NOVEMBER, restored.tokens["bob"], "november")
    assert by_bob.status == 200 and "repeated" not in by_bob.json
    elsewhere = restored.call("charge", {"scope": "pure", "steps": [{"mechanism": "laplace", "scale": 80}]},
                              restored.tokens["ana"], "november")
    assert elsewhere.status == 200 and "repeated" not in elsewhere.json
    assert restored.call("verify").json["valid"]
