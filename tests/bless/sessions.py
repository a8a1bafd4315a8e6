"""A plugin of pytest that writes down which examples of doctest fail, in the form of tests/cli/record.cpp.

A document and the docstrings of a module may each be tried several times under the same name, so every example has a
file of its own.
"""

import doctest
import json
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def source_of(test):
    """Returns the file that an example stands in: the package is tried as a copy in the build directory."""
    path = pathlib.Path(test.filename).resolve()
    parts = path.relative_to(ROOT).parts
    return pathlib.Path(*parts[parts.index("python"):] if path.suffix == ".py" else parts)


def message_of(got):
    """Returns the lines of a printed exception that follow its stack."""
    lines = got.splitlines()
    stack = max(number for number, line in enumerate(lines) if line.startswith("  "))
    return lines[stack + 1:]


def exchange_of(test, example, got, refused):
    """Describes an example that failed; only the message of an exception is compared, so only that is rewritten."""
    expected, actual = example.want.splitlines(), got.splitlines()
    line = (test.lineno or 0) + example.lineno + 1
    first = line + example.source.count("\n")
    if example.exc_msg is not None and not refused:
        kept = len(expected) - len(example.exc_msg.splitlines())
        expected, first, actual = expected[kept:], first + kept, message_of(got)
    indent = " " * example.indent
    expected = [indent + each if each else each for each in expected]
    actual = [indent + (each or "<BLANKLINE>") for each in actual]
    exchange = {"line": line, "command": example.source.rstrip("\n"), "expected": expected, "actual": actual,
                "places": list(range(first, first + len(expected))), "exit_line": 0, "exit_codes": [0, 0],
                "matches": False}
    return {**exchange, "refused": refused} if refused else exchange


def why_refused(test, example, got, flags):
    """Says why an example is not rewritten, if so."""
    options = {**{flag: bool(flags & flag) for flag in (doctest.ELLIPSIS,)}, **example.options}
    if options[doctest.ELLIPSIS] and "..." in example.want:
        return "what its dots stand for cannot be told"
    if (example.exc_msg is not None) != got.startswith("Traceback"):
        return "an exception appeared or went away"
    if any(mark in got for mark in (">>> ", "\\", '"""')):
        return "its output cannot be written here"
    return None


def stands_there(file, exchange):
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return all(lines[place - 1:place] == [text] for place, text in zip(exchange["places"], exchange["expected"]))


class Recorder(doctest.DocTestRunner):
    """Runs examples, and writes down those that fail."""

    def report_failure(self, out, test, example, got):
        super().report_failure(out, test, example, got)
        self.record(test, example, got)

    def report_unexpected_exception(self, out, test, example, exc_info):
        super().report_unexpected_exception(out, test, example, exc_info)
        self.record(test, example, "Traceback (most recent call last):\n")

    def record(self, test, example, got):
        file = source_of(test)
        exchange = exchange_of(test, example, got, why_refused(test, example, got, self.optionflags))
        if not stands_there(file, exchange):
            exchange["refused"] = "its place in the file cannot be told"
        name = f"{file.as_posix().replace('/', ':')}:{exchange['line']}.session.json"
        record = {"file": file.as_posix(), "exchanges": [exchange]}
        (pathlib.Path(os.environ["RENYI_RECORD"]) / name).write_text(json.dumps(record), encoding="utf-8")


doctest.DocTestRunner = Recorder
