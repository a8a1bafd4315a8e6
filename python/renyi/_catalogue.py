"""The list of all mechanisms."""

from __future__ import annotations

import json
from typing import Any, Optional

from . import _native
from ._numbers import to_text_or_none


def catalogue(kind: Optional[str] = None) -> list[dict[str, Any]]:
    """Returns the entries of all mechanisms that plans can name and ``renyi.mechanism`` can make, or the one of
    ``kind``.

    Each entry is a dictionary with "kind", "summary", "parameters" (name, meaning, allowed, default, effect), "tables",
    which answers are exact and which are bounds, and "references" with BibTeX. It has the format of the answer to the
    request "mechanisms".

    >>> [entry["name"] for entry in catalogue("laplace")[0]["parameters"]]
    ['scale', 'l1_sensitivity']
    """
    request = {"op": "mechanisms"}
    only = to_text_or_none("kind", kind, "the name of a mechanism, as in plans")
    if only is not None:
        request["kind"] = only
    nothing_run = _native.Plan("add-or-remove-one", 1)
    entries: list[dict[str, Any]] = json.loads(_native.ask(nothing_run, json.dumps(request)))["mechanisms"]
    return entries
