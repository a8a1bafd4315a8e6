"""Servers that are killed and stopped under load: what was acknowledged is there, once, and no budget is exceeded."""

import http.client
import json
import random
import threading
import time

import pytest

from serving import FULL, RHO, Server, in_threads, renyi, slow_question, until

SEED = random.randrange(10**6)


def load(server, scope, clients, acknowledged, name, stop):
    """Clients that charge until the server is gone; they note what was acknowledged."""

    def run(i):
        connection = server.connect()
        for k in range(10**6):
            if stop.is_set():
                break
            key = f"{name}-{i}-{k}"
            try:
                answer = server.charge(scope, key, connection=connection)
            except (OSError, http.client.HTTPException):
                break
            if answer.status == 200 and answer.json["accepted"]:
                acknowledged.append((key, answer.json["hash"]))
            elif answer.status != 200:
                assert answer.status in (401, 503), answer.body
                break
        connection.close()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(clients)]
    for thread in threads:
        thread.start()
    return threads


def check(server, scope, acknowledged, limit):
    charged = {}
    for entry in server.history():
        request = entry["request"]
        if request.get("verb") == "charge" and entry["outcome"]["accepted"]:
            key = request["key"].split(":", 2)[2]  # without the token and the scope
            assert key not in charged
            charged[key] = entry["hash"]
    for key, digest in acknowledged:
        assert charged[key] == digest
    state = server.call("show", {"scope": scope}).json["scopes"][0]
    assert state["charges"] == len(charged) <= limit
    assert state["balances"][0]["spent"] == pytest.approx(RHO * len(charged))
    assert server.call("verify").json["valid"]
    return len(charged)


def test_killed_under_load(tmp_path):
    limit = 60_000 if FULL else 4_000
    rounds = 40 if FULL else 4
    server = Server(tmp_path / "data")
    token, secrets = server.token, server.secrets
    server.add_scope("clinic", RHO * limit)
    acknowledged = []
    chance = random.Random(SEED)
    for round_number in range(rounds):
        stop = threading.Event()
        threads = load(server, "clinic", 8, acknowledged, f"round-{round_number}", stop)
        time.sleep(chance.uniform(0.05, 0.4))
        server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        server.check_log()
        server = Server(tmp_path / "data")
        server.token, server.secrets = token, secrets
        # What was not answered can be asked again, by the same key: it counts once.
        for key, digest in acknowledged[-3:]:
            again = server.charge("clinic", key).json
            assert again["repeated"] and again["hash"] == digest
    assert check(server, "clinic", acknowledged, limit) >= len(acknowledged) > 0, f"seed {SEED}"
    assert server.stop() == 0
    server.check_log()
    assert json.loads(renyi("ledger", "verify", tmp_path / "data/server.ledger", "--json"))["valid"]


def test_a_budget_that_many_want_is_kept(start):
    server = start()
    fits = 40
    server.add_scope("small", RHO * fits * 1.0001)
    accepted = []

    def run(i):
        connection = server.connect()
        for k in range(10):
            answer = server.charge("small", f"want-{i}-{k}", connection=connection)
            assert answer.status == 200
            accepted.append(answer.json["accepted"])
        connection.close()

    in_threads(12, run)
    assert len(accepted) == 120 and sum(accepted) == fits


def test_stopped_under_load(start):
    server = start()
    server.add_scope("clinic", RHO * 10**6)
    acknowledged, stop = [], threading.Event()
    threads = load(server, "clinic", 8, acknowledged, "stop", stop)
    idle = server.connect()
    assert server.get("/healthz", connection=idle).status == 200
    time.sleep(0.3)
    begun = time.monotonic()
    assert server.stop() == 0
    for thread in threads:
        thread.join()
    idle.close()
    assert time.monotonic() - begun < 60 and acknowledged
    assert server.records()[-1]["event"] == "stop"
    again = start()
    again.token = server.token
    assert check(again, "clinic", acknowledged, 10**6) == len(acknowledged)  # nothing was done that was not answered


def test_a_question_in_flight_is_answered_when_the_server_stops(start):
    server = start()
    answers = []
    thread = threading.Thread(target=lambda: answers.append(server.ask(slow_question(1000))))
    thread.start()
    until(lambda: b"renyi_http_requests_in_flight 2" in server.get("/metrics").body, "the question is being answered")
    assert server.stop() == 0
    thread.join()
    assert answers[0].status == 200 and answers[0].json["exact"], answers[0].body
