"""Every role and every verb: those that may, can; the others are refused, and the log says so."""

import pytest

from serving import GAUSSIAN

ADMIN, BOTH, ALL, READERS = {"admin"}, {"admin", "analyst"}, {"admin", "analyst", "auditor"}, {"admin", "auditor"}
RULES = {"scope": ADMIN, "blocks": ADMIN, "lower": ADMIN, "raise": ADMIN,
         "reserve": BOTH, "open": BOTH, "commit": BOTH, "cancel": BOTH, "charge": BOTH,
         "may-run": ALL, "show": ALL, "ticket": ALL, "history": ALL,
         "verify": READERS, "head": READERS, "export": READERS}
WRITING = set("scope blocks lower raise reserve open commit cancel charge".split())
ROLES = ("admin", "analyst", "auditor")
count = 0


@pytest.fixture(scope="module")
def tokens(server):
    server.add_scope("clinic", 100, cap={"kind": "zcdp", "rho": 1000}, block_rule={"rule": "month"}, blocks=["first"])
    server.add_scope("clinic/oncology", 50)
    server.add_scope("census", 100)
    return {"admin": server.token,
            "analyst": server.new_token("ana", "analyst", ["clinic"])["token"],
            "auditor": server.new_token("audit", "auditor")["token"]}


def reserved(server, scope="clinic"):
    global count
    count += 1
    return server.call("reserve", {"scope": scope, "steps": GAUSSIAN, "expires_in": 600}, key=f"reserve-{count}").json


def opened(server):
    ticket = reserved(server)
    assert server.call("open", {"ticket": ticket["ticket"], "secret": ticket["secret"]}, key=f"open-{count}").json["accepted"]
    return ticket["ticket"]


def body_of(verb, server):
    global count
    count += 1
    budget = {"kind": "zcdp", "rho": 90}
    if verb == "open":
        ticket = reserved(server)
        return {"ticket": ticket["ticket"], "secret": ticket["secret"]}
    return {"scope": lambda: {"scope": f"clinic/new-{count}", "budget": budget},
            "blocks": lambda: {"scope": "clinic", "blocks": [f"month-{count}"]},
            "lower": lambda: {"scope": "clinic", "budget": {"kind": "zcdp", "rho": 80 - count / 100}},
            "raise": lambda: {"scope": "clinic", "budget": {"kind": "zcdp", "rho": 200 + count}, "reason": "a decision"},
            "reserve": lambda: {"scope": "clinic", "steps": GAUSSIAN, "expires_in": 60},
            "commit": lambda: {"ticket": opened(server), "output": "42"},
            "cancel": lambda: {"ticket": reserved(server)["ticket"]},
            "charge": lambda: {"scope": "clinic", "steps": GAUSSIAN},
            "may-run": lambda: {"scope": "clinic", "steps": GAUSSIAN},
            "ticket": lambda: {"ticket": reserved(server)["ticket"]},
            "history": lambda: {"scope": "clinic"}}.get(verb, dict)()


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("verb", RULES)
def test_every_role_and_verb(server, tokens, verb, role):
    body = body_of(verb, server)
    answer = server.call(verb, body, tokens[role], f"{verb}-{role}" if verb in WRITING else None)
    record = [line for line in server.records() if line.get("path") == "/v1/ledger/" + verb][-1]
    assert record["role"] == role and record["status"] == answer.status
    if role in RULES[verb]:
        assert answer.status == 200, answer.body
        assert answer.json.get("accepted", True), answer.body
        if verb in WRITING:
            assert answer.json["person"] == {"admin": "admin", "analyst": "ana"}[role]
    else:
        assert (answer.status, answer.kind) == (403, "forbidden")
        assert record["refused"] == "forbidden"


@pytest.mark.parametrize("verb", sorted(WRITING))
def test_what_writes_needs_a_key(server, verb):
    body = body_of(verb, server)
    for key in (None, "", "x" * 201, "with blank", "in\tside", "umlaut-\xfc"):
        answer = server.call(verb, body, key=key)
        assert (answer.status, answer.json["error"]["path"]) == (400, "Idempotency-Key"), (key, answer.body)


def test_an_analyst_sees_its_scopes_only(server, tokens):
    ana = tokens["analyst"]
    shown = {scope["scope"] for scope in server.call("show", token=ana).json["scopes"]}
    assert "clinic" in shown and "clinic/oncology" in shown and "census" not in shown
    server.charge("census", "census-1")
    assert {entry["request"]["scope"].split("/")[0] for entry in server.call("history", token=ana).json["entries"]} == {"clinic"}
    other = reserved(server, "census")
    for verb, body in [("show", {"scope": "census"}), ("history", {"scope": "census"}), ("may-run", {"scope": "census", "steps": GAUSSIAN}),
                       ("charge", {"scope": "census", "steps": GAUSSIAN}),
                       ("charge", {"charges": [{"scope": "clinic", "steps": GAUSSIAN}, {"scope": "census", "steps": GAUSSIAN}]}),
                       ("reserve", {"scope": "census", "steps": GAUSSIAN, "expires_in": 60}),
                       ("charge", {"scope": "clinical", "steps": GAUSSIAN}), ("show", {"scope": "nowhere"}), ("show", {"scope": ""}),
                       ("ticket", {"ticket": other["ticket"]}), ("ticket", {"ticket": 10**6}), ("cancel", {"ticket": other["ticket"]}),
                       ("open", {"ticket": other["ticket"], "secret": other["secret"]}), ("commit", {"ticket": other["ticket"]})]:
        answer = server.call(verb, body, ana, "ana-tries")
        assert (answer.status, answer.kind) == (403, "forbidden"), (verb, body, answer.body)
    assert server.call("ticket", {"ticket": other["ticket"]}).json["state"] == "reserved"


def test_an_analyst_is_told_about_a_scope_above_only_where_it_refuses(server):
    server.add_scope("hospital", 1)
    server.add_scope("hospital/ward", 5)
    server.add_scope("hospital/ward/eva", 8)
    eva = server.new_token("eva", "analyst", ["hospital/ward/eva"])["token"]
    for count, refused_by, told in ((1, None, set()), (100, "hospital", {"hospital"}), (200, "hospital/ward", {"hospital/ward"})):
        body = {"scope": "hospital/ward/eva", "steps": GAUSSIAN, "count": count}
        answer = server.call("may-run", body, eva).json
        assert answer.get("refused_by") == refused_by
        assert {left["scope"] for left in answer["left"]} == {"hospital/ward/eva"} | told
        every = server.call("may-run", body).json["left"]
        assert [left["scope"] for left in every] == ["hospital/ward/eva", "hospital/ward", "hospital"]


def test_who_asks_for_whom_is_recorded(server, tokens):
    steps = {"scope": "clinic", "steps": GAUSSIAN}
    assert server.call("charge", {**steps, "person": "bob"}, tokens["analyst"], "for-bob").json["person"] == "ana for bob"
    answer = server.call("charge", {"charges": [steps, {**steps, "person": "bob"}]}, tokens["analyst"], "list").json["receipts"]
    assert [(one["key"], one["person"]) for one in answer] == [("list/0", "ana"), ("list/1", "ana for bob")]


@pytest.mark.parametrize("member", ["op", "verb", "ledger", "witness", "patience", "key", "private_key", "from"])
def test_what_the_server_knows_is_not_told(server, member):
    answer = server.call("show", {member: "x"})
    assert (answer.status, answer.json["error"]["path"]) == (400, member)


def test_tokens_are_for_admins(server, tokens):
    for role in ("analyst", "auditor"):
        for method, path, body in [("GET", "/v1/tokens", None), ("POST", "/v1/tokens", {"name": "x", "role": "admin"}),
                                   ("DELETE", "/v1/tokens/x", None)]:
            assert server.request(method, path, body, tokens[role]).kind == "forbidden"


def test_answers_are_those_of_the_table(server):
    server.add_scope("run", 10)
    answer = server.call("may-run", {"scope": "run", "steps": GAUSSIAN, "count": 1000, "id": "mine"})
    assert answer.json["id"] == "mine" and not answer.json["accepted"] and answer.json["fitting_count"] == 320
    assert server.call("charge", {"scope": "run", "steps": GAUSSIAN, "nothing": 1}, key="n").status == 400
    head = server.call("head").json
    assert server.call("verify", {"head": head}).json["valid"]
    lines = server.call("export").json["lines"]
    assert len(lines.splitlines()) == head["entry"] + 1
    assert server.call("verify", {"lines": lines}).json["valid"]
    assert [entry["entry"] for entry in server.call("history", {"after": 3, "most": 2}).json["entries"]] == [4, 5]
