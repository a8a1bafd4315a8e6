"""Every example in a docstring or a document that looks like a Python session, run."""

import ast
import doctest
import importlib
import pathlib
import pkgutil
import re
import sys

import pytest

import renyi

ROOT = pathlib.Path(__file__).resolve().parents[2]
# These need what they adapt to.
ADAPTERS = (
    "renyi.compat.dp_accounting",
    "renyi.compat._opacus_engine",
    "renyi.compat.opacus",
    "renyi.compat.opacus_ledger",
    "renyi.compat.opacus_noise",
)
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


#: What is about certificates and noise, which a build may lack (-DRENYI_CERTIFY=OFF).
CERTIFIED = (
    "renyi.certificates",
    "renyi.noise",
    "renyi._noisy",
    "renyi._clipped_sum",
    "renyi.accountant",
    "renyi.loaders",
    *(f"renyi.loaders.{name}" for name in ("batches", "draws", "fixed_size", "loader", "observation", "poisson")),
    "renyi.loaders.random_allocation",
    "renyi.loaders.torch_adapter",
    "loaders.md",
    "public-size.md",
    "renyi.releases",
    "release.md",
    "certify.md",
    "noise.md",
    "exact-training.md",
)


def certifies():
    try:
        return bool(renyi.certify(renyi.Gaussian(4.0), delta=1e-5))
    except renyi.Unsupported:
        return False


@pytest.fixture(autouse=True)
def close_figures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.mark.parametrize("name", ["renyi", *MODULES])
def test_docstrings(name):
    if name in CERTIFIED and not certifies():
        pytest.skip("built without certified arithmetic")
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_documents(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # documents write files
    if path.name in CERTIFIED and not certifies():
        pytest.skip("built without certified arithmetic")
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


def test_everything_public_has_an_example():
    without = [name for name in renyi.__all__ if ">>> " not in (getattr(renyi, name).__doc__ or "")]
    assert without == ["__version__"]


def test_the_overview_names_every_question():
    said = renyi.__doc__
    questions = [name for name in renyi.__all__ if name.islower() and name not in ("__version__", "mechanism")]
    assert [name for name in questions if f"``{name}" not in said and not name.startswith("custom_")] == []


PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("python/*.md"), *ROOT.glob("examples/*.md")])


def is_there(name, called):
    """Whether the package has ``renyi.name``, something to call where it is called."""
    path = ["renyi", *name.split(".")]
    for adapter in ADAPTERS:  # not imported: their tools may be missing
        parts = adapter.split(".")
        if path[: len(parts)] == parts:
            source = pathlib.Path(renyi.__file__).parent.parent.joinpath(*parts).with_suffix(".py")
            tree = ast.parse(source.read_text(encoding="utf-8"))
            defined = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
            for node in tree.body:
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                    defined |= set(ast.literal_eval(node.value))
            return path == parts or path[len(parts)] in defined
    thing = renyi
    for part in path[1:]:
        try:
            thing = getattr(thing, part, None) or importlib.import_module(f"{thing.__name__}.{part}")
        except (AttributeError, ImportError):
            return False
    return callable(thing) or not called


def strangers_in(text):
    """Names of the package that a document uses and that are not there."""
    found = re.findall(r"(?<![\w./:-])renyi\.(?!(?:h|wasm)\b)([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(\(?)", text)
    return [f"renyi.{name}{call}" for name, call in found if not is_there(name, bool(call))]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_in_documents_are_there(page):
    assert strangers_in(page.read_text(encoding="utf-8")) == []


def test_false_names_are_found():
    text = "`renyi.luck`, `renyi.Plan.no_such()`, `renyi.mechanisms()`, `renyi.compat.opacus.luck`, `renyi.epsilon()`"
    assert strangers_in(text) == ["renyi.luck", "renyi.Plan.no_such(", "renyi.mechanisms(", "renyi.compat.opacus.luck"]
    assert strangers_in("renyi.plotting, <renyi/renyi.h>, renyi.compat.opacus, renyi.errors.InvalidArgument") == []


def test_the_readme_names_the_packages_that_a_build_needs():
    setup = (ROOT / "tools" / "setup").read_text(encoding="utf-8")
    build = set(re.search(r'\[build\]="(.*?)"', setup, re.DOTALL)[1].split())
    # Packages that only the tests need, and those that pip installs.
    others = {"libgtest-dev", "libgmock-dev", "libbenchmark-dev", "python3-dev", "pybind11-dev"}
    needed = {package for package in build if package.endswith("-dev")} - others
    named = set(re.findall(r"[\w.-]+-dev", (ROOT / "python" / "README.md").read_text(encoding="utf-8")))
    assert named == needed
