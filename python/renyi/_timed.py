"""The argument ``timeout`` of questions: a limit of time for everything that one call computes."""

from __future__ import annotations

import functools
from typing import Any, Callable, TypeVar, cast

from . import _native
from ._numbers import to_float

Function = TypeVar("Function", bound=Callable[..., Any])


def timed(question: Function) -> Function:
    """Puts the argument ``timeout`` of a question, in seconds, into force for the call; None is no limit.

    At the limit the answer is the best that is known by then, and says so; where nothing is known yet,
    ``LimitReached`` is raised. The limit holds for all elements of arrays together.
    """

    @functools.wraps(question)
    def call(*args: Any, timeout: Any = None, **kwargs: Any) -> Any:
        if timeout is None:
            return question(*args, **kwargs)
        with _native.TimeLimit(to_float("timeout", timeout)):
            return question(*args, **kwargs)

    return cast(Function, call)
