"""A server for a test: `renyi serve` on a free port, its log, and every secret that was seen, none of which may be in the log."""

import http.client
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import threading
import time

RENYI = os.environ["RENYI_BINARY"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
FULL = os.environ.get("RENYI_FAULTS") == "full"
GAUSSIAN = [{"mechanism": "gaussian", "noise_multiplier": 4}]  # costs rho 1/32
RHO = 1 / 32
PATIENCE = 60  # for what must happen; a test never fails because the machine is slow


def slow_question(steps):
    """A question of many different steps, about a millisecond each."""
    return {"op": "epsilon", "delta": 1e-5, "time_limit": 9,
            "steps": [{"mechanism": "sampled-gaussian", "noise_multiplier": 1 + i / 1000, "sampling_rate": 0.01, "count": 3}
                      for i in range(steps)]}


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def kind(self):
        return self.json["error"]["kind"]


class Server:
    def __init__(self, data, *flags, binary=RENYI, expect=True):
        self.data = pathlib.Path(data)
        self.secrets = set()
        self.log_path = self.data.with_name(self.data.name + ".log")
        self.log_file = open(self.log_path, "ab")
        self.scheme, self.context = "http", None
        self.process = subprocess.Popen(
            [binary, "serve", *([] if "--listen" in flags else ["--listen", "127.0.0.1:0"]),
             *([] if "--demo" in flags else ["--data", str(data)]), *flags],
            stdout=subprocess.PIPE, stderr=self.log_file, text=True)
        self.token = None
        self.port = None
        for line in self.process.stdout:
            if found := re.search(r"shown this once: (renyi_[\w-]{43})$", line.strip()):
                self.token = found[1]
                self.secrets.add(self.token)
            if found := re.search(r"^renyi serve: listening on (https?)://127.0.0.1:(\d+)$", line.strip()):
                self.scheme, self.port = found[1], int(found[2])
                break
        assert self.port or not expect, self.log()
        # Nothing more is printed; the pipe stays open so that the server can never be stopped by it.

    def log(self):
        return self.log_path.read_text()

    def records(self):
        return [json.loads(line) for line in self.log().splitlines()]

    def connect(self, timeout=PATIENCE):
        if self.scheme == "https":
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout, context=self.context)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def socket(self, timeout=PATIENCE):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def request(self, method, path, body=None, token=None, connection=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            headers["Authorization"] = "Bearer " + token
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
            body = body if isinstance(body, (bytes, str)) else json.dumps(body)
        own = connection or self.connect()
        try:
            own.request(method, path, body=body, headers=headers)
            answer = own.getresponse()
            return Response(answer.status, answer.headers, answer.read())
        finally:
            if connection is None:
                own.close()

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def ask(self, body, **options):
        return self.request("POST", "/v1/ask", body, **options)

    def call(self, verb, body=None, token=None, key=None, **options):
        if key is not None:
            options["Idempotency_Key"] = key
        answer = self.request("POST", "/v1/ledger/" + verb, {} if body is None else body, token or self.token, **options)
        if answer.status == 200 and "secret" in answer.json:
            self.secrets.add(answer.json["secret"])
        return answer

    def new_token(self, name, role, scopes=None, **members):
        order = {"name": name, "role": role, **({"scopes": scopes} if scopes else {}), **members}
        answer = self.request("POST", "/v1/tokens", order, self.token)
        assert answer.status == 201, answer.body
        self.secrets.add(answer.json["token"])
        return answer.json

    def add_scope(self, name, rho, **members):
        answer = self.call("scope", {"scope": name, "budget": {"kind": "zcdp", "rho": rho}, **members}, key="scope-" + name.replace("/", "-"))
        assert answer.status == 200, answer.body
        return answer

    def charge(self, scope, key, token=None, **options):
        return self.call("charge", {"scope": scope, "steps": GAUSSIAN}, token, key, **options)

    def history(self):
        """All entries, page by page."""
        entries = []
        while page := self.call("history", {"after": entries[-1]["entry"] if entries else -1}).json["entries"]:
            entries += page
        return entries

    def is_alive(self):
        return self.process.poll() is None and self.get("/healthz").status == 200

    def kill(self):
        self.process.kill()
        self.end()

    def stop(self):
        """Stops in order; returns the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.end()

    def end(self):
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.log_file.close()
        return status

    def check_log(self):
        text = self.log_path.read_text()
        for line in text.splitlines():
            json.loads(line)
        for secret in self.secrets:
            assert secret not in text, "a secret is in the log"
        assert "renyi_session=" not in text


def in_threads(count, body):
    """Runs body(i) for each i at once; the first exception is raised."""
    errors = []

    def run(i):
        try:
            body(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def renyi(*arguments, status=0):
    done = subprocess.run([RENYI, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout


def tls_context(certificate):
    return ssl.create_default_context(cafile=str(certificate))
