"""`renyi serve --config FILE`: one member for each flag."""

import json
import re
import subprocess

import pytest

from serving import RENYI, Server, renyi


def write(path, **settings):
    path.write_text(json.dumps({name.replace("_", "-"): value for name, value in settings.items()}))
    return path


def failure(path, *flags):
    done = subprocess.run([RENYI, "serve", "--check", "--config", path, *flags], capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == ""
    return done.stderr


def test_a_server_from_a_file(start, tmp_path):
    config = write(tmp_path / "server.json", listen="127.0.0.1:0", host=["budgets.example.org", "other.example.org"], behind_proxy=True,
                   ask="token", connections=20, calls_per_minute=50, cpu_per_minute="20s", request_timeout="5s", no_log=False)
    server = start("--config", str(config))
    for host in ("budgets.example.org", "other.example.org"):
        assert server.get("/healthz", Host=host, X_Forwarded_For="192.0.2.1").status == 200
    assert server.records()[-1]["peer"] == "192.0.2.1"
    assert server.ask({"op": "mechanisms", "kind": "gaussian"}).status == 401
    assert 429 in [server.call("show").status for _ in range(55)]


def test_flags_override_the_file(start, tmp_path):
    config = write(tmp_path / "server.json", listen="127.0.0.1:1", host=["one.example.org"], ask="token", data=str(tmp_path / "nowhere"))
    server = start("--config", str(config), "--listen", "127.0.0.1:0", "--host", "two.example.org", "--ask", "open")
    assert server.ask({"op": "mechanisms", "kind": "gaussian"}).status == 200
    assert server.get("/healthz", Host="two.example.org").status == 200
    assert server.get("/healthz", Host="one.example.org").status == 403
    assert not (tmp_path / "nowhere").exists()


def test_every_flag_is_a_member(tmp_path):
    text = renyi("serve", "--help-all")
    flags = set(re.findall(r"^  (?:-\w, )?--([a-z-]+)", text, re.M)) - {"help", "help-all", "config", "check", "openapi"}
    assert {"listen", "host", "connections", "no-log", "calls-per-minute"} <= flags
    # Each is known: only its value is wrong.
    for flag in sorted(flags):
        message = failure(write(tmp_path / "server.json", **{flag: {"x": 1}}))
        assert "server.json" in message and flag in message and "allowed:" in message and "one of" not in message, message


@pytest.mark.parametrize("settings, message", [
    ({"listn": "127.0.0.1:0"}, "listen"), ({"config": "other.json"}, "config"), ({"check": True}, "check"),
    ({"listen": 8080}, "listen"), ({"connections": "20"}, "connections"), ({"connections": 0}, "connections"),
    ({"host": "budgets.example.org"}, "host"), ({"host": ["a,b"]}, "host[0]"), ({"behind-proxy": "yes"}, "behind-proxy"),
    ({"ask": "never"}, "--ask"), ({"request-timeout": "1ms"}, "--request-timeout"), ([], "object"),
])
def test_what_is_refused(tmp_path, settings, message):
    path = tmp_path / "server.json"
    path.write_text(json.dumps(settings))
    assert message in failure(path)


def test_files_that_cannot_be_read(tmp_path):
    assert "none.json" in failure(tmp_path / "none.json")
    (tmp_path / "twice.json").write_text('{"ask":"open","ask":"token"}')
    assert "twice.json" in failure(tmp_path / "twice.json")


def test_a_file_is_checked(tmp_path):
    config = write(tmp_path / "server.json", data=str(tmp_path / "data"), listen="0.0.0.0:0")
    assert "--tls-certificate" in failure(config)
    write(config, data=str(tmp_path / "data"), behind_proxy=True, listen="0.0.0.0:0")
    assert "are good" in renyi("serve", "--check", "--config", config)
