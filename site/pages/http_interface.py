"""The reference of the HTTP interface, made of the OpenAPI document that the command prints."""

from __future__ import annotations

import json
import subprocess
from typing import Any, Iterator

_HEAD = """# HTTP

What `renyi serve` answers, made of its own description, which a server has at `/v1/openapi.json` and `renyi serve --openapi` prints. [Run a server](../guide/server.md) explains tokens, roles and statuses, and [the requests](../format/requests.md) what the members mean in full.
"""


def pages(program: str) -> dict[str, str]:
    """The page by its place."""
    text = subprocess.run([program, "serve", "--openapi"], capture_output=True, text=True, check=True).stdout
    return {"reference/http.md": page(json.loads(text))}


def page(document: dict[str, Any]) -> str:
    """The page of an OpenAPI document: an overview, then each operation with the members of its body."""
    parts = [_HEAD, "| call | what it does | token |\n|---|---|---|"]
    parts += [f"| `{method} {path}` | {operation['summary']} | {_token(operation)} |"
              for method, path, operation in _operations(document)]
    for method, path, operation in _operations(document):
        parts += ["", f"## {method} {path}", f"{operation['summary']}.", "", *_parameters(document, operation)]
        for name, schema in _bodies(document, operation):
            parts += [*([f"### {name}"] if name else []), *_members(schema), ""]
    return "\n".join(parts) + "\n"


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if isinstance(operation, dict) and "responses" in operation:
                yield method.upper(), path, operation


def _token(operation: dict[str, Any]) -> str:
    return "needed" if operation.get("security") else ""


def _resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in schema:
        return schema
    found: Any = document
    for key in schema["$ref"].removeprefix("#/").split("/"):
        found = found[key]
    return found


def _parameters(document: dict[str, Any], operation: dict[str, Any]) -> list[str]:
    rows = [_resolved(document, one) for one in operation.get("parameters", [])]
    if not rows:
        return []
    return ["| parameter | in | meaning |\n|---|---|---|",
            *(f"| `{row['name']}` | {row['in']} | {_cell(row.get('description', ''))} |" for row in rows), ""]


def _bodies(document: dict[str, Any], operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The bodies that an operation takes, each with the value that tells it from the others."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return
    schema = _resolved(document, content["schema"])
    for one in schema.get("oneOf", [schema]):
        resolved = _resolved(document, one)
        kind = resolved["properties"].get("op", {}).get("enum", [""])[0]
        yield (f'"op": "{kind}"' if kind else ""), resolved


def _members(schema: dict[str, Any]) -> list[str]:
    required = schema.get("required", [])
    rows = [f"| `{name}` | {_type(member)} | {'yes' if name in required else ''} | {_cell(member.get('description', ''))} |"
            for name, member in schema["properties"].items()]
    return ["| member | type | required | meaning |\n|---|---|---|---|", *rows] if rows else ["No members."]


def _type(member: dict[str, Any]) -> str:
    if "enum" in member:
        return ", ".join(f"`{value}`" for value in member["enum"])
    return member.get("type", "any").replace("array", "list")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
