"""Every example in a docstring or a document that looks like a Python session, run."""

import doctest
import importlib
import pathlib
import pkgutil

import pytest

import renyi

ROOT = pathlib.Path(__file__).resolve().parents[2]
ADAPTERS = ("renyi.compat.dp_accounting", "renyi.compat.opacus")  # need what they adapt to
MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(renyi.__path__, "renyi.")
    if name not in ADAPTERS and name != "renyi._native"
]
DOCUMENTS = sorted(
    path
    for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("python/*.md"), *ROOT.glob("examples/*.md")]
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", ["renyi", *MODULES])
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_documents(path):
    tried = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert tried.attempted > 0 and tried.failed == 0


def test_there_is_something_to_try():
    names = {path.name for path in DOCUMENTS}
    assert {"README.md", "python.md"} <= names
    finder = doctest.DocTestFinder()
    assert sum(len(test.examples) for test in finder.find(renyi) + finder.find(renyi.accountant)) > 3


def test_everything_public_says_what_it_is():
    for name in renyi.__all__:
        thing = getattr(renyi, name)
        assert isinstance(thing, str) or (thing.__doc__ and thing.__doc__.strip()), name
