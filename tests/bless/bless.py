#!/usr/bin/python3
"""Rewrites expected texts from what the command prints now: transcripts, console blocks of documents, sessions of
Python in documents and docstrings, and what `make docs` writes.

Commands, comments, blank lines and the order stay, and so does "...": what stood under it stays under it. An exchange
is left as it is, and the exit status is 1, where its numbers or its exit code would change (unless --numbers is given),
or where what stands between dots may be more than one part of the output. Sessions of Python with ELLIPSIS are left as
well, and so are texts that tests written in C++, Python or JavaScript compare.
"""

import argparse
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from align import Refused, figures_of, rewritten

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: What `make docs` writes; the pictures in PNG are others.
GENERATED = ("docs/mechanisms.md", "docs/pictures", "docs/benchmarks.md", "include/renyi/mechanisms.h",
             "python/renyi/_mechanisms.py")


def differing(old, new):
    """Returns both lists without what they begin and end with in common."""
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return " ".join(old) or "nothing", " ".join(new) or "nothing"


def check_figures(old, new, numbers):
    if old != new and not numbers:
        was, becomes = differing(old, new)
        raise Refused(f"numbers would change\n  old: {was}\n  new: {becomes}")


def check_is_writable(file, lines):
    """Refuses output that would be read as something else where it is written."""
    markup = {".md": r"\$ |\? |```", ".py": r"\Z.", ".transcript": r"\$ |\? "}[pathlib.Path(file).suffix]
    for place, line in enumerate(lines):
        if re.match(markup, line) or "\ufffd" in line or (place == 0 and line.startswith("> ")):
            raise Refused(f"{line!r} of the output cannot be written here")


def bless_exchange(file, exchange, numbers):
    """Returns (first line, last line, new lines) for an exchange; lines count from 1, the last is not included."""
    expected, places = exchange["expected"], exchange["places"]
    was, becomes = exchange["exit_codes"]
    if "refused" in exchange:
        raise Refused(exchange["refused"])
    first = places[0] if places else exchange["line"] + exchange["command"].count("\n") + 1
    if places != list(range(first, first + len(places))):
        raise Refused("its expected text stands in two places")
    lines = expected if exchange["matches"] else rewritten(expected, exchange["actual"])
    check_is_writable(file, lines)
    check_figures([*figures_of(expected), f"exit code {was}"], [*figures_of(lines), f"exit code {becomes}"], numbers)
    last = first + len(places)
    if was == becomes:
        return first, last, lines
    if exchange["exit_line"] not in (0, last):
        raise Refused("its exit code does not follow its expected text")
    return first, last + (exchange["exit_line"] == last), [*lines, *([f"? {becomes}"] if becomes else [])]


def bless_file(root, record, numbers):
    """Rewrites one file, prints the difference, and returns the refusals."""
    path = root / record["file"]
    old = path.read_text(encoding="utf-8").splitlines()
    new, refusals = list(old), []
    for exchange in sorted(record["exchanges"], key=lambda exchange: exchange["line"], reverse=True):
        if exchange["matches"] and len(set(exchange["exit_codes"])) == 1:
            continue
        try:
            first, last, lines = bless_exchange(record["file"], exchange, numbers)
            new[first - 1:last - 1] = lines
        except Refused as reason:
            refusals.insert(0, f"{record['file']}:{exchange['line']}: $ {exchange['command']}: {reason}")
    if new != old:
        path.write_text("\n".join(new) + "\n", encoding="utf-8")
        show_difference(record["file"], old, new)
    return refusals


def show_difference(file, old, new):
    for line in difflib.unified_diff(old, new, file, file, lineterm="", n=1):
        print(line)


def records_in(directory):
    """Returns one record for each file: a document may hold both console blocks and sessions of Python."""
    exchanges = {}
    for path in sorted(directory.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        exchanges.setdefault(record["file"], []).extend(record["exchanges"])
    return [{"file": file, "exchanges": exchanges[file]} for file in sorted(exchanges)]


def bless_records(root, directory, numbers, files=()):
    """Rewrites all files that were recorded, or those of them that are named."""
    refusals = []
    for record in records_in(directory):
        if not files or record["file"] in files:
            refusals += bless_file(root, record, numbers)
    return refusals


def test_filter(files):
    """Returns the filter of cli_tests that selects transcripts and documents, which are named after their files."""
    return ":".join("Cli/*/" + re.sub(r"[^A-Za-z0-9]", "_", file) for file in files) or "Cli/*"


def wait_for(name, process, output):
    """Tests that fail are what is looked for; anything else is an error."""
    if process.wait() not in (0, 1):
        output.seek(0)
        sys.exit(f"bless: {name} ended with {process.returncode}\n{output.read()}")


def record_console(build, directory, jobs, files):
    """Lets the tests of transcripts and documents write down what they ran."""
    running = []
    for shard in range(jobs):
        output = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        environment = {**os.environ, "RENYI_RECORD": str(directory), "GTEST_TOTAL_SHARDS": str(jobs),
                       "GTEST_SHARD_INDEX": str(shard)}
        running.append((subprocess.Popen([build / "tests/cli_tests", f"--gtest_filter={test_filter(files)}"],
                                         env=environment, stdout=output, stderr=output), output))
    for process, output in running:
        wait_for("cli_tests", process, output)


def record_sessions(build, directory):
    """Lets the tests of Python's sessions write down which of them fail, and how."""
    tests = [f"tests/python/test_documents.py::test_{kind}" for kind in ("docstrings", "documents")]
    path = os.pathsep.join([str(pathlib.Path(__file__).parent), str(build / "python")])
    environment = {**os.environ, "RENYI_RECORD": str(directory), "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        process = subprocess.Popen([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "sessions",
                                    *tests], cwd=ROOT, env=environment, stdout=output, stderr=output)
        wait_for("pytest", process, output)


def generated_files(root):
    return [file for name in GENERATED for file in
            (sorted((root / name).glob("*.svg")) if (root / name).is_dir() else [root / name])]


def bless_generated(root, numbers, write):
    """Writes the generated files by `write`, and puts back those whose numbers it would change."""
    before = {file: file.read_text(encoding="utf-8") for file in generated_files(root)}
    write()
    refusals = []
    for file, text in before.items():
        old, new = text.splitlines(), file.read_text(encoding="utf-8").splitlines()
        name = file.relative_to(root).as_posix()
        try:
            check_figures(figures_of(old), figures_of(new), numbers)
            show_difference(name, old, new)
        except Refused as reason:
            file.write_text(text, encoding="utf-8")
            refusals.append(f"{name}: $ make docs: {reason}")
    return refusals


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["generated", "exchanges"], help="what make docs writes, or all the rest")
    parser.add_argument("build", type=pathlib.Path, help="the build directory")
    parser.add_argument("--numbers", action="store_true", help="numbers and exit codes may change")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("files", nargs="*", help="only these, named from the root of the project")
    options = parser.parse_args()
    for file in options.files:
        if not (ROOT / file).is_file():
            parser.error(f"there is no file {file}")
    build = options.build.resolve()
    if options.what == "generated":
        refusals = bless_generated(ROOT, options.numbers, lambda: subprocess.run(
            ["make", "--no-print-directory", "docs"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL))
    else:
        with tempfile.TemporaryDirectory(prefix="renyi-bless-") as name:
            directory = pathlib.Path(name)
            record_console(build, directory, options.jobs, options.files)
            record_sessions(build, directory)
            refusals = bless_records(ROOT, directory, options.numbers, options.files)
    for refusal in refusals:
        print(f"bless: {refusal}", file=sys.stderr)
    if refusals:
        sys.exit(f"bless: {len(refusals)} left as they are; NUMBERS=1 lets numbers change, the rest is edited by hand")


if __name__ == "__main__":
    main()
