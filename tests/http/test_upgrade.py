"""docs/guide/upgrade.md is followed, command by command: forward, and back to the log as it was."""

import contextlib
import json
import re
import shlex
import sqlite3
import subprocess

from serving import RENYI, ROOT, renyi


def commands():
    page = (ROOT / "docs/guide/upgrade.md").read_text()
    return [line.strip() for block in re.findall(r"```sh\n(.*?)```", page, re.S) for line in block.splitlines() if line.strip()]


def test_forward_and_back(start, tmp_path, monkeypatch):
    server = start()
    server.add_scope("clinic", 0.1)
    assert server.charge("clinic", "before").json["accepted"]
    lines, serves = commands(), []
    assert sum(line.startswith("renyi ") for line in lines) == 7
    for line in lines:
        line = line.replace("/var/lib/renyi", str(server.data))
        words = shlex.split(line.split("#")[0])
        if words[0] == "systemctl":
            assert words[1:] == ["restart", "renyi"] and server.stop() == 0
            token, server = server.token, start()
            server.token = token
            server.secrets.add(token)
        elif words[0] == "curl":
            assert words[-1].endswith("/readyz") and server.get("/readyz").status == 200
        elif words[:2] == ["renyi", "serve"]:
            serves.append(words[2:])
        elif words[0] == "cp":
            subprocess.run(words, check=True, cwd=tmp_path)
        else:
            if words[:3] == ["renyi", "ledger", "import"]:  # what is charged now is lost by going back, as the page says
                assert server.charge("clinic", "after").json["accepted"]
            to = words.index(">") if ">" in words else len(words)
            done = subprocess.run([RENYI, *words[1:to]], cwd=tmp_path, capture_output=True, text=True)
            assert done.returncode == 0, (line, done.stderr)
            if to < len(words):
                (tmp_path / words[to + 1]).write_text(done.stdout)
    assert server.stop() == 0
    # The server of the way back: the budget as it was, under a new id, with the old tokens.
    [flags] = serves
    monkeypatch.chdir(tmp_path)
    back = start(*flags[2:])
    back.token = server.token
    assert back.call("show", {"scope": "clinic"}).json["scopes"][0]["charges"] == 1
    before = json.loads((tmp_path / "before.json").read_text())
    assert back.call("head").json["ledger"] != before["ledger"]
    assert back.history()[before["entry"] + 1]["request"]["predecessor"]["hash"] == before["hash"]
    assert back.charge("clinic", "before").json["repeated"]
    assert back.call("verify").json["valid"]
    renyi("ledger", "verify", tmp_path / "restored.ledger", "--head", tmp_path / "before.json")


def put_ledger_of_081(place):
    """Puts a ledger of 0.8.1 where one was made, so that this is the place that it knows."""
    renyi("ledger", "init", place)
    with contextlib.closing(sqlite3.connect(place)) as database:
        here = database.execute("SELECT value FROM facts WHERE name = 'place'").fetchone()[0]
    for extra in place.parent.glob(f"{place.name}-*"):
        extra.unlink()
    place.write_bytes((ROOT / "tests/compat/0.8.1/ledgers/clinic.ledger").read_bytes())
    with contextlib.closing(sqlite3.connect(place)) as database, database:
        database.execute("UPDATE facts SET value = ? WHERE name = 'place'", (here,))


def test_the_command_says_where_the_file_of_before_is(tmp_path):
    place = tmp_path / "old.ledger"
    put_ledger_of_081(place)
    said = [subprocess.run([RENYI, "ledger", "head", place], capture_output=True, text=True, check=True).stderr
            for _ in range(2)]
    assert "from version 1 to version 2" in said[0] and f"{place}.schema-1" in said[0]
    assert said[1] == "" and (tmp_path / "old.ledger.schema-1").exists()
