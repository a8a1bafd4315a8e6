"""Whether times tell the noise: our calls and OpenDP's, on one core, by the same tests. Writes the file that report/
reads.

Usage: noise_timing.py BUILD OUT [--calls 1000000] [--peer-calls 300000]
BUILD has bench/noise_timing and venv/opendp (make bench-noise-timing makes them).
"""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import tempfile

from race import HERE, one_core, processor

LARGEST_CORRELATION = 0.01
SMALLEST_P = 0.01


def said(command):
    env = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=env).stdout


def of_opendp(build, calls):
    """Returns OpenDP's version and rows, or why there are none."""
    python = str(build / "venv" / "opendp" / "bin" / "python")
    script = str(HERE / "time_opendp.py")
    if not (build / "venv" / "opendp" / "packages").exists():
        return "could not be installed", []
    version, *laws = said([python, "-W", "ignore", script]).splitlines()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        pairs = str(pathlib.Path(folder, "pairs"))
        for law in laws:
            said([python, "-W", "ignore", script, law, str(calls), pairs])
            row = json.loads(said([str(build / "bench" / "noise_timing"), "--pairs", pairs]))
            rows.append(row | {"law": law})
            print(f"noise-timing: OpenDP {law}: rank correlation {row['rank_correlation']:.5f}", flush=True)
    return version, rows


def p_values(rows):
    return [test[key] for row in rows for test in row["tests"] for key in ("mann_whitney_p", "kolmogorov_smirnov_p")]


def criteria(ours):
    values = p_values(ours)
    return [
        {
            "what": "noise: largest rank correlation of its modulus and the time of a call",
            "measured": max(abs(row["rank_correlation"]) for row in ours),
            "limit": LARGEST_CORRELATION,
        },
        {
            "what": f"noise: smallest p-value of {len(values)} tests on times, times {len(values)}",
            "measured": min(1, len(values) * min(values)),
            "limit": SMALLEST_P,
            "at_least": True,
        },
    ]


def correlation_row(library, row):
    return [library, row["law"], f"{row['calls']:,}", f"{row['median_ns']:,.0f} ns", f"{row['rank_correlation']:.4f}"]


def test_rows(library, row):
    return [
        [
            library,
            row["law"],
            test["what"].replace("|noise|", "noise"),
            f"{test['calls']:,}",
            f"{test['median_difference_ns']:.0f} ns",
            f"{test['superiority']:.4f}",
            f"{test['mann_whitney_p']:.2g}",
            f"{test['kolmogorov_smirnov_p']:.2g}",
        ]
        for test in row["tests"]
    ]


def document(ours, version, peers):
    both = [("**renyi, C++**", row) for row in ours] + [("OpenDP", row) for row in peers]
    return {
        "note": "Measured by `make bench-noise-timing`: calls for one number each, on one core of: "
        f"{processor()}; {datetime.date.today().isoformat()}. OpenDP {version}, called from Python. All tests are by ranks, "
        "and no call is left out. *P(longer)* is the probability that a call of the kind took longer than another; one half "
        "is no difference.",
        "tables": [
            {
                "note": "The rank correlation (Spearman's) of the modulus of the noise and the time. Chance alone gives about one "
                "over the root of the number of calls.",
                "columns": ["library", "law", "calls", "median", "rank correlation"],
                "rows": [correlation_row(*one) for one in both],
            },
            {
                "note": "Calls of one kind against all others: p-values of Mann and Whitney's and of Kolmogorov and Smirnov's test.",
                "columns": ["library", "law", "calls with", "number", "medians differ by", "P(longer)", "p (MW)", "p (KS)"],
                "rows": [line for one in both for line in test_rows(*one)],
            },
        ],
        "criteria": criteria(ours),
        "ours": ours,
        "peers": peers,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--peer-calls", type=int, default=300_000)
    arguments = parser.parse_args()

    one_core()
    build = arguments.build.resolve()
    ours = json.loads(said([str(build / "bench" / "noise_timing"), str(arguments.calls)]))
    found = document(ours, *of_opendp(build, arguments.peer_calls))
    for row in found["criteria"]:
        met = row["measured"] >= row["limit"] if row.get("at_least") else row["measured"] <= row["limit"]
        print(f"noise-timing: {row['what']}: {row['measured']:.3g}, limit {row['limit']:g}: {'met' if met else 'MISSED'}")
    arguments.out.write_text(json.dumps(found, indent=1, allow_nan=False) + "\n")


if __name__ == "__main__":
    main()
