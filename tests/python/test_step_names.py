"""Names and comments of steps: plans keep them, reports show them, and no figure depends on them."""

import copy
import json
import pickle

import pytest

import renyi

PLAN = (
    renyi.Plan()
    .add(renyi.Gaussian(2.0), 3, name="counts", comment="two\nlines")
    .add(renyi.Plan(renyi.Laplace(20.0)).add(renyi.Gaussian(4.0), name="inner"), 4, name="group")
    .add(renyi.Gaussian(2.0))
)


def test_steps_have_names_and_comments():
    first, group, last = PLAN.steps
    assert (first.name, first.comment, first.count) == ("counts", "two\nlines", 3)
    assert (group.name, group.comment) == ("group", None)
    assert (last.name, last.comment) == (None, None)
    assert isinstance(group.what, renyi.Plan) and group.what.steps[1].name == "inner"
    what, count = first
    assert (what, count) == (renyi.Gaussian(2.0), 3)
    assert repr(last) == "Step(what=Gaussian(stddev=2.0, l2_sensitivity=1.0), count=1)"
    assert repr(first).endswith(r"count=3, name='counts', comment='two\nlines')")


def test_adding_makes_a_new_plan():
    start = renyi.Plan(renyi.Laplace(2.0))
    longer = start.add(renyi.Laplace(3.0), 2, name="x")
    assert len(start.steps) == 1 and longer.steps[1] == renyi.Step(renyi.Laplace(3.0), 2, "x")
    assert longer != start.add(renyi.Laplace(3.0), 2, name="y")


@pytest.mark.parametrize("kept", [PLAN, pickle.loads(pickle.dumps(PLAN)), copy.deepcopy(PLAN), renyi.Plan() + PLAN])
def test_names_survive(kept):
    assert kept == PLAN
    assert renyi.Plan.from_json(kept.to_json()) == PLAN
    written = json.loads(kept.to_json())["steps"]
    assert written[0]["name"] == "counts" and written[0]["comment"] == "two\nlines"
    assert written[1]["plan"][1]["name"] == "inner"


def test_a_single_named_step_is_repeated_with_its_name():
    one = renyi.Plan().add(renyi.Laplace(2.0), name="x", comment="y")
    assert (one * 5).steps == (renyi.Step(renyi.Laplace(2.0), 5, "x", "y"),)
    assert (PLAN * 2).steps[0].what == PLAN


def test_plans_are_shown_with_names():
    assert repr(renyi.Plan().add(renyi.Laplace(2.0), 3, name="ages")).startswith('<Plan: "ages": 3 x Laplace(')
    page = renyi.Plan().add(renyi.Laplace(2.0), name="<b>")._repr_html_()
    assert "&lt;b&gt;" in page and "<b>&quot;" not in page


def test_no_figure_depends_on_names():
    plain = renyi.Plan(renyi.Gaussian(2.0) * 4, renyi.Plan(renyi.Laplace(20.0), renyi.Gaussian(4.0)) * 4)
    assert [step.count for step in PLAN.merged()] == [step.count for step in plain.merged()] == [4, 4, 4]
    assert renyi.epsilon(PLAN, delta=1e-5).upper == renyi.epsilon(plain, delta=1e-5).upper


def test_calibration_keeps_names():
    found = renyi.calibrate(PLAN, solve="stddev", step=0, epsilon=8, delta=1e-5)
    assert [step.name for step in found.plan.steps] == ["counts", "group", None]
    assert found.plan.steps[0].comment == "two\nlines"


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 201, "\x85", 7, "\ud800"])
def test_other_names_are_refused(name):
    with pytest.raises(renyi.InvalidArgument) as refused:
        renyi.Plan().add(renyi.Laplace(2.0), name=name)
    assert refused.value.field == "name"


@pytest.mark.parametrize("comment", ["a\x00b", "x" * 2001, b"x"])
def test_other_comments_are_refused(comment):
    with pytest.raises(renyi.InvalidArgument) as refused:
        renyi.Plan().add(renyi.Laplace(2.0), comment=comment)
    assert refused.value.field == "comment"


def test_shares_add_up_and_are_those_of_the_statement():
    shares = renyi.explain(PLAN, delta=1e-5).shares
    assert [step.path for step in shares.steps] == ["steps[0]", "steps[1]", "steps[1].plan[0]", "steps[1].plan[1]", "steps[2]"]
    whole = {step.path: step.share for step in shares.steps}
    assert whole["steps[0]"] + whole["steps[1]"] + whole["steps[2]"] == pytest.approx(1, abs=1e-12)
    assert whole["steps[1].plan[0]"] + whole["steps[1].plan[1]"] == pytest.approx(whole["steps[1]"], abs=1e-12)
    assert whole["steps[0]"] == pytest.approx(3 * whole["steps[2]"], rel=1e-12)
    assert (shares.steps[0].name, shares.steps[0].mechanism, shares.unavailable) == ("counts", "gaussian", None)
    stated = renyi.report(PLAN, delta=1e-5)
    assert stated.facts["shares"]["steps"][0]["share"] == whole["steps[0]"]
    assert "| counts | `gaussian, noise_multiplier=2` | 3 |" in stated.markdown and "counts: two lines" in stated.markdown
    assert renyi.explain(PLAN).shares is None
    assert "counts" in str(renyi.explain(PLAN, delta=1e-5))


def test_shares_of_custom_mechanisms_and_of_nothing():
    own = renyi.Plan(renyi.custom_curve(lambda order: order / 200)).add(renyi.Gaussian(10.0), name="<noise>")
    stated = renyi.report(own, delta=1e-5)
    assert [step["share"] for step in stated.facts["shares"]["steps"]] == [pytest.approx(0.5, rel=1e-9)] * 2
    assert "&lt;noise&gt;" in stated.html
    hopeless = renyi.explain(renyi.Plan(renyi.mechanism("non-private"), renyi.Gaussian(1.0)), delta=1e-5).shares
    assert hopeless.unavailable is not None and all(step.share is None for step in hopeless.steps)
