"""Warnings about names that are going away."""

import linecache
import subprocess
import sys
import warnings

import pytest

from renyi import _deprecation, _native

MESSAGES = {"renyi.old()": "write renyi.new()", "renyi.older()": "write renyi.new()"}


@pytest.fixture(autouse=True)
def nothing_warned_yet(monkeypatch):
    monkeypatch.setattr(_deprecation, "_warned", set())


def old():
    _deprecation.warn("renyi.old()", messages=MESSAGES)


def test_the_caller_is_warned_once():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(3):
            old()
        _deprecation.warn("renyi.older()", messages=MESSAGES)
    assert [(w.category, str(w.message)) for w in seen] == [(DeprecationWarning, "write renyi.new()")] * 2
    assert seen[0].filename == __file__
    assert linecache.getline(__file__, seen[0].lineno).strip() == "old()"


def test_where_warnings_are_errors_every_use_is_one():
    for _ in range(2):
        with pytest.raises(DeprecationWarning, match="write renyi.new"):
            old()


def test_a_name_beside_the_table_is_an_error():
    with pytest.raises(KeyError, match="renyi.unknown"):
        _deprecation.warn("renyi.unknown()")


def test_the_words_are_those_of_the_table():
    for name, message in _native.deprecations().items():
        assert message.startswith(f"{name} is deprecated since ")
        with pytest.warns(DeprecationWarning) as seen:
            _deprecation.warn(name)
        assert str(seen[0].message) == message


def test_importing_warns_of_nothing():
    subprocess.run([sys.executable, "-W", "error::DeprecationWarning:renyi", "-c", "import renyi, renyi.loaders"], check=True)
