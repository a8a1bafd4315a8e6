"""The race: asks every accountant every question, on one core in one run, and writes the file that report/ reads.

Usage: race.py BUILD OUT [--limit SECONDS] [--peer PEER]...
BUILD has bench/race, python/ and the environments venv/NAME (make bench-peers makes them).
"""

import argparse
import datetime
import json
import math
import os
import pathlib
import resource
import subprocess
import sys

from judge import verdict, verdicts

HERE = pathlib.Path(__file__).parent
# The virtual environment of each accountant.
PEERS = {"renyi": None, "dp_accounting": "race", "prv": "race", "opacus": "opacus", "autodp": "autodp"}
# Peers that bound Renyi divergences are compared with our Renyi bound, the others with our exact interval.
RENYI_METHODS = {"RDP", "Renyi"}
OUR_RENYI = {
    "renyi": "renyi",
    "calibration": "calibration-renyi",
    "heterogeneous": "heterogeneous-renyi",
    "sweep": "sweep-renyi",
}
OUR_EXACT = {
    "exact": "exact",
    "calibration": "calibration",
    "heterogeneous": "heterogeneous",
    "sweep": "sweep-exact",
}
# The task whose interval a value is compared with: always the exact one.
TRUTH = {"renyi": "exact", "exact": "exact", "calibration": "calibration", "heterogeneous": "heterogeneous"}
MEMORY_LIMIT = 12 << 30


def one_core():
    """Restricts this process and all that it starts to one of the allowed cores, and libraries to one thread."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
        os.environ[name] = "1"


def processor_seconds(pid):
    """Returns the processor time that a process has used so far. (A limit set by the kernel would make the clock of the
    process coarse.)"""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            user, system = stat.read().rsplit(")", 1)[1].split()[11:13]
    except OSError:  # the process has just ended
        return 0
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def ended(process, limit):
    """Returns what a process printed; None if it was stopped at the limit."""
    while True:
        try:
            return process.communicate(timeout=1)
        except subprocess.TimeoutExpired:
            if limit is not None and processor_seconds(process.pid) > limit:
                process.kill()
                process.communicate()
                return None


def run(command, limit=None, env=None):
    """Returns the line of JSON that a program prints; a stop at the limit of processor seconds, or a crash, is an
    answer too."""

    def with_less_memory():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))

    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=env, preexec_fn=with_less_memory) as process:
        printed = ended(process, limit)
    if printed is None:
        return {"more_than_seconds": limit}
    if process.returncode == 0:
        return json.loads(printed[0])
    words = printed[1].strip().splitlines()
    return {"error": f"exit {process.returncode}: {words[-1] if words else 'nothing said'}"}


class Peer:
    def __init__(self, build, name):
        environment = PEERS[name]
        python = "/usr/bin/python3" if environment is None else str(build / "venv" / environment / "bin" / "python")
        self.name = name
        self.command = [python, "-W", "ignore", str(HERE / "measure.py"), name]
        self.env = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
        if environment is None:
            self.env["PYTHONPATH"] = str(build / "python")
        about = run(self.command, env=self.env)
        if "error" in about:
            sys.exit(f"race: {name}: {about['error']}")
        self.methods, self.versions = about["methods"], about["versions"]

    def ask(self, task, method, limit):
        return run([*self.command, task, method], limit, env=self.env)


def ours(build):
    """Measures renyi in C++: the times in one process, the memory in one process per task."""
    program = str(build / "bench" / "race")
    found = run([program, "--json"])
    if "error" in found:
        sys.exit(f"race: our side: {found['error']}")
    for name, row in found["tasks"].items():
        row["memory"] = run([program, "--memory", name])
    return found


def judged(row, our):
    """Replaces long lists of values by the verdict."""
    if "values" in row:
        chosen = row.pop("chosen", None)
        intervals = our["sweep"] if chosen is None else [our["sweep"][index] for index in chosen]
        row["verdicts"] = verdicts(row.pop("values"), intervals)
        if chosen is not None:
            row["estimate_of_seconds_for_all"] = row["seconds"] * len(our["sweep"]) / len(chosen)
    elif "value" in row:
        truth = our["tasks"][TRUTH[row["task"]]]
        row["verdict"] = verdict(row["value"], truth["lower"], truth["upper"])
    return row


def plain(value):
    """Encodes a value for JSON: a number that is not finite becomes text."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--peer", action="append", choices=list(PEERS))
    arguments = parser.parse_args()

    one_core()
    our = ours(arguments.build.resolve())
    rows, versions = [], {}
    for name in arguments.peer or PEERS:
        peer = Peer(arguments.build.resolve(), name)
        versions[name] = peer.versions
        for task, method in peer.methods:
            row = {"task": task, "peer": name, "method": method}
            row["against"] = (OUR_RENYI if method in RENYI_METHODS else OUR_EXACT)[task]
            row |= peer.ask(task, method, arguments.limit)
            rows.append(judged(row, our))
            print(f"race: {name} {task} {method}: {row.get('seconds', row.get('error', 'limit reached'))}", flush=True)
    result = {
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "instructions": our["instructions"],
        "renyi": (HERE.parent.parent / "VERSION").read_text().strip(),
        "exp_seconds": our["exp_seconds"],
        "limit_seconds": arguments.limit,
        "versions": versions,
        "ours": our["tasks"],
        "rows": rows,
    }
    arguments.out.write_text(json.dumps(plain(result), indent=1, allow_nan=False) + "\n")


if __name__ == "__main__":
    main()
