"""Hostile and broken clients: everything that one can make grow has an end, and the others are served meanwhile."""

import json
import socket
import time

import pytest

from serving import GAUSSIAN, Server, in_threads, until

QUESTION = json.dumps({"op": "mechanisms", "kind": "gaussian"}).encode()
ASK = b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def whole(connection):
    """Everything that the server still sends."""
    data = b""
    try:
        while piece := connection.recv(1 << 16):
            data += piece
    except ConnectionResetError:
        pass
    return data


def exchange(server, data, half_closed=False):
    with server.socket() as connection:
        try:
            connection.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass
        if half_closed:
            connection.shutdown(socket.SHUT_WR)
        return whole(connection)


def status_of(data):
    return int(data.split(b" ", 2)[1])


def test_a_body_that_is_too_large(server):
    for body in (b" " * (1 << 20) + QUESTION, b"x" * (3 << 20)):
        answer = server.ask(body)
        assert (answer.status, answer.kind) == (413, "too_large")
    assert server.ask(QUESTION + b" " * ((1 << 20) - len(QUESTION))).status == 200


def test_a_body_that_is_announced_too_large_is_not_read(server):
    head = ASK + b"Content-Length: 999999999999\r\n\r\n"
    assert status_of(exchange(server, head)) == 413


def test_chunks(server):
    body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(QUESTION), QUESTION)
    assert status_of(exchange(server, ASK + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + body)) == 200
    endless = (b"%x\r\n" % 65536 + b" " * 65536 + b"\r\n") * 40
    assert status_of(exchange(server, ASK + b"Transfer-Encoding: chunked\r\n\r\n" + endless)) == 413


def test_a_body_that_is_truncated(server):
    before = server.get("/metrics").body
    assert exchange(server, ASK + b"Content-Length: 1000\r\n\r\n" + QUESTION, half_closed=True) == b""
    assert exchange(server, ASK[:20], half_closed=True) == b""
    assert server.is_alive() and before


def test_ten_thousand_header_lines(server):
    lines = b"".join(b"X-%d: y\r\n" % i for i in range(10_000))
    assert status_of(exchange(server, ASK + lines + b"\r\n")) == 431
    assert status_of(exchange(server, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 101 + b"\r\n")) == 431
    assert status_of(exchange(server, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + b"X: y\r\n" * 90 + b"\r\n")) == 200


def test_a_header_line_that_is_too_long(server):
    assert status_of(exchange(server, b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")) == 431
    assert status_of(exchange(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000 + b"\r\n\r\n")) == 431
    assert status_of(exchange(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000)) == 431


@pytest.mark.parametrize("data", [
    b"\r\n\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/2.0\r\n\r\n", b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ASK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", ASK + b"Content-Length: -1\r\n\r\n", ASK + b"Content-Length: x\r\n\r\n",
    ASK + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", ASK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"G\xffT / HTTP/1.1\r\n\r\n",
])
def test_what_is_no_request(server, data):
    answer = exchange(server, data + b"\r\n\r\n")
    assert status_of(answer) == 400 and b"Connection: close" in answer
    assert server.is_alive()


def test_a_request_without_host(server):
    assert status_of(exchange(server, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")) == 400
    assert status_of(exchange(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\nConnection: close\r\n\r\n")) == 400
    assert status_of(exchange(server, b"GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")) == 400


def test_requests_in_a_row_without_waiting(server):
    one = ASK + b"Content-Length: %d\r\n\r\n%s" % (len(QUESTION), QUESTION)
    health = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    last = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answers = exchange(server, (one + health) * 20 + last)
    statuses = [int(part[:3]) for part in answers.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [200] * 40 + [404]


def test_one_connection_is_used_again(server):
    connection = server.connect()
    for _ in range(3):
        assert server.get("/healthz", connection=connection).status == 200
        assert server.ask(QUESTION, connection=connection).status == 200
    connection.close()


def test_a_client_that_waits_to_send_its_body(server):
    with server.socket() as connection:
        connection.sendall(ASK + b"Expect: 100-continue\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(QUESTION))
        assert connection.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(QUESTION)
        assert status_of(whole(connection)) == 200


def test_old_clients(server):
    answer = exchange(server, b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
    assert status_of(answer) == 200 and answer.endswith(b"}")


def test_slow_clients_are_dropped_and_others_served(start):
    server = start("--request-timeout", "1s")
    began = time.monotonic()
    slow = [server.socket() for _ in range(30)]
    for i, connection in enumerate(slow):
        connection.sendall(ASK[:10 + i])
    silent = server.socket()
    for _ in range(5):
        assert server.ask(QUESTION).status == 200
        for connection in slow[:10]:
            try:
                connection.sendall(b"x")
            except OSError:
                pass
        time.sleep(0.1)
    for connection in slow:
        answer = whole(connection)
        assert answer == b"" or status_of(answer) == 408
        connection.close()
    assert whole(silent) == b""
    silent.close()
    assert 0.9 < time.monotonic() - began
    assert server.is_alive()


def test_clients_that_do_not_read_are_dropped(start):
    server = start("--request-timeout", "1s")
    with server.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.setblocking(False)
        request = b"GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        def is_dropped():
            try:
                connection.send(request * 100)
            except BlockingIOError:
                return b"renyi_http_connections_dropped_total 1" in server.get("/metrics").body
            except OSError:
                return True
            return False
        until(is_dropped, "the connection is dropped")
    assert server.is_alive()


def test_too_many_connections(start):
    server = start("--connections", "10")
    # Requests that have not arrived give way, and so does a connection that only waits for its next request.
    slow = [server.socket() for _ in range(10)]
    for connection in slow:
        connection.sendall(ASK[:30])
    assert server.get("/v1/openapi.json").status == 200
    kept = [server.connect() for _ in range(10)]
    for connection in kept:
        assert server.get("/v1/openapi.json", connection=connection).status == 200
    assert server.get("/v1/openapi.json").status == 200
    for connection in slow + kept:
        connection.close()


def test_many_at_once(server):
    server.add_scope("busy", 1000)
    def run(i):
        connection = server.connect()
        for k in range(5):
            assert server.ask({"op": "epsilon", "steps": GAUSSIAN, "delta": 1e-5 / (1 + i)}, connection=connection).status == 200
            assert server.charge("busy", f"busy-{i}-{k}", connection=connection).json["accepted"]
        connection.close()
    in_threads(20, run)
    assert server.call("show", {"scope": "busy"}).json["scopes"][0]["charges"] == 100


@pytest.mark.parametrize("flags, message", [
    (["--listen", "0.0.0.0:0"], "--tls-certificate"),
    (["--listen", "nowhere:0"], "allowed: an address"),
    (["--listen", "127.0.0.1:x"], "ADDRESS:PORT"),
    (["--tls-certificate", "none.pem"], "--tls-key"),
    (["--tls-certificate", "none.pem", "--tls-key", "none.pem"], "none.pem"),
    (["--ledger", "/nowhere/none.ledger"], "/nowhere/none.ledger"),
    (["--request-timeout", "1ms"], "100ms"),
    (["--connections", "0"], "1 to"),
    (["--ledger", "postgresql://user:hunter2@127.0.0.1:1/none?connect_timeout=1"], "no connection"),
])
def test_settings_that_are_refused(tmp_path, flags, message):
    server = Server(tmp_path / "data", *flags, expect=False)
    assert server.end() in (2, 3)
    text = server.log_path.read_text()
    assert message in text and "hunter2" not in text
