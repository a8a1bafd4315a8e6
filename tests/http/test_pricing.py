"""Steps are priced within limits and in turns, and nobody's charge waits for another one's prices."""

import concurrent.futures

import pytest

from serving import GAUSSIAN, in_threads, until


def trees(count, first=0):
    """Steps that take a third of a second each to price."""
    return [{"mechanism": "tree-aggregation", "noise_multiplier": 5 + (first + i) / 1000, "rounds": 1_000_000,
             "participations": 60, "min_separation": 100} for i in range(count)]


def laplace(count):
    return [{"mechanism": "laplace", "scale": 10 + i / 1000} for i in range(count)]


@pytest.fixture
def clinic(server):
    server.add_scope("clinic", 1000, block_rule={"rule": "the month", "unit_in_one_block": True}, blocks=["may", "june", "july"])
    return server


def head_of(server):
    return server.call("head").json["entry"]


def test_too_many_distinct_steps(clinic):
    before = head_of(clinic)
    for verb, key in [("may-run", None), ("charge", "many"), ("charge", "list")]:
        charge = {"scope": "clinic", "steps": laplace(2001)}
        answer = clinic.call(verb, {"charges": [charge]} if key == "list" else charge, key=key)
        assert answer.status == 413 and answer.kind == "too_large"
        assert answer.json["error"]["path"] == "steps" and "2001 different steps" in answer.json["error"]["message"]
    assert clinic.call("may-run", {"scope": "clinic", "steps": laplace(2000)}).json["accepted"]
    assert head_of(clinic) == before


def test_too_many_counts_for_one_transaction(clinic):
    charge = {"scope": "clinic", "steps": laplace(1700), "blocks": ["may", "june", "july"]}
    answer = clinic.call("charge", charge, key="blocks")
    assert answer.status == 413 and "5100 counts" in answer.json["error"]["message"]
    assert clinic.call("may-run", charge).json["accepted"]


def test_a_burn_down_has_a_bounded_number_of_points(start):
    server = start()
    server.add_scope("clinic", 1e6)
    one = {"scope": "clinic", "steps": [{"mechanism": "laplace", "scale": 10}]}
    for batch in range(10):
        assert server.call("charge", {"charges": [one] * 1000}, key=f"batch-{batch}").status == 200
    refused = server.call("show", {"scope": "clinic", "burn_down": "entry"})
    assert refused.status == 413 and refused.kind == "too_large" and "allowed: hour, day" in refused.json["error"]["message"]
    assert len(server.call("show", {"scope": "clinic", "burn_down": "hour"}).json["scopes"][0]["burn_down"]) in (1, 2)


def test_pricing_ends_at_its_limit_and_nothing_is_recorded(clinic):
    before = head_of(clinic)
    answer = clinic.call("charge", {"scope": "clinic", "steps": trees(20)}, key="slow")
    assert answer.status == 422 and answer.kind == "limit_reached"
    assert "more than 2 s" in answer.json["error"]["message"]
    assert head_of(clinic) == before
    assert clinic.call("charge", {"scope": "clinic", "steps": GAUSSIAN}, key="slow").json["accepted"]


def test_a_flood_of_questions_keeps_nobody_waiting_and_ends_with_the_server(start):
    server = start()
    server.add_scope("clinic", 1000)
    auditor = server.new_token("eve", "auditor")["token"]
    def ask(i):
        return server.call("may-run", {"scope": "clinic", "steps": trees(6, 10 * i)}, auditor)
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        asked = [pool.submit(ask, i) for i in range(12)]
        until(lambda: any(one.done() and one.result().status == 503 for one in asked), "one of them is too many")
        refused = next(one.result() for one in asked if one.done() and one.result().status == 503)
        assert refused.kind == "unavailable" and refused.headers["Retry-After"]
        assert not all(one.done() for one in asked)
        in_threads(4, lambda i: [server.charge("clinic", f"beside-{i}-{k}") for k in range(5)])
        assert server.call("show", {"scope": "clinic"}).json["scopes"][0]["charges"] == 20
        assert not all(one.done() for one in asked)
        assert server.stop() == 0
        # What was not answered before the end is not answered with what takes long.
        answers = [one for one in asked if one.exception() is None]
        assert any(one.result().status == 503 and "stops" in one.result().json["error"]["message"] for one in answers)
