"""Parts that several tests share: the command of the build, and the engine's own answers."""

import json
import math
import os
import pathlib
import subprocess

import pytest

import renyi

# In the source tree's build the command is there too; an installed package is tested without it.
BUILD = pathlib.Path(renyi.__file__).resolve().parents[2]
COMMAND = BUILD / "bin" / "renyi"
in_build = pytest.mark.skipif(not (BUILD / "CMakeCache.txt").exists(), reason="an installed package")


def command(*words, text=None):
    """What the command prints."""
    run = [os.fspath(COMMAND), *map(os.fspath, words)]
    return subprocess.run(run, input=text, capture_output=True, encoding="utf-8", check=True).stdout


def batch(*requests):
    """The lines that ``renyi batch`` answers."""
    return command("batch", text="".join(json.dumps(request) + "\n" for request in requests)).splitlines()


def request_of(op, plan, **members):
    """A request about a plan, with infinity as text."""
    steps = {name: value for name, value in json.loads(plan.to_json()).items() if name != "renyi"}
    return {"op": op, **steps, **{name: text_if_infinite(value) for name, value in members.items()}}


def text_if_infinite(value):
    if isinstance(value, list):
        return [text_if_infinite(item) for item in value]
    return "inf" if value == math.inf else value
