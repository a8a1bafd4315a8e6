"""Every path: what it answers, to whom, with which headers; and what is refused before anything is done."""

import json
import os
import re
import stat

import pytest

from serving import GAUSSIAN, ROOT, renyi, slow_question

EPSILON = {"op": "epsilon", "steps": GAUSSIAN, "delta": 1e-5, "id": 7}


def test_health(server):
    answer = server.get("/healthz")
    assert (answer.status, answer.json) == (200, {"status": "ok", "version": (ROOT / "VERSION").read_text().strip()})
    assert server.request("HEAD", "/healthz").body == b""


def test_every_response_has_the_headers(server):
    answers = [server.get(path) for path in ("/", "/healthz", "/metrics", "/v1/openapi.json", "/nowhere")]
    answers += [server.ask(EPSILON), server.request("POST", "/v1/ledger/show", {}), server.get("/healthz", Host="evil.example")]
    for answer in answers:
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; ")
        assert "unsafe-inline" not in policy and "unsafe-eval'" not in policy.replace("wasm-unsafe-eval'", "")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"]
        assert "Access-Control-Allow-Origin" not in answer.headers
    assert server.ask(EPSILON).headers["Cache-Control"] == "no-store"


def test_the_page_or_how_to_get_it(server):
    answer = server.get("/")
    assert answer.status == 200 and answer.headers["Content-Type"].startswith("text/html")
    if (ROOT / "build/web/index.html").exists() and b"make web" not in answer.body:
        assert answer.headers["ETag"]
        assert server.get("/", If_None_Match=answer.headers["ETag"]).status == 304
    else:
        assert b"make web" in answer.body
    assert server.get("/assets/none.js").status == 404


def test_a_question_has_the_answer_of_the_table(server):
    answer = server.ask(EPSILON)
    assert answer.status == 200
    expected = renyi("epsilon", "--noise-multiplier", "4", "--delta", "1e-5", "--json")
    assert answer.json["exact"] == json.loads(expected)["exact"] and answer.json["id"] == 7


@pytest.mark.parametrize("body, status, kind", [
    ({"op": "epsilon", "steps": GAUSSIAN}, 400, "invalid_argument"),
    ({"op": "nothing"}, 400, "invalid_argument"),
    ("[]", 400, "invalid_argument"),
    ("", 400, "invalid_argument"),
    ("{", 400, "invalid_argument"),
    ("[" * 1000, 400, "invalid_argument"),
    ({"op": "ledger", "verb": "show", "ledger": "/etc/passwd"}, 403, "forbidden"),
    ({"op": "certify", "steps": GAUSSIAN, "delta": 1e-5}, 401, "unauthorized"),
    ({"op": "verify", "certificate": {}}, 401, "unauthorized"),
    ({"op": "epsilon", "steps": GAUSSIAN, "delta": 1e-5, "time_limit": -1}, 400, "invalid_argument"),
])
def test_a_question_that_is_refused(server, body, status, kind):
    answer = server.ask(body)
    assert (answer.status, answer.kind) == (status, kind)


def test_proofs_need_a_token(server):
    answer = server.ask({"op": "certify", "steps": GAUSSIAN, "delta": 1e-5, "order": 8}, token=server.token)
    assert answer.status == 200, answer.body
    assert server.ask({"op": "verify", "certificate": answer.json["certificate"]}, token=server.token).status == 200


def test_questions_can_need_a_token(start):
    server = start("--ask", "token")
    assert server.ask(EPSILON).kind == "unauthorized"
    assert server.ask(EPSILON, token=server.token).status == 200


def test_a_long_question_ends(server):
    answer = server.ask({**slow_question(3000), "time_limit": 0.1})
    assert answer.status in (200, 422), answer.body
    assert answer.kind == "limit_reached" if answer.status == 422 else "limit" in answer.json, answer.body


def test_nobody_gets_more_memory_or_time_than_there_is(server):
    mixed = {"op": "epsilon", "delta": 1e-9, "tolerance": 1e-9, "memory": 1048576, "time_limit": 1e6,
             "steps": [{"mechanism": "sampled-gaussian", "noise_multiplier": 0.3, "sampling_rate": 0.5, "count": 10**9},
                       {"mechanism": "laplace", "scale": 0.001, "count": 10**9}]}
    assert server.ask(mixed).status in (200, 422)


@pytest.mark.parametrize("path, method, allowed", [
    ("/v1/ask", "GET", "POST"), ("/v1/ledger/show", "GET", "POST"), ("/v1/session", "PUT", "GET, POST, DELETE"),
    ("/v1/tokens", "DELETE", "GET, POST"), ("/v1/tokens/x", "GET", "DELETE, POST"), ("/healthz", "POST", "GET, HEAD"),
    ("/metrics", "POST", "GET, HEAD"), ("/v1/openapi.json", "DELETE", "GET, HEAD"), ("/", "POST", "GET, HEAD"),
    ("/v1/ask", "OPTIONS", "POST"), ("/", "TRACE", "GET, HEAD"),
])
def test_wrong_methods(server, path, method, allowed):
    answer = server.request(method, path, {} if method in ("POST", "PUT") else None)
    assert (answer.status, answer.headers["Allow"]) == (405, allowed)


@pytest.mark.parametrize("path", [
    "/../server.ledger", "/assets/../../tokens.json", "/%2e%2e/tokens.json", "/assets/%2e%2e%2ftokens.json", "/..%5ctokens.json",
    "/assets/..%00/tokens.json", "//tokens.json", "/tokens.json", "/server.ledger", "/v1/ledger%2fshow", "/v1/%61sk", "/v1/ask/", "/V1/ASK",
])
def test_paths_are_taken_as_they_are(server, path):
    assert server.get(path).status == 404


@pytest.mark.parametrize("verb", ["init", "import", "", "show/", "nothing", "../show", "SHOW"])
def test_verbs_that_no_server_offers(server, verb):
    assert server.call(verb, key="k").status == 404


def test_hosts(server):
    for host in ("localhost", f"localhost:{server.port}", "127.0.0.1:1", "[::1]:8080", "LOCALHOST"):
        assert server.get("/healthz", Host=host).status == 200
    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "", "169.254.169.254"):
        assert server.get("/healthz", Host=host).status == 403


def test_names_can_be_added(start):
    server = start("--host", "budgets.example.org", "--host", "other.example.org")
    assert server.get("/healthz", Host="budgets.example.org:443").status == 200
    assert server.get("/healthz", Host="Other.example.org").status == 200
    assert server.get("/healthz", Host="third.example.org").status == 403


def test_pages_of_other_sites_may_not_call(server):
    host = f"127.0.0.1:{server.port}"
    assert server.ask(EPSILON, Origin=f"http://{host}", Host=host).status == 200
    for origin in ("https://evil.example", "null", f"http://{host}.evil.example", "http://127.0.0.1:1"):
        assert server.ask(EPSILON, Origin=origin, Host=host).status == 403


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx"])
def test_bodies_are_json(server, media_type):
    for path in ("/v1/ask", "/v1/ledger/show", "/v1/session", "/v1/tokens"):
        assert server.request("POST", path, "{}", server.token, Content_Type=media_type).status == 415
    assert server.ask(EPSILON, Content_Type="Application/JSON; charset=utf-8").status == 200


def test_nobody_without_a_token_sees_a_ledger(server):
    for verb in ("show", "head", "history", "export", "verify", "may-run", "charge", "scope"):
        answer = server.request("POST", "/v1/ledger/" + verb, {}, Idempotency_Key="k")
        assert (answer.status, answer.kind) == (401, "unauthorized")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    server.add_scope("hidden-scope", 1)
    assert "hidden-scope" not in server.get("/metrics").body.decode()


def test_metrics(server):
    server.ask(EPSILON)
    lines = server.get("/metrics").body.decode().splitlines()
    assert server.get("/metrics").headers["Content-Type"].startswith("text/plain; version=0.0.4")
    for line in lines:
        assert line.startswith("# ") or re.fullmatch(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+', line), line
    asked = [line for line in lines if line.startswith('renyi_http_requests_total{route="ask",status="200"}')]
    assert int(asked[0].split()[-1]) >= 1


def test_metrics_of_the_ledger(start):
    server = start()

    def now():
        lines = server.get("/metrics", token=server.token).body.decode().splitlines()
        return {line.split()[0]: float(line.split()[-1]) for line in lines if line.startswith("renyi_ledger_")}

    before = now()
    assert before["renyi_ledger_entry"] == 1  # the first token
    server.add_scope("clinic", 1)
    for i in range(3):
        assert server.charge("clinic", f"measured-{i}").json["accepted"]
    after = now()
    assert after["renyi_ledger_entry"] == 5
    assert after["renyi_ledger_synchronisations_total"] - before["renyi_ledger_synchronisations_total"] == 4
    assert after["renyi_ledger_lock_waits_total"] - before["renyi_ledger_lock_waits_total"] >= 4
    for what in ("synchronisation", "lock_wait"):
        assert after[f"renyi_ledger_{what}_seconds_total"] > before[f"renyi_ledger_{what}_seconds_total"]
    # What another process has written is seen when the ledger is read.
    renyi("ledger", "charge", server.data / "server.ledger", "clinic", "--noise-multiplier", "4")
    assert server.get("/readyz").status == 200
    assert now()["renyi_ledger_entry"] == 6


def test_the_description_covers_the_table(server):
    document = server.get("/v1/openapi.json").json
    assert document["openapi"].startswith("3.0.")
    ops = {line.split('"')[1] for line in re.findall(r'constinit const Op \w+\{"[a-z-]+"', "\n".join(
        path.read_text() for path in (ROOT / "api/json").glob("*.cpp")))}
    schemas = document["components"]["schemas"]
    assert {"ask-" + op for op in ops - {"ledger"}} == {name for name in schemas if name.startswith("ask-")}
    verbs = {path.rsplit("/", 1)[1] for path in document["paths"] if path.startswith("/v1/ledger/")}
    assert verbs == set("scope blocks lower raise reserve open commit cancel charge may-run show ticket history verify head export".split())
    for path in ("/v1/ask", "/v1/session", "/v1/tokens", "/v1/tokens/{id}", "/healthz", "/readyz", "/metrics", "/v1/openapi.json"):
        assert path in document["paths"]
    identifiers = []
    for operations in document["paths"].values():
        for operation in operations.values():
            identifiers.append(operation["operationId"])
            assert operation["summary"] and operation["responses"]["default"]
    assert len(set(identifiers)) == len(identifiers)
    references = re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document))
    assert references
    for reference in references:
        found = document
        for part in reference.split("/"):
            found = found[part]
    for schema in schemas.values():
        for member in schema.get("properties", {}).values():
            assert member.get("type", "string") in ("string", "number", "integer", "boolean", "array", "object")


def test_what_the_data_directory_holds(server):
    assert stat.S_IMODE(os.stat(server.data).st_mode) == 0o700
    for name in ("tokens.json", "server.ledger"):
        assert stat.S_IMODE(os.stat(server.data / name).st_mode) == 0o600
