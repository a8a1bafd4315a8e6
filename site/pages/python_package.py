"""The reference of the Python package: a page for each module with public names, made of signatures and docstrings."""

from __future__ import annotations

import ast
import dataclasses
import enum
import importlib
import inspect
import pathlib
import re
import textwrap
from types import ModuleType
from typing import Any

# Modules that are reached through renyi itself, in the order in which a reader meets them; others follow.
ORDER = ["questions", "calibration", "plan", "run", "sampling", "mechanisms", "custom", "accountant", "budgets", "filters"]
ORDER += ["balances", "odometers", "answers"]


def pages() -> dict[str, str]:
    """The pages by their place, the overview first."""
    renyi = importlib.import_module("renyi")
    modules: dict[str, dict[str, Any]] = {}
    for name in renyi.__all__:
        thing = getattr(renyi, name)
        if inspect.ismodule(thing):
            modules[name] = {name: thing} | {f"{name}.{part}": getattr(thing, part) for part in thing.__all__}
        elif not name.startswith("_"):
            modules.setdefault(_page_name(thing), {})[name] = thing
    compat = _compat_pages(pathlib.Path(renyi.__file__).parent / "compat")
    order = sorted(modules, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    made = {"reference/python/index.md": _overview(order, modules, list(compat))}
    for name in order:
        made[f"reference/python/{name}.md"] = _page(name, modules[name])
    return made | {f"reference/python/{name}.md": text for name, text in compat.items()}


def _compat_pages(folder: pathlib.Path) -> dict[str, str]:
    """Adapters to other tools, which are read and not imported, because the tools may be missing."""
    made = {}
    for file in sorted(folder.glob("[a-z]*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        name = f"compat.{file.stem}"
        parts = [f"# renyi.{name}", _markdown(ast.get_docstring(tree) or "")]
        for node in tree.body:
            parts += _parsed(node, "##")
        made[name] = "\n\n".join(part for part in parts if part) + "\n"
    return made


def _parsed(node: ast.AST, level: str) -> list[str]:
    """What a definition in a source says, and what the methods of a class do."""
    if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("_"):
        return []
    if not ast.get_docstring(node):
        return []
    parts = [f"{level} `{node.name}`"]
    if isinstance(node, ast.FunctionDef):
        for argument in [*node.args.args, *node.args.kwonlyargs]:
            argument.annotation = None
        text = re.sub(r"^(self|cls)(, )?", "", ast.unparse(node.args))
        parts.append(f"```python\n{node.name}({text})\n```")
    parts.append(_markdown(ast.get_docstring(node) or ""))
    for member in node.body if isinstance(node, ast.ClassDef) else []:
        parts += _parsed(member, level + "#")
    return parts


def _public_names(module: ModuleType) -> list[str]:
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    own = [name for name in names if getattr(getattr(module, name), "__module__", "").startswith(module.__name__)]
    return [name for name in own if inspect.getdoc(getattr(module, name))]


def _page_name(thing: Any) -> str:
    """The module of a name, as a reader would call it: renyi.reports._loss is reports."""
    parts = [part for part in thing.__module__.split(".")[1:] if not part.startswith("_")]
    private = {"_mechanisms": "mechanisms", "_grid": "answers", "_catalogue": "mechanisms", "_report": "answers"}
    module = thing.__module__.split(".")[1]
    return parts[0] if parts else private.get(module, module.lstrip("_"))


def _summary(thing: Any) -> str:
    text = (inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")
    return _text(re.split(r"(?<=[a-z)`])[.:] ", text, maxsplit=1)[0].rstrip(".") + ".").replace("|", "\\|")


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _overview(order: list[str], modules: dict[str, dict[str, Any]], compat: list[str]) -> str:
    parts = ["# Python reference", "Made of the docstrings of the package, whose examples are run by the tests. "
             "[From Python](../../guide/python.md) is the introduction."]
    for module in order:
        rows = [f"## [{_title(module)}]({module}.md)", "", "| name | what it is |", "|---|---|"]
        for name, thing in modules[module].items():
            rows.append(f"| [`{name}`]({module}.md#{_anchor(name)}) | {_summary(thing)} |")
        parts.append("\n".join(rows))
    parts += ["## Adapters to other tools", ", ".join(f"[`renyi.{name}`]({name}.md)" for name in compat)]
    return "\n\n".join(parts) + "\n"


def _anchor(name: str) -> str:
    """The anchor of a heading, as the table of contents makes it."""
    return f"renyi{name}".lower().replace(".", "")


def _text(text: str) -> str:
    """Prose of a docstring as Markdown; code may go over the end of a line."""
    text = re.sub(r"``(.+?)``", lambda code: "`" + re.sub(r"\s+", " ", code[1]) + "`", text, flags=re.DOTALL)
    return text.replace("<", "&lt;")


def _as_list(lines: list[str]) -> list[str]:
    """Lines that say one after the other what each argument is become a list."""
    names = [re.match(r"([a-z_]+(?:, [a-z_]+)*): ", line) for line in lines]
    if sum(name is not None for name in names) < 2:
        return lines
    return [f"- ``{name[1]}``{line[name.end() - 2:]}" if name else line for name, line in zip(names, lines)]


def _markdown(docstring: str) -> str:
    """A docstring as Markdown: sessions become blocks of their own."""
    parts = []
    for paragraph in docstring.split("\n\n"):
        lines = paragraph.split("\n")
        start = next((i for i, line in enumerate(lines) if line.lstrip().startswith(">>> ")), len(lines))
        if start:
            parts.append(_text("\n".join(_as_list(lines[:start]))))
        if lines[start:]:
            indent = len(lines[start]) - len(lines[start].lstrip())
            parts.append("\n".join(["```pycon", *(line[indent:] for line in lines[start:]), "```"]))
    return "\n\n".join(parts)


def _signature(name: str, thing: Any) -> str:
    """A signature with one argument per line where it is long; annotations are left to type checkers."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return f"renyi.{name}"
    plain = [parameter.replace(annotation=inspect.Parameter.empty)
             for parameter in signature.parameters.values() if parameter.name not in ("self", "cls")]
    text = str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    text = re.sub(r"<[^<>]* object at 0x[0-9a-f]+>|<factory>", "...", text)
    if len(name) + len(text) < 90:
        return f"renyi.{name}{text}"
    words = []
    for parameter in plain:
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        words.append(re.sub(r"<[^<>]*>", "...", str(parameter)).replace(" ", "\0"))
    lines = textwrap.wrap(", ".join(words), 86, break_long_words=False, break_on_hyphens=False)
    return f"renyi.{name}(\n" + "".join(f"    {line}\n" for line in lines).replace("\0", " ") + ")"


def _fields(thing: type) -> list[str]:
    """A table of what the comments of the source say about each field of a dataclass or named tuple."""
    names = [field.name for field in dataclasses.fields(thing)] if dataclasses.is_dataclass(thing) else \
        list(getattr(thing, "_fields", []))
    names = [name for name in names if not name.startswith("_")]
    if not names:
        return []
    try:
        source = inspect.getsource(thing)
    except (OSError, TypeError):
        return []
    rows = []
    for name in names:
        said = re.search(rf"((?:^ +#: .*\n)+) +{name}:", source, re.MULTILINE)
        about = " ".join(line.strip()[2:].strip() for line in said[1].strip().split("\n")) if said else ""
        rows.append(f"| `{name}` | {_text(about)} |".replace("  |", " |"))
    if all(row.endswith("| |") for row in rows):
        return []
    return ["| field | |", "|---|---|", *rows]


def _members(name: str, thing: type) -> list[str]:
    """Public methods and properties that the class itself defines, or inherits from classes of the package."""
    parts: list[str] = []
    for member in sorted(vars(thing)):
        value = inspect.getattr_static(thing, member)
        function = getattr(value, "__func__", value)
        if member.startswith("_") or not (isinstance(value, property) or inspect.isroutine(function)):
            continue
        about = inspect.getdoc(getattr(value, "fget", None) or function)
        if not about:
            continue
        heading = f"### `{member}`" if isinstance(value, property) else f"### `{member}()`"
        parts.append(heading)
        if not isinstance(value, property):
            parts.append(f"```python\n{_signature(f'{name}.{member}', function).removeprefix('renyi.')}\n```")
        parts.append(_markdown(about))
    return parts


def _entry(name: str, thing: Any) -> list[str]:
    parts = [f"## `renyi.{name}`"]
    if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, (enum.Enum, Exception))):
        parts.append(f"```python\n{_signature(name, thing)}\n```")
    parts.append(_markdown(inspect.getdoc(thing) or ""))
    if inspect.isclass(thing):
        fields = _fields(thing)
        if fields:
            parts.append("\n".join(fields))
        parts += _members(name, thing)
    return parts


def _page(module: str, things: dict[str, Any]) -> str:
    # A module that is itself a public name has its text at its own entry.
    about = "" if module in things else inspect.getdoc(importlib.import_module(f"renyi.{module}")) or ""
    parts = [f"# {_title(module)}", _markdown(about)]
    for name, thing in things.items():
        parts += _entry(name, thing)
    return "\n\n".join(parts) + "\n"
