"""Counts the instructions of each task by callgrind. This number does not depend on other load of the machine.

Usage: instructions.py BUILD OUT
Valgrind knows no AVX-512, so these are the AVX2 versions. What a process does once (loading, first use of a table) is
taken out: the difference of many runs and of one.
"""

import json
import pathlib
import re
import subprocess
import sys

# The number of runs after the first one; short tasks have more.
TASKS = {
    "renyi": 10,
    "exact": 4,
    "calibration": 1,
    "calibration-renyi": 4,
    "order": 200,
    "complex-order": 50,
    "line-point": 200,
}


def counted(program, task, runs):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "--repeat", task, str(runs)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return int(re.search(r"Collected : (\d+)", said).group(1))


def main(build, out):
    program = str(pathlib.Path(build, "bench", "race"))
    found = {}
    for task, more in TASKS.items():
        found[task] = round((counted(program, task, 1 + more) - counted(program, task, 1)) / more)
        print(f"instructions: {task}: {found[task]:,}", flush=True)
    version = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    pathlib.Path(out).write_text(json.dumps({"counted_by": version, "instructions": found}, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
