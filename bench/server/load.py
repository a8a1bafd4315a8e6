"""A server under load: clients at once on /v1/ask and on charges, and a Python service around dp-accounting beside it.

Usage: load.py BUILD OUT [--seconds 60] [--clients 64] [--peer PYTHON]
BUILD has bin/renyi; `wrk` asks, on the same two cores as the servers. PYTHON is an interpreter with dp-accounting;
without it there is no peer. Writes the tables that bench/report reads. Everything is on 127.0.0.1 and ends by itself.
"""

import argparse
import contextlib
import datetime
import http.client
import json
import math
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).parent
MEGABYTE = 1 << 20


def questions():
    """Epsilons, exact and by Rényi divergences, and deltas of runs with other rates, noises and lengths."""
    chosen = random.Random(1)
    made = []
    for _ in range(200):
        step = {
            "mechanism": "sampled-gaussian",
            "sampling_rate": round(10 ** chosen.uniform(-3, -1.5), 5),
            "noise_multiplier": round(chosen.uniform(0.7, 3), 3),
            "count": chosen.randint(500, 20_000),
        }
        kind = chosen.choice(["exact", "renyi", "delta"])
        if kind == "delta":
            # About where delta is 1e-5; nobody asks for deltas of 1e-50.
            epsilon = 4 * step["sampling_rate"] * math.sqrt(step["count"]) / step["noise_multiplier"]
            made.append({"op": "delta", "steps": [step], "epsilon": round(epsilon, 3), "want": ["exact"]})
        else:
            made.append({"op": "epsilon", "steps": [step], "delta": 1e-5, "want": [kind]})
    return made


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def ended_with_us(process):
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


class Server:
    """`renyi serve` on a port of its own, with a ledger in a temporary directory."""

    def __init__(self, build, folder):
        self.log = open(folder / "log", "wb")
        self.process = subprocess.Popen(
            [build / "bin/renyi", "serve", "--listen", "127.0.0.1:0", "--data", folder / "data"],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        said = ""
        while "listening on" not in said:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"load: the server did not start; see {folder}/log")
            said += line
        self.port = int(re.search(r"listening on http://127\.0\.0\.1:(\d+)", said)[1])
        self.token = re.search(r"renyi_[A-Za-z0-9_-]{43}", said)[0]

    def call(self, verb, members, key=None):
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        if key:
            headers["Idempotency-Key"] = key
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.request("POST", f"/v1/ledger/{verb}", json.dumps(members), headers)
        response = connection.getresponse()
        answer = json.loads(response.read())
        if response.status != 200:
            raise SystemExit(f"load: {verb}: {answer}")
        return answer


def resident(pid):
    """The memory of a process and of those that it started, in bytes."""
    total = 0
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            text = status.read_text()
            if re.search(rf"^(Pid|PPid):\t{pid}$", text, re.M):
                found = re.search(r"^VmRSS:\s+(\d+) kB", text, re.M)
                total += int(found[1]) * 1024 if found else 0
    return total


def watch(pid, stop, seen):
    while not stop.wait(0.5):
        seen.append(resident(pid))


def loaded(pid, port, script, seconds, clients, *arguments):
    """Runs wrk; returns what it counted, and the memory of the server at a tenth, the half and the end of the run."""
    seen, stop = [], threading.Event()
    watcher = threading.Thread(target=watch, args=(pid, stop, seen))
    watcher.start()
    command = ["wrk", "-t", "2", "-c", str(clients), "-d", f"{seconds}s", "--timeout", "120s"]
    command += ["-s", HERE / script, f"http://127.0.0.1:{port}", "--", *arguments]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    stop.set()
    watcher.join()
    result = {"status": {}, "failed": {}, "latency": {}}
    for line in said.splitlines():
        if not line.startswith("RESULT "):
            continue
        _, kind, *rest = line.split()
        if kind == "requests":
            result["rate"] = int(rest[0]) / (int(rest[1]) / 1e6)
            result["requests"] = int(rest[0])
        else:
            result[kind][rest[0]] = int(rest[1])
    result["memory"] = [seen[len(seen) // 10], seen[len(seen) // 2], seen[-1]]
    return result


def row(name, result):
    others = {status: count for status, count in result["status"].items() if status != "200"}
    failures = sum(result["failed"].values())
    latency = [f"{result['latency'][share] / 1000:,.2f}" for share in ("50", "90", "99", "99.9", "100")]
    memory = [f"{size / MEGABYTE:,.0f}" for size in result["memory"]]
    answers = ", ".join(f"{count:,} of status {status}" for status, count in others.items()) or "none"
    return [name, f"{result['requests']:,}", f"{result['rate']:,.0f}", *latency, " / ".join(memory), answers, str(failures)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--peer", type=pathlib.Path)
    asked = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        mix = folder / "questions.jsonl"
        mix.write_text("".join(json.dumps(question) + "\n" for question in questions()))
        server = Server(asked.build.absolute(), folder)
        with ended_with_us(server.process):
            server.call("scope", {"scope": "load", "budget": {"kind": "zcdp", "rho": 1000}}, "scope")
            result = loaded(server.process.pid, server.port, "ask.lua", asked.seconds, asked.clients, mix)
            rows.append(row("**renyi serve**, questions", result))
            ours = result["rate"]
            before = server.call("show", {"scope": "load"})["scopes"][0]["charges"]
            run = f"run{os.getpid()}"
            result = loaded(server.process.pid, server.port, "charge.lua", asked.seconds, asked.clients, server.token, run)
            rows.append(row("**renyi serve**, charges", result))
            after = server.call("show", {"scope": "load"})["scopes"][0]["charges"]
            acknowledged = result["status"].get("200", 0)
            # What wrk did not wait for at its end may be charged, too: at most one a client.
            if not acknowledged <= after - before <= acknowledged + asked.clients:
                raise SystemExit(f"load: {acknowledged} charges were acknowledged, {after - before} are recorded")
            valid = server.call("verify", {})
            if not valid["valid"]:
                raise SystemExit(f"load: the log is not valid: {valid}")
        if asked.peer:
            port = free_port()
            peer = subprocess.Popen([asked.peer, HERE / "peer_service.py", str(port), "2"], start_new_session=True)
            try:
                time.sleep(8)
                result = loaded(peer.pid, port, "ask.lua", asked.seconds, asked.clients, mix)
                rows.append(row("Python service around dp-accounting, questions", result))
                theirs = result["rate"]
            finally:
                os.killpg(peer.pid, signal.SIGKILL)
                peer.wait()
    note = (
        f"Measured by `make bench-server` on {datetime.date.today()}: {asked.clients} clients at once for {asked.seconds} s, "
        "by wrk on the same two cores. Questions are a mix of exact epsilons, Rényi bounds and deltas of sampled Gaussian steps; "
        "charges are durable when they are answered, each with a key of its own. After them the ledger has every acknowledged "
        "charge, and its log is valid."
    )
    if asked.peer:
        note += f" The service in Python (two processes) answers the same questions: {ours / theirs:,.0f} times fewer a second."
    columns = ["server", "answers", "a second", "median ms", "90 %", "99 %", "99.9 %", "slowest", "MB early / half / end",
               "other answers", "failures"]  # fmt: skip
    table = {"note": "Latencies are in milliseconds.", "columns": columns, "rows": rows}
    asked.out.write_text(json.dumps({"note": note, "tables": [table]}, indent=1, ensure_ascii=False) + "\n")
    for each in rows:
        print(" | ".join(each))


if __name__ == "__main__":
    sys.exit(main())
