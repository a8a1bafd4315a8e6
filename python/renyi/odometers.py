"""Odometers: bounds on the privacy loss so far that hold at all times at once."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional

from . import _native, _format
from ._files import Path, StoredState
from .filters import planlike, to_count
from ._numbers import Count, Number, Numbers, shown_step, to_float, to_floats, to_int, to_text
from .errors import InvalidArgument
from .mechanisms import Mechanism
from .plan import ADD_OR_REMOVE_ONE, RELATIONS, Plan
from .questions import Planlike


@dataclasses.dataclass(frozen=True)
class OdometerReading:
    """What an odometer shows: with probability at least 1 - ``delta``, the loss so far is at most ``epsilon``, at this
    time and at all others.

    >>> import renyi
    >>> odometer = renyi.Odometer.zcdp(delta=1e-5)
    >>> odometer.charge(renyi.Gaussian(4.0))
    >>> reading = odometer.reading()
    >>> reading.delta == 1e-5, 0 < reading.epsilon < 10
    (True, True)
    """

    #: Upper bound on the loss so far. It never falls.
    epsilon: float
    #: The probability that the loss exceeds a reading at any time, plus the infinite mass.
    delta: float
    #: The order that decides the reading; infinity if the sum of the largest losses does; None without steps.
    order: Optional[float]


class Odometer:
    """Adds up the cost of steps as they run, for a run without a budget that may stop at any time.

    With probability at least 1 - delta, the privacy loss at every time is at most the reading of that time, whatever
    earlier results the steps depend on. Reading after reading may therefore be looked at, and decide when to stop.

    >>> import renyi
    >>> odometer = renyi.Odometer.renyi(delta=1e-5)
    >>> odometer.charge(renyi.Gaussian(4.0))
    >>> before = odometer.reading().epsilon
    >>> odometer.reading_after(renyi.Gaussian(4.0)).epsilon > before  # what one step more would show
    True
    >>> odometer.charge(noise_multiplier=1.1, sampling_rate=0.01, count=100)
    >>> odometer.reading().epsilon > before
    True

    ``delta``, the orders and the infinite mass are fixed when an odometer is made: ``renyi`` adds up divergences at
    several orders, ``zcdp`` adds up rho, and ``gdp`` mu squared. Steps are given as in ``Filter``. Two copies of an
    odometer, by ``copy`` or ``pickle``, would each know a part of the steps only.
    """

    def __init__(self) -> None:
        raise InvalidArgument("odometer", "Odometer()", "an odometer by its kind, for example Odometer.renyi(1e-5)")

    @classmethod
    def renyi(
        cls,
        delta: Number,
        *,
        neighbors: str = ADD_OR_REMOVE_ONE,
        unit: Count = 1,
        orders: Optional[Numbers] = None,
        infinite_mass: Number = 0,
    ) -> Odometer:
        """Adds up Rényi divergences at ``orders``, which are above 1; a default list is used without them.
        ``infinite_mass`` is the probability of an infinite loss that all steps together may have; it is added to
        delta."""
        chosen = [] if orders is None else to_floats("orders", orders).ravel().tolist()
        if orders is not None and not chosen:
            raise InvalidArgument("orders", "nothing", "orders above 1")
        return cls._made("renyi", delta, neighbors, unit, chosen, infinite_mass)

    @classmethod
    def zcdp(
        cls, delta: Number, *, neighbors: str = ADD_OR_REMOVE_ONE, unit: Count = 1, infinite_mass: Number = 0
    ) -> Odometer:
        """Adds up the rho of zCDP. Sampling does not make a step cheaper here."""
        return cls._made("zcdp", delta, neighbors, unit, [], infinite_mass)

    @classmethod
    def gdp(
        cls, delta: Number, *, neighbors: str = ADD_OR_REMOVE_ONE, unit: Count = 1, infinite_mass: Number = 0
    ) -> Odometer:
        """Adds up the mu squared of mu-GDP steps. Sampling does not make a step cheaper here."""
        return cls._made("gdp", delta, neighbors, unit, [], infinite_mass)

    @classmethod
    def _made(
        cls, kind: str, delta: object, neighbors: object, unit: object, orders: list[float], infinite_mass: object
    ) -> Odometer:
        relation, records = to_text("neighbors", neighbors, RELATIONS), to_int("unit", unit)
        mass = to_float("infinite_mass", infinite_mass)
        return cls._of(_native.Odometer(kind, to_float("delta", delta), relation, records, orders, mass))

    @classmethod
    def _of(cls, native: _native.Odometer, stored: Optional[StoredState] = None) -> Odometer:
        odometer = cls.__new__(cls)
        nothing = native.history()
        odometer._stored = _stored_state() if stored is None else stored
        odometer._engine, odometer._neighbors, odometer._unit = native, nothing.neighbors, nothing.unit
        return odometer

    _engine: _native.Odometer
    _neighbors: str
    _unit: int
    _stored: StoredState

    @property
    def kind(self) -> str:
        """ "renyi", "zcdp" or "gdp"."""
        return self._engine.kind()

    @property
    def delta(self) -> float:
        """The delta that the odometer was made with, without the infinite mass."""
        return self._engine.delta()

    @property
    def infinite_mass(self) -> float:
        """The probability of an infinite loss that all steps together may have."""
        return self._engine.infinite_mass()

    @property
    def orders(self) -> tuple[float, ...]:
        """The orders that were fixed in advance. Those of an odometer of rho or mu follow from delta."""
        return tuple(self._engine.orders())

    @property
    def neighbors(self) -> str:
        """The neighbouring relation of all steps."""
        return self._neighbors

    @property
    def unit(self) -> int:
        """The number of records in which neighbouring datasets may differ."""
        return self._unit

    def charge(
        self,
        step: Optional[Planlike] = None,
        count: Count = 1,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        steps: None = None,
    ) -> None:
        """Adds a step, or ``count`` equal steps. If an error is raised, nothing changes. How often is said by
        ``count``, never by ``steps``."""
        what = planlike(step, noise_multiplier, sampling_rate, self._neighbors, self._unit, "odometer")
        self._engine.charge(what._engine, to_count(count, steps))

    def reading(self) -> OdometerReading:
        """Returns the bound on the loss so far."""
        return OdometerReading(*self._engine.reading())

    def reading_after(
        self,
        step: Optional[Mechanism] = None,
        count: Count = 1,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        steps: None = None,
    ) -> OdometerReading:
        """Returns what the reading would be after a step, or ``count`` equal steps, more. Nothing is charged."""
        what = planlike(step, noise_multiplier, sampling_rate, self._neighbors, self._unit, "odometer")
        if not isinstance(what, Mechanism):
            raise InvalidArgument("step", shown_step(step), "a mechanism")
        return OdometerReading(*self._engine.reading_after(what._engine, to_count(count, steps)))

    @property
    def history(self) -> Plan:
        """The steps charged so far. Equal steps are merged, in the order of their first use."""
        return Plan._of(self._engine.history())

    def to_json(self) -> str:
        """Returns the odometer file: JSON text with a checksum, from which ``from_json`` makes an equal odometer.
        Raises ``Unsupported`` if a step is a custom mechanism."""
        return self._engine.to_json()

    @classmethod
    def from_json(cls, text: str) -> Odometer:
        """Reads an odometer file. Text that was changed after it was written raises ``InvalidArgument``."""
        return cls._read(text)

    @classmethod
    def _read(cls, text: str, stored: Optional[StoredState] = None) -> Odometer:
        return cls._of(_native.Odometer.from_json(to_text("text", text, "an odometer file, as text")), stored)

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the odometer file, completely or not at all, and returns when it is on the disk. Save after charging
        and before running the step. A file that exists is replaced only if it holds what this object last loaded or
        saved there, so that no step of others is forgotten; or with ``overwrite=True``."""
        self._stored.write(path, lambda: self.to_json() + "\n", overwrite=overwrite)

    @classmethod
    def load(cls, path: Path) -> Odometer:
        """Reads what ``save`` wrote. A file that was changed by hand raises ``InvalidArgument``."""
        stored = _stored_state()
        return cls._read(stored.read(path), stored)

    def __reduce__(self) -> tuple[Any, ...]:
        return Odometer.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        reading = self.reading()
        steps = _format.counted(sum(step.count for step in self.history.steps), "step")
        units = "" if self._unit == 1 else f", units of {self._unit}"
        bound = f"epsilon <= {_format.up(reading.epsilon)} at all times, except with probability {reading.delta:g}"
        return f"<Odometer after {steps}: {self.kind}; {bound} ({self._neighbors}{units})>"


def _stored_state() -> StoredState:
    return StoredState("an odometer file", "Odometer.load")
