"""Where a peer's figure lies beside the interval that holds the truth."""

import math

# What rounding alone may move a figure.
SLACK = 1e-9


def verdict(value, lower, upper):
    """below: less than the truth, so no bound; above: by that much more than the truth; else within."""
    if value is None or math.isnan(value):
        return {"place": "not a number"}
    if math.isinf(value):
        return {"place": "infinite"}
    if value < lower * (1 - SLACK):
        return {"place": "below", "by": lower - value}
    if value > upper * (1 + SLACK):
        return {"place": "above", "by": value - upper}
    return {"place": "within"}


def verdicts(values, intervals):
    """Of many configurations: how many lie where, and the largest distances relative to the truth."""
    found = [verdict(value, *interval) for value, interval in zip(values, intervals)]
    summary = {"configurations": len(found)}
    for place in ("below", "within", "above", "infinite", "not a number"):
        summary[place] = sum(one["place"] == place for one in found)
    for place in ("below", "above"):
        distances = [one["by"] / upper for one, (_, upper) in zip(found, intervals) if one["place"] == place]
        summary[f"largest_{place}_relative"] = max(distances, default=0.0)
    return summary
