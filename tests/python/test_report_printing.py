"""Reports as people see them: printed numbers are still bounds, and reports are values."""

import dataclasses
import decimal
import re

import pytest

import renyi
from renyi import reports
from renyi._report import Ends
from renyi.reports import compare, explain, loss, profile, relate, tradeoff

SGD = renyi.SampledGaussian(0.01, 1.1) * 1000
PLANS = {"sampled": SGD, "laplace": renyi.Laplace(2.0) * 3, "mixed": SGD + renyi.Laplace(4.0) * 5}


def shown_intervals(text):
    return [tuple(map(decimal.Decimal, pair)) for pair in re.findall(r"\[([-\d.e+]+), ([-\d.e+]+)\]", text)]


def contains(shown, lower, upper):
    return shown[0] <= decimal.Decimal(float(lower)) and decimal.Decimal(float(upper)) <= shown[1]


@pytest.mark.parametrize("name", PLANS)
def test_printed_numbers_are_still_bounds(name):
    plan = PLANS[name]
    found = profile(plan)
    for text in (repr(found), found._repr_html_()):
        ends = shown_intervals(text)
        assert len(ends) == len(found)
        for i, shown in enumerate(ends):
            assert contains(shown, found.exact.lower[i], found.exact.upper[i])
    for line, bound in zip(repr(found).splitlines()[2:], found.renyi):
        assert decimal.Decimal(line.split()[-2]) >= decimal.Decimal(float(bound))
    points = tradeoff(plan)
    shown = shown_intervals(repr(points))
    assert contains(shown[0], *points.advantage)
    for i in range(len(points)):
        assert contains(shown[1 + 2 * i], points.type_2_error.lower[i], points.type_2_error.upper[i])
        assert contains(shown[2 + 2 * i], points.power.lower[i], points.power.upper[i])
    theorems = compare(plan, delta=1e-5)
    lines = {line.split()[0]: line.split()[1] for line in repr(theorems).splitlines()[2:]}
    for row in theorems.theorems:
        if row.epsilon is not None:
            assert decimal.Decimal(lines[row.name]) >= decimal.Decimal(row.epsilon)


def test_printed_promises_relations_and_losses_are_still_bounds():
    promises = explain(SGD, delta=1e-5, group_size=4)
    lines = [line.split() for line in repr(promises).splitlines()]
    assert len(lines) > 12 and "at delta 1e-05" in repr(promises)
    for line, at in zip(lines[2:], promises.orders):
        assert decimal.Decimal(line[1]) >= decimal.Decimal(at.epsilon)
    shown = shown_intervals(repr(promises))
    for by_renyi, exact, outcome in zip(shown[::2], shown[1::2], promises.outcomes):
        assert contains(by_renyi, outcome.renyi.lower, outcome.renyi.upper)
        assert contains(exact, outcome.exact.lower, outcome.exact.upper)
    relations = relate(SGD, to="tcdp")
    for shown, row in zip(shown_intervals(repr(relations)), relations.tcdp):
        assert contains(shown, row.rho_lower, row.rho)
    assert "mu_estimate" in repr(relate(SGD, to="gdp"))
    losses = loss(SGD, direction="remove")
    assert losses.add is None and losses.remove is not None
    shown = shown_intervals(losses._repr_html_())
    assert contains(shown[0], *losses.remove.mean) and contains(shown[1], *losses.remove.variance)
    tails = losses.remove.at_least
    for at, lower, upper in zip(shown[5:], tails.lower, tails.upper):
        assert contains(at, lower, upper)
    assert "add" not in repr(losses).replace("add-or-remove-one", "")


def test_an_interval():
    ends = Ends(1 / 3, 2 / 3)
    assert repr(ends) == "[0.333333, 0.666667]" and 0.5 in ends and 0.7 not in ends and tuple(ends) == (1 / 3, 2 / 3)


def test_html_is_escaped():
    assert "<script" not in explain(SGD)._repr_html_()
    assert "&lt;=" in explain(SGD)._repr_html_()


def test_reports_are_values():
    for found in (profile(SGD, epsilons=[1.0]), relate(SGD, to="pure")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            found.plan = None
    assert set(reports.__all__) >= {"profile", "tradeoff", "compare", "explain", "relate", "loss"}
