"""Noise, ours and that of other libraries, on one core in one run: writes the file that report/ reads.

Usage: noise.py BUILD OUT [--limit SECONDS]
BUILD has bench/noise and the environments venv/NAME (make bench-noise makes them). A library that could not be
installed, or does not start, is a row that says so.
"""

import argparse
import datetime
import json
import os
import pathlib
import subprocess

from race import HERE, one_core, processor, run

# The library, its environment, and what a reader should know of it.
PEERS = {
    "opendp": ("OpenDP", "opendp", "exact"),
    "diffprivlib": ("diffprivlib", "diffprivlib", "floating point"),
    "python_dp": ("python-dp", "python-dp", "floating point, rounded"),
    "numpy": ("NumPy", "diffprivlib", "insecure"),
}
LAWS = {
    "discrete_gaussian": "discrete Gaussian",
    "discrete_laplace": "discrete Laplace",
    "gaussian": "Gaussian",
    "laplace": "Laplace",
    "skellam": "Skellam",
    "bernoulli": "coins",
    "bernoulli_exp": "coins of exp(-x)",
    "poisson_sample": "Poisson sample",
    "fixed_size_sample": "sample of fixed size",
}
MOST_MEGABYTES = 20


def named(law):
    return LAWS.get(law, law.replace("_", " "))


def ask(build, peer, limit):
    """Returns the versions of a library and a row for each question, or an error in the place of either."""
    _, environment, _ = PEERS[peer]
    python = build / "venv" / environment / "bin" / "python"
    if not (build / "venv" / environment / "packages").exists():
        return {}, [{"peer": peer, "error": "could not be installed"}]
    command = [str(python), "-W", "ignore", str(HERE / "measure.py"), f"noise_{peer}"]
    env = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    about = run(command, env=env)
    if "error" in about:
        return {}, [{"peer": peer, "error": about["error"]}]
    rows = []
    for law, scale in about["methods"]:
        row = {"peer": peer, "law": law, "scale": scale} | run([*command, law, scale], limit, env=env)
        if "seconds" in row:
            row["nanoseconds"] = 1e9 * row["seconds"] / row["draws"]
        rows.append(row)
        print(f"noise: {peer} {law} {scale}: {row.get('nanoseconds', row.get('error', 'limit reached'))}", flush=True)
    return about["versions"], rows


def criteria(ours):
    """The worst of each promise."""
    found = {}
    for row in ours["laws"]:
        if "limit_exp" not in row:
            continue
        law, limit = row["law"], row["limit_exp"]
        scales = ", scales up to 2^20" if limit == 3.6 else ", scales up to 2^40" if limit == 10 else " on a grid"
        key = f"{named(law)} noise{scales}: exp a draw"
        found[key] = (max(row["exp"], found.get(key, (0, 0))[0]), limit)
    memory = max(ours["memory_kilobytes"]["in_parts"].values()) * 1024 / 1e6
    found["memory of a process that draws noise, 100,000 a call, MB"] = (memory, MOST_MEGABYTES)
    return [{"what": what, "measured": measured, "limit": limit} for what, (measured, limit) in found.items()]


def our_rows(ours):
    return [
        [
            named(row["law"]) + (f", {row['number']}s on a grid" if row["number"] in ("float", "double") else ""),
            row["scale"],
            f"{row['nanoseconds']:.1f} ns",
            f"{row['exp']:.2f}",
            f"{1e3 / row['nanoseconds']:.3g} million",
            f"{row['random_bits']:.0f}" if "random_bits" in row else "",
            f"{row['entropy_bits']:.2f}",
        ]
        for row in ours["laws"]
    ]


def call_rows(ours):
    return [
        [named(row["law"]), row["scale"], str(row["numbers"]), f"{row['nanoseconds'] / 1e3:.2f} µs", f"{row['exp']:,.0f}"]
        for row in ours["calls"]
    ]


def beside(ours, row):
    """Our time for the same law at the same scale, or, where there is no such scale, at 2^20 times the grid."""
    candidates = [one for one in ours["laws"] if one["law"] == row["law"] and one["number"] in ("int64", "double")]
    wanted = row["scale"].removeprefix("about ")
    for scale in (wanted, "2^20"):
        for one in candidates:
            if one["scale"] == scale:
                return one["nanoseconds"]
    raise ValueError(f"nothing to compare with {row['law']} {row['scale']}")


def peer_rows(ours, rows):
    said = []
    for row in rows:
        name, _, kind = PEERS[row["peer"]]
        start = [name, kind, named(row["law"]) if "law" in row else "", row.get("scale", "")]
        if "nanoseconds" in row:
            ratio = row["nanoseconds"] / beside(ours, row)
            said.append([*start, f"{row['nanoseconds']:,.3g} ns" if ratio < 10 else f"{row['nanoseconds']:,.0f} ns",
                         f"{1e9 / row['nanoseconds']:,.0f}", f"{ratio:,.3g}" if ratio < 100 else f"{ratio:,.0f}"])
        else:
            said.append([*start, f"**{row.get('error', 'stopped')}**", "", ""])
    return said


def memory_rows(ours):
    memory = ours["memory_kilobytes"]
    return [
        [named(law), f"{memory['in_parts'][law] * 1024 / 1e6:.1f}", f"{memory['at_once'][law] * 1024 / 1e6:.1f}"]
        for law in memory["in_parts"]
    ]


def document(ours, rows, versions):
    packages = {name: version for some in versions.values() for name, version in some.items()}
    names = ", ".join(f"{name} {version}" for name, version in packages.items())
    return {
        "note": f"Measured by `make bench-noise`, on one core of: {processor()}; {datetime.date.today().isoformat()}. "
        f"One `exp` took {ours['exp_seconds'] * 1e9:.2f} ns. Versions: {names}.",
        "tables": [
            {
                "note": "Noise added to a million numbers in one call, in place. The scale is in units of the grid, or of whole "
                "numbers; other laws have other parameters. Random bits are all that were made for a draw, beside the entropy of the law.",
                "columns": ["law", "scale or parameter", "a draw", "exp", "draws a second", "random bits", "entropy, bits"],
                "rows": our_rows(ours),
            },
            {
                "note": "A call for few numbers, with its fresh bits of the kernel.",
                "columns": ["law", "scale", "numbers", "a call", "exp"],
                "rows": call_rows(ours),
            },
            {
                "note": "Other libraries, in the same run, in Python, over 1,000 numbers (NumPy: a million): OpenDP on "
                "vectors, diffprivlib and python-dp a number at a time, as they are offered. *Times ours* is beside our call "
                "in C++ for the same law and scale, or at 2^20 times the grid where a library has no grid to choose.",
                "columns": ["library", "kind", "law", "scale", "a draw", "draws a second", "times ours"],
                "rows": peer_rows(ours, rows),
            },
            {
                "note": "Peak memory (VmHWM) of a process that does nothing but add noise to a million numbers, in MB, libraries "
                "and the numbers included. A call keeps what it draws until all is drawn: 8 bytes a number besides "
                "the numbers themselves.",
                "columns": ["law", "100,000 a call", "a million in one call"],
                "rows": memory_rows(ours),
            },
        ],
        "criteria": criteria(ours),
        "versions": versions,
        "ours": ours,
        "peers": rows,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=60)
    arguments = parser.parse_args()

    one_core()
    build = arguments.build.resolve()
    ours = json.loads(subprocess.run([str(build / "bench" / "noise")], stdout=subprocess.PIPE, text=True, check=True).stdout)
    rows, versions = [], {}
    for peer in PEERS:
        versions[peer], answers = ask(build, peer, arguments.limit)
        rows += answers
    found = document(ours, rows, versions)
    for row in found["criteria"]:
        verdict = "met" if row["measured"] <= row["limit"] else "MISSED"
        print(f"noise: {row['what']}: {row['measured']:.3g}, at most {row['limit']:g}: {verdict}", flush=True)
    arguments.out.write_text(json.dumps(found, indent=1, allow_nan=False) + "\n")


if __name__ == "__main__":
    main()
