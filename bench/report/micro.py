"""Reduces the results of Google Benchmark: removes the names of hosts and paths.

Usage: micro.py BUILD OUT
"""

import json
import os
import pathlib
import subprocess
import sys


def main(build, out):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    command = [
        str(pathlib.Path(build, "bench", "micro")),
        "--benchmark_format=json",
        "--benchmark_repetitions=5",
        "--benchmark_min_time=0.05",
        "--benchmark_report_aggregates_only=true",
    ]
    said = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
    medians = [row for row in said["benchmarks"] if row.get("aggregate_name") == "median"]
    rows = [{"name": row["run_name"], "nanoseconds": row["cpu_time"], "exp": row["exp"]} for row in medians]
    pathlib.Path(out).write_text(json.dumps({"medians_of": 5, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
