"""The file of a server's tokens: what is listed, and who the server takes each token for."""

import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile

import renyi

FILES = ("tokens/*.json",)
# A token that was revoked is worth nothing, whatever it was.
HIDDEN = rb'"revoked":"[^"]*","sha256":"[^"]*"|"gone": "[^"]*"'
RENYI = os.environ["RENYI_BINARY"]
TOKENS = (
    ["root", "--role", "admin"],
    ["ana", "--role", "analyst", "--scope", "clinic", "--scope", "visits", "--expires-in", "3650d"],
    ["audit", "--role", "auditor"],
    ["gone", "--role", "auditor"],
)


def make(folder):
    (folder / "tokens").mkdir()
    file, secrets = folder / "tokens/tokens.json", {}
    for name, *flags in TOKENS:
        secrets[name] = _command("new", name, *flags, "--tokens", file).strip().split()[-1]
    _command("revoke", "gone", "--tokens", file)
    file.with_name("tokens.json.lock").unlink()
    (folder / "tokens/secrets.json").write_text(json.dumps(secrets, indent=0) + "\n")


def _command(*words):
    words = [RENYI, "token", *map(str, words)]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def meaning(path):
    """The tokens themselves stand in secrets.json, for tests only. Each reader asks a server of its own."""
    tokens, secrets = path.with_name("tokens.json"), json.loads(path.with_name("secrets.json").read_text())
    try:
        listed = json.loads(_command("list", "--tokens", tokens, "--json"))
    except subprocess.CalledProcessError as error:
        raise renyi.InvalidArgument("tokens", error.stderr, "a file of tokens") from None
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(tokens, f"{folder}/tokens.json")
        return {"listed": listed, "sessions": _sessions(folder, secrets)}


def _sessions(folder, secrets):
    words = [RENYI, "serve", "--listen", "127.0.0.1:0", "--data", folder]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            lines = iter(server.stdout.readline, "")
            told = re.compile(r"listening on http://127.0.0.1:(\d+)$")
            found = next((at for at in map(told.search, map(str.strip, lines)) if at), None)
            if found is None:
                raise renyi.InvalidArgument("tokens", server.stderr.read(), "a file of tokens")
            return {name: _session(int(found[1]), secret) for name, secret in secrets.items()}
        finally:
            server.terminate()


def _session(port, secret):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", "/v1/session", headers={"Authorization": f"Bearer {secret}"})
        answer = connection.getresponse()
        body = json.loads(answer.read())
        return body if answer.status == 200 else answer.status
    finally:
        connection.close()
