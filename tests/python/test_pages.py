"""Links, anchors and pictures of documents are there, the site has every page, and the README is short."""

import pathlib
import re
import sys

import pytest

import renyi

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "site"))

import check  # noqa: E402
import documents  # noqa: E402
from pages import command, headers, python_package, repository  # noqa: E402

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("python/*.md"), *ROOT.glob("examples/*.md")])
README = (ROOT / "README.md").read_text(encoding="utf-8")


def links_in(text):
    """The targets of all links outside of code."""
    found = []
    documents.with_links(text, lambda link: found.append(link) or link)
    return found


def anchors_in(text):
    """The anchors of the headings of a document, as code hosts and the site make them."""
    headings = [line for outside, line in documents.outside_code(text) if outside and re.match(r"#+ ", line)]
    titles = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.lstrip("#").strip()) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(text, page):
    """Links of a document, which stands at ``page`` in the repository, that lead nowhere."""
    broken = []
    for link in links_in(text):
        if documents.is_external(link):
            continue
        path, fragment = documents.resolved(link, page)
        target = ROOT / path
        if path != page and (path.startswith("..") or not target.exists()):
            broken.append(link)
        elif fragment and fragment not in anchors_in(text if path == page else target.read_text(encoding="utf-8")):
            broken.append(link)
    return broken


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    assert broken_links(page.read_text(encoding="utf-8"), page.relative_to(ROOT).as_posix()) == []


@pytest.mark.parametrize("page", [*ROOT.glob("docs/start/*.md"), *ROOT.glob("docs/guide/*.md"),
                                  *ROOT.glob("docs/tutorials/*.md")], ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_fit_the_column_of_the_site(page):
    blocks = re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    commands = [line for block in blocks for line in block.split("\n") if re.match(r"\$ (?!echo '[{\[])", line)]
    assert [line for line in commands if len(line) > 100] == []  # longer ones go on below, after a backslash


def test_false_links_are_found():
    links = "[a](no.md) [b](#a-title) [c](#b) [`d`](glossary.md#no) `[e](f.md)` [g](https://h.org)"
    text = f"# A title\n{links}\n```\n[i](j.md)\n```\n"
    assert broken_links(text, "docs/x.md") == ["no.md", "#b", "glossary.md#no"]


def test_links_of_the_site_are_mapped_once():
    places = repository.places(ROOT) | headers.places(ROOT)
    assert all((ROOT / source).exists() for source in places)
    outside = set()
    for page in PAGES:
        name = page.relative_to(ROOT).as_posix()
        if name.startswith("docs/") or name in places:
            paths = {documents.resolved(link, name)[0] for link in links_in(page.read_text(encoding="utf-8"))
                     if not documents.is_external(link)}
            outside |= {path for path in paths if not path.startswith("docs/")}
    assert outside and outside <= set(places)


def test_every_page_has_its_place_in_the_site():
    order = (ROOT / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"[\w./-]+\.md$", order, re.MULTILINE))
    there = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    made = {place for place in repository.places(ROOT).values() if not place.startswith("examples/")}
    assert there | made | {"reference/c-header.md", "reference/http.md"} == listed
    # Directories stand for the pages that are made in them.
    folders = set(re.findall(r": ([\w/]+/)$", order, re.MULTILINE))
    assert folders == {"examples/", "reference/command/", "reference/python/", "reference/cpp/"}


def test_lists_and_tables_after_text_are_set_apart():
    text = "Text:\n- one\n- two\n\n```\nno:\n- list\n```\nText\n| a |\n|---|"
    assert documents.with_blank_lines(text) == "Text:\n\n- one\n- two\n\n```\nno:\n- list\n```\nText\n\n| a |\n|---|"


def test_links_in_titles_with_code_are_replaced():
    replaced = documents.with_links("[`a` b](c.md) ![d](e.svg) `[f](g.md)`", lambda link: f"x/{link}")
    assert replaced == "[`a` b](x/c.md) ![d](x/e.svg) `[f](g.md)`"


# ---- references

def test_the_python_reference_has_every_public_name():
    made = python_package.pages()
    text = "\n".join(made.values())
    for name in renyi.__all__:
        assert name.startswith("_") or f"## `renyi.{name}`" in text, name
    assert "``" not in re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def test_docstrings_become_markdown():
    text = "Computes ``a\n* b``.\n\n>>> f(1)\n2\n\none: the first,\n  and more\ntwo: the second"
    assert python_package._markdown(text) == (
        "Computes `a * b`.\n\n```pycon\n>>> f(1)\n2\n```\n\n- `one`: the first,\n  and more\n- `two`: the second")


def test_the_header_reference_has_every_header_and_its_declarations():
    made = headers.pages(ROOT)
    assert set(headers.places(ROOT).values()) == set(made)
    cost = made["reference/cpp/cost.md"]
    for name in ("CostOptions", "Cost", "epsilon", "delta", "profile"):
        assert f"## `{name}`" in cost
    assert "private:" not in "".join(made.values())
    functions = set(re.findall(r"\b(renyi_\w+)\(", (ROOT / "include" / "renyi" / "c.h").read_text(encoding="utf-8")))
    headings = re.findall(r"^## .*", made["reference/c-header.md"], re.MULTILINE)
    assert functions <= set(re.findall(r"`(\w+)`", " ".join(headings)))


HELP = """The epsilon of a run
Usage: renyi epsilon [OPTIONS] [PLAN]

Positionals:
  PLAN                            plan file (docs/format/plan.md), or - for standard input

Options:
  -h,--help                       print this help

What was run:
  --sampling poisson|shuffled     how the records are
                                  drawn
  --a-flag-that-is-longer-than-its-column NUMBER
                                  and what it means

Kinds:
  accountants  the epsilon of each
               theorem
  closed-form  the published closed form

Figures hold.

Examples:
  renyi epsilon --delta 1
"""


# The same, with rows at the margin and no blank line before a heading.
NARROW_HELP = re.sub(r"\n  (PLAN|-)", r"\n\1", HELP.replace("Positionals:\n", "")).replace("\n\nWhat", "\nWhat")


@pytest.mark.parametrize("text", [HELP, NARROW_HELP])
def test_help_becomes_tables(text):
    page = command._page("epsilon", text.rstrip().split("\n"))
    assert "\n## Arguments\n" in page and "\n## What was run\n" in page
    assert page.startswith("# renyi epsilon\n\nThe epsilon of a run.\n")
    assert "| `PLAN` | plan file ([docs/format/plan.md](../../format/plan.md)), or - for standard input |" in page
    assert "| `--sampling poisson\\|shuffled` | how the records are drawn |" in page
    assert "| `--a-flag-that-is-longer-than-its-column NUMBER` | and what it means |" in page
    assert "| `accountants` | the epsilon of each theorem |\n| `closed-form` | the published closed form |" in page
    assert "```sh\nrenyi epsilon --delta 1\n```" in page and "print this help" not in page


def test_a_bad_site_is_noticed(tmp_path):
    (tmp_path / "index.html").write_text(
        '<h1 id="top">A</h1><a href="#top"></a><a href="b.html"></a><a href="#no"></a><a href="https://c.org"></a>'
        '<script src="https://d.org/e.js"></script>', encoding="utf-8")
    assert check.faults(tmp_path) == [
        "index.html: fetches https://d.org/e.js", "index.html: no file for b.html", "index.html: no anchor for #no"]


# ---- the README

def line_of(pattern):
    """The number of the first line of the README with a match."""
    return next(number for number, line in enumerate(README.split("\n"), 1) if re.search(pattern, line))


def test_the_readme_is_short_and_answers_at_once():
    assert len(README.rstrip().split("\n")) <= 120
    assert line_of(r"^pip install ") < line_of(r"^<epsilon <= ") <= 40
    assert line_of(r"^make run") < 40 and line_of(r"^make test") < 40
    assert line_of(r"^epsilon = ") <= 40


def test_the_readme_has_a_picture_with_a_text():
    pictures = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", README)
    assert pictures and all(len(text) > 20 and (ROOT / path).stat().st_size > 1000 for text, path in pictures)


def test_the_race_of_the_readme_is_the_measured_one():
    measured = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .*?(\d[\d.]* [mµ]s) \| ([\d,]+).*?\| ([\d.]+) \|$", README, re.MULTILINE)
    assert len(rows) == 4
    for time, ratio, figure in rows:
        line = next(line for line in measured.split("\n") if f"| {time} | {ratio} |" in line)
        assert figure[:-1] in line


def test_the_readme_counts_the_mechanisms():
    for text in (README, (ROOT / "python" / "README.md").read_text(encoding="utf-8")):
        assert f"{len(renyi.catalogue())} mechanisms" in text
