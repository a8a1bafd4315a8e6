"""What a release of noise answers: what was drawn, and what to account for."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Generic, Optional, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._export import Exportable, number
from .errors import InvalidArgument
from .mechanisms import Mechanism
from .plan import Plan

Drawn = TypeVar("Drawn")
#: What the engine says about a release: mechanism, step, draws, timing delta, grid, range, effective stddev.
Facts = tuple[str, str, int, float, float, float, float]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class _Release(Exportable):
    """What a call drew, and what to account for."""

    #: The number of draws.
    draws: int
    #: An upper bound on the probability that the time of the call depended on what was drawn. It adds to delta if the
    #: time can be observed.
    timing_delta: float
    _step: str

    @property
    def step(self) -> Optional[Mechanism]:
        """The mechanism to account for: a step of a ``Plan``. None where nothing is to be accounted for by itself.

        Raises ``InvalidArgument`` if the accountant does not know the mechanism with these parameters: more can be
        drawn than accounted for (docs/guide/noise.md).
        """
        if not self._step:
            return None
        try:
            what = Plan.from_json(f'{{"renyi":1,"steps":[{self._step}]}}').steps[0].what
        except InvalidArgument as error:
            raise error._about(error.field.replace("steps[0]", "step")) from None
        assert isinstance(what, Mechanism)
        return what

    def to_json(self) -> str:
        """Returns the answer as JSON on one line, as ``renyi noise --format json`` prints it."""
        return super().to_json()

    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"draws": self.draws, "timing_delta": number(self.timing_delta)}
        return {**facts, "step": json.loads(self._step)} if self._step else facts

    def _account_for(self) -> str:
        if not self._step:
            return ""
        try:
            return f", account for {self.step!r}"
        except InvalidArgument:  # which whoever asks for the step is told
            return f", account for {self._step}"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Noisy(_Release, Generic[Drawn]):
    """What was drawn: ``values``, and what to account for: ``step``. NumPy takes it for an array.

    >>> import numpy as np, renyi
    >>> noisy = renyi.noise.laplace([3.0, 4.0], scale=2.0, grid=2**-10)
    >>> noisy
    <float64 of shape (2,) on the grid 0.0009765625, account for Laplace(scale=2.0, l1_sensitivity=1.0)>
    >>> bool(np.mean(noisy) == noisy.values.mean())
    True
    """

    #: What was drawn, in the form in which the values were given: an array, a tensor or a number.
    values: Drawn
    #: Gaussian and Laplace noise only: the results are multiples of it.
    grid: Optional[float] = None
    #: Gaussian and Laplace noise only: the values were clamped to [-range, range].
    range: Optional[float] = None
    #: Gaussian and Laplace noise only: an upper bound on the standard deviation of the results about the clamped
    #: values, rounding included.
    effective_stddev: Optional[float] = None

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        array = np.asarray(self.values, dtype=dtype)
        return array.copy() if copy else array

    def to_dict(self) -> dict[str, Any]:
        """Returns values and facts as dicts, lists, text and numbers."""
        known = {name: getattr(self, name) for name in ("grid", "range", "effective_stddev")}
        facts = {name: number(value) for name, value in known.items() if value is not None}
        drawn: Any = self.values
        values = drawn.tolist() if hasattr(drawn, "tolist") else drawn
        return {"values": values, **facts, **self._facts()}

    def __repr__(self) -> str:
        drawn: Any = self.values
        form = f"{drawn.dtype} of shape {tuple(drawn.shape)}" if hasattr(drawn, "dtype") else "number"
        grid = "" if self.grid is None else f" on the grid {self.grid!r}"
        return f"<{form}{grid}{self._account_for()}>"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Choice(_Release):
    """The candidate that was chosen: ``index``, and what to account for: ``step``. It can be used as an index.

    >>> import renyi
    >>> names = ["red", "green", "blue"]
    >>> choice = renyi.noise.exponential([10.0, 900.0, 30.0], epsilon=1.0)
    >>> names[choice], choice.step
    ('green', Exponential(epsilon=1.0))
    """

    #: The position of the candidate among the scores.
    index: int

    def __index__(self) -> int:
        return self.index

    def to_dict(self) -> dict[str, Any]:
        """Returns index and facts as dicts, lists, text and numbers."""
        return {"index": self.index, **self._facts()}

    def __repr__(self) -> str:
        return f"<candidate {self.index}{self._account_for()}>"


def noisy_of(values: Drawn, facts: Facts) -> Noisy[Drawn]:
    """Returns what was drawn with what the engine says about it."""
    _, step, draws, timing_delta, *on_grid = facts
    grid, limit, stddev = on_grid if on_grid[0] > 0 else (None, None, None)
    return Noisy(draws, timing_delta, step, values, grid, limit, stddev)


def choice_of(index: int, facts: Facts) -> Choice:
    """Returns the chosen candidate with what the engine says about it."""
    _, step, draws, timing_delta, *_ = facts
    return Choice(draws, timing_delta, step, index)
