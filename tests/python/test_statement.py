"""report: the statement says what the other questions answer, and its page is well-formed whatever it is called."""

import math
import re
import xml.etree.ElementTree as xml

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renyi
from renyi import _format
from support import command, in_build

SGD = renyi.SampledGaussian(0.01, 1.1) * 1000
PLANS = {
    "sampled": SGD,
    "laplace": renyi.Laplace(2.0) * 3,
    "bounds": renyi.Plan(renyi.Zcdp(0.1)),
    "infinite": renyi.Plan(renyi.mechanism("approx-dp", epsilon=0.5, delta=1e-7)) * 4,
    "shuffled": renyi.Plan(renyi.Gaussian(4.0).sampled(renyi.Shuffled(10)), neighbors="zero-out") * 3,
    "selected": renyi.Plan(renyi.Select(renyi.Laplace(50.0), law="geometric", mean=3)),
    "hopeless": renyi.Plan(renyi.mechanism("non-private")),
    "own": renyi.Plan(renyi.custom_curve(lambda order: order / 200)),
    "units": renyi.Plan(renyi.Gaussian(12.0), neighbors="replace-one", unit=3),
}


def text_of(page: str) -> str:
    """Returns the text that a reader of the page sees."""
    body = xml.fromstring(page.split("\n", 1)[1]).find("body")
    assert body is not None
    return " ".join(" ".join(body.itertext()).split())


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS.keys())
def test_epsilon_is_the_one_that_epsilon_answers(plan):
    stated, found = renyi.report(plan, delta=1e-5), renyi.epsilon(plan, delta=1e-5)
    figures = stated.facts["epsilon"]
    assert float(figures["renyi"]["epsilon"]) == found.renyi
    for text in (stated.markdown, text_of(stated.html)):
        if math.isfinite(found.renyi):
            assert f"epsilon at most {_format.up(found.renyi)}" in text
            assert f"epsilon = {_format.up(float(found))} at delta = 1e-5" in text
        else:
            assert "No guarantee" in text and "no finite epsilon at any order" in text and "satisfies" not in text


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS.keys())
def test_both_texts_say_the_same(plan):
    stated = renyi.report(plan, delta=1e-5, dataset_size=60_000, remarks=["one remark"])
    numbers = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")
    plain = re.sub(r"\|[-|]+\n", "", stated.markdown)
    assert sorted(numbers.findall(plain)) == sorted(numbers.findall(text_of(stated.html)))


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\ufffe\uffff"), min_size=1, max_size=40))
def test_any_title_is_shown_and_changes_nothing(title):
    stated = renyi.report(renyi.Laplace(2.0), delta=0.1, title=title)
    root = xml.fromstring(stated.html.split("\n", 1)[1])
    shown = title.replace("Renyi", "Rényi").replace("Harremoes", "Harremoës")
    assert root.findtext("head/title") == shown
    assert root.findtext("body/main/h1") == shown
    assert [child.tag for child in root] == ["head", "body"]
    assert {child.tag for child in root.iter()} <= set(
        "html head meta title style body main h1 h2 p b code pre ul li div table thead tbody tr th td section".split()
    )


@in_build
@pytest.mark.parametrize("format", ["markdown", "html"])
def test_statements_have_the_bytes_of_the_command(format, tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text(PLANS["laplace"].to_json())
    stated = renyi.report(PLANS["laplace"], delta=1e-5, dataset_size=600, title="A & B")
    flags = ["--delta", "1e-5", "--dataset-size", "600", "--title", "A & B", "--format", format]
    assert getattr(stated, format) == command("report", plan, *flags)
    told = dict(dataset_size=600, batch_size=20, epochs=2, noise_multiplier=1.1, delta=1e-5)
    words = [word for name, value in told.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    assert getattr(renyi.report(**told), format) == command("report", *words, "--format", format)


def test_own_mechanisms_have_no_plan_file():
    stated = renyi.report(PLANS["own"], delta=1e-5)
    assert "unavailable" in stated.facts["plan"]
    assert "plan.json" not in stated.markdown


def test_markdown_is_the_text_of_it():
    stated = renyi.report(SGD, delta=1e-5, title="A & B")
    assert str(stated) == stated.markdown == stated._repr_markdown_()
    assert stated.markdown.startswith("# A \\& B\n")
    assert repr(stated).startswith("<privacy statement of 1000 x ")
    assert "markdown" not in stated.facts


def test_arrays_give_a_grid():
    grid = renyi.report(noise_multiplier=[1.0, 2.0], delta=1e-5)
    assert grid.shape == (2,)
    assert grid[1].facts == renyi.report(noise_multiplier=2.0, delta=1e-5).facts


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": ""},
        {"title": "a\nb"},
        {"title": 3},
        {"remarks": "one"},
        {"remarks": ["a", 2]},
        {"dataset_size": 0},
        {"dataset_size": 1.5},
        {"tolerance": -1.0},
    ],
    ids=str,
)
def test_bad_arguments_are_named(wrong):
    with pytest.raises(renyi.InvalidArgument) as caught:
        renyi.report(SGD, delta=1e-5, **wrong)
    assert caught.value.field.partition("[")[0] == next(iter(wrong))
