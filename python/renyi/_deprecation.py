"""Warnings about names that are going away, in the words of catalogue/deprecations.def."""

import warnings
from collections.abc import Mapping

from . import _native

_warned: set[str] = set()


def warn(name: str, *, stacklevel: int = 2, messages: Mapping[str, str] = _native.deprecations()) -> None:
    """Issues a ``DeprecationWarning`` about the name, once in a process. It is attributed as by ``warnings.warn``: 2 is
    the caller of the function that calls this one. A name that is not in the table is a KeyError.
    """
    message = messages[name]
    if name not in _warned:
        warnings.warn(message, DeprecationWarning, stacklevel=stacklevel + 1)
        _warned.add(name)
