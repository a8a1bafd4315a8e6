"""The corpus of stored files: a folder for each version that wrote one, and what it means to read a file the same.

A kind of file is a module with FILES (patterns below the folder of a version), make(folder), which writes them with the
version at hand, and meaning(path), which reads one and returns what it says as JSON. Where every line is a document of
its own, LINES is true and meaning is given the text of a line. HIDDEN is a pattern of what carries no meaning.
"""

import dataclasses
import datetime
import importlib.machinery
import importlib.util
import json
import math
import pathlib
import random
import re
import shutil
import string

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = (ROOT.parents[1] / "VERSION").read_text().strip()
MEANINGS = "meanings"
CONDITIONS = "conditions.json"
NOT_READ = {"README.md", CONDITIONS}

# Two instruction sets, and two C libraries, may differ in the last bits of a curve; beyond this they do not.
CLOSE = 1e-9
# The best order lies where the bound is flat, so that it is known less well than the bound itself.
CLOSE_ORDER = 1e-5


def versions():
    return sorted(path for path in ROOT.iterdir() if re.fullmatch(r"\d+\.\d+\.\d+", path.name))


def conditions():
    """What last bits depend on, as tools/replay says it."""
    loader = importlib.machinery.SourceFileLoader("replay", str(ROOT.parents[1] / "tools/replay"))
    replay = importlib.util.module_from_spec(importlib.util.spec_from_loader("replay", loader))
    loader.exec_module(replay)
    return replay.conditions()


def rounding_since(folder):
    """How far numbers below "close" may be from those stored: nowhere, where last bits are those of the recording."""
    recorded = json.loads((folder / CONDITIONS).read_text(encoding="utf-8"))
    return 0.0 if conditions() == recorded else CLOSE


def write_conditions(folder):
    (folder / CONDITIONS).write_text(json.dumps(conditions(), indent=2) + "\n", encoding="utf-8")


def files_of(kind, folder):
    return sorted({path for pattern in kind.FILES for path in folder.glob(pattern)})


def stored_meanings(kind, folder):
    path = folder / MEANINGS / f"{kind.__name__}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_meanings(kind, folder):
    found = {str(path.relative_to(folder)): meanings_of(kind, path) for path in files_of(kind, folder)}
    lines = ",\n".join(f"{json.dumps(name)}: {as_lines(found[name])}" for name in found)
    (folder / MEANINGS).mkdir(exist_ok=True)
    (folder / MEANINGS / f"{kind.__name__}.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")


def as_lines(value):
    """JSON with one line for each member, so that a difference is seen in a review."""
    if isinstance(value, list):
        return "[\n" + ",\n".join(json.dumps(part, ensure_ascii=False, allow_nan=False) for part in value) + "]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def meanings_of(kind, path):
    if getattr(kind, "LINES", False):
        return [plain(kind.meaning(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    return plain(kind.meaning(path))


def plain(value):
    """Values of the package as JSON has them; infinity is a text, as in requests."""
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if hasattr(value, "to_json"):
        return plain(json.loads(value.to_json()))
    if hasattr(value, "items"):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, (str, bool, int)) or value is None:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode()
    return [plain(part) for part in value]


def difference(stored, found, rounding=0.0, at="", close=0.0):
    """Where what was found differs from what is stored, in words; None if nowhere. A number below the key "close" may
    differ by `rounding` of itself, and an interval has to meet the stored one. What changes at a time known beforehand,
    such as a reservation that expires, is stored as {"until", "before", "after"}."""
    if isinstance(stored, dict) and set(stored) == {"until", "before", "after"}:
        is_over = datetime.datetime.now(datetime.timezone.utc).isoformat() >= stored["until"]
        # What was found says both as well, and what holds today is its "before".
        if isinstance(found, dict) and set(found) == set(stored):
            found = found["before"]
        return difference(stored["after" if is_over else "before"], found, rounding, at, close)
    if isinstance(stored, dict) and isinstance(found, dict) and set(stored) == set(found):
        if close and {"lower", "upper"} <= set(stored) and not _meet(stored, found):
            return f"{at}: was [{stored['lower']}, {stored['upper']}], is [{found['lower']}, {found['upper']}]"
        parts = ((key, _closeness(key, close, rounding)) for key in stored)
        return _first(difference(stored[key], found[key], rounding, f"{at}.{key}", near) for key, near in parts)
    if isinstance(stored, list) and isinstance(found, list) and len(stored) == len(found):
        pairs = enumerate(zip(stored, found))
        return _first(difference(a, b, rounding, f"{at}[{i}]", close) for i, (a, b) in pairs)
    if type(stored) is type(found) and stored == found:
        return None
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (stored, found))
    if close and numbers and abs(stored - found) <= close * max(abs(stored), abs(found)):
        return None
    was, now = json.dumps(stored), json.dumps(found)
    first = next((i for i, (a, b) in enumerate(zip(was, now)) if a != b), 0)
    shown = slice(max(0, first - 30), first + 60)
    return f"{at or 'the whole'}: was {was[shown]}, is {now[shown]}"


def balances(budget, value):
    """What is left of a budget: to the last digit, except where divergences of curves are added up."""
    return {"close" if plain(budget)["kind"] in ("order", "curve", "shares") else "equal": value}


def _first(differences):
    return next(filter(None, differences), None)


def _closeness(key, close, rounding):
    return rounding if key == "close" else max(close, CLOSE_ORDER) if close and key == "order" else close


def _meet(a, b):
    return all(float(x["lower"]) <= float(y["upper"]) for x, y in ((a, b), (b, a)))


# ---- Edits: one byte of a file becomes another one, where a reader would take it for another meaning.

def edits(kind, path, folder, count):
    """Yields the file's content with one byte of meaning changed, `count` times: (content, where, what)."""
    chosen = random.Random(f"{folder.name}/{path.relative_to(folder)}")
    content = path.read_bytes()
    places = kind.places(path) if hasattr(kind, "places") else _places(content, getattr(kind, "HIDDEN", None))
    for place in chosen.sample(places, min(count, len(places))):
        at, everywhere = place if isinstance(place, tuple) else (place, (place,))
        other = chosen.choice([byte for byte in _alike(content[at]) if byte != content[at]])
        changed = bytearray(content)
        for same in everywhere:
            changed[same] = other
        yield bytes(changed), at, f"byte {at}, {chr(content[at])!r} -> {chr(other)!r}"


def copied(path, folder, content, to):
    """The file with other content, beside copies of the files that it is read with."""
    beside = to / path.parent.relative_to(folder)
    shutil.copytree(path.parent, beside)
    copy = beside / path.name
    copy.write_bytes(content)
    return copy


def is_meaning(byte):
    return chr(byte) in string.digits + string.ascii_letters


def _places(content, hidden):
    covered = set()
    for found in re.finditer(hidden, content) if hidden else ():
        covered.update(range(*found.span()))
    return [at for at, byte in enumerate(content) if is_meaning(byte) and at not in covered]


def _alike(byte):
    return (string.digits if chr(byte) in string.digits else string.ascii_lowercase).encode()
