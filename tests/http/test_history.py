"""Histories of a server: the last entries, what is pending or released, and that an analyst gets its own only."""

import pytest

from serving import GAUSSIAN, in_threads


@pytest.fixture(scope="module")
def log(server):
    """Entries 0 to 2 are not about them; then, by turns, charges to two scopes, and some tickets."""
    server.add_scope("clinic", 100)
    server.add_scope("census", 100)
    server.pending, server.released = {"clinic": [], "census": []}, {"clinic": [], "census": []}
    for place in range(12):
        scope = ("clinic", "census")[place % 2]
        server.charge(scope, f"charge-{place}")
        ticket = server.call("reserve", {"scope": scope, "steps": GAUSSIAN, "expires_in": 3600}, key=f"reserve-{place}").json
        if place < 8:
            opened = server.call("open", {"ticket": ticket["ticket"], "secret": ticket["secret"]}, key=f"open-{place}")
            assert opened.json["accepted"]
        if place < 4:
            done = server.call("commit", {"ticket": ticket["ticket"], "output": f"{place}"}, key=f"commit-{place}").json
            server.released[scope].append(done["entry"])
        elif place < 6:
            assert server.call("commit", {"ticket": ticket["ticket"]}, key=f"commit-{place}").json["accepted"]  # nothing published
        elif place == 8:
            assert server.call("cancel", {"ticket": ticket["ticket"]}, key="cancel").json["accepted"]
        elif place > 8:
            server.pending[scope].append(ticket["ticket"])
    return server


def numbers(server, token=None, **asked):
    answer = server.call("history", asked, token)
    assert answer.status == 200, answer.body
    return [entry["entry"] for entry in answer.json["entries"]]


def test_the_last_entries(log):
    every = numbers(log)
    assert every == list(range(len(every)))
    assert numbers(log, last=5) == every[-5:] and numbers(log, last=5, before=10) == [5, 6, 7, 8, 9]
    assert numbers(log, last=10**9) == every and numbers(log, before=3, after=0) == [1, 2]
    assert numbers(log, scope="clinic", last=3) == numbers(log, scope="clinic")[-3:]


def test_what_is_pending_and_what_was_released(log):
    assert numbers(log, of="pending") == sorted(log.pending["clinic"] + log.pending["census"])
    assert numbers(log, of="releases") == sorted(log.released["clinic"] + log.released["census"])
    for scope in ("clinic", "census"):
        assert numbers(log, of="pending", scope=scope) == log.pending[scope]
        assert numbers(log, of="releases", scope=scope, last=1) == log.released[scope][-1:]
    entry = log.call("history", {"of": "pending", "last": 1}).json["entries"][0]
    assert entry["request"]["verb"] == "reserve" and entry["outcome"]["expires"] and "secret" not in entry["outcome"]
    assert sum(scope["reserved"] for scope in log.call("show").json["scopes"]) == len(numbers(log, of="pending"))


def test_an_analyst_gets_those_of_its_scopes(log):
    ana = log.new_token("ana", "analyst", ["clinic"])["token"]
    both = log.new_token("both", "analyst", ["clinic", "census"])["token"]
    assert numbers(log, ana, of="pending") == log.pending["clinic"] and numbers(log, ana, of="releases") == log.released["clinic"]
    own = numbers(log, scope="clinic")
    assert numbers(log, ana, last=4) == own[-4:] and numbers(log, ana, last=4, before=own[-4]) == own[-8:-4]
    # Entries of several scopes are in one order: the last ones are the last of all together.
    shared = sorted(own + numbers(log, scope="census"))
    assert numbers(log, both, last=5) == shared[-5:] and numbers(log, both, most=5) == shared[:5]
    assert numbers(log, both, of="pending") == numbers(log, of="pending")
    assert log.call("history", {"scope": "census", "of": "pending"}, ana).status == 403


@pytest.mark.parametrize("wrong, path", [({"last": 0}, "last"), ({"last": 2, "most": 2}, "last"), ({"of": "nothing"}, "of"),
                                         ({"before": -1}, "before"), ({"of": ["pending"]}, "of")])
def test_what_is_refused(log, wrong, path):
    answer = log.call("history", wrong)
    assert (answer.status, answer.json["error"]["path"]) == (400, path)


def test_a_verification_goes_on_where_the_last_one_ended(log):
    auditor = log.new_token("audit", "auditor")["token"]
    whole = log.call("verify", {}, auditor).json
    log.charge("clinic", "after-verification")
    again = log.call("verify", {"resume": True}, auditor).json
    assert again["valid"] and again["entries"] == whole["entries"] + 1 and again["resumed_after"] >= whole["entries"] - 1
    assert "resumed_after" not in log.call("verify", {}, auditor).json
    in_threads(4, lambda i: log.charge("clinic", f"meanwhile-{i}"))
    assert log.call("verify", {"resume": True, "head": again["head"]}, auditor).json["valid"]
