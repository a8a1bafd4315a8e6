"""Asks one accountant one question, in a separate process, and prints time, memory and value as a line of JSON.

Usage: measure.py PEER TASK METHOD   (PEER: peer_PEER.py beside this file, in an environment that has it)
       measure.py PEER               lists the questions it answers, and the versions of its packages
The value is what the accountant returns; an exception, a warning or a NaN is part of the answer.
"""

import contextlib
import importlib
import importlib.metadata
import json
import os
import statistics
import sys
import time
import warnings

MOST_RUNS = 1001
ENOUGH_SECONDS = 8.0  # no further run starts after this; a peer may say otherwise


def peak_kilobytes():
    """Returns the peak memory of this program image; ru_maxrss may be that of the process that started it."""
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    raise RuntimeError("no VmHWM in /proc/self/status")


def timed_runs(question, enough):
    """Returns processor seconds, which do not depend on other load. The first run may include imports: it counts only
    if there are few runs."""
    times = []
    while len(times) < MOST_RUNS and sum(times) < enough:
        start = time.process_time()
        answer = question()
        times.append(time.process_time() - start)
    return answer, times[1:] if len(times) > 3 else times


def measure(question, enough):
    before = peak_kilobytes()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")  # once per line of code, because warnings take time too
        try:
            answer, times = timed_runs(question, enough)
        except Exception as error:  # any exception is the peer's answer
            return {"error": f"{type(error).__name__}: {error}"}
    found = answer if isinstance(answer, dict) else {"value": float(answer)}
    found |= {
        "seconds": statistics.median(times),
        "runs": len(times),
        "memory": {"before": before, "after": peak_kilobytes()},
    }
    said = sorted({f"{w.category.__name__}: {str(w.message).splitlines()[0]}" for w in caught})
    return found | ({"warnings": said} if said else {})


def main(peer, *which):
    module = importlib.import_module(f"peer_{peer}")
    if not which:
        versions = {name: importlib.metadata.version(name) for name in module.PACKAGES}
        return {"methods": list(module.METHODS), "versions": versions}
    return measure(module.METHODS[which], getattr(module, "ENOUGH_SECONDS", ENOUGH_SECONDS))


if __name__ == "__main__":
    with open(os.devnull, "w", encoding="ascii") as nowhere, contextlib.redirect_stdout(nowhere):
        result = main(*sys.argv[1:])
    print(json.dumps(result))
