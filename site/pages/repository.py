"""Documents outside of docs/ as pages of the site: the README is its first page, and examples have pages too."""

from __future__ import annotations

import json
import pathlib

# Documents, and where they are in the site.
DOCUMENTS = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "LICENSE": "project/licence.md",
    "examples/README.md": "examples/index.md",
}


def places(root: pathlib.Path) -> dict[str, str]:
    """Files of the repository outside of docs/, and their pages."""
    examples = {f"examples/{file.name}": f"examples/{file.stem}.md" for file in sorted((root / "examples").iterdir())
                if file.suffix in (".py", ".ipynb")}
    return DOCUMENTS | examples


def text_of(file: pathlib.Path) -> str:
    """The text of a file as Markdown."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        return f"# {file.name}\n\n```python\n{text}```\n"
    if file.suffix == ".ipynb":
        return _notebook(json.loads(text))
    if file.name == "LICENSE":
        return f"# Licence\n\n```text\n{text}```\n"
    return text


def _notebook(notebook: dict) -> str:
    """The cells of a notebook; pictures become part of the page, and output that is a table is kept as text."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            text = "".join(output.get("text", data.get("text/plain", "")))
            if "image/png" in data:
                picture = "".join(data["image/png"]).replace("\n", "")
                parts.append(f'<img alt="{text.strip("<>") or "figure"}" src="data:image/png;base64,{picture}">')
            elif text:
                parts.append(f"```text\n{text.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"
