"""An accountant for training loops."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional, Union, overload

from . import _native, _format, questions
from ._ask import WANT, options_for, parts_of
from ._numbers import Count, Number, Numbers, Orders, is_many, to_float, to_int, to_text_or_none
from .answer_arrays import DeltaArray, EpsilonArray
from .answers import Delta, Epsilon
from .errors import Error, InvalidArgument
from ._mechanisms import Gaussian, SampledGaussian
from ._timed import timed
from .mechanisms import Mechanism
from .plan import ADD_OR_REMOVE_ONE, RELATIONS, Plan, check_relation
from .questions import Planlike, Want

_STATE = {"plan", "tolerance", "memory"}


class Accountant:
    """Records the steps of a training run as they happen, and returns epsilon or delta of the steps so far at any time.

    >>> account = Accountant()
    >>> for _ in range(1000):
    ...     account.step(noise_multiplier=1.1, sampling_rate=0.01)
    >>> account.epsilon(delta=1e-5).exact
    [1.51536, 1.51537] by contour

    To stay within a budget, ask before a step runs: ``Accountant(account.plan)`` is an independent copy.

    >>> ahead = Accountant(account.plan)
    >>> ahead.step(noise_multiplier=1.1, sampling_rate=0.01)
    >>> ahead.epsilon(delta=1e-5) <= 1.6
    True

    The answers hold for steps whose parameters and number do not depend on the data or on earlier outputs. Stopping at
    a budget is covered, because the cost itself does not depend on the data. Equal steps are merged, even if other
    steps lie between them. ``state_dict`` is a checkpoint of plain dicts, lists and numbers; an accountant that loads
    it continues with the same results.
    """

    def __init__(
        self,
        plan: Optional[Planlike] = None,
        *,
        neighbors: Optional[str] = None,
        unit: Optional[Count] = None,
        tolerance: Optional[float] = None,
        memory: Optional[int] = None,
    ) -> None:
        options = options_for(WANT, None, "tight", tolerance, memory)
        relation = to_text_or_none("neighbors", neighbors, RELATIONS)
        if relation is None:
            relation = getattr(plan, "neighbors", ADD_OR_REMOVE_ONE)  # plans and parallel steps have one
        if unit is None:
            unit = plan.unit if isinstance(plan, Plan) else 1
        start = Plan(neighbors=relation, unit=unit)
        if not (plan is None or isinstance(plan, (Plan, Mechanism))):
            raise InvalidArgument("plan", repr(plan), "a plan or a mechanism")
        self._start((start if plan is None else start + plan)._engine, options)

    def _start(self, plan: _native.Plan, options: _native.Options) -> None:
        self._neighbors, self._unit = plan.neighbors, plan.unit
        self._options, self._engine = options, _native.Accountant(plan, options)

    def step(
        self,
        what: Optional[Planlike] = None,
        *,
        noise_multiplier: Optional[Number] = None,
        sampling_rate: Optional[Number] = None,
        count: Count = 1,
    ) -> None:
        """Records one step, or ``count`` equal steps.

        A step is a mechanism, sampled or not, or a plan. Without ``what`` it is Gaussian noise: on all records or, if
        ``sampling_rate`` is given, on a Poisson sample of them.
        """
        times = to_int("count", count)
        if what is None:
            self._engine.step(_noise(noise_multiplier, sampling_rate)._engine, times)
        elif noise_multiplier is not None:
            raise InvalidArgument("noise_multiplier", repr(noise_multiplier), "nothing beside a mechanism")
        elif sampling_rate is not None:
            raise InvalidArgument("sampling_rate", repr(sampling_rate), "nothing beside a mechanism")
        elif isinstance(what, (Mechanism, Plan)):
            check_relation(what, self._neighbors, self._unit)
            self._engine.step(what._engine, times)
        else:
            raise InvalidArgument("what", repr(what), "a mechanism or a plan")

    @property
    def steps(self) -> int:
        """The number of steps so far."""
        return self._engine.steps

    @property
    def plan(self) -> Plan:
        """The plan of all steps so far, with equal steps merged, in the order of their first use."""
        return Plan._of(self._engine.plan)

    @overload
    def epsilon(  # type: ignore[overload-overlap]
        self,
        delta: Number,
        *,
        want: Want = WANT,
        orders: Optional[Orders] = None,
        conversion: str = "tight",
        timeout: Optional[float] = None,
    ) -> Epsilon: ...

    @overload
    def epsilon(
        self,
        delta: Numbers,
        *,
        want: Want = WANT,
        orders: Optional[Orders] = None,
        conversion: str = "tight",
        timeout: Optional[float] = None,
    ) -> EpsilonArray: ...

    @timed
    def epsilon(
        self,
        delta: Numbers,
        *,
        want: Want = WANT,
        orders: Optional[Orders] = None,
        conversion: str = "tight",
        timeout: Optional[float] = None,
    ) -> Union[Epsilon, EpsilonArray]:
        """Returns the epsilon of the steps so far at ``delta``; an array of deltas gives an array. See
        ``renyi.epsilon``."""
        if is_many(delta):
            how: dict[str, Any] = dict(want=want, orders=orders, conversion=conversion, **self._accuracy(want))
            return questions.epsilon(self.plan, delta=delta, **how)
        options, at = options_for(want, orders, conversion, None, None), to_float("delta", delta)
        return Epsilon(self._engine.epsilon(at, options), options, at, self._frozen())

    @overload
    def delta(  # type: ignore[overload-overlap]
        self,
        epsilon: Number,
        *,
        want: Want = WANT,
        orders: Optional[Orders] = None,
        conversion: str = "tight",
        timeout: Optional[float] = None,
    ) -> Delta: ...

    @overload
    def delta(
        self,
        epsilon: Numbers,
        *,
        want: Want = WANT,
        orders: Optional[Orders] = None,
        conversion: str = "tight",
        timeout: Optional[float] = None,
    ) -> DeltaArray: ...

    @timed
    def delta(
        self,
        epsilon: Numbers,
        *,
        want: Want = WANT,
        orders: Optional[Orders] = None,
        conversion: str = "tight",
        timeout: Optional[float] = None,
    ) -> Union[Delta, DeltaArray]:
        """Returns the delta of the steps so far at ``epsilon``; an array of epsilons gives an array. See
        ``renyi.delta``."""
        if is_many(epsilon):
            how: dict[str, Any] = dict(want=want, orders=orders, conversion=conversion, **self._accuracy(want))
            return questions.delta(self.plan, epsilon=epsilon, **how)
        options, at = options_for(want, orders, conversion, None, None), to_float("epsilon", epsilon)
        return Delta(self._engine.delta(at, options), options, at, self._frozen())

    def _frozen(self) -> Any:
        """Returns a function that gives the present plan: answers keep it when further steps are recorded."""
        plan = self.plan
        return lambda: plan

    def _accuracy(self, want: Want) -> dict[str, Any]:
        """Returns tolerance and memory limit of exact intervals if these are requested, else an empty dictionary."""
        return self._options_given() if "exact" in parts_of(want) else {}

    def state_dict(self) -> dict[str, Any]:
        """Returns a checkpoint made of dicts, lists, numbers and text: all steps as a plan file under "plan", and the
        options that determine how narrow exact intervals are."""
        return {"plan": json.loads(self.plan.to_json()), **self._options_given()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continues from a checkpoint of ``state_dict``, which replaces the steps and the options of this accountant.
        An invalid checkpoint raises an error and changes nothing."""
        if not isinstance(state, Mapping) or set(state) != _STATE:
            shown = f"the keys {sorted(map(str, state))}" if isinstance(state, Mapping) else repr(state)
            raise InvalidArgument("state", shown, "what state_dict() gave: plan, tolerance and memory")
        try:
            text = json.dumps(state["plan"], allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidArgument("plan", "what JSON cannot say", f"a plan file ({error})") from None
        try:
            plan = _native.Plan.from_json(text)
        except Error as error:
            raise error._about("plan" if error.field == "document" else f"plan.{error.field}")
        options = options_for(WANT, None, "tight", state["tolerance"], state["memory"])
        self._start(plan, options)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.plan, self._options_given())

    def _options_given(self) -> dict[str, Any]:
        return {"tolerance": self._options.tolerance, "memory": self._options.memory >> 20}

    def __repr__(self) -> str:
        return f"<Accountant after {self.steps} steps: {_format.plan_text(self.plan)}>"


def _restored(plan: Plan, options: dict[str, Any]) -> Accountant:
    return Accountant(plan, **options)


def _noise(noise_multiplier: Optional[Number], sampling_rate: Optional[Number]) -> Mechanism:
    if noise_multiplier is None:
        raise InvalidArgument("noise_multiplier", "nothing", "a number, or a mechanism in its place")
    if sampling_rate is None:
        return Gaussian(noise_multiplier)
    return SampledGaussian(sampling_rate, noise_multiplier)
