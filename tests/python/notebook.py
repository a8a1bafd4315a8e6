"""Runs notebooks without Jupyter: cells top to bottom in one namespace, what they print, say and draw is kept.

    MPLBACKEND=Agg python tests/python/notebook.py examples/curves.ipynb     runs it, and writes the outputs into it
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import pathlib
import sys
from typing import Any, Iterator

PIXELS_PER_INCH = 64  # small pictures: they are kept in the notebook


def read(path: pathlib.Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def execute(
    notebook: dict[str, Any], namespace: dict[str, Any]
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Every code cell, after it ran in ``namespace``, with the outputs that Jupyter would keep."""
    for number, cell in enumerate(code_cells(notebook), start=1):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            value = _value(cell, number, namespace)
        yield cell, _stream(printed.getvalue()) + value + _figures()


def _value(cell: dict[str, Any], number: int, namespace: dict[str, Any]) -> list[dict[str, Any]]:
    """Runs the cell; what its last line says, if that is an expression without a semicolon."""
    source = "".join(cell["source"])
    statements = ast.parse(source, f"cell {number}")
    last = statements.body.pop() if isinstance(statements.body[-1], ast.Expr) else None
    exec(compile(statements, f"cell {number}", "exec"), namespace)
    if last is None:
        return []
    value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), namespace)
    if value is None or source.rstrip().endswith(";"):
        return []
    data = {"text/plain": _lines(repr(value))}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = _lines(value._repr_html_())
    return [{"output_type": "execute_result", "execution_count": number, "data": data, "metadata": {}}]


def _stream(text: str) -> list[dict[str, Any]]:
    return [{"output_type": "stream", "name": "stdout", "text": _lines(text)}] if text else []


def _figures() -> list[dict[str, Any]]:
    """The open figures, then closed."""
    import matplotlib.pyplot as plt

    outputs = []
    for number in plt.get_fignums():
        figure, image = plt.figure(number), io.BytesIO()
        figure.savefig(image, format="png", dpi=PIXELS_PER_INCH, bbox_inches="tight", metadata={"Software": None})
        data = {"image/png": base64.b64encode(image.getvalue()).decode(), "text/plain": [repr(figure)]}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    plt.close("all")
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main(path: pathlib.Path) -> None:
    notebook = read(path)
    for number, (cell, outputs) in enumerate(execute(notebook, {}), start=1):
        cell["execution_count"], cell["outputs"] = number, outputs
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
