"""Attacks by clients without a token: sockets, framing, forged headers, guesses and a log that nobody reads."""

import json
import os
import signal
import socket
import subprocess
import time

import pytest

from serving import GAUSSIAN, RENYI, until
from test_limits import ASK, QUESTION, exchange, status_of, whole

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def open_sockets(server, count, data, address="127.0.0.1"):
    sockets = []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=60, source_address=(address, 0))
        connection.sendall(data)
        sockets.append(connection)
    return sockets


def metric(server, name, token=None):
    for line in server.get("/metrics", token=token).body.decode().splitlines():
        if line.startswith(name + " "):
            return float(line.split()[-1])
    return None


def test_sockets_that_send_seven_bytes(start):
    server = start()
    server.add_scope("clinic", 10)
    slow = open_sockets(server, 256, b"POST /v")
    for i in range(10):
        assert server.charge("clinic", f"slow-{i}").json["accepted"]
        assert server.get("/healthz").status == server.ask(QUESTION).status == 200
    # The more of them there are, the sooner they go.
    slow += open_sockets(server, 300, b"POST /v")
    assert server.charge("clinic", "slow-more").json["accepted"]
    # A client whose request is still on its way does not give way to those that came after it and wait as well.
    late = server.socket()
    slow += open_sockets(server, 100, b"POST /v")
    late.sendall(HEALTH)
    assert status_of(whole(late)) == 200
    late.close()
    assert metric(server, "renyi_http_connections") <= 128 + 16
    assert metric(server, "renyi_http_connections_evicted_total") >= 300
    for connection in slow:
        connection.close()


def test_one_address_does_not_take_the_room_of_others(start):
    server = start("--connections", "20")
    # Somebody else sends a request slowly, and it is not the one that gives way.
    other = open_sockets(server, 1, ASK + b"Content-Length: %d\r\n\r\n" % len(QUESTION), address="127.0.0.2")[0]
    slow = [socket for address in ("127.0.0.3", "127.0.0.4") for socket in open_sockets(server, 30, b"GET /he", address)]
    until(lambda: metric(server, "renyi_http_connections_evicted_total") >= 40, "they gave way to each other")
    other.sendall(QUESTION)
    assert status_of(other.recv(1000)) == 200
    for connection in slow + [other]:
        connection.close()


def test_there_is_room_to_watch_a_server_that_is_full(start):
    server = start("--connections", "4", "--connections-per-address", "4", "--request-timeout", "60s")
    # Clients that do not read what they asked for keep their connections for a while.
    busy = []
    for _ in range(4):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(b"GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 250)
        assert connection.recv(1) == b"H"
        busy.append(connection)
    assert status_of(exchange(server, HEALTH.replace(b"/healthz", b"/v1/openapi.json"))) == 503
    for path in (b"/healthz", b"/readyz", b"/metrics"):
        assert status_of(exchange(server, HEALTH.replace(b"/healthz", path))) == 200
    # Sockets that send nothing more do not take this room either.
    silent = open_sockets(server, 40, b"GET /he")
    assert status_of(exchange(server, HEALTH)) == 200
    # Nor do those that get their answers and stay.
    silent += open_sockets(server, 40, HEALTH)
    assert status_of(exchange(server, HEALTH)) == 200
    for connection in busy + silent:
        connection.close()


@pytest.mark.parametrize("coding", [
    b"xchunked", b"chunked, identity", b"identity", b"gzip, chunked", b"chunked, chunked", b"", b"identity\r\nTransfer-Encoding: chunked", b"chunked;x=y",
])
def test_other_transfer_codings(server, coding):
    body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(QUESTION), QUESTION)
    answer = exchange(server, ASK + b"Transfer-Encoding: " + coding + b"\r\n\r\n" + body + HEALTH)
    assert status_of(answer) == 400 and b"Connection: close" in answer
    assert answer.count(b"HTTP/1.1 ") == 1  # nothing behind it is taken for a request


def test_chunks_are_not_for_http_1_0(server):
    body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(QUESTION), QUESTION)
    assert status_of(exchange(server, ASK.replace(b"HTTP/1.1", b"HTTP/1.0") + b"Transfer-Encoding: chunked\r\n\r\n" + body)) == 400


def in_a_trailer(server, path, body, trailer, header=b""):
    chunks = b"%x\r\n%s\r\n0\r\n%s\r\n\r\n" % (len(body), body, trailer)
    return exchange(server, b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                    b"Transfer-Encoding: chunked\r\n" + header + b"\r\n" + chunks)


def test_trailers_are_no_headers(start):
    server = start()
    server.add_scope("clinic", 1)
    token = b"Authorization: Bearer " + server.token.encode()
    assert status_of(in_a_trailer(server, b"/v1/ledger/show", b"{}", b"X: y", token + b"\r\n")) == 200
    assert status_of(in_a_trailer(server, b"/v1/ledger/show", b"{}", token)) == 401
    charge = json.dumps({"scope": "clinic", "steps": GAUSSIAN}).encode()
    assert status_of(in_a_trailer(server, b"/v1/ledger/charge", charge, b"Idempotency-Key: x", token + b"\r\n")) == 400
    assert status_of(in_a_trailer(server, b"/v1/ask", QUESTION, b"Content-Type: text/plain")) == 200
    # A trailer is as large as a header may be, and no larger.
    assert status_of(in_a_trailer(server, b"/v1/ask", QUESTION, b"X: " + b"y" * 100_000)) == 431
    assert server.call("show", {"scope": "clinic"}).json["scopes"][0]["charges"] == 0


def test_content_codings(server):
    for coding in ("gzip", "br", "identity, gzip", "x"):
        answer = server.ask(QUESTION, Content_Encoding=coding)
        assert (answer.status, answer.json["error"]["path"]) == (415, "Content-Encoding")
    assert server.ask(QUESTION, Content_Encoding="identity").status == 200


def test_a_client_cannot_add_a_line_about_its_address(start):
    server = start("--behind-proxy")
    # The client sends the first line, and the proxy that is trusted adds the second.
    lines = b"X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-For: 192.0.2.1, 198.51.100.7\r\nX-Forwarded-For: 198.51.100.8\r\n"
    assert status_of(exchange(server, HEALTH.replace(b"Connection", lines + b"Connection"))) == 200
    assert server.records()[-1]["peer"] == "198.51.100.8"
    proto = b"X-Forwarded-Proto: https\r\nX-Forwarded-Proto: http\r\n"
    assert b"Strict-Transport-Security" not in exchange(server, HEALTH.replace(b"Connection", proto + b"Connection"))
    proto = b"X-Forwarded-Proto: http\r\nX-Forwarded-Proto: https\r\n"
    assert b"Strict-Transport-Security: max-age=" in exchange(server, HEALTH.replace(b"Connection", proto + b"Connection"))


def test_guesses_from_many_addresses_lock_nobody_out(start):
    server = start("--behind-proxy")
    connection = server.connect()
    for i in range(1100):
        answer = server.get("/v1/session", token=f"renyi_{i:043}", connection=connection, X_Forwarded_For=f"192.0.{i // 250}.{i % 250}")
        assert answer.status == 401
    connection.close()
    assert server.get("/v1/session", token=server.token, X_Forwarded_For="198.51.100.7").status == 200


@pytest.fixture
def unread(tmp_path):
    """A server whose log is a pipe that nobody reads, and the end from which one could."""
    log, to_log = os.pipe()
    process = subprocess.Popen([RENYI, "serve", "--demo", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=to_log, text=True)
    os.close(to_log)
    for line in process.stdout:
        if "listening" in line:
            port = int(line.rsplit(":", 1)[1])
            break
    readers = [log]
    yield process, port, readers
    if process.poll() is None:
        process.kill()
    process.wait(60)
    process.stdout.close()
    for reader in readers:
        os.close(reader)


def requests_on(port, count):
    """Requests with log lines of a few hundred bytes; returns how many were answered."""
    path = b"/" + b"x" * 190
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        answered = 0
        for _ in range(count // 100):
            connection.sendall(HEALTH.replace(b"/healthz", path).replace(b"Connection: close\r\n", b"") * 100)
            seen = b""
            while seen.count(b"HTTP/1.1 404") < 100:
                seen += connection.recv(1 << 16)
            answered += 100
    return answered


def test_a_log_that_nobody_reads_stops_nothing(unread):
    process, port, log = unread
    assert requests_on(port, 5000) == 5000  # far more than a pipe and the server keep
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(HEALTH.replace(b"/healthz", b"/metrics"))
        text = whole(connection).decode()
    dropped = int(text.split("\nrenyi_log_lines_dropped_total ")[1].split()[0])
    assert dropped > 0
    process.send_signal(signal.SIGTERM)
    lines = b""
    while piece := os.read(log[0], 1 << 16):
        lines += piece
    assert process.wait(60) == 0
    records = [json.loads(line) for line in lines.splitlines()]
    # Every line is whole, and the log says how many are missing: one more request than was asked at the top is that of /metrics.
    missing = sum(record.get("lines", 0) for record in records)
    assert missing >= dropped
    assert sum("path" in record for record in records) + missing >= 5001
    assert records[-1]["event"] == "stop"


def test_a_reader_of_the_log_that_went_away(unread):
    process, port, log = unread
    os.close(log.pop())
    assert requests_on(port, 1000) == 1000
    assert process.poll() is None


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_what_watches_needs_no_token(server, path):
    assert server.get(path).status == 200


def test_metrics_of_the_ledger_need_a_token(start):
    server = start()
    server.add_scope("clinic", 0.01)
    assert not server.charge("clinic", "too-much").json["accepted"]
    analyst = server.new_token("ana", "analyst", ["clinic"])["token"]
    auditor = server.new_token("audit", "auditor")["token"]
    assert metric(server, "renyi_http_connections") >= 1
    assert metric(server, "renyi_ledger_refusals_total") is None
    assert metric(server, "renyi_ledger_refusals_total", analyst) is None
    assert metric(server, "renyi_ledger_refusals_total", auditor) == metric(server, "renyi_ledger_refusals_total", server.token) == 1
    assert server.get("/metrics", token="renyi_" + "A" * 43).status == 401


def test_a_damaged_file_of_tokens_tells_nothing(start):
    server = start()
    path = server.data / "tokens.json"
    text = path.read_text()
    path.write_text(text.replace('"sha256":"', '"sha256":"x'))
    answer = server.call("show")
    assert answer.status == 503 and answer.kind == "store_failure"
    assert str(server.data) not in answer.body.decode() and "sha256" not in answer.body.decode()
    assert server.get("/readyz").status == 503 and server.get("/healthz").status == 200
    assert any(str(path) in record.get("message", "") for record in server.records())
    path.write_text(text)
    assert server.get("/readyz").json == {"status": "ready"}
