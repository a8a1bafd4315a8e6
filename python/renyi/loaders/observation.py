"""Accounts that observe loaders: what is handed out is charged, before it is handed out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Iterator, Optional

from .._numbers import Count, Number
from ..errors import InvalidArgument
from ..mechanisms import Mechanism
from .checks import check_rate, check_steps, is_public_for, number_told, shown
from .loader import Loader, mechanism_of
from .progress import Due, Progress
from .recognise import Recognised, recognise

if TYPE_CHECKING:
    from ..accountant import Accountant


class Observed:
    """A loader that an account observes, made by ``account.observe(loader, noise_multiplier=...)``. Iterating it
    iterates the loader.

    >>> import renyi
    >>> account = renyi.Accountant()
    >>> observed = account.observe(renyi.loaders.PoissonLoader(1000, rate=0.1, steps=20), noise_multiplier=2.0)
    >>> for batch in observed:
    ...     pass
    >>> observed.batches, account.steps
    (20, 20)
    """

    def __init__(self, account: Accountant, mechanism: Mechanism) -> None:
        self._account, self._mechanism = account, mechanism

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism that runs on each batch."""
        return self._mechanism

    @property
    def batches(self) -> int:
        """How many batches were handed out in all, replayed ones counted each time, those before a checkpoint of the
        account included."""
        raise NotImplementedError

    @property
    def _loader(self) -> Any:
        raise NotImplementedError

    @property
    def _within_epoch(self) -> bool:
        """Says whether an epoch that was charged as a whole has batches left."""
        return False

    def change(self, what: Optional[Mechanism] = None, *, noise_multiplier: Optional[Number] = None) -> None:
        """Sets the noise of the batches that follow, for example by a schedule. Where an epoch is charged as a whole,
        its noise stays what it was until it ends."""
        mechanism = mechanism_of(what, noise_multiplier)
        if mechanism != self._mechanism and self._within_epoch:
            given = repr(mechanism)
            raise InvalidArgument("what", given, f"{self._mechanism!r} until the epoch ends, for which it was charged")
        self._mechanism = mechanism

    def _check_noise(self, noise_multiplier: Optional[Number]) -> None:
        if noise_multiplier is None:
            return
        is_public = is_public_for(self._loader)
        told = number_told("noise_multiplier", noise_multiplier, is_public)
        if mechanism_of(None, told) != self._mechanism:
            allowed = f"that of {self._mechanism!r}, as charged"
            raise InvalidArgument("noise_multiplier", shown(noise_multiplier, is_public), allowed)

    def check(
        self,
        *,
        sampling_rate: Optional[Number] = None,
        steps: Optional[Count] = None,
        noise_multiplier: Optional[Number] = None,
    ) -> None:
        """Compares what a program says with what was charged; see ``Accountant.check``."""
        check_rate(sampling_rate, self._loader, self._loader.samples_each_batch)
        check_steps(steps, self.batches, "the batches that were handed out", self._loader)
        self._check_noise(noise_multiplier)

    def __repr__(self) -> str:
        return f"<{self._loader!r} with {self._mechanism!r}, after {self.batches} batches>"


class Observation(Observed):
    """A loader of this package that an account observes.

    >>> import renyi
    >>> loader = renyi.loaders.RandomAllocationLoader(1000, batches=10)
    >>> observed = renyi.Accountant(neighbors="zero-out").observe(loader, noise_multiplier=2.0)
    >>> first = next(iter(loader))
    >>> try:
    ...     observed.change(noise_multiplier=1.0)
    ... except renyi.InvalidArgument as error:
    ...     print(error.allowed)
    Gaussian(stddev=2.0, l2_sensitivity=1.0) until the epoch ends, for which it was charged
    """

    def __init__(self, account: Accountant, loader: Loader, mechanism: Mechanism, source: Iterable[Any]) -> None:
        super().__init__(account, mechanism)
        self._observed, self._source = loader, source
        loader.step(mechanism)  # a mechanism that cannot be sampled is refused at once

    @property
    def batches(self) -> int:
        return self._account._loaders.get(self._observed.identifier, Progress()).batches

    @property
    def _loader(self) -> Loader:
        return self._observed

    @property
    def _within_epoch(self) -> bool:
        return self._observed._secrets().get("epoch") is not None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._source)

    def begin(self) -> None:
        """Charges what was handed out before, and everything from now on."""
        loader, account = self._observed, self._account
        with loader._lock:
            if any(other._account is account for other in loader._observations):
                raise InvalidArgument("loader", repr(loader), "a loader that this account does not observe yet")
            self._expect(loader.identifier, loader._start)
            account._agree_with(loader)
            known = account._loaders.get(loader.identifier, Progress())
            if not known.has_seen(loader._session, loader._progress.batches):
                self._pay(_missing(known, loader))
                _settle_missing(known, loader)
            account._loaders[loader.identifier] = known
            loader._observations.append(self)

    def _expect(self, identifier: str, position: int) -> None:
        """Raises an error if the account lacks batches before this position, which nobody would ever charge."""
        known = self._account._loaders.get(identifier, Progress())
        if position > known.handed_out:
            why = f"an account that has them: load its checkpoint of then, which knows of {position} batches or more"
            given = f"an account that knows of {known.handed_out} batches, and a loader that has handed out {position}"
            raise InvalidArgument("loader", given, why)

    def _follow(self) -> None:
        """Is called when the loader has continued from a checkpoint."""
        self._account._loaders.setdefault(self._observed.identifier, Progress())

    def _pay(self, due: Due) -> None:
        if due.sampled:
            self._account._record(self._observed.step(self._mechanism), due.sampled)
        if due.unsampled:
            self._account._record(self._observed._again(self._mechanism), due.unsampled)

    def _charge(self, position: int, epoch: str, attempt: object) -> None:
        """Is called by the loader before it draws a batch."""
        progress = self._account._loaders.setdefault(self._observed.identifier, Progress())
        due = progress.due(position, epoch, attempt)
        self._pay(due)
        progress.settle(due, position, epoch, attempt)
        progress.session, progress.session_batches = self._observed._session, self._observed._progress.batches + 1


def _missing(known: Progress, loader: Loader) -> Due:
    """Returns what this loader has handed out, none of which the account has seen."""
    if known.session == loader._session and known.session_batches:
        batches = f"{known.session_batches} of the {loader._progress.batches} batches that a loader has handed out"
        raise InvalidArgument("loader", f"an account that has seen {batches}", "one that has seen all, or none")
    return Due(loader._paid.sampled, loader._paid.unsampled + len(_replayed(known, loader)))


def _replayed(known: Progress, loader: Loader) -> list[str]:
    """Returns the epochs that began before a checkpoint, and of which the loader has handed out batches that the
    account has seen before."""
    began = loader._inherited.items()
    drawn = [(epoch, start) for epoch, start in began if loader._progress.epochs[epoch] > start]
    return [epoch for epoch, start in drawn if known.epochs.get(epoch, 0) > start]


def _settle_missing(known: Progress, loader: Loader) -> None:
    """Notes that everything which this loader has handed out was paid for. An epoch that was begun before a checkpoint
    is paid for only if the account has it: otherwise its next batch is charged as the whole epoch."""
    drawn = loader._progress
    for epoch in _replayed(known, loader):
        known.continue_replay(epoch, loader._attempt)
    known.batches += drawn.batches
    known.handed_out = max(known.handed_out, drawn.handed_out)
    for epoch, position in drawn.epochs.items():
        if epoch not in loader._inherited or epoch in known.epochs:
            known.epochs[epoch] = max(known.epochs.get(epoch, 0), position)
    known.session, known.session_batches = loader._session, drawn.batches


class TorchObservation(Observed):
    """A loader of torch that an account observes: iterate it in place of the loader.

    >>> import renyi
    >>> issubclass(renyi.loaders.TorchObservation, renyi.loaders.Observed)
    True
    """

    def __init__(
        self, account: Accountant, recognised: Recognised, mechanism: Mechanism, source: Iterable[Any]
    ) -> None:
        super().__init__(account, mechanism)
        self._recognised, self._source, self._running, self._batches = recognised, source, False, 0
        recognised.step(mechanism)

    @property
    def batches(self) -> int:
        return self._batches

    @property
    def _loader(self) -> Recognised:
        return self._recognised

    @property
    def _within_epoch(self) -> bool:
        return self._running and not self._recognised.samples_each_batch

    def __iter__(self) -> Iterator[Any]:
        recognised = self._recognised
        if not recognised.samples_each_batch:
            self._account._record(recognised.step(self._mechanism), 1)
        self._running = True
        try:
            for number, batch in enumerate(self._source):
                if recognised.samples_each_batch:
                    self._account._record(self._mechanism.sampled(recognised.sampling_of(number)), 1)
                self._batches += 1
                yield batch
        finally:
            self._running = False


def observed_by(account: Accountant, loader: Any, what: Any, noise_multiplier: Optional[Number]) -> Observed:
    """Makes an account observe a loader of this package or of torch."""
    mechanism = mechanism_of(what, noise_multiplier)
    ours = loader_inside(loader)
    if ours is not None:
        observation = Observation(account, ours, mechanism, loader)
        observation.begin()
        return observation
    return TorchObservation(account, recognise(loader, neighbors=account._neighbors), mechanism, loader)


def loader_inside(data_loader: Any) -> Optional[Loader]:
    """Returns the loader of this package which this is, or whose batches it loads; else None."""
    if isinstance(data_loader, Loader):
        return data_loader
    found = getattr(getattr(data_loader, "batch_sampler", data_loader), "renyi_loader", None)
    return found if isinstance(found, Loader) else None
