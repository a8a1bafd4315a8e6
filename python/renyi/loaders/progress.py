"""What of a loader's batches is paid for, and what a further batch costs."""

from __future__ import annotations

import dataclasses
from typing import Any, Mapping, NamedTuple, Optional

from ..errors import InvalidArgument


class Due(NamedTuple):
    """What is due for one batch: so many sampled steps, and so many steps in which every record takes part."""

    sampled: int
    unsampled: int


_NOTHING, _SAMPLED, _UNSAMPLED = Due(0, 0), Due(1, 0), Due(0, 1)


@dataclasses.dataclass
class Progress:
    """How far the batches of one loader are paid for. An account has one for each loader that it observes, and keeps it
    in its checkpoints, so that it notices which batches are handed out again.

    >>> progress = Progress()
    >>> progress.settle(progress.due(0, "first", None), 0, "first", None)     # an epoch begins: one sampled step
    >>> progress.due(1, "first", None)
    Due(sampled=0, unsampled=0)
    >>> progress.due(0, "first", "resumed")                                   # the same batch once more
    Due(sampled=0, unsampled=1)
    """

    #: Up to where the batches of the training were handed out: replayed ones count once.
    handed_out: int = 0
    #: The number of batches that were handed out: replayed ones count each time.
    batches: int = 0
    #: For each allocation of an epoch, by its public name: up to where its batches were handed out.
    epochs: dict[str, int] = dataclasses.field(default_factory=dict)
    #: The loader that handed out the last batch, by the public name of its object, and how many of its batches were
    #: seen.
    session: str = ""
    session_batches: int = 0
    _replay: Optional[tuple[str, object]] = None

    def due(self, position: int, epoch: str, attempt: object) -> Due:
        """Returns what the batch at this position costs. ``epoch`` names the allocation that it belongs to, and is
        empty for loaders that draw each batch by itself: these are due each time. An allocation is due once, as a
        whole. If batches of it are handed out again, each attempt to do so is due as a step in which every record takes
        part (docs/math/loaders.md)."""
        if not epoch or epoch not in self.epochs:
            return _SAMPLED
        if position >= self.epochs[epoch] or self._replay == (epoch, attempt):
            return _NOTHING
        return _UNSAMPLED

    def settle(self, due: Due, position: int, epoch: str, attempt: object) -> None:
        """Notes that this was paid for."""
        self.handed_out, self.batches = max(self.handed_out, position + 1), self.batches + 1
        if epoch:
            self.epochs[epoch] = max(self.epochs.get(epoch, 0), position + 1)
        if due.unsampled:
            self.continue_replay(epoch, attempt)

    def continue_replay(self, epoch: str, attempt: object) -> None:
        """Notes that what is left of this attempt in the epoch is paid for."""
        self._replay = (epoch, attempt)

    def has_seen(self, session: str, batches: int) -> bool:
        """Says whether all that a loader has handed out so far was seen."""
        return batches == (self.session_batches if session == self.session else 0)

    def to_dict(self) -> dict[str, Any]:
        counts = {"handed_out": self.handed_out, "batches": self.batches, "session_batches": self.session_batches}
        return {**counts, "session": self.session, "epochs": dict(self.epochs)}

    @classmethod
    def from_dict(cls, field: str, stored: object) -> Progress:
        """Reads what ``to_dict`` wrote."""
        if isinstance(stored, Mapping) and set(stored) == set(cls().to_dict()):
            counts = [stored[name] for name in ("handed_out", "batches", "session_batches")]
            epochs, session = stored["epochs"], stored["session"]
            if all(map(_is_count, counts)) and isinstance(epochs, Mapping) and isinstance(session, str):
                if all(isinstance(name, str) and _is_count(to) for name, to in epochs.items()):
                    return cls(counts[0], counts[1], dict(epochs), session, counts[2])
        raise InvalidArgument(field, "something else", f"what state_dict() gave: {', '.join(cls().to_dict())}")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
