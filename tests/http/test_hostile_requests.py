"""The inputs that the fuzzers keep, sent as requests: the server lives, and every answer is JSON."""

import json

import pytest

from serving import ROOT

KINDS = [path.name for path in sorted((ROOT / "tests/fuzz/corpus").iterdir())]


@pytest.mark.parametrize("kind", KINDS)
def test_the_corpus(server, kind):
    connection = server.connect()
    files = sorted((ROOT / "tests/fuzz/corpus" / kind).iterdir())
    assert files
    for path in files:
        for line in path.read_bytes().split(b"\n") if kind == "request" else [path.read_bytes()]:
            answer = server.ask(line, connection=connection)
            assert answer.status in (200, 400, 401, 403, 413, 422), (path, answer.body)
            assert isinstance(json.loads(answer.body), dict)
            assert (answer.status == 200) == ("error" not in answer.json)
            if answer.status == 413:  # which ends the connection
                connection.close()
    # The same to somebody who may prove, as plans and certificates, and to the ledger.
    for path in files:
        text = path.read_bytes()
        for request in (text, b'{"op":"verify","certificate":' + text + b"}", b'{"op":"epsilon","delta":1e-5,"time_limit":0.1,"steps":' + text + b"}"):
            assert server.ask(request, token=server.token, connection=connection).status < 500
        for verb in ("charge", "show", "history", "verify"):
            answer = server.request("POST", "/v1/ledger/" + verb, text, server.token, connection, Idempotency_Key="corpus-" + verb)
            assert answer.status < 500 and isinstance(json.loads(answer.body), dict)
    connection.close()
    assert server.is_alive()
