"""Makes the folder of the version at hand, which later versions have to read. It is made once, when a version is
released, and never again: what is in it is what that version wrote.

Usage: PYTHONPATH=build/python RENYI_BINARY=build/bin/renyi python3 tests/compat/make.py [KIND...]

With kinds, only the meanings of these are written anew, of all versions: for an answer that was improved.
"""

import importlib
import sys

import corpus
from kinds import KINDS


def main(names):
    for name in names:
        for folder in corpus.versions():
            corpus.write_meanings(importlib.import_module(name), folder)
    if names:
        return
    folder = corpus.ROOT / corpus.VERSION
    if folder.exists():
        sys.exit(f"make: {folder} is there; what a version wrote is not written again")
    folder.mkdir()
    corpus.write_conditions(folder)
    for kind in KINDS:
        kind.make(folder)
    for kind in KINDS:
        corpus.write_meanings(kind, folder)


main(sys.argv[1:])
