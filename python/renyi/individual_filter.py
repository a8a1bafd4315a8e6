"""Individual accounts: every record has a budget of its own, and pays for its own contribution."""

from __future__ import annotations

import json
from typing import Any, NoReturn, Optional

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._files import Path, StoredState
from ._noise_values import real_values, whole_values
from ._numbers import Count, Number, to_float, to_int, to_text
from .budgets import BudgetLike, to_budget
from .errors import InvalidArgument, Unsupported
from .plan import ADD_OR_REMOVE_ONE, RELATIONS, Plan


class IndividualFilter:
    """Decides, for each record by itself, whether it may still take part in a step: sums of clipped contributions with
    Gaussian noise, of all records or of Poisson samples. A record with small contributions pays little and lasts long.

    >>> import numpy as np, renyi
    >>> accounts = renyi.IndividualFilter(3, {"kind": "zcdp", "rho": 0.5})
    >>> norms = np.array([1.0, 0.5, 0.1])  # each record adds a vector of this norm
    >>> accounts.charge(norms, noise_multiplier=1.0)
    array([ True,  True,  True])
    >>> accounts.charge(norms, noise_multiplier=1.0)  # the first record has nothing left: it is not summed
    array([False,  True,  True])

    In training only the records drawn have a norm. The others pay too, because the cost of a step counts the chance of
    not being drawn: as if their norm were the clip.

    >>> accounts = renyi.IndividualFilter(1000, {"kind": "order", "order": 8, "epsilon": 2.0})
    >>> may = accounts.charge(np.array([0.3, 1.0]), drawn=np.array([7, 404]),
    ...                       noise_multiplier=1.1, sampling_rate=0.002)
    >>> may
    array([ True,  True])

    Published results satisfy ``guarantee``, if the parameters of a step, and whether there is a next one, depend on
    published results only; if sums are divided by constants, never by the number of records drawn or active; and if the
    norms are those of what is summed, after clipping.

    **Private data**: ``spent``, ``left``, ``active``, the masks that ``charge`` returns, how many of them are true, its
    errors about norms, a saved file, and a number of steps that depends on any of these. They were computed without
    noise. Never publish them.

    records: how many records there are; they are numbered from 0.
    budget: of each record, of the kind zcdp, gdp, order, curve or shares: a Budget, a dict or JSON, as in filter files.
    neighbors: "add-or-remove-one" or "zero-out".

    Several threads may charge the same accounts. There are no copies, which would each spend every budget.
    """

    def __init__(self, records: Count, budget: BudgetLike, *, neighbors: str = ADD_OR_REMOVE_ONE) -> None:
        count = to_int("records", records)
        if count < 1:
            raise InvalidArgument("records", str(count), "a whole number above 0")
        relation = to_text("neighbors", neighbors, RELATIONS)
        self._native = _native.IndividualFilter(count, to_budget("budget", budget).to_json(), relation)
        self._stored = _stored_state()

    def charge(
        self,
        norms: Any,
        *,
        noise_multiplier: Number,
        sampling_rate: Number = 1.0,
        clip: Number = 1.0,
        drawn: Optional[Any] = None,
    ) -> NDArray[np.bool_]:
        """Charges a step, and returns who may take part: only their contributions may be summed.

        norms: the L2 norm of each record's contribution, or of those in ``drawn``; at most ``clip``.
        noise_multiplier: the standard deviation of the noise over ``clip``.
        sampling_rate: the probability with which each record is drawn, independently of others; 1 means all.
        clip: the largest norm.
        drawn: the numbers of the records drawn, if only their norms are known; the answer is about these records.

        Raises ``InvalidArgument``, and charges nothing, if a norm is negative, not a number or above ``clip``, if there
        are too many or too few of them, or if a record occurs twice.
        """
        step = (to_float("noise_multiplier", noise_multiplier), to_float("sampling_rate", sampling_rate))
        limit = to_float("clip", clip)
        column = _norms(norms)
        mask = np.zeros(len(column), dtype=np.uint8)
        if drawn is None:
            self._native.charge(*step, limit, column, mask)
        else:
            self._native.charge_drawn(*step, limit, _indices(drawn), column, mask)
        return mask.view(np.bool_)

    @property
    def records(self) -> int:
        """The number of records."""
        return self._native.records()

    @property
    def steps(self) -> int:
        """The number of steps charged."""
        return self._native.steps()

    @property
    def budget(self) -> dict[str, Any]:
        """The budget of each record, as filter files state it."""
        budget: dict[str, Any] = json.loads(self._native.budget())
        return budget

    @property
    def neighbors(self) -> str:
        """The neighbouring relation."""
        return self._native.neighbors()

    @property
    def guarantee(self) -> Plan:
        """What all published results together satisfy, as a plan of promised steps.

        >>> import renyi
        >>> accounts = renyi.IndividualFilter(10, {"kind": "gdp", "mu": 1.0})
        >>> renyi.epsilon(accounts.guarantee, delta=1e-5) <= 4.38
        True
        """
        return Plan._of(self._native.guarantee())

    @property
    def limits(self) -> NDArray[np.float64]:
        """The limits of the columns of ``spent``: rho, mu squared, or the divergence of each order."""
        return np.array(self._native.limits())

    @property
    def spent(self) -> NDArray[np.float64]:
        """What each record has spent, one row each: a view that cannot be written to and changes with the next step.
        Private data."""
        return np.asarray(self._native.spent())

    @property
    def left(self) -> NDArray[np.float64]:
        """What each record has left, one row each. Private data."""
        return np.maximum(self.limits - self.spent, 0)

    @property
    def active(self) -> NDArray[np.bool_]:
        """Which records have something left. Private data, and so is how many they are."""
        mask = np.zeros(self.records, dtype=np.uint8)
        self._native.active(mask)
        return mask.view(np.bool_)

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the accounts to a file that only its owner may read, completely or not at all, and returns when it is
        on the disk. The file is private data, and says so. A file that exists is replaced only if it holds what this
        object last loaded or saved there, so that no charge of others is forgotten; or with ``overwrite=True``."""
        self._stored.write(path, self._native.to_json, overwrite=overwrite)

    @classmethod
    def load(cls, path: Path) -> IndividualFilter:
        """Reads the accounts from a file. Raises ``InvalidArgument`` if it was changed after it was written."""
        stored = _stored_state()
        native = _native.IndividualFilter.from_json(stored.read(path))
        accounts = cls.__new__(cls)
        accounts._native, accounts._stored = native, stored
        return accounts

    def __reduce__(self) -> NoReturn:
        raise Unsupported(
            "accounts",
            "individual accounts cannot be copied or pickled: two copies would each spend the budget of every record",
            "hand on the object itself, or save it, which writes private data, and load it in one place only",
        )

    def __repr__(self) -> str:
        """Says nothing that is private."""
        return f"<IndividualFilter: {self.records} records, each with the budget {self._native.budget()}>"


def _stored_state() -> StoredState:
    return StoredState("a file of individual accounts", "IndividualFilter.load", private=True)


def _norms(norms: object) -> NDArray[np.float64]:
    values = real_values("norms", norms)
    if len(values.shape) != 1:
        raise InvalidArgument("norms", f"an array of shape {values.shape}", "an array of one dimension")
    return np.ascontiguousarray(values.column, dtype=np.float64)


def _indices(drawn: object) -> NDArray[np.uint64]:
    if str(getattr(drawn, "dtype", "")) in ("bool", "torch.bool"):
        raise InvalidArgument("drawn", "a mask", "the numbers of the records drawn: numpy.flatnonzero(mask)")
    values = whole_values("drawn", drawn)
    if len(values.shape) != 1:
        raise InvalidArgument("drawn", f"an array of shape {values.shape}", "an array of one dimension")
    column = values.column
    if len(column) > 0 and column.min() < 0:
        place = int(np.argmax(column < 0))
        raise InvalidArgument(f"drawn[{place}]", str(column[place]), "the number of a record, from 0 on")
    return np.ascontiguousarray(column, dtype=np.uint64)
