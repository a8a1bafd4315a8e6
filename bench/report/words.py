"""Formats numbers and names for the document."""

PEERS = {
    "renyi": "renyi, Python",
    "dp_accounting": "dp-accounting",
    "prv": "prv-accountant",
    "opacus": "Opacus",
    "autodp": "autodp",
}
METHODS = {"Renyi": "Rényi bound", "exact": "exact interval"}


def duration(seconds):
    """Formats a number with three digits and a unit."""
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if seconds >= scale or unit == "ns":
            return f"{seconds / scale:.3g} {unit}" if seconds / scale < 1000 else f"{seconds / scale:,.0f} {unit}"
    raise AssertionError


def times(ratio):
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def megabytes(kilobytes):
    return f"{kilobytes * 1024 / 1e6:.1f}"


def table(columns, rows):
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def place(verdict, truth):
    """Describes where a value lies relative to the exact one."""
    where = verdict["place"]
    if where == "below":
        return f"**below by {verdict['by']:.2g}: no upper bound**"
    if where == "above":
        return f"above by {verdict['by']:.2g} ({100 * verdict['by'] / truth:.2g} %)"
    return {"within": "the same"}.get(where, f"**{where}**")


def places(verdicts):
    """Describes where the values of many configurations lie relative to the exact ones."""
    said = [f"{verdicts['configurations']:,} configurations"]
    for where in ("below", "infinite", "not a number"):
        if verdicts[where]:
            said.append(f"**{verdicts[where]} {where}**")
    if verdicts["below"]:
        said.append(f"**by up to {100 * verdicts['largest_below_relative']:.2g} %**")
    if verdicts["within"]:
        said.append(f"{verdicts['within']:,} the same")
    if verdicts["above"]:
        said.append(f"{verdicts['above']:,} above, by up to {100 * verdicts['largest_above_relative']:,.2g} %")
    return ", ".join(said)
