"""Training that a ledger pays for, one epoch at a time."""

from __future__ import annotations

import contextlib
import datetime
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Optional, TypeVar, Union

from ._numbers import Count, Number, to_float, to_int, to_text
from .accountant import Accountant, _noise
from .answers import Epsilon
from .errors import InvalidArgument
from .ledger import AnyLedger
from .mechanisms import Mechanism
from .plan import Plan
from .receipts import Ticket
from .sampling import Poisson

if TYPE_CHECKING:
    from .loaders.loader import Loader

Batch = TypeVar("Batch")

_A_DAY = datetime.timedelta(days=1)


class LedgerAccountant:
    """Charges a ledger as a model trains. Each epoch is reserved as a whole, opened before its first step, and
    committed at its end. If the ledger refuses an epoch, ``BudgetExceeded`` is raised before it begins: the model of
    the epochs before is paid for.

    >>> import os, renyi, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = renyi.Ledger.create(os.path.join(folder.name, "models.ledger"))
    >>> done = ledger.add_scope("models", renyi.Budget.curve_of(renyi.SampledGaussian(0.01, 1.1) * 250))
    >>> noise = {"noise_multiplier": 1.1, "sampling_rate": 0.01}
    >>> account = renyi.LedgerAccountant(ledger, "models", steps_per_epoch=100, **noise)
    >>> try:
    ...     while True:
    ...         with account.epoch():
    ...             for batch in range(100):
    ...                 account.step()  # optimizer.step()
    ... except renyi.BudgetExceeded as error:
    ...     print(account.epochs, error.receipt.refused_by)
    2 models
    >>> account.epsilon(1e-5) <= 1.2
    True
    >>> folder.cleanup()

    The steps are Gaussian noise, on a Poisson sample if ``sampling_rate`` is given. ``steps_per_epoch`` is what an
    epoch is charged for; one that ends early is paid for in full, and an epoch that has ended takes no further step.

    With ``run``, a name, the entries of the epochs have keys, and no epoch of that name is trained twice: if a program
    is started again and repeats an epoch, ``AlreadyOpened`` is raised. Pass the number of ``epochs`` that a checkpoint
    contains to go on behind them. An epoch that was interrupted stays spent; to train it again is to pay for it again,
    under another name.
    """

    def __init__(
        self,
        ledger: AnyLedger,
        scope: str,
        *,
        steps_per_epoch: Count,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        run: str = "",
        epochs: Count = 0,
        person: str = "",
        expires_in: Union[datetime.timedelta, Count] = _A_DAY,
    ) -> None:
        if not isinstance(ledger, AnyLedger):
            raise InvalidArgument("ledger", repr(type(ledger).__name__), "a Ledger or a Client")
        self._ledger, self._scope, self._person = ledger, to_text("scope", scope), to_text("person", person)
        self._size, self._run = _positive("steps_per_epoch", steps_per_epoch), to_text("run", run)
        self._epochs = to_int("epochs", epochs)
        if self._epochs < 0:
            raise InvalidArgument("epochs", str(self._epochs), "how many epochs were trained before, from 0")
        self._noise = None if noise_multiplier is None else to_float("noise_multiplier", noise_multiplier)
        self._rate = None if sampling_rate is None else to_float("sampling_rate", sampling_rate)
        self._expires_in = expires_in
        self._ticket: Optional[Ticket] = None
        self._left = 0
        self._paid: tuple[Optional[float], Optional[float]] = (None, None)
        neighbors, unit = ledger._relation(self._scope)
        self._account = Accountant(neighbors=neighbors, unit=unit)

    @property
    def epochs(self) -> int:
        """How many epochs have ended."""
        return self._epochs

    @property
    def steps_left(self) -> int:
        """How many steps of the epoch that has begun are paid for and were not taken; 0 between epochs."""
        return self._left

    @property
    def plan(self) -> Plan:
        """The epochs that this object has paid for, whole, also those that ended early."""
        return self._account.plan

    def epsilon(self, delta: Number) -> Epsilon:
        """Returns the epsilon at ``delta`` of the epochs that this object has paid for. That of everything which was
        charged to a scope is at most that of its budget."""
        return self._account.epsilon(to_float("delta", delta))

    def begin_epoch(
        self,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        steps: Optional[Count] = None,
    ) -> Ticket:
        """Reserves an epoch and opens it: data may be read from now on. Raises ``BudgetExceeded`` if the ledger
        refuses, and ``AlreadyOpened`` if an epoch of this run and number was begun before. The numbers are those of
        the constructor unless they are given, for example by a schedule."""
        if self._ticket is not None:
            raise InvalidArgument("epoch", f"epoch {self._epochs + 1} has begun", "end_epoch() before the next one")
        noise = self._noise if noise_multiplier is None else to_float("noise_multiplier", noise_multiplier)
        rate = self._rate if sampling_rate is None else to_float("sampling_rate", sampling_rate)
        size = self._size if steps is None else _positive("steps", steps)
        return self._open(_noise(noise, rate), size, size, (noise, rate))

    def _open(
        self, step: Mechanism, count: int, size: int, paid: tuple[Optional[float], Optional[float]]
    ) -> Ticket:
        """Reserves and opens an epoch of ``size`` batches, which costs ``count`` such steps."""
        number = self._epochs + 1
        ticket = self._ledger.reserve(
            self._scope,
            step,
            count,
            expires_in=self._expires_in,
            key=self._run and self._key(number),
            person=self._person,
            comment=f"epoch {number}",
        )
        ticket.open()
        self._account.step(step, count=count)
        self._ticket, self._left, self._paid = ticket, size, paid
        return ticket

    def _key(self, epoch: int) -> str:
        """Returns the key of an epoch. An answer that was a refusal does not stay one: the budget may have been raised,
        so that the next attempt has a key of its own."""
        attempt = 1
        while True:
            key = f"{self._run}:epoch {epoch}:attempt {attempt}"
            found = self._ledger._answer_within(self._scope, key)
            if found is None or found.accepted:
                return key
            attempt += 1

    def step(self, *, noise_multiplier: Optional[Number] = None, sampling_rate: Optional[Number] = None) -> None:
        """Takes one step of the epoch: call it before the model changes. Raises ``InvalidArgument`` if no epoch has
        begun, if all of its steps were taken, or if noise or rate are not what was paid for."""
        if self._left < 1:
            state = "an epoch that has not begun" if self._ticket is None else "a step after the last one of the epoch"
            raise InvalidArgument("step", state, "the steps that were paid for by begin_epoch()")
        given = zip(("noise_multiplier", "sampling_rate"), (noise_multiplier, sampling_rate), self._paid)
        for field, value, paid in given:
            if value is not None and to_float(field, value) != paid:
                raise InvalidArgument(field, repr(value), f"{paid}, for which this epoch was paid")
        self._left -= 1

    def end_epoch(self) -> None:
        """Commits the epoch. If the store fails, the epoch stays opened and spent, and the call may be repeated."""
        if self._ticket is None:
            raise InvalidArgument("epoch", "no epoch has begun", "begin_epoch() first")
        self._ticket.commit()
        self._ticket, self._left = None, 0
        self._epochs += 1

    @contextlib.contextmanager
    def epoch(
        self,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        steps: Optional[Count] = None,
    ) -> Iterator[Ticket]:
        """Begins an epoch, runs the ``with`` block, and commits. If the block raises, the epoch stays opened, and
        spent; the next one has the next number."""
        ticket = self.begin_epoch(noise_multiplier=noise_multiplier, sampling_rate=sampling_rate, steps=steps)
        with self._begun(ticket):
            yield ticket

    @contextlib.contextmanager
    def _begun(self, ticket: Ticket) -> Iterator[Ticket]:
        try:
            yield ticket
        except BaseException:
            self._ticket, self._left = None, 0
            self._epochs += 1
            raise
        self.end_epoch()

    def paid(
        self,
        batches: Iterable[Batch],
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        steps: Optional[Count] = None,
    ) -> Iterator[Batch]:
        """Iterates over the batches of one epoch, which is paid for before the first of them is read, and committed
        after the last one: ``for batch in account.paid(loader)``. An epoch that is left by ``break`` stays opened, and
        spent. A loader of ``renyi.loaders``, by itself or in a ``DataLoader`` of torch, is paid for as it draws,
        whatever its sampling scheme is; a rate or a number of steps that are not the loader's raise
        ``InvalidArgument``."""
        from .loaders.observation import loader_inside

        drawn = loader_inside(batches)
        if drawn is not None:
            given: Any = batches
            with self._begun(self._open_epoch_of(drawn, noise_multiplier, sampling_rate, steps)):
                yield from drawn.epoch() if drawn is batches else given
            return
        with self.epoch(noise_multiplier=noise_multiplier, sampling_rate=sampling_rate, steps=steps):
            yield from batches

    def _open_epoch_of(
        self,
        loader: Loader,
        noise_multiplier: Optional[Number],
        sampling_rate: Optional[Number],
        steps: Optional[Count],
    ) -> Ticket:
        """Pays for the next epoch of a loader."""
        from .loaders.checks import is_public_for, shown

        if self._ticket is not None:
            raise InvalidArgument("epoch", f"epoch {self._epochs + 1} has begun", "end_epoch() before the next one")
        loader._check_neighbors(self._account._neighbors)
        loader.check(sampling_rate=self._rate if sampling_rate is None else sampling_rate)
        size = loader.steps_per_epoch
        given = self._size if steps is None else _positive("steps", steps)
        if given != size:
            field = "steps_per_epoch" if steps is None else "steps"
            told = shown(given, is_public_for(loader))
            raise InvalidArgument(field, told, f"{size}, the batches of an epoch of the loader")
        left = min(size, loader.steps - loader.position)
        if loader.position % size or left < 1:
            at = f"a loader after batch {loader.position} of {loader.steps}"
            raise InvalidArgument("loader", at, f"one that begins an epoch of {size} batches")
        noise = self._noise if noise_multiplier is None else to_float("noise_multiplier", noise_multiplier)
        rate = loader.sampling.rate if isinstance(loader.sampling, Poisson) else None
        charged = left if loader.samples_each_batch else 1
        return self._open(loader.step(noise_multiplier=noise), charged, left, (noise, rate))


def _positive(field: str, value: object) -> int:
    number = to_int(field, value)
    if number < 1:
        raise InvalidArgument(field, str(number), "an integer from 1 to 2^63-1")
    return number
