"""The Python examples of a page: what they print is what the comments behind their prints say."""

import contextlib
import io
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]


def run_examples(page, about):
    """Runs the blocks of ``page`` that mention ``about``; returns how many prints were checked."""
    checked = 0
    for block in re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL):
        if about not in block:
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, page, "exec"), {})
        expected = re.findall(r"^print\(.*\)  # (.*)$", block, re.MULTILINE)
        assert printed.getvalue().splitlines() == expected, page
        checked += len(expected)
    return checked
