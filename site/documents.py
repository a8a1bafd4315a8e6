"""The Markdown of the documents, which is written for code hosts, made ready for Python-Markdown and for the site."""

from __future__ import annotations

import posixpath
import re
from typing import Callable, Iterator

_LINK = re.compile(r"(!?\[(?:[^\]\[]|\[[^\]]*\])*\]\()([^)\s]+)(\))")
_CODE_SPAN = re.compile(r"(`+[^`]*`+)")
_ITEM = re.compile(r"\s*([-*+]|\d+\.) ")


def outside_code(text: str) -> Iterator[tuple[bool, str]]:
    """Yields the lines of a text, each with whether it is outside of fenced code."""
    fence = ""
    for line in text.split("\n"):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and (not fence or line.strip() == fence):
            fence = "" if fence else mark[1]
            yield False, line
        else:
            yield not fence, line


def with_blank_lines(text: str) -> str:
    """Puts a blank line before each list and table: code hosts need none after a paragraph, Python-Markdown does."""
    lines: list[str] = []
    for outside, line in outside_code(text):
        before = lines[-1] if lines else ""
        if outside and before.strip():
            begins_list = _ITEM.match(line) and not _ITEM.match(before) and not before.startswith(" ")
            begins_table = line.startswith("|") and not before.startswith("|")
            if begins_list or begins_table:
                lines.append("")
        lines.append(line)
    return "\n".join(lines)


def with_links(text: str, replaced: Callable[[str], str]) -> str:
    """Replaces the target of every link and image outside of code."""

    def in_text(part: str) -> str:
        return _LINK.sub(lambda link: link[1] + replaced(link[2]) + link[3], part)

    def in_line(line: str) -> str:
        # A link's text may contain code, so the whole line is tried, with the code hidden.
        codes: list[str] = []

        def hide(code: re.Match[str]) -> str:
            codes.append(code[0])
            return f"\0{len(codes) - 1}\0"

        hidden = _CODE_SPAN.sub(hide, line)
        return re.sub(r"\0(\d+)\0", lambda index: codes[int(index[1])], in_text(hidden))

    return "\n".join(in_line(line) if outside else line for outside, line in outside_code(text))


def is_external(link: str) -> bool:
    """Whether a link leads out of the repository."""
    return bool(re.match(r"[a-z]+:", link))


def resolved(link: str, page: str) -> tuple[str, str]:
    """The path from the root of the repository, and the fragment, to which a link in a page leads."""
    path, _, fragment = link.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page, fragment
