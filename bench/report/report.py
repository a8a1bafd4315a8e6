"""Writes docs/benchmarks.md from bench/results/*.json, so that it contains measured values only.

Usage: report.py [--check]   (--check compares, and exits with 1 if the document differs)

It reads those that exist: peers.json (from bench/peers/race.py), micro.json and instructions.json (from this
directory), and sweep.json and roofline.json: {"note": text, "columns": [text], "rows": [[text]],
"criteria": [{"what", "measured", "limit", "at_least"}]}. noise.json, noise_timing.json and server.json have several such tables.
"""

import json
import pathlib
import sys

import sections

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "benchmarks.md"

RESULTS = ("peers", "micro", "instructions", "sweep", "roofline", "noise", "noise_timing", "server")

HEAD = """# Benchmarks

Written by `make docs` from bench/results/, which `make bench-peers`, `make bench-micro`, `make bench-sweep`, `make bench-instructions`, `make bench-noise`, `make bench-noise-timing` and `make bench-server` measure.
All on one core of: {processor}, {instructions}; {date}; renyi {renyi}. One `exp`, the C library's, took {unit:.2f} ns: costs in exp are comparable between machines.
{note}
## What is promised
{promises}
## The race
*Times ours* sets a method beside our C++ call of the same kind: bounds by Rényi divergences beside our Rényi bound, tight ones beside our exact interval.
*The truth* is our exact interval, which certified arithmetic confirms ([accuracy.md](accuracy.md)); a bound may lie above it, never below.

{race}"""

TAIL = """## How it was measured
- One run, one process for each question and accountant, all on the same core, libraries held to one thread. Times are of the processor, so that what else
  the machine does does not stretch the long ones; medians of up to 1,000 runs, of fewer where they take long (at least one). Importing is not counted, nor is the first run where there are more than three.
- Every accountant is made anew for each question. Peers are asked as their documents say, with their defaults; PRV at an error of 0.01 in epsilon and a thousandth of delta.
- Memory is the peak of the process (VmHWM): after start and imports, and what the question added. For renyi in C++ both together are the whole process.
- Stopped means: after that much processor time; {limit} s are allowed.
- autodp's Fourier accountant answers with a negative epsilon under newer SciPy (seen with 1.11.4: it names bounds to a search that used to ignore them), so it has SciPy 1.9.3. It is asked for one direction only.
- Opacus 1.4.0 runs with Debian's PyTorch; 1.6.0 does not.
- Versions: {versions}.
"""


def load(results, name):
    path = results / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def document(results):
    found = {name: load(results, name) for name in RESULTS}
    peers = found["peers"]
    others = [found[name] for name in ("sweep", "noise", "noise_timing", "roofline") if found[name]]
    text = HEAD.format(
        processor=peers["processor"],
        instructions=peers["instructions"],
        date=peers["date"],
        renyi=peers["renyi"],
        unit=peers["exp_seconds"] * 1e9,
        note=peers.get("note", "") and peers["note"] + "\n",
        promises=sections.promises(peers, others),
        race=sections.race(peers),
    )
    text += f"## Steps\n{sections.steps(peers)}\n"
    if found["sweep"]:
        text += f"## A million configurations\n{sections.generic(found['sweep'])}\n"
    if found["noise"]:
        text += f"## Noise\n{sections.several(found['noise'])}\n"
    if found["noise_timing"]:
        text += f"## What the time of noise says\n{sections.several(found['noise_timing'])}\n"
    if found["server"]:
        text += f"## A server under load\n{sections.several(found['server'])}\n"
    if found["micro"]:
        text += f"## Pieces\nMedians of {found['micro']['medians_of']}, by Google Benchmark.\n\n{sections.micro(found['micro'])}\n"
    if found["instructions"]:
        said = sections.instructions(found["instructions"], peers["ours"])
        text += (
            f"## Instructions\nBy callgrind ({found['instructions']['counted_by']}), which knows no AVX-512: "
            f"the AVX2 versions. What a process does once is not counted.\n\n{said}\n"
        )
    if found["roofline"]:
        text += f"## Roofline\n{sections.generic(found['roofline'])}\n"
    return text + TAIL.format(limit=peers["limit_seconds"], versions=sections.versions(peers))


def main(*arguments):
    written = document(ROOT / "bench" / "results")
    if arguments == ("--check",):
        if DOCUMENT.read_text(encoding="utf-8") != written:
            sys.exit("docs/benchmarks.md is not what bench/results says: run `make docs`")
    else:
        DOCUMENT.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
