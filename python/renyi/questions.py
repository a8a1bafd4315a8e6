"""epsilon, delta and rdp: the privacy of a plan or a training run."""

from __future__ import annotations

import functools
from typing import Any, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._ask import WANT, Question, options_for
from ._numbers import Count, Counts, Floats, Number, Numbers, Orders, numbers, to_text, to_text_or_none
from ._timed import timed
from .answer_arrays import DeltaArray, EpsilonArray
from .answers import Delta, Epsilon
from .errors import Error
from .mechanisms import Mechanism
from .plan import ADD_OR_REMOVE_ONE, Plan
from .run import Scheme, Sizes, issue

Planlike = Union[Plan, Mechanism]
Planlikes = Union[Planlike, "list[Any]", "tuple[Any, ...]", "NDArray[Any]"]
Want = Union[str, Sequence[str]]
_METHODS = "one of quadrature, integer, series, closed-form"

_Run = Tuple[Optional[float], float, int, str, int, float]
_WHOLE = frozenset((int, np.int64, np.int32))
_REAL = frozenset((float, np.float64, np.float32, *_WHOLE))


def _plain_run(
    plan: Any, rate: Any, noise: Any, steps: Any, neighbors: Optional[str], unit: Any, at: Any
) -> Optional[_Run]:
    """Returns the numbers of a run if all of them are plain scalars, else None. This is the fast path: nothing has to
    be converted or broadcast."""
    relation = ADD_OR_REMOVE_ONE if neighbors is None else neighbors
    if plan is not None or type(noise) not in _REAL or type(at) not in _REAL:
        return None
    if type(relation) is not str or not relation.isascii() or unit is not None:
        return None
    if (rate is not None and type(rate) not in _REAL) or (steps is not None and type(steps) not in _WHOLE):
        return None
    try:
        count = 1 if steps is None else int(steps)
        if -(2**63) <= count < 2**63:
            return None if rate is None else float(rate), float(noise), count, relation, 1, float(at)
    except OverflowError:
        pass  # an integer exceeds the largest double; the general path reports it with its name
    return None


def _plan_of_run(*run: Any) -> Plan:
    return Plan._of(_native.run_plan(*run))


@overload
def epsilon(  # type: ignore[overload-overlap]
    plan: Optional[Planlike] = None,
    *,
    delta: Number,
    sampling_rate: Optional[Number] = None,
    noise_multiplier: Optional[Number] = None,
    steps: Optional[Count] = None,
    dataset_size: Optional[Count] = None,
    batch_size: Optional[Count] = None,
    epochs: Optional[Number] = None,
    accumulation: Optional[Count] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Count] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    want: Want = WANT,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    method: Optional[str] = None,
    timeout: Optional[float] = None,
) -> Epsilon: ...


@overload
def epsilon(
    plan: Optional[Planlikes] = None,
    *,
    delta: Numbers,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    want: Want = WANT,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    method: Optional[str] = None,
    timeout: Optional[float] = None,
) -> EpsilonArray: ...


@timed
def epsilon(
    plan: Optional[Planlikes] = None,
    *,
    delta: Numbers,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    want: Want = WANT,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    method: Optional[str] = None,
    timeout: Optional[float] = None,
) -> Union[Epsilon, EpsilonArray]:
    """Computes the epsilon of a plan at ``delta``: the Rényi bound, and an interval that contains the exact value.

    >>> import renyi
    >>> renyi.epsilon(renyi.Gaussian(1.1) * 3, delta=1e-5).exact
    [7.4739, 7.47391] by closed-form

    The plan is a ``Plan`` or a mechanism; or it is given by ``noise_multiplier``, ``steps`` (default 1) and, for
    Poisson-sampled batches, ``sampling_rate``, with ``neighbors`` and ``unit`` as in a ``Plan``. Every number may be an
    array; arrays are broadcast against each other, and the answer has arrays of their shape.

    A training run may be described by its sizes instead (see ``renyi.Run``): ``epsilon(dataset_size=60_000,
    batch_size=256, epochs=60, noise_multiplier=1.1, delta=1e-5)``, with ``accumulation``, ``sampling`` (the name of a
    scheme, or its class) and ``batch_limit`` as there. The member ``run`` of the answer has the number of steps and the
    rules behind it, and ``warnings`` has the warnings about the run. A delta that is not below 1/N is also reported as
    a Python warning, a ``PrivacyWarning``.

    want: the parts of the answer: "renyi", "exact" or both (default). If there is no exact interval, the answer gives
        the reason; if only the exact part was requested, ``Unsupported`` is raised.
    orders, conversion: options of the Rényi bound: the orders to use (default: all real orders), and the conversion,
        "tight" or "classical".
    tolerance, memory: the width requested for exact intervals (default 1e-5), and the memory limit in MiB (default
        512).
    method: how sampled Gaussians are evaluated: "quadrature", "integer", "series" or "closed-form". The answer is then
        only the Rényi bound by that method, at the orders that it supports.
    timeout: how long the call may take, in seconds (default: no limit). At the limit the answer is the best interval
        that is known by then, and its ``limit`` says so; where nothing is known yet, ``LimitReached`` is raised.
        Every question has this argument.

    Exact intervals are valid if the parameters of all steps are fixed in advance; a mechanism may depend on the outputs
    of earlier ones.
    """
    options = options_for(want, orders, conversion, tolerance, memory, method)
    sizes = None
    if not (dataset_size is batch_size is epochs is accumulation is batch_limit is None and sampling is None):
        sizes = Sizes(dataset_size, batch_size, epochs, accumulation, sampling, batch_limit)
    run = None if sizes else _plain_run(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, delta)
    if run is not None:
        plan_of_it = functools.partial(_plan_of_run, *run[:5])
        return Epsilon(_native.epsilon_of_run(*run, options), options, run[5], plan_of_it)
    question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, sizes, delta=delta)
    at = question.column("delta")
    if question.shape == ():
        found = _native.epsilon_of_plan(question.plan()._engine, at[0], options)
        issue(question.warnings(), stacklevel=3)
        return Epsilon(found, options, float(at[0]), question.plan, question.run_and_warnings())
    try:
        columns = _native.epsilon_of_many(question.plans(), at, options, question.shape)
    except Error as error:
        raise question.renamed(error)
    issue(question.all_warnings(), stacklevel=3)
    return EpsilonArray(columns, options, at, question)


@overload
def delta(  # type: ignore[overload-overlap]
    plan: Optional[Planlike] = None,
    *,
    epsilon: Number,
    sampling_rate: Optional[Number] = None,
    noise_multiplier: Optional[Number] = None,
    steps: Optional[Count] = None,
    dataset_size: Optional[Count] = None,
    batch_size: Optional[Count] = None,
    epochs: Optional[Number] = None,
    accumulation: Optional[Count] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Count] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    want: Want = WANT,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    method: Optional[str] = None,
    timeout: Optional[float] = None,
) -> Delta: ...


@overload
def delta(
    plan: Optional[Planlikes] = None,
    *,
    epsilon: Numbers,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    want: Want = WANT,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    method: Optional[str] = None,
    timeout: Optional[float] = None,
) -> DeltaArray: ...


@timed
def delta(
    plan: Optional[Planlikes] = None,
    *,
    epsilon: Numbers,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    want: Want = WANT,
    orders: Optional[Orders] = None,
    conversion: str = "tight",
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    method: Optional[str] = None,
    timeout: Optional[float] = None,
) -> Union[Delta, DeltaArray]:
    """Computes the delta of a plan at ``epsilon``. All other arguments are those of ``renyi.epsilon``.

    >>> import renyi
    >>> renyi.delta(renyi.Laplace(1.0) * 2, epsilon=1.0).exact
    [0.241836, 0.241837] by lattice
    """
    options = options_for(want, orders, conversion, tolerance, memory, method)
    sizes = None
    if not (dataset_size is batch_size is epochs is accumulation is batch_limit is None and sampling is None):
        sizes = Sizes(dataset_size, batch_size, epochs, accumulation, sampling, batch_limit)
    run = None if sizes else _plain_run(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, epsilon)
    if run is not None:
        plan_of_it = functools.partial(_plan_of_run, *run[:5])
        return Delta(_native.delta_of_run(*run, options), options, run[5], plan_of_it)
    question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, sizes, epsilon=epsilon)
    at = question.column("epsilon")
    if question.shape == ():
        found = _native.delta_of_plan(question.plan()._engine, at[0], options)
        issue(question.warnings(), stacklevel=3)
        return Delta(found, options, float(at[0]), question.plan, question.run_and_warnings())
    try:
        columns = _native.delta_of_many(question.plans(), at, options, question.shape)
    except Error as error:
        raise question.renamed(error)
    issue(question.all_warnings(), stacklevel=3)
    return DeltaArray(columns, options, at, question)


@overload
def rdp(  # type: ignore[overload-overlap]
    plan: Optional[Planlike] = None,
    *,
    orders: Number,
    sampling_rate: Optional[Number] = None,
    noise_multiplier: Optional[Number] = None,
    steps: Optional[Count] = None,
    dataset_size: Optional[Count] = None,
    batch_size: Optional[Count] = None,
    epochs: Optional[Number] = None,
    accumulation: Optional[Count] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Count] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    direction: Optional[str] = None,
    method: str = "quadrature",
    timeout: Optional[float] = None,
) -> float: ...


@overload
def rdp(
    plan: Optional[Planlikes] = None,
    *,
    orders: Orders,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    direction: Optional[str] = None,
    method: str = "quadrature",
    timeout: Optional[float] = None,
) -> Floats: ...


@timed
def rdp(
    plan: Optional[Planlikes] = None,
    *,
    orders: Orders,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    direction: Optional[str] = None,
    method: str = "quadrature",
    timeout: Optional[float] = None,
) -> Union[float, Floats]:
    """Computes upper bounds on the Rényi divergence of a plan at each order in [1, inf], in the shape of the arguments.

    >>> import renyi
    >>> renyi.rdp(renyi.Gaussian(2.0), orders=[2, 4])
    array([0.25, 0.5 ])

    orders: numbers, or "traditional" for the orders of the first moments accountants.
    direction: "remove" or "add" (default: the larger of the two divergences).
    method: how sampled Gaussians are evaluated: "quadrature" (all orders), "integer", "series" or "closed-form".

    The bound is infinite at orders at which nothing is known, or not within ``timeout``; if that is so at all
    orders, the reason is raised as an error.

    The plan is given as for ``renyi.epsilon``.
    """
    given = _native.traditional_orders() if isinstance(orders, str) and orders == "traditional" else orders
    sizes = Sizes(dataset_size, batch_size, epochs, accumulation, sampling, batch_limit).told()
    question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, sizes, orders=given)
    at = question.column("orders")
    how = to_text_or_none("direction", direction, "one of remove, add"), to_text("method", method, _METHODS)
    try:
        if question.is_of_one_plan() and at.size > 0:
            column = _native.rdp_of_plan(question.plan()._engine, at, *how, question.shape)
        else:
            column = _native.rdp_of_many(question.plans(), at, *how, question.shape)
    except Error as error:
        raise question.renamed(error)
    found = numbers(column).reshape(question.shape)
    return float(found) if question.shape == () else found
