"""The reference of the command: a page for each command, made of its help."""

from __future__ import annotations

import re
import subprocess

# A flag, an argument in capitals, or a command or a kind, near the margin; then blanks and what it means, or nothing.
_ROW = re.compile(r" {0,3}(-\S.*?|[A-Z]{2,}|[a-z]+(?:-[a-z]+)*(?=  ))(?:  +(\S.*))?$")


def pages(program: str) -> dict[str, str]:
    """The pages by their place, the overview first."""
    overview = _help(program, "")
    names = _commands(overview)
    made = {"reference/command/index.md": _overview(overview)}
    for name in names:
        lines = _help(program, name)
        below = [f"{name} {action}" for action in _actions(lines)]
        made[f"reference/command/{name}.md"] = "\n".join(
            [_page(name, lines), *(_page(action, _help(program, action), depth=2) for action in below)]
        )
    return made


def _actions(help_lines: list[str]) -> list[str]:
    """The commands below a command, such as new below filter, which its help lists."""
    return [name for heading, content in _blocks(help_lines) if heading == "Actions" for name, _ in _rows(content)]


def _help(program: str, name: str) -> list[str]:
    """The lines of the whole help of a command."""
    for flag in ("--help-all", "--help"):
        words = [program, *name.split(), flag]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.rstrip().split("\n")
    raise RuntimeError(f"renyi {name} --help: {done.stderr}")


def _commands(help_lines: list[str]) -> list[str]:
    """The commands that the overview lists: the rows that begin with a word in small letters."""
    names: list[str] = []
    for heading, content in _blocks(help_lines):
        if heading and heading != "Examples":
            names += [name for name, _ in _rows(content) if re.fullmatch("[a-z]+", name) and name not in names]
    return names


def _blocks(lines: list[str]) -> list[tuple[str, list[str]]]:
    """The parts of a help text, which begin after blank lines and at headings: the heading, a line at the margin with a
    capital and a colon, or nothing; and the other lines."""
    blocks: list[tuple[str, list[str]]] = [("", [])]
    for line in lines:
        if not line.strip():
            blocks.append(("", []))
        elif line.endswith(":") and line[0].isupper():
            blocks.append((line[:-1], []))
        else:
            blocks[-1][1].append(line)
    return [(heading, content) for heading, content in blocks if content]


def _rows(lines: list[str]) -> list[tuple[str, str]]:
    """The rows of a list of flags or commands: what stands at the left, and what it means, in one line. Rows begin near
    the margin, what continues them does not; a flag may be so long that all of its meaning follows."""
    rows: list[tuple[str, str]] = []
    for line in lines:
        row = _ROW.match(line)
        if row:
            rows.append((row[1], row[2] or ""))
        elif rows:
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {line.strip()}".strip())
    return rows


def _cell(text: str) -> str:
    """A text as a cell of a table; documents that it names become links."""
    text = text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
    return re.sub(r"\bdocs/([\w/-]+\.md)", r"[docs/\1](../../\1)", text)


def _table(rows: list[tuple[str, str]], left: str, link: bool = False) -> list[str]:
    out = [f"| {left} | meaning |", "|---|---|"]
    for name, meaning in rows:
        shown = f"[`renyi {name}`]({name}.md)" if link else f"`{name}`".replace("|", "\\|")
        out.append(f"| {shown} | {_cell(meaning)} |")
    return out


def _plain(heading: str, lines: list[str]) -> list[str]:
    """A part of the help that is no list of flags: examples as commands, indented text as it is, the rest as text."""
    out = [f"## {heading}", ""] if heading else []
    if all(line.startswith("  ") for line in lines):
        kind = "sh" if heading == "Examples" else "text"
        return [*out, f"```{kind}", *(line[2:] for line in lines), "```"]
    return [*out, _cell(" ".join(line.strip() for line in lines))]


def _section(heading: str, lines: list[str]) -> list[str]:
    first = _ROW.match(lines[0])
    if first and heading != "Examples":
        rows = [row for row in _rows(lines) if row[0] != "-h,--help"]
        is_argument = not first[1].startswith("-")
        title = heading if heading and heading != "Positionals" else "Arguments" if is_argument else "Flags"
        return [f"## {title}", "", *_table(rows, "argument" if is_argument else "flag")] if rows else []
    return _plain(heading, lines)


def _joined(parts: list[list[str]]) -> str:
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _page(name: str, lines: list[str], depth: int = 1) -> str:
    """The page of one command: its summary, its usage, tables of flags, examples. Headings begin at this depth."""
    blocks = _blocks(lines)
    summary, *usage = blocks[0][1]
    parts = [[f"# renyi {name}"], [_cell(summary) + "."]]
    if usage:
        parts.append(["```text", *usage, "```"])
    parts += [_section(heading, content) for heading, content in blocks[1:]]
    deeper = "#" * (depth - 1)
    return _joined([[deeper + part[0] if part[0].startswith("#") else part[0], *part[1:]] for part in parts if part])


def _overview(lines: list[str]) -> str:
    blocks = _blocks(lines)
    names = _commands(lines)
    parts = [["# The command"], ["What follows is made of `renyi --help`; `man renyi` has the same for a terminal."]]
    for heading, content in blocks[1:]:
        rows = _rows(content)
        if rows and all(name in names for name, _ in rows):
            parts.append([f"## {heading}", "", *_table(rows, "command", link=True)])
        else:
            parts.append(_section(heading, content))
    return _joined(parts)
