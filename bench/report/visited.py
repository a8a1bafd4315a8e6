"""Counts, by callgrind, the files and functions of the project that one command visits: how much a reader has to
follow.

Usage: visited.py PROGRAM SOURCE [ARGUMENT ...]
PROGRAM is the command `renyi`, built with debug information (-DCMAKE_CXX_FLAGS=-g); SOURCE is the root of its sources.
Without arguments it runs the first command of the README. A function counts once, however often it is called; one that
the compiler put into its caller counts by its file only.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

FIRST_COMMAND = (
    "epsilon --dataset-size 60000 --batch-size 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5".split()
)
ROOMS = ("include", "src", "catalogue", "certify", "certificate", "api", "apps")
# fl=, fi=, fe= and cfi= name a file, fn= and cfn= a function: "(12) name" the first time, "(12) alone" after that.
NAMED = re.compile(r"^(fl|fi|fe|cfi|cfl|fn|cfn)=\((\d+)\)(?: (.*))?$")


def profile(program, arguments):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "callgrind.out")
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, *arguments]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        return out.read_text(), int(re.search(r"Collected : (\d+)", said).group(1))


def visited(text, source):
    files, functions, names = set(), set(), {}
    where = None
    for line in text.splitlines():
        found = NAMED.match(line)
        if not found:
            continue
        kind, number, name = found.groups()
        table = "function" if kind.endswith("fn") else "file"
        if name is not None:
            names[table, number] = name
        name = names[table, number]
        if table == "file":
            path = pathlib.Path(name)
            inside = path.is_relative_to(source) and path.relative_to(source).parts[0] in ROOMS
            if inside:
                files.add(str(path.relative_to(source)))
            if kind == "fl":
                where = inside
        elif kind == "fn" and where:
            functions.add(name.split("'")[0])  # '2 marks a recursive call
    return files, functions


def main(program, source, arguments):
    text, instructions = profile(program, arguments or FIRST_COMMAND)
    files, functions = visited(text, pathlib.Path(source).resolve())
    print(f"files: {len(files)}, functions: {len(functions)}, instructions: {instructions:,}")
    for file in sorted(files):
        print(f"  {file}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
