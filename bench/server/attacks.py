"""Charges while others do their worst: what the slowest of a hundred charges takes with no attack, and under each attack.

Usage: attacks.py BUILD [--seconds 10] [--entries 200000] [--out OUT]
BUILD has bin/renyi. An auditor, whose token may not charge, asks what is dear to answer, from several connections at once;
slow sockets need no token at all. Half of the charges are of one step, the others of a new one each, which has to be priced.
All is measured in one run, on the cores of the server; charges without attack are measured before and after. OUT is what
load.py wrote for bench/report: the table is added to it.
"""

import argparse
import contextlib
import datetime
import http.client
import json
import multiprocessing
import pathlib
import socket
import sys
import tempfile
import threading
import time

import load

CLIENTS = 4  # that charge, one after the other each
ATTACKERS = 8  # connections of an attack


def post(connection, token, verb, body, key=None):
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    if key:
        headers["Idempotency-Key"] = key
    connection.request("POST", f"/v1/ledger/{verb}", body, headers)
    response = connection.getresponse()
    return response.status, response.read()


def laplace(first):
    """Distinct steps of a kind, other ones in every call."""
    return [{"mechanism": "laplace", "scale": 10 + (first + i) / 1e7} for i in range(5000)]


def trees(first):
    return [{"mechanism": "tree-aggregation", "noise_multiplier": 5 + (first + i) / 1e6, "rounds": 1_000_000 + first + i,
             "participations": 60, "min_separation": 100 + i} for i in range(200)]  # fmt: skip


def may_run(steps_of):
    """Texts that are made before, so that the attack needs the processor for little else."""
    return "may-run", [json.dumps({"scope": "load", "steps": steps_of(10_000 * i)}) for i in range(64)]


VERIFY = ("verify", ["{}"])
BURN_DOWN = ("show", [json.dumps({"scope": "load", "burn_down": "hour"})])


def keep_asking(port, token, question, number, stop, answers):
    """One connection of an attack; counts its answers by status."""
    verb, bodies = question
    i = number
    while not stop.is_set():
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
            while not stop.is_set():
                status, _ = post(connection, token, verb, bodies[i % len(bodies)])
                i += ATTACKERS
                answers.append(status)
                if status == 503:
                    time.sleep(0.05)


def attack_by_calls(port, token, question, stop, report):
    answers = []
    threads = [threading.Thread(target=keep_asking, args=(port, token, question, n, stop, answers), daemon=True)
               for n in range(ATTACKERS)]  # fmt: skip
    for thread in threads:
        thread.start()
    stop.wait()
    counts = {status: answers.count(status) for status in sorted(set(answers))}
    report.put(", ".join(f"{count} of status {status}" for status, count in counts.items()) or "no answer")


def attack_by_sockets(port, _token, _question, stop, report):
    """256 connections that begin a request and never go on; each that is closed is opened again."""
    opened = 0
    held = []
    while not stop.wait(0.05):
        while len(held) < 256:
            try:
                held.append(socket.create_connection(("127.0.0.1", port), timeout=1))
                held[-1].sendall(b"POST / ")
                held[-1].setblocking(False)
                opened += 1
            except OSError:
                break
        alive = []
        for each in held:
            try:
                if each.recv(1000):
                    alive.append(each)
                else:
                    each.close()
            except BlockingIOError:
                alive.append(each)
            except OSError:
                each.close()
        held = alive
    report.put(f"{opened} sockets")


class Client(threading.Thread):
    """Charges until it is told to stop, and remembers how long each charge took."""

    def __init__(self, port, token, name, stop):
        super().__init__(daemon=True)
        self.port, self.token, self.prefix, self.stop = port, token, name, stop
        self.seconds, self.failures = [], 0

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        i = 0
        while not self.stop.is_set():
            i += 1
            multiplier = 1000 if i % 2 else 1000 + (hash((self.prefix, i)) % 10**9) / 1e6
            body = json.dumps({"scope": "load", "steps": [{"mechanism": "gaussian", "noise_multiplier": multiplier}]})
            began = time.monotonic()
            try:
                status, _ = post(connection, self.token, "charge", body, f"{self.prefix}-{i}")
            except (OSError, http.client.HTTPException):
                status = 0
                connection.close()
            self.seconds.append(time.monotonic() - began)
            self.failures += status != 200
            time.sleep(0.002)


def charges_for(server, name, seconds):
    stop = threading.Event()
    clients = [Client(server.port, server.token, f"{name}-{n}", stop) for n in range(CLIENTS)]
    for client in clients:
        client.start()
    time.sleep(seconds)
    stop.set()
    for client in clients:
        client.join(120)
    return sorted(s for client in clients for s in client.seconds), sum(client.failures for client in clients)


def measured(server, auditor, name, seconds, attack=None, question=None):
    stop, report = multiprocessing.Event(), multiprocessing.Queue()
    process = None
    if attack:
        process = multiprocessing.Process(target=attack, args=(server.port, auditor, question, stop, report), daemon=True)
        process.start()
        time.sleep(1)
    times, failures = charges_for(server, name.replace(" ", "-"), seconds)
    said = ""
    if process:
        stop.set()
        said = report.get(timeout=60)
        process.terminate()
        process.join()
    share = [times[min(len(times) - 1, int(len(times) * part))] * 1000 for part in (0.5, 0.99)] + [times[-1] * 1000]
    memory = load.resident(server.process.pid) / load.MEGABYTE
    return [name, f"{len(times):,}", *(f"{each:,.1f}" for each in share), str(failures), f"{memory:,.0f}", said]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--entries", type=int, default=200_000)
    parser.add_argument("--out", type=pathlib.Path)
    asked = parser.parse_args()
    attacks = [
        ("no attack", None, None),
        ("may-run of 200 tree aggregations", attack_by_calls, may_run(trees)),
        ("may-run of 5,000 Laplace steps", attack_by_calls, may_run(laplace)),
        ("verify", attack_by_calls, VERIFY),
        ("burn_down", attack_by_calls, BURN_DOWN),
        ("256 slow sockets", attack_by_sockets, None),
        ("no attack, again", None, None),
    ]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        server = load.Server(asked.build.absolute(), folder)
        with load.ended_with_us(server.process):
            server.call("scope", {"scope": "load", "budget": {"kind": "zcdp", "rho": 1000}}, "scope")
            order = {"name": "auditor", "role": "auditor"}
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            connection.request("POST", "/v1/tokens", json.dumps(order),
                               {"Content-Type": "application/json", "Authorization": f"Bearer {server.token}"})  # fmt: skip
            auditor = json.loads(connection.getresponse().read())["token"]
            charge = {"scope": "load", "steps": [{"mechanism": "gaussian", "noise_multiplier": 1000}]}
            for i in range(asked.entries // 1000):
                server.call("charge", {"charges": [charge] * 1000}, f"fill-{i}")
            for number, (name, attack, question) in enumerate(attacks):
                rows.append(measured(server, auditor, name, asked.seconds, attack, question))
                print(" | ".join(rows[-1]), flush=True)
                if attack:
                    time.sleep(2)  # what has begun ends
            began = time.monotonic()
            server.process.terminate()
            server.process.wait(120)
            print(f"SIGTERM: ended after {time.monotonic() - began:.2f} s")
    if asked.out:
        note = (
            f"Latencies of charges, in milliseconds, while others do their worst, measured by `bench/server/attacks.py` on {datetime.date.today()}: {CLIENTS} clients charge one after the other; an "
            f"auditor attacks from {ATTACKERS} connections on the same cores. The log had {asked.entries:,} entries at the beginning."
        )
        columns = ["attack", "charges", "median ms", "99 %", "slowest", "failures", "MB", "answers to the attack"]
        results = json.loads(asked.out.read_text())
        others = [table for table in results["tables"] if table["columns"][0] != "attack"]
        results["tables"] = [*others, {"note": note, "columns": columns, "rows": rows}]
        asked.out.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main())
