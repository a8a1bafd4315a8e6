"""What the steps of an Opacus training are charged for: what its loader draws, and how often it was passed over."""

from __future__ import annotations

import types
import warnings
from typing import Any, Iterator, Optional

from ..errors import Error, InvalidArgument, Unsupported
from ..loaders.recognise import Recognised, recognise
from ..plan import ADD_OR_REMOVE_ONE
from ..sampling import Poisson, Shuffled

_DRAWS = "_renyi_draws"
#: A loader, the number of a pass over it, and that of a batch.
Place = tuple[Any, int, int]
_WHY = "the batches of this loader are not known to be Poisson samples, so that their rate is no bound"
_INSTEAD = (
    "let make_private draw Poisson samples (poisson_sampling=True), or pass it"
    " renyi.loaders.PoissonLoader(...).data_loader(dataset) with poisson_sampling=False; or, if the number of records"
    ' is public, set accountant.neighbors = "zero-out" before make_private: shuffled epochs are accounted for then'
)
_ACCUMULATED = "make one step of each batch; BatchMemoryManager divides batches that do not fit into memory"
_TWO_EPOCHS = (
    "gradients of two epochs may be in one step: a record that is in both counts twice, and the noise is for one"
)
_DIVIDED = (
    "gradients of more than one batch were added up by skipped steps, or those of a loop that was left within a batch,"
    " or its signals of parts were left: a record in several batches counts more than once, and the noise is for one"
)
_UNDIVIDED = (
    "skip steps within one batch only, as BatchMemoryManager does, and do not leave its loop within a batch, or with"
    " workers, which draw ahead, before the end of a pass"
)
_ADAPTIVE = (
    "adaptive clipping publishes how many gradients were not clipped, which the noise multiplier of the optimizer does"
    " not count, and divides it by the size of the batch, which is private"
)
_CHANGED = "the rate of its samples was changed after the accountant was told of it"
_SHORT = (
    "more steps were taken than batches were drawn from the loader that is watched: their batches came from elsewhere,"
    " or were used again, and the epsilon is no bound for that. Train with the loader that make_private returned"
)


def drawn_by(data_loader: Any, neighbors: str) -> Recognised:
    """Says what a loader draws, if the rows of an Opacus history can say what that costs; refuses it otherwise. Under
    add-or-remove-one the refusal has no number, because those of the loader are computed from that of the records."""
    found = _recognised(data_loader, neighbors)
    if found is None:
        raise Unsupported("data_loader", _WHY, _INSTEAD)
    if type(found.sampling) is Poisson or (type(found.sampling) is Shuffled and not found.samples_each_batch):
        return found
    why = f"the history of an accountant of Opacus has no row for the sampling scheme {found.sampling.scheme}"
    raise Unsupported("data_loader", why, "account by renyi.Accountant().observe(data_loader, noise_multiplier=...)")


def _recognised(data_loader: Any, neighbors: str) -> Optional[Recognised]:
    """Returns None for a refusal whose text has numbers of the loader, so that no error, nor its context, has them."""
    try:
        return recognise(_of_whole_batches(data_loader), neighbors=neighbors)
    except Error as error:
        not_a_loader = isinstance(error, InvalidArgument) and error.field == "data_loader"
        if neighbors != ADD_OR_REMOVE_ONE or not_a_loader:
            raise
    return None


def rate_of(found: Recognised) -> Optional[float]:
    """Returns the rate of Poisson samples, and None if each record is drawn once in a pass."""
    return found.sampling.rate if found.samples_each_batch and isinstance(found.sampling, Poisson) else None


def _of_whole_batches(data_loader: Any) -> Any:
    """Looks behind the loader of a ``BatchMemoryManager``, which divides the batches of another one."""
    divided: Any = getattr(data_loader, "batch_sampler", None)
    if type(divided).__name__ != "BatchSplittingSampler":
        return data_loader
    return types.SimpleNamespace(dataset=data_loader.dataset, batch_sampler=divided.sampler)


class Draws:
    """How many passes over a batch sampler have begun, and how many batches were drawn since the last of them did."""

    def __init__(self) -> None:
        self.passes = 0
        self.of_last = 0


def draws_of(data_loader: Any) -> Draws:
    """Returns the counts of the batch sampler of a loader, which counts from the first call on."""
    sampler = _of_whole_batches(data_loader).batch_sampler
    draws = vars(sampler).get(_DRAWS)
    if isinstance(draws, Draws):
        return draws
    draws = Draws()
    setattr(sampler, _DRAWS, draws)
    sampler.__class__ = _counting(type(sampler))
    return draws


def _new(kind: Any) -> Any:
    return kind.__new__(kind)


def _counting(kind: Any) -> Any:
    """Returns a class that draws as ``kind`` does, and counts. An iteration looks for ``__iter__`` in the class of an
    object, so that the object must get another one; it keeps the name, by which loaders are recognised. A copy of the
    object is one of ``kind`` again."""

    def iterate(self: Any) -> Iterator[Any]:
        draws = getattr(self, _DRAWS)
        draws.passes, draws.of_last = draws.passes + 1, 0
        for batch in kind.__iter__(self):
            draws.of_last += 1
            yield batch

    def reduced(self: Any, protocol: Any) -> Any:
        return _new, (kind,), {name: value for name, value in vars(self).items() if name != _DRAWS}

    named = {"__module__": kind.__module__, "__qualname__": kind.__qualname__, "__doc__": kind.__doc__}
    return type(kind.__name__, (kind,), {**named, "__iter__": iterate, "__reduce_ex__": reduced})


class Watched:
    """What a step on the batches of a loader costs, and how far the passes over it have come.

    A pass over a loader that takes each record once costs one step on all records, however many steps the optimizer
    takes: each record is in one of them. That holds for every pass that was begun, also one that was left early, since
    the next one is shuffled anew.
    """

    #: The rate of the Poisson samples, None if each record is drawn once in a pass.
    rate: Optional[float]
    #: The rates at which its steps are recorded: as it draws, or one over its batches where that is more.
    rates: set[float]
    #: The least noise multiplier of the current pass.
    noise: float

    def __init__(self, data_loader: Any, neighbors: str) -> None:
        found = drawn_by(data_loader, neighbors)
        self.rate = rate_of(found)
        self.rates = set() if self.rate is None else {self.rate, max(self.rate, 1 / found.batches)}
        self.noise = 0.0
        self._batches = found.batches
        self._sampler = _of_whole_batches(data_loader).batch_sampler
        self._stated = self._stated_rate()
        self._draws = draws_of(data_loader)
        self._pass: Optional[int] = None
        self._of_pass = 0
        self._seen = 0
        self._unused = 0
        self._has_warned = False

    def _stated_rate(self) -> Any:
        return getattr(self._sampler, "sample_rate", None)

    def check_rate(self) -> None:
        """Refuses a step on samples whose rate is another one than that of the account, for example by a schedule."""
        if self._stated_rate() != self._stated:
            raise Unsupported("data_loader", _CHANGED, "call accountant.watch(data_loader) after each change")

    def place(self) -> Place:
        """Returns where the batch that was drawn last is: of which loader, in which pass, and which of its batches."""
        return self, self._draws.passes, self._draws.of_last

    def check_parts(self, parts: Optional[tuple[Any, Any]]) -> None:
        """Refuses a step whose first and last part are of several Poisson samples, or of several passes: of one that
        was left, whose gradients wait for the next step, or whose signals to skip do, because workers draw ahead."""
        if parts is None:
            return
        first, last = (part or (None, 0, 0) for part in parts)
        this_pass = self.place()[:2]
        if first[:2] != this_pass or last[:2] != this_pass or (self.rate is not None and first != last):
            raise Unsupported("optimizer", _DIVIDED, _UNDIVIDED)

    def begins_pass(self, batches: int) -> bool:
        """Says whether a step on so many batches is the first of a pass. Batches that are used again are those of a
        further pass."""
        goes_on = self._goes_on(batches)
        if batches > 1 and self._mixes_passes(batches, goes_on):
            raise Unsupported("optimizer", _TWO_EPOCHS, "take a step at the end of each epoch, and call zero_grad()")
        return not goes_on

    def _goes_on(self, batches: int) -> bool:
        return self._pass == self._draws.passes and self._of_pass + batches <= self._batches

    def _mixes_passes(self, batches: int, goes_on: bool) -> bool:
        """Says whether accumulated batches may be of two passes: because the pass of the last step has batches left, or
        because the current pass did not draw as many. (Workers draw ahead, so that both are needed.)"""
        used = self._of_pass if self._pass == self._draws.passes else 0
        is_left = not goes_on and 0 < self._of_pass < self._batches
        return is_left or used + batches > self._draws.of_last

    def take(self, batches: int) -> None:
        """Counts the batches of a step that was charged."""
        if self._pass != self._draws.passes:  # a pass in between had no steps, and its batches are none of them
            self._seen = 0
        self._of_pass = self._of_pass + batches if self._goes_on(batches) else batches
        self._pass = self._draws.passes
        self._unused += self._draws.of_last - self._seen - batches
        self._seen = self._draws.of_last
        if self._unused < 0 and not self._has_warned:
            self._has_warned = True
            warnings.warn(_SHORT, UserWarning, stacklevel=5)

    def restart(self) -> None:
        """Forgets the current pass: the next step is the first of a new one."""
        self._pass, self._of_pass = None, 0


def check_accumulation(batches: int) -> None:
    """Refuses gradients of several Poisson samples in one step: a record that is in two of them counts twice."""
    if batches > 1:
        why = f"gradients of {batches} Poisson samples are in one step: a record may be in several of them"
        raise Unsupported("optimizer", why, _ACCUMULATED)


def check_adaptive(optimizer: Any) -> None:
    """Refuses clipping to a norm that the data decide: noise of its own hides that, and a step of the history has one
    noise multiplier, that of the gradients."""
    if hasattr(optimizer, "unclipped_num_std"):
        raise Unsupported("optimizer", _ADAPTIVE, "use flat clipping, or clipping per layer, with a constant norm")
