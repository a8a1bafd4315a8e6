"""An accountant for training loops."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union, overload

from . import _native, _format, questions
from ._ask import WANT, options_for, parts_of
from ._numbers import Count, Number, Numbers, Orders, is_many, shown_step, to_float, to_int, to_text_or_none
from .answer_arrays import DeltaArray, EpsilonArray
from .answers import Delta, Epsilon
from .errors import Error, InvalidArgument
from ._mechanisms import Gaussian, SampledGaussian
from ._timed import timed
from .mechanisms import Mechanism, Sampled
from .plan import ADD_OR_REMOVE_ONE, RELATIONS, Plan, check_relation
from .questions import Planlike, Want
from .sampling import Poisson

if TYPE_CHECKING:
    from .loaders.loader import Loader
    from .loaders.observation import Observed
    from .loaders.progress import Progress

_STATE = {"plan", "tolerance", "memory"}


class Accountant:
    """Records the steps of a training run as they happen, and returns epsilon or delta of the steps so far at any time.

    >>> import renyi
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

    ``observe`` charges the batches of a loader as they are handed out, so that loader and account cannot disagree:

    >>> account = Accountant()
    >>> loader = renyi.loaders.PoissonLoader(61_234, batch_size=600, nominal_size=60_000, steps=1000)
    >>> for batch in account.observe(loader, noise_multiplier=1.1):
    ...     pass
    >>> account.epsilon(delta=1e-5).exact
    [1.51536, 1.51537] by contour
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
            raise InvalidArgument("plan", shown_step(plan), "a plan or a mechanism")
        #: Whether the relation is that of the first loader, because neither it nor a plan was stated.
        self._takes_relation = neighbors is None and plan is None
        self._loaders: dict[str, Progress] = {}
        self._observed: list[Observed] = []
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
        if self._observed:
            self._refuse_observed(what, noise_multiplier, sampling_rate)
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
            raise InvalidArgument("what", shown_step(what), "a mechanism or a plan")

    def observe(
        self, loader: Any, what: Optional[Mechanism] = None, *, noise_multiplier: Optional[Number] = None
    ) -> Observed:
        """Charges the batches of a loader: those that it has handed out, and each further one before it is handed out.

        >>> import renyi
        >>> account = renyi.Accountant()
        >>> loader = renyi.loaders.PoissonLoader(1000, rate=0.1, steps=20)
        >>> observed = account.observe(loader, noise_multiplier=2.0)
        >>> batches = list(loader)
        >>> account.steps
        20

        loader: one of ``renyi.loaders``, or a ``DataLoader`` of torch that ``renyi.loaders.recognise`` knows; batches
        of the latter are charged while the result of this call is iterated in its place. A loader that takes the number
        of records to be public needs an account under "zero-out" or "replace-one"; an account without steps, for which
        no relation was stated, takes that of its first loader.
        what: the mechanism that runs on each batch, without a sample; or ``noise_multiplier`` for Gaussian noise.

        A batch that is handed out again, after an older checkpoint was loaded, is charged again. Epochs of random
        allocation and shuffled epochs are charged as a whole, also if they are left early.
        """
        from .loaders.observation import observed_by

        observed = observed_by(self, loader, what, noise_multiplier)
        self._observed.append(observed)
        return observed

    def check(
        self,
        *,
        sampling_rate: Optional[Number] = None,
        steps: Optional[Count] = None,
        noise_multiplier: Optional[Number] = None,
    ) -> None:
        """Compares what a program says of its training with what the observed loaders handed out and this account has
        charged. Raises ``InvalidArgument``, which names both numbers and the usual mistake, if they differ.

        >>> import renyi
        >>> account = renyi.Accountant()
        >>> for batch in account.observe(renyi.loaders.PoissonLoader(1000, rate=0.1, steps=20), noise_multiplier=2.0):
        ...     pass
        >>> account.check(sampling_rate=0.1, steps=20, noise_multiplier=2.0)
        """
        if not self._observed:
            raise InvalidArgument("loader", "none", "a loader that this account observes: account.observe(loader, ...)")
        for observed in self._observed:
            observed.check(sampling_rate=sampling_rate, steps=steps, noise_multiplier=noise_multiplier)

    def _agree_with(self, loader: Loader) -> None:
        """Takes the relation of the first loader if none was stated, and raises an error if a loader takes the number
        of records to be public where neighbours differ in it."""
        if self._takes_relation and not self._observed and self.steps == 0 and loader.neighbors != self._neighbors:
            self._start(Plan(neighbors=loader.neighbors, unit=self._unit)._engine, self._options)
        loader._check_neighbors(self._neighbors)

    def _record(self, step: Mechanism, count: int) -> None:
        """Records steps of a loader."""
        self._engine.step(step._engine, count)

    def _refuse_observed(
        self, what: Optional[Planlike], noise_multiplier: Optional[Number], sampling_rate: Optional[Number]
    ) -> None:
        """Raises an error if a step is one of those that observed loaders charge: it would count twice."""
        if what is None:
            for observed in self._observed:
                observed.check(sampling_rate=sampling_rate, noise_multiplier=noise_multiplier)
        scheme = what.sampling if isinstance(what, Sampled) else None
        if isinstance(what, SampledGaussian):
            scheme = Poisson(what.sampling_rate)
        if what is None or any(scheme == observed._loader.sampling for observed in self._observed):
            batches = sum(observed.batches for observed in self._observed)
            allowed = "nothing: each was charged when it was handed out; other steps are given as mechanisms"
            raise InvalidArgument("step", f"a step of an observed loader, beside {batches} batches", allowed)

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
        options that determine how narrow exact intervals are. An account that has observed loaders also says under
        "loaders" how many of their batches it knows of, which is public."""
        observed = {"loaders": {name: progress.to_dict() for name, progress in self._loaders.items()}}
        known = observed if self._loaders else {}
        return {"plan": json.loads(self.plan.to_json()), **self._options_given(), **known}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continues from a checkpoint of ``state_dict``, which replaces the steps and the options of this accountant.
        An invalid checkpoint, or one whose relation does not fit the observed loaders, raises an error and changes
        nothing."""
        if not isinstance(state, Mapping) or set(state) - {"loaders"} != _STATE:
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
        loaders = _loaders(state.get("loaders", {}))
        for observed in self._observed:
            observed._loader._check_neighbors(plan.neighbors)
        self._start(plan, options)
        self._loaders, self._takes_relation = loaders, False

    def __reduce__(self) -> tuple[Any, ...]:
        known = {name: progress.to_dict() for name, progress in self._loaders.items()}
        return _restored, (self.plan, self._options_given(), known)

    def _options_given(self) -> dict[str, Any]:
        return {"tolerance": self._options.tolerance, "memory": self._options.memory >> 20}

    def __repr__(self) -> str:
        return f"<Accountant after {self.steps} steps: {_format.plan_text(self.plan)}>"


def _restored(plan: Plan, options: dict[str, Any], loaders: Mapping[str, Any] = MappingProxyType({})) -> Accountant:
    account = Accountant(plan, **options)
    account._loaders = _loaders(loaders)
    return account


def _loaders(stored: object) -> dict[str, Progress]:
    """Reads what is known of observed loaders from a checkpoint."""
    from .loaders.progress import Progress

    if not isinstance(stored, Mapping):
        raise InvalidArgument("loaders", repr(stored), "what state_dict() gave")
    return {str(name): Progress.from_dict(f"loaders[{str(name)!r}]", known) for name, known in stored.items()}


def _noise(noise_multiplier: Optional[Number], sampling_rate: Optional[Number]) -> Mechanism:
    if noise_multiplier is None:
        raise InvalidArgument("noise_multiplier", "nothing", "a number, or a mechanism in its place")
    if sampling_rate is None:
        return Gaussian(noise_multiplier)
    return SampledGaussian(sampling_rate, noise_multiplier)
