"""The table of requests that all front ends share (docs/format/requests.md), for programs that hold requests."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional, Union

import numpy as np

from . import _native
from ._numbers import to_text
from ._timed import timed
from .errors import InvalidArgument


@timed
def ask(request: Union[Mapping[str, Any], str], *, timeout: Optional[float] = None) -> dict[str, Any]:
    """Answers one request, which is a dictionary or JSON text, as ``renyi batch`` does for each line.

    >>> import renyi
    >>> renyi.ask({"op": "rdp", "steps": [{"mechanism": "pure-dp", "epsilon": 0.5}], "orders": ["inf"]})
    {'rdp': [0.5]}

    Every operation of the table can be asked, also those that have no function of their own, such as the closed form of
    a sampled Gaussian ("compare" of "rdp"). What ``renyi batch`` answers with an error raises it.
    """
    answer: dict[str, Any] = json.loads(_native.ask_request(request_text(request)))
    return answer


def request_text(request: Union[Mapping[str, Any], str]) -> str:
    """Returns a request as JSON text."""
    if isinstance(request, Mapping):
        try:
            request = json.dumps(request, allow_nan=False, default=_plain)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidArgument("request", "what JSON cannot say", f"a request ({error})") from None
    return to_text("request", request, "a request: a dictionary, or JSON text")


def _plain(value: object) -> Any:
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is no part of a request")
