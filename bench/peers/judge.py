"""Compares the value of a peer with the interval that contains the exact value."""

import math

# Rounding errors alone may change a value by this much, relative to it.
SLACK = 1e-9


def verdict(value, lower, upper):
    """Returns "below" if the value is less than the exact one, and so not a bound; "above" with the excess; or
    "within"."""
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
    """Counts the verdicts of many configurations, with the largest distances relative to the exact values."""
    found = [verdict(value, *interval) for value, interval in zip(values, intervals)]
    summary = {"configurations": len(found)}
    for place in ("below", "within", "above", "infinite", "not a number"):
        summary[place] = sum(one["place"] == place for one in found)
    for place in ("below", "above"):
        distances = [one["by"] / upper for one, (_, upper) in zip(found, intervals) if one["place"] == place]
        summary[f"largest_{place}_relative"] = max(distances, default=0.0)
    return summary
