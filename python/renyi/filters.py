"""Filters: they decide before each step of an adaptive interaction whether it may run."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import Any, Iterator, Optional, Sequence

from . import _native, _format, questions
from .balances import Balances
from .budgets import Budget, BudgetLike, to_budget
from ._export import number
from ._files import Path, StoredState
from ._numbers import Count, Number, shown_step, to_int, to_text
from .accountant import _noise
from .answers import Epsilon
from .errors import BudgetExceeded, InvalidArgument
from .mechanisms import Mechanism
from .plan import ADD_OR_REMOVE_ONE, RELATIONS, Plan, check_relation
from .questions import Planlike


@dataclasses.dataclass(frozen=True)
class FilterVerdict:
    """The answer to "may it run?". It is true if the step runs.

    >>> import renyi
    >>> filter = renyi.Filter(renyi.Budget.zcdp(0.5))
    >>> verdict = filter.may_run(renyi.Gaussian(0.8))
    >>> bool(verdict), verdict.reason
    (False, 'rho would be 0.78125, its limit is 0.5, and 0.5 is left')
    """

    runs: bool
    #: Why the step may not run: which number, what it would be, its limit, and how much is left. "" if it runs.
    reason: str
    #: The balances if the step ran.
    after: Balances

    def __bool__(self) -> bool:
        return self.runs


@dataclasses.dataclass(frozen=True)
class FittingStep:
    """A change of one parameter with which a step would run.

    >>> import renyi
    >>> print(renyi.Filter(renyi.Budget.zcdp(0.5)).would_fit(renyi.Laplace(0.5)))
    scale 0.8346
    """

    #: As in plan files, for example "noise_multiplier".
    parameter: str
    #: Four digits, rounded towards less cost.
    value: float
    #: False if the search ended early, after about a second, and a smaller change may do.
    is_closest: bool = True

    def __str__(self) -> str:
        return f"{self.parameter} {number(self.value)}"


class Filter:
    """Decides before each step whether it may run, so that the whole interaction keeps a budget. Steps may be chosen
    after results of earlier steps were seen, by one analyst or by several.

    >>> import renyi
    >>> filter = renyi.Filter(renyi.Budget.zcdp(0.5))
    >>> bool(filter.charge(renyi.Gaussian(2.0)))  # charge first, then run the step
    True
    >>> filter.headroom(renyi.Gaussian(10.0))  # how many more such steps may run
    75
    >>> verdict = filter.charge(renyi.Gaussian(1.0))
    >>> bool(verdict), verdict.reason  # a refused step changes nothing
    (False, 'rho would be 0.625, its limit is 0.5, and 0.375 is left')
    >>> print(filter.would_fit(renyi.Gaussian(1.0)))
    noise_multiplier 1.155
    >>> filter.epsilon(1e-5) <= 4.73  # what the interaction costs at most, however it goes on
    True

    In a loop, ``with filter.step(...)`` charges before its body runs, and raises ``BudgetExceeded`` if the step is
    refused:

    >>> step = renyi.SampledGaussian(0.01, 1.1)
    >>> training = renyi.Filter(renyi.Budget.curve_of(step * 1000))
    >>> done = 0
    >>> try:
    ...     while True:
    ...         with training.step(step):
    ...             done += 1  # optimizer.step()
    ... except renyi.BudgetExceeded:
    ...     print(done)
    1000

    A step is a mechanism, sampled or not, or a plan; without either it is Gaussian noise, given by
    ``noise_multiplier`` and perhaps ``sampling_rate``. ``count`` is how often it is to run. All steps have the relation
    and the unit of the filter. Budgets may also be dictionaries or JSON text, as in filter files.

    ``cap`` is the largest budget that ``set_budget`` may set later. The guarantee is that of the cap; without one the
    budget can only be lowered. Several threads may charge one filter. ``copy``, ``deepcopy`` and ``pickle`` make an
    independent filter. Two of them would each spend the whole budget: never let both decide about the same data.
    Files are safer: ``save`` never replaces what another program, or a copy, has charged.
    """

    def __init__(
        self,
        budget: BudgetLike,
        *,
        neighbors: str = ADD_OR_REMOVE_ONE,
        unit: Count = 1,
        cap: Optional[BudgetLike] = None,
    ) -> None:
        self._engine = _native.Filter(
            to_budget("budget", budget)._engine,
            to_text("neighbors", neighbors, RELATIONS),
            to_int("unit", unit),
            None if cap is None else to_budget("cap", cap)._engine,
        )
        self._begin(_stored_state())

    def _begin(self, stored: StoredState) -> None:
        nothing = self._engine.history()
        self._neighbors, self._unit, self._stored = nothing.neighbors, nothing.unit, stored

    @property
    def neighbors(self) -> str:
        """The neighbouring relation of the budget and of all steps."""
        return self._neighbors

    @property
    def unit(self) -> int:
        """The number of records in which neighbouring datasets may differ. It is a part of the budget's meaning."""
        return self._unit

    def may_run(
        self,
        step: Optional[Planlike] = None,
        count: Count = 1,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        steps: None = None,
    ) -> FilterVerdict:
        """Returns whether the step, or ``count`` equal steps, may run now. Nothing is charged. How often is said by
        ``count``, never by ``steps``."""
        what = self._planlike(step, noise_multiplier, sampling_rate)
        return _verdict(self._engine.may_run(what._engine, to_count(count, steps)))

    def charge(
        self,
        step: Optional[Planlike] = None,
        count: Count = 1,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        steps: None = None,
    ) -> FilterVerdict:
        """Charges the step, or ``count`` equal steps, if they may run. Run a step only after it was charged, and only
        if the verdict is true. If it is not, or an error is raised, nothing changes."""
        what = self._planlike(step, noise_multiplier, sampling_rate)
        return _verdict(self._engine.charge(what._engine, to_count(count, steps)))

    @contextlib.contextmanager
    def step(
        self,
        step: Optional[Planlike] = None,
        count: Count = 1,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        steps: None = None,
    ) -> Iterator[FilterVerdict]:
        """Charges the step on entering a ``with`` block, before its body runs. If the step is refused, it raises
        ``BudgetExceeded``, and the body does not run. An exception in the body refunds nothing: the data may have been
        looked at."""
        verdict = self.charge(step, count, noise_multiplier=noise_multiplier, sampling_rate=sampling_rate, steps=steps)
        if not verdict:
            what = self._planlike(step, noise_multiplier, sampling_rate)
            fits = self.would_fit(what, count) if isinstance(what, Mechanism) else None
            raise BudgetExceeded("step", verdict, fits)
        yield verdict

    def headroom(
        self,
        step: Optional[Planlike] = None,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
    ) -> int:
        """Returns how many more such steps, or whole plans, may run, up to 2^63-1 steps in all."""
        return self._engine.headroom(self._planlike(step, noise_multiplier, sampling_rate)._engine)

    def would_fit(
        self,
        step: Optional[Mechanism] = None,
        count: Count = 1,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        steps: None = None,
    ) -> Optional[FittingStep]:
        """Returns the change of the step's noise, or of its own epsilon, that costs least and with which it would run;
        None if there is none."""
        what = self._planlike(step, noise_multiplier, sampling_rate)
        if not isinstance(what, Mechanism):
            raise InvalidArgument("step", repr(step), "a mechanism; may_run and headroom also take plans")
        found = self._engine.would_fit(what._engine, to_count(count, steps))
        return None if found is None else FittingStep(*found)

    def remaining(self) -> Balances:
        """Returns the balances now, one for each number that the budget limits."""
        return Balances._read(self._engine.remaining())

    @property
    def budget(self) -> Budget:
        return Budget._of(self._engine.budget())

    @property
    def cap(self) -> Budget:
        """The largest budget that ``set_budget`` may set. The guarantee is that of the cap."""
        return Budget._of(self._engine.cap())

    def set_budget(self, budget: BudgetLike) -> None:
        """Changes the budget within the cap, for example to keep a reserve. Since the change may depend on results, the
        guarantee stays that of the cap."""
        self._engine.set_budget(to_budget("budget", budget)._engine)

    @property
    def history(self) -> Plan:
        """The steps charged so far. Equal steps are merged, in the order of their first use."""
        return Plan._of(self._engine.history())

    @property
    def guarantee(self) -> Plan:
        """What the whole interaction satisfies, however long it goes on, as a plan of promised steps."""
        return Plan._of(self._engine.guarantee())

    def epsilon(self, delta: Number) -> Epsilon:
        """Returns the epsilon at ``delta`` of the whole interaction, however long it goes on: that of the guarantee."""
        return questions.epsilon(self.guarantee, delta=delta)

    def cost_if_fixed_in_advance(self, delta: Number) -> Epsilon:
        """Returns the epsilon of the history if its steps had been fixed in advance. It is not a bound for steps that
        were chosen on the way, and it decides nothing; ``epsilon`` is the bound."""
        return questions.epsilon(self.history, delta=delta)

    def to_json(self) -> str:
        """Returns the filter file: JSON text with a checksum, from which ``from_json`` makes an equal filter. Raises
        ``Unsupported`` if a step is a custom mechanism."""
        return self._engine.to_json()

    @classmethod
    def from_json(cls, text: str) -> Filter:
        """Reads a filter file. Text that was changed after it was written raises ``InvalidArgument``."""
        return cls._read(text, _stored_state())

    @classmethod
    def _read(cls, text: str, stored: StoredState) -> Filter:
        found = cls.__new__(cls)
        found._engine = _native.Filter.from_json(to_text("text", text, "a filter file, as text"))
        found._begin(stored)
        return found

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the filter file, completely or not at all, and returns when it is on the disk. Save after charging and
        before running the step: what was run and not saved would be forgotten.

        A file that exists is locked as by ``renyi filter charge``, and replaced only if it holds what this object last
        loaded or saved there. If it holds anything else, steps that others have charged would be forgotten:
        ``InvalidArgument`` is raised, and the file stays as it is. ``overwrite=True`` replaces it all the same.

        >>> import os, renyi, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> path = os.path.join(folder.name, "filter.json")
        >>> renyi.Filter(renyi.Budget.zcdp(0.5)).save(path)
        >>> mine, other = renyi.Filter.load(path), renyi.Filter.load(path)
        >>> bool(other.charge(renyi.Gaussian(4.0))), other.save(path)
        (True, None)
        >>> bool(mine.charge(renyi.Gaussian(2.0)))
        True
        >>> try:
        ...     mine.save(path)
        ... except renyi.InvalidArgument as error:
        ...     print(error.allowed.split(":")[0])
        a file without the charges of others
        >>> folder.cleanup()
        """
        self._stored.write(path, lambda: self.to_json() + "\n", overwrite=overwrite)

    @classmethod
    def load(cls, path: Path) -> Filter:
        """Reads what ``save`` wrote. A file that was changed by hand raises ``InvalidArgument``."""
        stored = _stored_state()
        return cls._read(stored.read(path), stored)

    def __reduce__(self) -> tuple[Any, ...]:
        return Filter.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        steps = _format.counted(sum(step.count for step in self.history.steps), "step")
        units = "" if self._unit == 1 else f", units of {self._unit}"
        left = repr(self.remaining()[:2])[len("<Balances: ") : -1]
        return f"<Filter after {steps}: {self.budget._text()}; {left} ({self._neighbors}{units})>"

    def _planlike(self, step: object, noise_multiplier: Optional[Number], sampling_rate: Optional[Number]) -> Planlike:
        return planlike(step, noise_multiplier, sampling_rate, self._neighbors, self._unit, "filter")


def planlike(
    step: object,
    noise_multiplier: Optional[Number],
    sampling_rate: Optional[Number],
    neighbors: str,
    unit: int,
    where: str,
) -> Planlike:
    """Returns the step that was given as a mechanism, as a plan, or by the numbers of Gaussian noise. It is for a
    "filter" or an "odometer"."""
    if step is None:
        return _noise(noise_multiplier, sampling_rate)
    for name, value in (("noise_multiplier", noise_multiplier), ("sampling_rate", sampling_rate)):
        if value is not None:
            raise InvalidArgument(name, repr(value), "nothing beside a mechanism")
    if not isinstance(step, (Mechanism, Plan)):
        raise InvalidArgument("step", shown_step(step), "a mechanism or a plan")
    check_relation(step, neighbors, unit, where)
    return step


def to_count(count: object, steps: object) -> int:
    """Returns how often a step runs. Runs are described by ``steps=``, but here that would be ambiguous for plans."""
    if steps is not None:
        raise InvalidArgument("steps", repr(steps), f"count={steps!r} in its place: how often the step is to run")
    return to_int("count", count)


def _stored_state() -> StoredState:
    return StoredState("a filter file", "Filter.load")


def _verdict(row: tuple[bool, str, Sequence[Any]]) -> FilterVerdict:
    runs, reason, after = row
    return FilterVerdict(runs, reason, Balances._read(after))
