"""Of which batches the parts of a step are, whose gradients the optimizer adds up because steps were skipped."""

from __future__ import annotations

import functools
from typing import Any, Optional

_PARTS = "_renyi_parts"
#: The attribute of a hook that says where the batch is that its loader drew last.
PLACE = "place_of_batch"


class Parts:
    """Where the batches are whose parts an optimizer was signalled to skip, or not to."""

    def __init__(self) -> None:
        self.waiting: list[Any] = []
        self.first: Any = None
        self.last: Any = None
        self.is_signalled = False


def parts_of(optimizer: Any) -> Parts:
    """Returns the parts of an optimizer, which are kept with it from the first call on."""
    parts = vars(optimizer).get(_PARTS)
    if not isinstance(parts, Parts):
        parts = Parts()
        setattr(optimizer, _PARTS, parts)
    return parts


def _place(optimizer: Any) -> Any:
    """Returns where the last batch of the loader is that the accountant of this optimizer knows, or None."""
    return getattr(optimizer.step_hook, PLACE, lambda: None)()


def first_and_last(optimizer: Any) -> Optional[tuple[Any, Any]]:
    """Returns where the batches are of the first and the last part of the current step; None if it has one part, of
    which nothing was signalled."""
    parts = parts_of(optimizer)
    if not parts.is_signalled and not optimizer._is_last_step_skipped:
        return None
    last = parts.last if parts.is_signalled else _place(optimizer)
    return (parts.first if optimizer._is_last_step_skipped else last), last


def signal_skip_step(original: Any) -> Any:
    """A batch is signalled when it is drawn, which may be long before its step, if workers draw ahead."""

    @functools.wraps(original)
    def signal_skip_step(self: Any, *args: Any, **settings: Any) -> None:
        original(self, *args, **settings)
        parts_of(self).waiting.append(_place(self))

    return signal_skip_step


def check_skip_next_step(original: Any) -> Any:
    """A skipped step calls no hook, but its gradients are in a later one."""

    @functools.wraps(original)
    def check_skip_next_step(self: Any, pop_next: bool = True) -> Any:
        if not pop_next:
            return original(self, pop_next)
        parts, signals = parts_of(self), len(self._step_skip_queue)
        parts.waiting = parts.waiting[-signals:] if signals else []  # where the queue was cleared, these were, too
        parts.is_signalled = signals > 0
        parts.last = parts.waiting.pop(0) if signals and len(parts.waiting) == signals else None
        is_skipped = original(self, pop_next)
        if is_skipped and not self._is_last_step_skipped:
            parts.first = parts.last
        return is_skipped

    return check_skip_next_step
