"""Mechanisms by their names in plans, and the list of them."""

import copy
import json
import math
import pickle

import numpy as np
import pytest

import renyi
from renyi import _native

KINDS = [entry["kind"] for entry in renyi.catalogue()]
SPELLED = {"lambda": "order"}  # where a class has another word


def numbers(value):
    """Of a table of a plan file: infinity is a word there."""
    return [numbers(item) for item in value] if isinstance(value, list) else math.inf if value == "inf" else value


def example(kind):
    step = dict(renyi.catalogue(kind)[0]["example"])
    assert step.pop("mechanism") == kind
    typed = not isinstance(of_plan(kind), renyi.NamedMechanism)
    return {SPELLED.get(name, name) if typed else name: numbers(value) for name, value in step.items()}


def of_plan(kind):
    """The mechanism of the example, by the reader of plans."""
    text = json.dumps({"renyi": 1, "steps": [renyi.catalogue(kind)[0]["example"]]})
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
    plan = made * 3 + renyi.Laplace(5)
    assert renyi.Plan.from_json(plan.to_json()) == plan
    assert plan.steps[0] == renyi.Step(made, 3)
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert repr(made) in repr(plan)
    names = {**vars(renyi), "inf": math.inf}
    assert eval(repr(made), names) == made


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_asked_about(kind):
    made = renyi.mechanism(kind, **example(kind))
    once, thrice = (renyi.rdp(made * count, orders=1.5) for count in (1, 3))
    assert thrice == pytest.approx(3 * once)
    if isinstance(renyi.catalogue(kind)[0]["sampling"], str):
        assert made.sampled(renyi.Poisson(0.5)).mechanism == made
    else:
        with pytest.raises(renyi.InvalidArgument, match="sampling"):
            made.sampled(renyi.Poisson(0.5))


def test_kinds_with_a_class_are_made_as_that_class():
    assert renyi.mechanism("gaussian", noise_multiplier=2) == renyi.Gaussian(2)
    assert renyi.mechanism("gaussian", stddev=4, l2_sensitivity=2) == renyi.Gaussian(stddev=4, l2_sensitivity=2)
    assert renyi.mechanism("moments", order=8, alpha=1) == renyi.Moments(8, 1)
    assert type(renyi.mechanism("pure-dp", epsilon=np.float32(0.5))) is renyi.PureDp


def test_a_named_one_shows_its_numbers():
    named = renyi.NamedMechanism(_native.Mechanism("laplace", [("scale", 2)]))
    same, other = (renyi.NamedMechanism(_native.Mechanism("laplace", [("scale", scale)])) for scale in (2, 3))
    assert named == same != other and len({named, same, other}) == 2
    assert named.parameters == {"scale": 2.0, "l1_sensitivity": 1.0} and named.tables == {}
    assert repr(named) == "mechanism('laplace', scale=2.0, l1_sensitivity=1.0)"
    assert named != "laplace" and renyi.rdp(named, orders=2) == renyi.rdp(renyi.Laplace(2), orders=2)
    with pytest.raises(AttributeError):
        named.scale = 3


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
