"""Quotas of tokens: how often one may call, and how much processor time its calls may use."""

import json

import pytest

from serving import renyi, slow_question, until


def limited(answer):
    assert (answer.status, answer.kind) == (429, "too_many_requests") and int(answer.headers["Retry-After"]) >= 1
    return True


def first_refusal(call):
    while (answer := call()).status == 200:
        pass
    return answer


def test_calls_of_one_token(start):
    server = start()
    ana = server.new_token("ana", "auditor", calls_per_minute=60)
    assert ana["calls_per_minute"] == 60 and "cpu_per_minute" not in ana
    other = server.new_token("other", "auditor")["token"]
    assert [server.call("show", token=ana["token"]).status for _ in range(60)] == [200] * 60
    assert limited(first_refusal(lambda: server.call("show", token=ana["token"])))
    # Nobody else waits for it, and questions that need no token are answered.
    assert server.call("show", token=other).status == server.ask({"op": "mechanisms", "kind": "gaussian"}).status == 200
    assert any(record.get("refused") == "too_many_requests" and record["path"] == "/v1/ledger/show" for record in server.records())
    assert limited(first_refusal(lambda: server.ask({"op": "mechanisms", "kind": "gaussian"}, token=ana["token"])))
    assert b"\nrenyi_quota_refusals_total 0" not in server.get("/metrics").body
    until(lambda: server.call("show", token=ana["token"]).status == 200, "calls are granted again")


def test_sessions_have_the_quota_of_their_token(start):
    server = start()
    ana = server.new_token("ana", "auditor", calls_per_minute=4)["token"]
    answer = server.request("POST", "/v1/session", {"token": ana})
    cookie = answer.headers["Set-Cookie"].split("; ")[0]
    server.secrets |= {cookie.split("=")[1], answer.json["csrf"]}
    statuses = [server.get("/v1/session", Cookie=cookie).status for _ in range(5)]
    assert statuses[:3] == [200] * 3 and statuses[4] == 429
    assert limited(server.request("POST", "/v1/session", {"token": ana}))


def test_processor_time_of_one_token(start):
    server = start()
    ana = server.new_token("ana", "auditor", cpu_per_minute=0.01)["token"]
    # The call that uses more than there is goes on; the next one waits.
    assert server.ask(slow_question(1000), token=ana).status == 200
    assert limited(server.call("show", token=ana))
    assert server.call("show").status == 200


def test_the_usual_quota(start):
    server = start("--calls-per-minute", "20", "--cpu-per-minute", "30s")
    assert server.call("show").status == 200
    ana = server.new_token("ana", "auditor", calls_per_minute=1000)["token"]
    assert all(server.call("show", token=ana).status == 200 for _ in range(30))
    statuses = [server.call("show").status for _ in range(25)]
    assert statuses[0] == 200 and statuses[-1] == 429


@pytest.mark.parametrize("quota", [{"calls_per_minute": 0}, {"calls_per_minute": 1.5}, {"calls_per_minute": "5"}, {"cpu_per_minute": 0},
                                   {"cpu_per_minute": -1}, {"cpu_per_minute": 1e9}, {"cpu_per_minute": "1s"}])
def test_quotas_that_are_refused(server, quota):
    answer = server.request("POST", "/v1/tokens", {"name": "x", "role": "auditor", **quota}, server.token)
    assert answer.status == 400 and answer.json["error"]["path"] == next(iter(quota))


def test_the_command_states_quotas(start):
    server = start()
    made = json.loads(renyi("token", "new", "ana", "--role", "auditor", "--calls-per-minute", "3", "--cpu-per-minute", "1500ms", "--data", server.data, "--json"))
    server.secrets.add(made["token"])
    assert (made["calls_per_minute"], made["cpu_per_minute"]) == (3, 1.5)
    listed = {token["name"]: token for token in server.get("/v1/tokens", token=server.token).json["tokens"]}
    assert listed["ana"]["calls_per_minute"] == 3
    # A token without a quota is written as it was before there were any.
    assert set(listed["admin"]) == {"id", "name", "role", "created"}
    renyi("token", "new", "bob", "--role", "auditor", "--calls-per-minute", "0", "--data", server.data, status=2)
    renyi("token", "new", "bob", "--role", "auditor", "--cpu-per-minute", "x", "--data", server.data, status=2)
