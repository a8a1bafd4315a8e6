"""Who made and who revoked a token is in the log of the ledger."""

import getpass
import json
import os

from serving import renyi


def token_entries(server):
    return [entry for entry in server.history() if entry["request"]["verb"] == "token"]


def test_the_log_says_who_made_and_revoked_a_token(start):
    server = start()
    ana = server.new_token("ana", "analyst", ["clinic", "census"], expires_in=3600)
    boss = server.new_token("boss", "admin")
    revoked = server.request("DELETE", "/v1/tokens/" + ana["id"], token=boss["token"]).json
    first, made, _, ended = token_entries(server)
    assert first["request"]["person"] == "renyi serve" and first["request"]["token"]["holder"] == "admin"
    assert made["request"]["person"] == "admin" and made["request"]["event"] == "made"
    assert made["request"]["token"] == {"id": ana["id"], "holder": "ana", "role": "analyst", "scopes": ["clinic", "census"], "expires": ana["expires"]}
    assert (ended["request"]["person"], ended["request"]["event"], ended["request"]["token"]["id"]) == ("boss", "revoked", revoked["id"])
    # The token itself, and its digest, are not in the log.
    text = json.dumps(server.history())
    digests = [token["sha256"] for token in json.loads((server.data / "tokens.json").read_text())["tokens"]]
    assert not any(secret in text for secret in (ana["token"], boss["token"], server.token, *digests))
    assert server.call("verify").json["valid"]
    # An analyst sees nothing of it.
    bob = server.new_token("bob", "analyst", ["clinic"])["token"]
    assert server.call("history", token=bob).json["entries"] == []


def test_the_command_records_it_too(start, tmp_path):
    server = start()
    made = json.loads(renyi("token", "new", "cli", "--role", "auditor", "--data", server.data, "--json"))
    server.secrets.add(made["token"])
    renyi("token", "revoke", "cli", "--tokens", server.data / "tokens.json")
    person = "user " + getpass.getuser()
    assert [(entry["request"]["person"], entry["request"]["event"]) for entry in token_entries(server)[1:]] == [(person, "made"), (person, "revoked")]
    history = renyi("ledger", "history", server.data / "server.ledger", "--format", "csv")
    assert f"made {made['id']} for cli, auditor" in history and f"revoked {made['id']} for cli, auditor" in history
    # A ledger elsewhere is named.
    renyi("ledger", "init", tmp_path / "other.ledger")
    renyi("token", "new", "x", "--role", "auditor", "--tokens", tmp_path / "tokens.json", "--ledger", tmp_path / "other.ledger")
    assert "for x, auditor" in renyi("ledger", "history", tmp_path / "other.ledger", "--format", "csv")
    # Without one, nothing is recorded, and nothing is refused.
    os.mkdir(tmp_path / "empty")
    renyi("token", "new", "x", "--role", "auditor", "--tokens", tmp_path / "empty/tokens.json")


def test_a_log_with_tokens_is_imported_and_verified(start, tmp_path):
    server = start()
    server.new_token("ana", "auditor")
    server.add_scope("clinic", 1)
    lines = server.call("export").json["lines"]
    (tmp_path / "export.jsonl").write_text(lines if isinstance(lines, str) else "".join(lines))
    renyi("ledger", "import", tmp_path / "export.jsonl", tmp_path / "copy.ledger")
    assert "for ana, auditor" in renyi("ledger", "history", tmp_path / "copy.ledger", "--format", "csv")
    renyi("ledger", "verify", tmp_path / "copy.ledger")
    # One changed letter is noticed.
    changed = (tmp_path / "export.jsonl").read_text().replace('"holder":"ana"', '"holder":"eve"')
    (tmp_path / "changed.jsonl").write_text(changed)
    renyi("ledger", "verify", tmp_path / "changed.jsonl", status=1)


def test_a_rotated_token_is_named_with_its_lineage(start):
    server = start()
    ana = server.new_token("ana", "analyst", ["clinic"])
    new = server.request("POST", f"/v1/tokens/{ana['id']}/rotate", {}, server.token).json
    server.secrets.add(new["token"])
    kept = json.loads(renyi("token", "rotate", "ana", "--keep-for", "1h", "--data", server.data, "--json"))
    server.secrets.add(kept["token"])
    entries = [(entry["request"]["event"], entry["request"]["token"]["id"], entry["request"]["token"].get("lineage"))
               for entry in token_entries(server)[2:]]
    assert entries == [("made", new["id"], ana["id"]), ("revoked", ana["id"], None), ("made", kept["id"], ana["id"])]
    assert server.call("verify").json["valid"]
