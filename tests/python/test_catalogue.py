"""Mechanisms by their names in plans, and the list of them."""

import copy
import doctest
import json
import math
import pickle

import numpy as np
import pytest

import renyi
from renyi._mechanisms import BY_KIND

KINDS = [entry["kind"] for entry in renyi.catalogue()]
SPELLED = {"lambda": "order"}  # parameters that have another name in Python


def numbers(value):
    """Returns the numbers of a table in a plan file, where infinity is the text "inf"."""
    return [numbers(item) for item in value] if isinstance(value, list) else math.inf if value == "inf" else value


def example(kind):
    step = dict(renyi.catalogue(kind)[0]["example"])
    assert step.pop("mechanism") == kind
    return {SPELLED.get(name, name): numbers(value) for name, value in step.items()}


def relation(kind):
    """The relation under which the mechanism is analysed: the shuffle model only replaces."""
    return "replace-one" if kind == "shuffle-model" else "add-or-remove-one"


def of_plan(kind):
    """The mechanism of the example, by the reader of plans."""
    text = json.dumps({"renyi": 1, "neighbors": relation(kind), "steps": [renyi.catalogue(kind)[0]["example"]]})
    return renyi.Plan.from_json(text).steps[0].what


def test_lists_what_plans_can_name():
    assert {"gaussian", "laplace", "gdp"} <= set(KINDS) and len(set(KINDS)) == len(KINDS) >= 10
    (entry,) = renyi.catalogue("gaussian")
    assert entry["parameters"][0]["name"] == "stddev" and entry["references"][0]["bibtex"].startswith("@")
    for kind in ("gauss", 3, ""):
        with pytest.raises(renyi.InvalidArgument, match="kind"):
            renyi.catalogue(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_value(kind):
    made = renyi.mechanism(kind, **example(kind))
    assert made.kind == kind and made == of_plan(kind) and hash(made) == hash(of_plan(kind))
    assert type(made) is type(of_plan(kind))
    assert pickle.loads(pickle.dumps(made)) == made and copy.deepcopy(made) == made
    plan = renyi.Plan(neighbors=relation(kind)).add(made, 3).add(renyi.Laplace(5))
    assert renyi.Plan.from_json(plan.to_json()) == plan
    assert plan.steps[0] == renyi.Step(made, 3)
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert repr(made) in repr(plan)
    names = {**vars(renyi), "inf": math.inf}
    assert eval(repr(made), names) == made


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_asked_about(kind):
    made = renyi.mechanism(kind, **example(kind))
    plans = [renyi.Plan(neighbors=relation(kind)).add(made, count) for count in (1, 3)]
    once, thrice = (renyi.rdp(plan, orders=1.5) for plan in plans)
    assert thrice == pytest.approx(3 * once)
    if isinstance(renyi.catalogue(kind)[0]["sampling"], str):
        assert made.sampled(renyi.Poisson(0.5)).mechanism == made
    else:
        with pytest.raises(renyi.InvalidArgument, match="sampling"):
            made.sampled(renyi.Poisson(0.5))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_class_that_is_named_by_it(kind):
    known = getattr(renyi, "".join(word.capitalize() for word in kind.split("-")))
    assert known in BY_KIND.values() and known.kind == kind and known.__name__ in renyi.__all__
    made = known(**example(kind))
    assert type(made) is known and made == renyi.mechanism(kind, **example(kind))
    assert repr(made).startswith(known.__name__ + "(")
    for name, value in made.parameters.items():
        assert getattr(made, SPELLED.get(name, name)) == value
    for name, rows in made.tables.items():
        assert getattr(made, name) == rows
    with pytest.raises(AttributeError):
        made.kind = "another"


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_of_every_class_runs(kind):
    found = doctest.DocTestFinder().find(BY_KIND[kind], BY_KIND[kind].__name__, globs=vars(renyi))
    examples = [test for test in found if test.examples]
    assert len(examples) == 1 and doctest.DocTestRunner(verbose=False).run(examples[0]).failed == 0


def test_kinds_with_a_class_are_made_as_that_class():
    assert renyi.mechanism("gaussian", noise_multiplier=2) == renyi.Gaussian(2)
    assert renyi.mechanism("gaussian", stddev=4, l2_sensitivity=2) == renyi.Gaussian(stddev=4, l2_sensitivity=2)
    assert renyi.mechanism("moments", order=8, alpha=1) == renyi.Moments(8, 1)
    assert type(renyi.mechanism("pure-dp", epsilon=np.float32(0.5))) is renyi.PureDp


def test_shows_its_numbers_and_tables():
    assert repr(renyi.Laplace(2)) == "Laplace(scale=2.0, l1_sensitivity=1.0)"
    assert renyi.Laplace(2).parameters == {"scale": 2.0, "l1_sensitivity": 1.0} and renyi.Laplace(2).tables == {}
    assert renyi.Moments(8, 1).parameters == {"lambda": 8.0, "alpha": 1.0}
    pairs, same, other = (renyi.Pairs([[p, 0.25], [1 - p, 0.75]]) for p in (0.75, 0.75, 0.5))
    assert pairs == same != other and pairs != "pairs" and len({pairs, same}) == 1
    assert repr(other) == "Pairs(probabilities=[[0.5, 0.25], [0.5, 0.75]])"
    assert repr(renyi.ToeplitzMatrix(1, 100, [1.0] * 50)).endswith("coefficients=<50 rows>)")


def test_renyi_dp_has_an_order_of_its_own():
    step = renyi.Rdp(order=10, epsilon=0.1)
    assert step.order == 10 and step.points == [] and repr(step) == "Rdp(order=10.0, epsilon=0.1)"
    table = renyi.Rdp(points=[[2, 0.03], [8, 0.12]])
    assert math.isinf(table.order) and repr(table) == "Rdp(points=[[2.0, 0.03], [8.0, 0.12]])"
    read = renyi.Plan.from_json((table * 2).to_json()).steps[0].what
    assert read == table and math.isinf(read.order)
    solved = renyi.calibrate(step * 10, solve="order", epsilon=3, delta=1e-5, by="renyi")
    assert renyi.epsilon(renyi.Rdp(solved.value, 0.1) * 10, delta=1e-5, want="renyi").renyi <= 3


@pytest.mark.parametrize(
    "make, field",
    [
        (lambda: renyi.mechanism("no-such-kind"), "mechanism"),
        (lambda: renyi.mechanism(3), "kind"),
        (lambda: renyi.mechanism("laplace"), "scale"),
        (lambda: renyi.mechanism("laplace", scale=2, noise=3), "noise"),
        (lambda: renyi.mechanism("laplace", scale="2"), "scale"),
        (lambda: renyi.mechanism("laplace", scale=[2]), "scale"),
        (lambda: renyi.mechanism("laplace", scale=-2), "scale"),
        (lambda: renyi.mechanism("gaussian", noise_multiplier=1, stddev=2), "noise_multiplier"),
        (lambda: renyi.mechanism("no-such-kind", points=[[1, "2"]]), "points[0][1]"),
        (lambda: renyi.mechanism("no-such-kind", points=[1, None]), "points[1]"),
        (lambda: renyi.mechanism("pairs"), "probabilities"),
        (lambda: renyi.Pairs(0.5), "probabilities"),
        (lambda: renyi.Pairs([]), "probabilities"),
        (lambda: renyi.Pairs([[0.5, 2], [0.5, 0.5]]), "probabilities[0][1]"),
        (lambda: renyi.Rdp(epsilon=0.1), "order"),
        (lambda: renyi.TreeAggregation(1, 0.5), "rounds"),
    ],
)
def test_bad_input_names_its_field(make, field):
    with pytest.raises(renyi.InvalidArgument) as caught:
        make()
    assert caught.value.field == field


def test_tables_are_rows_or_plain_lists():
    tables = [(e["kind"], t) for e in renyi.catalogue() for t in e["tables"]]
    for kind, table in tables:
        given, name = example(kind), table["name"]
        if name not in given:
            continue
        as_array = renyi.mechanism(kind, **{**given, name: np.array(given[name], dtype=float)})
        assert as_array == renyi.mechanism(kind, **given)
        assert len(as_array.tables[name]) == len(given[name])
        with pytest.raises(renyi.InvalidArgument, match=name):
            renyi.mechanism(kind, **{**given, name: 1.0})
