"""Several servers share one ledger in PostgreSQL and one file of tokens."""

import subprocess

import pytest

from serving import GAUSSIAN, RHO, ROOT, in_threads, renyi, until


PASSWORD = "s3cr3t-of-the-store"


class Postgres:
    def __init__(self):
        self.process = subprocess.Popen([ROOT / "tools/postgresql", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ready = self.process.stdout.readline().split()
        assert ready and ready[0] == "ready", "no PostgreSQL server"
        self.location = f"postgresql://renyi:{PASSWORD}@/postgres?host={ready[1]}"

    def command(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline()


@pytest.fixture
def postgres():
    server = Postgres()
    yield server
    server.process.stdin.close()
    server.process.wait(60)
    server.process.stdout.close()


def test_two_servers_keep_one_budget(start, tmp_path, postgres):
    location = postgres.location
    renyi("ledger", "init", location)
    flags = ("--ledger", location, "--tokens", str(tmp_path / "tokens.json"))
    first = start(*flags, data="first")
    second = start(*flags, data="second")
    assert second.token is None
    second.token = first.token
    for server in (first, second):
        server.secrets |= {PASSWORD, location}
    fits, clients, each = 30, 8, 8
    first.add_scope("shared", RHO * fits * 1.0001)
    accepted = []

    def run(i):
        server = (first, second)[i % 2]
        connection = server.connect()
        for k in range(each):
            answer = server.charge("shared", f"{i}-{k}", connection=connection)
            assert answer.status == 200, answer.body
            accepted.append(answer.json["accepted"])
        connection.close()

    in_threads(clients, run)
    assert len(accepted) == clients * each and sum(accepted) == fits
    assert first.call("head").json == second.call("head").json
    assert second.call("verify").json["valid"]
    # A call that one server answered is known to the other.
    assert second.charge("shared", "0-0").json["repeated"] and first.charge("shared", "1-0").json["repeated"]
    # A token that one server makes or revokes is so for the other.
    made = first.new_token("ana", "analyst", ["shared"])
    assert second.call("may-run", {"scope": "shared", "steps": GAUSSIAN}, made["token"]).status == 200
    assert second.request("DELETE", "/v1/tokens/" + made["id"], token=second.token).status == 200
    assert first.call("show", token=made["token"]).status == 401



def test_a_store_that_is_gone_is_no_answer(start, postgres):
    renyi("ledger", "init", postgres.location)
    server = start("--ledger", postgres.location)
    server.secrets |= {PASSWORD}
    server.add_scope("clinic", 1)
    leaked = server.new_token("leaked", "auditor")
    postgres.command("stop immediate")
    answer = server.charge("clinic", "while-it-is-gone")
    assert (answer.status, answer.kind) == (503, "store_failure") and answer.headers["Retry-After"]
    assert PASSWORD not in answer.body.decode()
    assert server.get("/healthz").status == 200
    assert (server.get("/readyz").status, server.get("/readyz").kind) == (503, "store_failure")
    assert PASSWORD not in server.get("/readyz").body.decode()
    # No token is made that the log does not have, and one that leaked is revoked all the same.
    order = {"name": "ana", "role": "auditor"}
    assert server.request("POST", "/v1/tokens", order, server.token).status == 503
    answer = server.request("DELETE", "/v1/tokens/" + leaked["id"], token=server.token)
    assert answer.status == 503 and "the token is revoked" in answer.json["error"]["message"]
    assert server.get("/v1/session", token=leaked["token"]).status == 401
    valid = [token["name"] for token in server.get("/v1/tokens", token=server.token).json["tokens"] if "revoked" not in token]
    assert valid == ["admin"]
    postgres.command("start")
    until(lambda: server.get("/readyz").status == 200, "the server is ready")
    assert server.charge("clinic", "while-it-is-gone").json["accepted"]
    assert server.call("show", {"scope": "clinic"}).json["scopes"][0]["charges"] == 1
