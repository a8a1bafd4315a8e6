"""Renames the field of an error to the name that the caller used."""

from __future__ import annotations

import contextlib
from typing import Iterator, Mapping

from .errors import Error


@contextlib.contextmanager
def renamed_errors(words: Mapping[str, str]) -> Iterator[None]:
    """Within this context, an error about a key of ``words`` is changed to be about the value of that key."""
    try:
        yield
    except Error as error:
        if error.field in words:
            error._about(words[error.field])
        raise
