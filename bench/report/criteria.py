"""The speed that the project claims, and whether the measurements confirm it."""

from dataclasses import dataclass
from typing import Optional


@dataclass
class Criterion:
    what: str
    measured: Optional[float]  # None if it was not measured
    limit: float
    at_least: bool = False

    @property
    def verdict(self):
        if self.measured is None:
            return "not measured"
        met = self.measured >= self.limit if self.at_least else self.measured <= self.limit
        return "met" if met else "**MISSED**"


def ratio(peers, row):
    """Returns the peer's time divided by ours; a lower bound if the peer was stopped, None if it failed."""
    seconds = row.get("estimate_of_seconds_for_all", row.get("seconds", row.get("more_than_seconds")))
    return None if seconds is None else seconds / peers["ours"][row["against"]]["seconds"]


def against(peers, task, peer, method, ours=None):
    for row in peers["rows"]:
        if (row["task"], row["peer"], row["method"]) == (task, peer, method):
            return ratio(peers, row if ours is None else row | {"against": ours})
    return None


def of_race(peers):
    def faster(what, least, task, peer, method, ours=None):
        return Criterion(what, against(peers, task, peer, method, ours), least, at_least=True)

    return [
        faster("Rényi epsilon: times faster than dp-accounting's RDP", 1000, "renyi", "dp_accounting", "RDP"),
        faster("exact epsilon: times faster than dp-accounting's PLD", 5000, "exact", "dp_accounting", "PLD"),
        faster("exact epsilon: times faster than PRV at error 0.01", 5000, "exact", "prv", "PRV"),
        faster("exact calibration: times faster than with PLD", 1000, "calibration", "dp_accounting", "PLD"),
        faster("calibration by the Rényi bound: times faster than with RDP", 1000, "calibration", "dp_accounting", "RDP"),
        faster("exact calibration: times faster than with RDP", 1000, "calibration", "dp_accounting", "RDP", "calibration"),
        faster("heterogeneous exact: times faster than PLD", 3000, "heterogeneous", "dp_accounting", "PLD"),
        faster("heterogeneous exact: times faster than PRV", 3000, "heterogeneous", "prv", "PRV"),
    ]


SMOOTH = ("renyi", "exact", "calibration", "heterogeneous", "steps-1e4", "steps-1e12")


def of_ours(peers):
    ours, unit = peers["ours"], peers["exp_seconds"]
    seconds = {name: row["seconds"] for name, row in ours.items()}
    counts = [seconds[name] for name in seconds if name.startswith("steps-")]
    few = max(seconds["few-steps"], seconds["few-steps-equal"])
    return [
        Criterion("memory of a smooth plan, the whole process, MB",
                  max(ours[name]["memory"]["after"] for name in SMOOTH) * 1024 / 1e6, 10),
        Criterion("one exact epsilon, both directions and ends, in exp", seconds["exact"] / unit, 11_000),
        Criterion("one Rényi epsilon, in exp", seconds["renyi"] / unit, 1_800),
        Criterion("steps from 1e4 to 1e12: largest over smallest cost", max(counts) / min(counts), 2),
        Criterion("100 steps: times the cost of 1e4 steps", few / seconds["exact"], 40),
    ]


def of_file(document):
    """Reads criteria from bench/results/sweep.json and similar files: name, measured value, limit, and whether the
    limit is a lower one."""
    return [
        Criterion(row["what"], row["measured"], row["limit"], row.get("at_least", False))
        for row in document.get("criteria", [])
    ]
