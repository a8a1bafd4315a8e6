"""Tokens: random, stored as digests, with an end; sessions of browsers; and the limit on guesses."""

import json

import pytest

from serving import GAUSSIAN, renyi, until


def test_the_first_start_prints_a_token_and_no_other_does(start):
    server = start()
    assert server.call("show").status == 200
    assert server.stop() == 0
    again = start()
    assert again.token is None
    assert again.call("show", token=server.token).status == 200


def test_files_have_digests_only(start):
    server = start()
    made = server.new_token("ana", "analyst", ["clinic"])
    text = (server.data / "tokens.json").read_text()
    assert server.token not in text and made["token"] not in text
    assert {token["name"] for token in json.loads(text)["tokens"]} == {"admin", "ana"}
    listed = server.get("/v1/tokens", token=server.token)
    assert "sha256" not in listed.body.decode() and made["token"] not in listed.body.decode()
    for path in server.data.iterdir():
        assert made["token"].encode() not in path.read_bytes()


def test_expiry(start):
    server = start()
    made = server.new_token("short", "auditor", expires_in=1)
    assert made["expires"]
    until(lambda: server.get("/v1/session", token=made["token"]).status == 401, "the token expires")
    assert server.new_token("short", "auditor")["id"] != made["id"]  # the name is free again


def test_revocation_while_the_server_runs(start):
    server = start()
    first, second = server.new_token("one", "auditor"), server.new_token("two", "auditor")
    assert server.call("show", token=first["token"]).status == 200
    assert server.request("DELETE", "/v1/tokens/" + first["id"], token=server.token).json["revoked"]
    assert server.call("show", token=first["token"]).status == 401
    assert server.request("DELETE", "/v1/tokens/" + first["id"], token=server.token).status == 404
    # By another program, too.
    renyi("token", "revoke", "two", "--data", server.data)
    assert server.call("show", token=second["token"]).status == 401
    third = json.loads(renyi("token", "new", "three", "--role", "analyst", "--scope", "a", "--data", server.data, "--json"))
    server.secrets.add(third["token"])
    assert server.call("show", token=third["token"]).json["scopes"] == []


def test_rotation(start):
    server = start()
    first = server.new_token("ana", "analyst", ["clinic"])
    rotate = f"/v1/tokens/{first['id']}/rotate"
    # For a while, the old one is valid beside the new one.
    answer = server.request("POST", rotate, {"keep_for": 3600}, server.token)
    second = answer.json
    server.secrets.add(second["token"])
    assert answer.status == 201 and second["lineage"] == first["id"] and second["id"] != first["id"]
    assert [server.call("show", token=one["token"]).status for one in (first, second)] == [200, 200]
    listed = {token["id"]: token for token in server.get("/v1/tokens", token=server.token).json["tokens"]}
    assert listed[first["id"]]["expires"] and "expires" not in listed[second["id"]]
    # By another program, which knows the name: the newest is replaced, and at once.
    third = json.loads(renyi("token", "rotate", "ana", "--data", server.data, "--json"))
    server.secrets.add(third["token"])
    assert third["lineage"] == first["id"]
    assert [server.call("show", token=one["token"]).status for one in (first, second, third)] == [200, 401, 200]
    # All that have the name are revoked by it.
    renyi("token", "revoke", "ana", "--data", server.data)
    assert [server.call("show", token=one["token"]).status for one in (first, second, third)] == [401, 401, 401]
    assert server.request("POST", rotate, {}, server.token).status == 404


def test_rotation_is_for_admins_and_has_its_method(server):
    made = server.new_token("kim", "analyst", ["clinic"])
    rotate = f"/v1/tokens/{made['id']}/rotate"
    assert server.request("POST", rotate, {}, made["token"]).status == 403
    for method, path in (("DELETE", rotate), ("POST", "/v1/tokens/" + made["id"])):
        assert server.request(method, path, {} if method == "POST" else None, server.token).status == 405
    for body in ({"keep_for": -1}, {"expires_in": 0}, {"name": "x"}):
        assert server.request("POST", rotate, body, server.token).status == 400
    assert server.call("show", token=made["token"]).status == 200


@pytest.mark.parametrize("order", [
    {"name": "x"}, {"name": "x", "role": "root"}, {"name": "", "role": "admin"}, {"name": "a b", "role": "admin"},
    {"name": "x" * 65, "role": "admin"}, {"name": "x", "role": "analyst"}, {"name": "x", "role": "analyst", "scopes": []},
    {"name": "x", "role": "auditor", "scopes": ["a"]}, {"name": "x", "role": "analyst", "scopes": ["/a"]},
    {"name": "x", "role": "admin", "expires_in": 0}, {"name": "x", "role": "admin", "expires_in": 1e30},
    {"name": "x", "role": "admin", "more": 1}, {"name": "admin", "role": "admin"}, [], "x",
])
def test_tokens_that_are_refused(server, order):
    assert server.request("POST", "/v1/tokens", order, server.token).status == 400


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Basic YWRtaW46YWRtaW4=", "renyi_", "Bearer renyi_" + "A" * 43, "Bearer " + "x" * 5000])
def test_what_is_no_token(start, header):
    server = start()
    assert server.request("POST", "/v1/ledger/show", {}, Authorization=header).status == 401


def test_guesses_are_limited_and_lock_nobody_out(start):
    server = start()
    known = server.new_token("known", "auditor")["token"]
    fresh = server.new_token("fresh", "auditor")["token"]
    assert server.call("show", token=known).status == 200
    guesses = [server.request("GET", "/v1/session", token=f"renyi_{i:043}") for i in range(14)]
    assert [guess.status for guess in guesses[:10]] == [401] * 10
    limited = [guess for guess in guesses if guess.status == 429]
    assert limited and limited[0].kind == "too_many_requests" and int(limited[0].headers["Retry-After"]) >= 1
    # Whoever was known here goes on; a token that was not seen here yet is not looked at for a moment.
    assert server.call("show", token=known).status == 200
    assert server.get("/v1/session", token=fresh).status in (200, 429)
    until(lambda: server.get("/v1/session", token=fresh).status == 200, "the limit passes")
    # Guesses by the route of sessions count as well.
    for i in range(14):
        last = server.request("POST", "/v1/session", {"token": f"renyi_{i:043}"})
    assert last.status == 429


def signed_in(server, token=None):
    answer = server.request("POST", "/v1/session", {"token": token or server.token})
    assert answer.status == 200, answer.body
    cookie, *attributes = answer.headers["Set-Cookie"].split("; ")
    server.secrets |= {cookie.split("=")[1], answer.json["csrf"]}
    return cookie, answer.json["csrf"], attributes, answer


def test_sessions(start):
    server = start()
    server.add_scope("clinic", 1)
    cookie, csrf, attributes, answer = signed_in(server)
    assert cookie.startswith("renyi_session=") and set(attributes) == {"HttpOnly", "SameSite=Strict", "Path=/"}
    assert answer.json == {"name": "admin", "role": "admin", "scopes": [], "expires": None, "csrf": csrf}
    assert server.get("/v1/session", Cookie=cookie).json == answer.json
    body = {"scope": "clinic", "steps": GAUSSIAN}
    options = {"Cookie": "other=1; " + cookie, "Idempotency_Key": "by-cookie"}
    for wrong in ({}, {"X_Renyi_CSRF": ""}, {"X_Renyi_CSRF": csrf[:-1]}, {"X_Renyi_CSRF": "x" * len(csrf)}):
        answer = server.request("POST", "/v1/ledger/charge", body, **options, **wrong)
        assert (answer.status, answer.json["error"]["path"]) == (403, "X-Renyi-CSRF")
    foreign = server.request("POST", "/v1/ledger/charge", body, **options, X_Renyi_CSRF=csrf, Origin="https://evil.example")
    assert foreign.status == 403
    assert server.request("POST", "/v1/ledger/charge", body, **options, X_Renyi_CSRF=csrf).json["accepted"]
    assert server.request("DELETE", "/v1/session", Cookie=cookie).status == 403
    assert server.call("show", {"scope": "clinic"}).json["scopes"][0]["charges"] == 1
    ended = server.request("DELETE", "/v1/session", Cookie=cookie, X_Renyi_CSRF=csrf)
    assert ended.status == 200 and "Max-Age=0" in ended.headers["Set-Cookie"]
    assert server.get("/v1/session", Cookie=cookie).status == 401


def test_a_session_ends_with_its_token(start):
    server = start()
    made = server.new_token("ana", "auditor")
    cookie, csrf, _, _ = signed_in(server, made["token"])
    assert server.get("/v1/session", Cookie=cookie).status == 200
    server.request("DELETE", "/v1/tokens/" + made["id"], token=server.token)
    assert server.get("/v1/session", Cookie=cookie).status == 401
    # An old cookie keeps nobody from asking what needs no token.
    assert server.ask({"op": "mechanisms", "kind": "gaussian"}, Cookie=cookie).status == 200


def test_sessions_of_nobody(server):
    assert server.get("/v1/session").status == 401
    assert server.request("DELETE", "/v1/session").status == 401
    assert server.get("/v1/session", Cookie="renyi_session=" + "A" * 43).status == 401
    for body in ({}, {"token": 1}, {"token": "x", "more": 1}, [], {"token": server.token + "x"}):
        assert server.request("POST", "/v1/session", body).status in (400, 401)
    answer = server.get("/v1/session", token=server.token)
    assert "csrf" not in answer.json and answer.json["role"] == "admin"


def test_a_damaged_file_of_tokens_lets_nobody_in(start):
    server = start()
    whole = (server.data / "tokens.json").read_text()
    (server.data / "tokens.json").write_text(whole[:50])
    answer = server.call("show")
    assert answer.status == 503 and server.token not in answer.body.decode()
    (server.data / "tokens.json").write_text(whole)
    assert server.call("show").status == 200


def test_a_proxy_says_who_asks(start):
    server = start("--behind-proxy")
    assert server.get("/healthz", X_Forwarded_For="203.0.113.9, 198.51.100.7").status == 200
    assert server.records()[-1]["peer"] == "198.51.100.7"
    answer = server.request("POST", "/v1/session", {"token": server.token}, X_Forwarded_Proto="https")
    assert "Secure" in answer.headers["Set-Cookie"]
    server.secrets.add(answer.json["csrf"])


def test_the_log_has_no_tokens_in_paths(start):
    server = start()
    server.get("/" + server.token + "?token=" + server.token)
    server.get("/v1/session?token=" + server.token)
    assert server.records()[-2]["path"] == "/renyi_..."
