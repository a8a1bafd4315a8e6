"""Writes the sections of docs/benchmarks.md, each from the results that it needs."""

import criteria
from words import METHODS, PEERS, duration, megabytes, place, places, table, times

TASKS = {
    "renyi": "One Rényi epsilon",
    "exact": "One tight epsilon",
    "calibration": "Noise for a budget",
    "heterogeneous": "200 distinct steps, 50 times each",
    "sweep": "1,200 configurations",
}
QUESTIONS = {
    "renyi": "q = 0.01, noise 1.1, 10,000 steps, delta = 1e-5.",
    "exact": "The same question; tight accountants.",
    "calibration": "epsilon = 3, delta = 1e-5, q = 0.01, 10,000 steps: the smallest noise multiplier.",
    "heterogeneous": "q from 0.001 to 0.05, noise from 0.8 to 4, delta = 1e-6.",
    "sweep": "20 rates in 1e-4..0.1, 20 noise multipliers in 0.6..8, 1e3, 1e4 and 1e5 steps, delta = 1e-5.",
}
# The rows of renyi in C++ under each question.
OURS = {
    "renyi": ["renyi"],
    "exact": ["exact"],
    "calibration": ["calibration", "calibration-renyi"],
    "heterogeneous": ["heterogeneous", "heterogeneous-renyi"],
    "sweep": ["sweep-exact", "sweep-renyi"],
}
TRUTH = {"renyi": "exact", "exact": "exact", "calibration": "calibration", "heterogeneous": "heterogeneous"}
COLUMNS = ["accountant", "method", "time", "times ours", "figure", "beside the truth", "MB: at start + more"]


def promises(peers, others):
    rows = criteria.of_race(peers) + criteria.of_ours(peers)
    for document in others:
        rows += criteria.of_file(document)
    return table(
        ["what", "measured", "asked", ""],
        [
            [
                row.what,
                "" if row.measured is None else times(row.measured),
                f"at {'least' if row.at_least else 'most'} {row.limit:,g}",
                row.verdict,
            ]
            for row in rows
        ],
    )


def memory(row):
    if "memory" not in row:
        return ""
    before, after = row["memory"]["before"], row["memory"]["after"]
    return f"{megabytes(before)} + {megabytes(after - before)}"


def figure(row):
    if "lower" in row:
        return f"[{row['lower']:.8g}, {row['value']:.8g}]"
    return f"{row['value']:.8g}" if isinstance(row.get("value"), float) else str(row.get("value", ""))


def our_row(peers, task, name):
    row = peers["ours"][name]
    is_renyi = name.endswith("renyi")
    shown, beside = "", ""
    if task != "sweep":
        truth = peers["ours"][TRUTH[task]]
        shown = f"{row['upper']:.8g}" if is_renyi else f"[{row['lower']:.12g}, {row['upper']:.12g}]"
        beside = "the truth"
        if is_renyi:
            beside = place({"place": "above", "by": row["upper"] - truth["upper"]}, truth["upper"])
    method = "Rényi bound" if is_renyi else "exact interval"
    return ["**renyi, C++**", method, duration(row["seconds"]), "1", shown, beside, memory(row)]


def spent(row):
    if "estimate_of_seconds_for_all" in row:
        return duration(row["estimate_of_seconds_for_all"]) + f" (estimate from {row['verdicts']['configurations']})"
    if "more_than_seconds" in row:
        return f"more than {row['more_than_seconds']} s, stopped"
    return duration(row["seconds"]) if "seconds" in row else "failed"


def beside(peers, row):
    if "error" in row:
        return f"**{row['error']}**"
    if "verdicts" in row:
        return places(row["verdicts"])
    if "verdict" in row:
        return place(row["verdict"], peers["ours"][TRUTH[row["task"]]]["upper"])
    return ""


def peer_row(peers, row):
    faster = criteria.ratio(peers, row)
    more = "> " if "more_than_seconds" in row else ""
    return [
        PEERS[row["peer"]],
        METHODS.get(row["method"], row["method"]),
        spent(row),
        "" if faster is None else more + times(faster),
        figure(row),
        beside(peers, row),
        memory(row),
    ]


def race(peers):
    text = ""
    for task, title in TASKS.items():
        rows = [our_row(peers, task, name) for name in OURS[task]]
        rows += [peer_row(peers, row) for row in peers["rows"] if row["task"] == task]
        text += f"### {title}\n{QUESTIONS[task]}\n\n{table(COLUMNS, rows)}\n"
    return text


def steps(peers):
    ours, unit = peers["ours"], peers["exp_seconds"]
    names = [name for name in ours if name.startswith(("steps-", "few-"))]
    rows = [[ours[name]["what"], duration(ours[name]["seconds"]), times(ours[name]["seconds"] / unit)] for name in names]
    return table(["question", "time", "exp"], rows)


def micro(found):
    rows = [[row["name"].replace("_", " "), duration(row["nanoseconds"] * 1e-9), times(row["exp"])] for row in found["rows"]]
    return table(["what", "time", "exp"], rows)


def instructions(found, ours):
    rows = [[ours[name]["what"], f"{count:,}"] for name, count in found["instructions"].items()]
    return table(["what", "instructions"], rows)


def generic(document):
    """Formats a table that another program made: a note, the titles of columns, and rows of strings."""
    return document["note"] + "\n\n" + table(document["columns"], document["rows"])


def several(document):
    """Formats a note and tables that another program made."""
    return "\n".join([document["note"] + "\n", *(generic(one) for one in document["tables"])])


def versions(peers):
    said = []
    for peer, packages in peers["versions"].items():
        if peer != "renyi":
            said.append(", ".join(f"{name} {version}" for name, version in packages.items()))
    return "; ".join(said)
