"""What earlier versions stored keeps its meaning: every file of every version's folder is read, and says what it said.

And this can fail: one byte of meaning changed in a file is noticed, be it refused or read as something else.
"""

import pytest

import corpus
from kinds import KINDS

EDITS = 6
MOST_BYTES = 2_000_000
FILES = [(kind, folder, path) for folder in corpus.versions() for kind in KINDS for path in corpus.files_of(kind, folder)]
NAMES = [str(path.relative_to(corpus.ROOT)) for *_, path in FILES]
NAMED = pytest.mark.parametrize(("kind", "folder", "path"), FILES, ids=NAMES)


@NAMED
def test_a_file_means_what_it_meant(kind, folder, path):
    stored = corpus.stored_meanings(kind, folder)[str(path.relative_to(folder))]
    assert corpus.difference(stored, corpus.meanings_of(kind, path), corpus.rounding_since(folder)) is None


@NAMED
def test_one_byte_changed_is_noticed(kind, folder, path, tmp_path):
    stored = corpus.stored_meanings(kind, folder)[str(path.relative_to(folder))]
    changes = list(corpus.edits(kind, path, folder, EDITS))
    assert len(changes) == EDITS, "too little of this file says anything"
    for number, (content, at, what) in enumerate(changes):
        noticed = _noticed(kind, folder, path, content, at, stored, tmp_path / str(number))
        assert noticed, f"{path.name}: {what} is not noticed"


def _noticed(kind, folder, path, content, at, stored, to):
    """What is refused is noticed, in whatever words: the text may be none of UTF-8, JSON or Python's pickles any more."""
    try:
        if getattr(kind, "LINES", False):
            line = content.count(b"\n", 0, at)
            found, stored = corpus.plain(kind.meaning(content.decode().splitlines()[line])), stored[line]
        else:
            found = corpus.plain(kind.meaning(corpus.copied(path, folder, content, to)))
    except Exception as error:  # noqa: BLE001
        assert not isinstance(error, AssertionError), error
        return True
    return corpus.difference(stored, found, corpus.CLOSE) is not None


@pytest.mark.parametrize("folder", corpus.versions(), ids=lambda folder: folder.name)
def test_every_file_is_read(folder):
    read = {path for _, of, path in FILES if of == folder}
    meanings = {folder / corpus.MEANINGS / f"{kind.__name__}.json" for kind in KINDS}
    there = {path for path in folder.rglob("*") if path.is_file() and path.name not in corpus.NOT_READ}
    assert there == read | {path for path in meanings if path.exists()}, "files that nothing reads"
    told = {name for kind in KINDS for name in corpus.stored_meanings(kind, folder)}
    assert told == {str(path.relative_to(folder)) for path in read}, "meanings of files that are not there"


@pytest.mark.parametrize("folder", corpus.versions(), ids=lambda folder: folder.name)
def test_the_folder_is_small(folder):
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < MOST_BYTES


def test_there_is_a_folder():
    assert corpus.versions() and FILES


def test_what_differs_is_said():
    """The comparison itself: other values, other types, other lengths; ends of intervals that only just meet."""
    assert corpus.difference({"a": 1}, {"a": 1}) is None
    others = (({"a": 1}, {"a": 2}), ({"a": 1}, {"a": True}), ({"a": 1}, {"b": 1}), ([1], [1, 2]), ("x", "y"), (1, 1.0))
    assert all(corpus.difference(stored, found) is not None for stored, found in others)
    near = {"close": {"x": 1.0, "order": 2.0}}
    other_bits = {"close": {"x": 1.0 + 1e-12, "order": 2.0 + 1e-6}}
    assert corpus.difference(near, other_bits, corpus.CLOSE) is None
    assert corpus.difference(near, other_bits) is not None
    assert corpus.difference(near, {"close": {"x": 1.0 + 1e-8, "order": 2.0}}, corpus.CLOSE) is not None
    assert corpus.difference({"x": 1.0}, {"x": 1.0 + 1e-12}, corpus.CLOSE) is not None
    apart = {"close": {"lower": 1.0, "upper": 1.0 + 1e-12}}
    assert corpus.difference(apart, {"close": {"lower": 1.0 + 2e-12, "upper": 1.0 + 3e-12}}, corpus.CLOSE) is not None
    past = {"until": "2000-01-01T00:00:00+00:00", "before": 1, "after": 2}
    assert corpus.difference(past, 2) is None and corpus.difference({**past, "until": "9999"}, 2) is not None
