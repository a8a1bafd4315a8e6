"""What can be run."""

from __future__ import annotations

import json
from typing import Any, Optional

from . import _native
from ._numbers import to_text_or_none


def catalogue(kind: Optional[str] = None) -> list[dict[str, Any]]:
    """Every mechanism that ``mechanism`` makes and plans can name, or only the one of this kind.

    Each is a dictionary: "kind", "summary", "parameters" (name, meaning, allowed, default, effect), "tables", what is
    exact and what is a bound, "references" with BibTeX; as the request "mechanisms" answers it.

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
