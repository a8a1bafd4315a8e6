#!/usr/bin/python3
"""Writes requests over all operations, with a bias to the ends of ranges and with mistakes, to standard output.

Usage: tests/replay/generate.py SEED RENYI

The candidates follow from the seed alone. RENYI, the command of a build, is asked each of them: what it does not answer
within QUICK seconds of its processor's time, or whose answer is LONG, is passed over, so that all can be asked in
seconds. So are answers that are defects; they are told on standard error. Certificates that it issues are what `verify`
is asked about.
"""

import json
import os
import subprocess
import sys

import questions
from draw import Draw

QUICK = 0.2  # far from the 2 s of a usual request, so that no answer depends on the machine
LONG = 5000  # bytes
QUOTAS = {
    "epsilon": 320, "delta": 190, "rdp": 180, "profile": 90, "calibrate": 210, "tradeoff": 90, "explain": 80,
    "loss": 100, "accuracy": 80, "filter": 110, "matrix-design": 40, "filter-design": 40, "odometer": 70, "ledger": 20,
    "compare": 60, "relate": 80, "divergence": 110, "certify": 8, "verify": 12, "report": 20, "mechanisms": 30,
    "convert": 60,
}  # fmt: skip
PYTHON_NAMES = {"filter": "filter_"}
WITH_LONG_ANSWERS = {"report", "certify", "verify"}
MISTAKES = 0.12
TICKS = os.sysconf("SC_CLK_TCK")


class Build:
    """A command that is asked one request after the other."""

    def __init__(self, command):
        self._process = subprocess.Popen([command, "batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, line):
        """Returns the answer, and the seconds of processor time that it took."""
        before = self._spent()
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().decode()
        return answer, self._spent() - before

    def _spent(self):
        with open(f"/proc/{self._process.pid}/stat", encoding="ascii") as file:
            user, system = file.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / TICKS


def misspelt(draw, name):
    at = draw.whole(0, len(name) - 1)
    return draw.pick([name[:at] + name[at + 1 :], name[:at] + name[at] + name[at:], name.upper(),
        name.replace("-", "_") + "s"])


def objects(value):
    """Returns all objects and arrays inside a request, itself included."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    here = [value] if isinstance(value, (dict, list)) and value else []
    return here + [found for one in inner for found in objects(one)]


def with_mistake(draw, request):
    """Changes something that makes most requests wrong."""
    place = draw.pick(objects(request))
    key = draw.pick(place if isinstance(place, dict) else range(len(place)))
    kind = draw.pick(["type", "name", "value", "missing", "unknown"])
    if kind == "type":
        place[key] = draw.pick([None, True, "1", [], {}, [[1]], 1.5, 10**19])
    elif kind == "value":
        place[key] = draw.pick([-1, 0, 2, 1e300, -0.0, "inf", "-inf", "nan", 5e-324, 1e-101, 2**63, 2**64])
    elif kind == "missing":
        place.pop(key)
    elif kind == "name" and isinstance(place[key], str):
        place[key] = misspelt(draw, place[key] or "x")
    elif isinstance(place, dict):
        place[misspelt(draw, key) if kind == "name" else draw.pick(["epsilom", "", "naïve"])] = place[key]
        if kind == "name":
            del place[key]


def broken(draw, text):
    """Returns a text that is no JSON, or none that is allowed."""
    at = draw.whole(1, len(text) - 1)
    return draw.pick([
        text[:at], text + " x", text[:at] + "\\u0000" + text[at:], text.replace(":1,", ":1e400,"), text.replace(":1",
            ":NaN", 1),
        text[:-1] + ',"op":"epsilon"}', "[" * 70 + "]" * 70, "null", "[]", '"epsilon"', text.replace("e-", "e--", 1),
    ])  # fmt: skip


def candidate(draw, op):
    request = {"op": op, **getattr(questions, PYTHON_NAMES.get(op, op.replace("-", "_")))(draw)}
    if draw.chance(0.1):
        request["id"] = draw.pick([draw.whole(0, 999), "request α", None, -(2**63)])
    if draw.chance(0.02):
        request["time_limit"] = draw.pick([3600, 1e300, -1, "1"])
    wrong = draw.chance(MISTAKES)
    if wrong:
        with_mistake(draw, request)
    text = json.dumps(request, ensure_ascii=False, separators=(",", ":"))
    return broken(draw, text) if wrong and draw.chance(0.15) else text


def is_defect(answer):
    """Returns true for answers that should never be given; they are no answers to keep."""
    return '"kind":"internal"' in answer or "a defect of renyi" in answer


def is_kept(op, answer, seconds):
    timed = '"limit":"' in answer or "limit_reached" in answer or "is_closest" in answer
    return seconds < QUICK and not timed and (len(answer) < LONG or op in WITH_LONG_ANSWERS)


def kept(draw, build, op, quota):
    """Yields so many requests that are answered quickly."""
    seen = set()
    while len(seen) < quota:
        line = candidate(draw, op)
        if line in seen:
            continue
        answer, seconds = build.ask(line)
        if is_defect(answer):
            print(f"a defect: {line}\n  {answer}", file=sys.stderr)
        elif is_kept(op, answer, seconds):
            seen.add(line)
            yield line


def verifications(draw, build, quota):
    """Yields requests about certificates, right ones and some in which a member was changed."""
    while quota > 0:
        issued, _ = build.ask(candidate(draw, "certify"))
        certificate = json.loads(issued).get("certificate")
        if certificate is None or len(issued) > LONG:
            continue
        request = {"op": "verify", "certificate": certificate}
        if quota % 3 > 0:
            with_mistake(draw, certificate)
        line = json.dumps(request, separators=(",", ":"))
        if build.ask(line)[1] < QUICK:
            yield line
            quota -= 1


def main(seed, command):
    build = Build(command)
    for op, quota in QUOTAS.items():
        draw = Draw(f"{seed} {op}")  # the requests of one operation do not move those of another
        lines = verifications(draw, build, quota) if op == "verify" else kept(draw, build, op, quota)
        for line in lines:
            print(line)


if __name__ == "__main__":
    main(*sys.argv[1:])
