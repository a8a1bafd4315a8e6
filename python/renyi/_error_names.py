"""Errors in the words of whoever called."""

from __future__ import annotations

import contextlib
from typing import Iterator, Mapping

from .errors import Error


@contextlib.contextmanager
def renamed_errors(words: Mapping[str, str]) -> Iterator[None]:
    """Inside, an error about a field on the left is one about the name on the right."""
    try:
        yield
    except Error as error:
        if error.field in words:
            error._about(words[error.field])
        raise
