"""Whether the watched program branches as the shipped library does: the conditional jumps of each function of the
library, in order, are those of the function in the program. Wide vectors, which valgrind cannot run, may have no more of
them than those that it ran, and nothing is compiled for Highway's emulation of vectors, which branches on lanes.

Usage: same_branches.py LIBRARY PROGRAM
"""

import re
import subprocess
import sys

# x86: all that begin with j but jmp, and loops; Arm: b.eq and so on, cbz, tbz.
CONDITIONAL = re.compile(r"\t(j(?!mp)[a-z]+|loop[a-z]*|b\.[a-z]+|cbn?z|tbn?z)\b")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
# Highway's names of instruction sets: one that valgrind cannot run, and one that it can.
WIDE, WATCHED = "6N_AVX3", "6N_AVX2"
EMULATED = "N_EMU128"


def jumps_of(path):
    """Returns the conditional jumps of every function, by its name."""
    found = {}
    jumps = []
    command = ["objdump", "--disassemble", "--no-show-raw-insn", path]
    for line in subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        if begins := FUNCTION.match(line):
            jumps = found.setdefault(begins[1], [])
        elif jump := CONDITIONAL.search(line):
            jumps.append(jump[1])
    return found


def is_ours(name):
    return name.startswith("_Z") and "5renyi5noise" in name


def main():
    library, program = (jumps_of(path) for path in sys.argv[1:])
    ours = [name for name in library if is_ours(name)]
    different = [name for name in ours if name in program and library[name] != program[name]]
    compared = sum(name in program for name in ours)
    wide = [name for name in ours if WIDE in name and name.replace(WIDE, WATCHED) in library]
    different += [name for name in wide if len(library[name]) > len(library[name.replace(WIDE, WATCHED)])]
    for name in different:
        watched = library[name.replace(WIDE, WATCHED)] if name in wide else program[name]
        print(f"same_branches: {name}: {len(library[name])} conditional jumps, where {len(watched)} were watched")
    print(f"same_branches: {compared} functions compared, {len(wide)} for wide vectors; {len(different)} differ")
    emulated = [name for name in ours if EMULATED in name]
    for name in emulated:
        print(f"same_branches: {name}: emulated vectors")
    # Names that no longer match would compare nothing.
    is_all = compared >= 100 and len(wide) == sum(WATCHED in name for name in ours)
    return 0 if is_all and not different and not emulated else 1


if __name__ == "__main__":
    sys.exit(main())
