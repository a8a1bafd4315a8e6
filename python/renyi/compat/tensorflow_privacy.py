"""The functions of TensorFlow Privacy's ``rdp_accountant`` and ``compute_dp_sgd_privacy``, computed by renyi.

Code that imports them from ``tensorflow_privacy`` can import them from here; TensorFlow is not needed. All results are
upper bounds, for neighbours that differ by the presence of one record and batches that are Poisson samples.

>>> orders = [1.25, 1.5, 2, 3, 4, 6, 8, 16, 32, 64]
>>> rdp = compute_rdp(q=0.01, noise_multiplier=1.1, steps=10_000, orders=orders)
>>> eps, delta, order = get_privacy_spent(orders, rdp, target_delta=1e-5)
>>> round(eps, 2), delta, order
(5.76, 1e-05, 4.0)
"""

from __future__ import annotations

import math
from typing import Optional, Sequence, Union

import numpy as np

from .. import questions
from .._error_names import renamed_errors
from .._mechanisms import Rdp
from .._numbers import Floats, Numbers, to_float, to_floats, to_int
from ..errors import InvalidArgument
from ..records import whole
from ..run import Run, issue
from ._ranges import orders_from_one, plan_of_history

#: Names of fields in renyi's errors, and those of the arguments here.
_STEP_WORDS = {"history[0][0]": "noise_multiplier", "history[0][1]": "q", "history[0][2]": "steps"}
_TARGET_WORDS = {"epsilon": "target_eps", "delta": "target_delta"}
_RUN_WORDS = {"dataset_size": "n", "history[0][0]": "noise_multiplier"}
_MOST_RDP = 1e50  # bounds above it are treated as infinite
_Orders = Union[Numbers, Sequence[float]]


def compute_rdp(q: float, noise_multiplier: float, steps: float, orders: _Orders) -> Union[float, Floats]:
    """Returns upper bounds on the Rényi divergences of ``steps`` steps of the sampled Gaussian mechanism at ``orders``:
    a float for a single order, an array otherwise. They are inf without noise, and at order inf.

    Orders are at least 1; at order 1 it is the Kullback-Leibler divergence.
    """
    at = orders_from_one("orders", orders)
    count, rate, noise = to_int("steps", whole(steps)), to_float("q", q), to_float("noise_multiplier", noise_multiplier)
    with renamed_errors(_STEP_WORDS):
        plan = plan_of_history([(noise, rate, max(count, 1))])
    if count < 0:
        raise InvalidArgument("steps", repr(steps), "an integer from 0 to 2^63-1")
    found = np.zeros(at.size) if count == 0 else np.asarray(questions.rdp(plan, orders=at))
    return float(found[0]) if np.ndim(orders) == 0 else found


def get_privacy_spent(
    orders: _Orders, rdp: Numbers, target_eps: Optional[float] = None, target_delta: Optional[float] = None
) -> tuple[float, float, float]:
    """Returns (epsilon, delta, order): the best epsilon for ``target_delta``, or the best delta for ``target_eps``, that
    follows from Rényi divergences ``rdp`` at ``orders``, and the order at which it is attained.

    The conversion is the tight one (Canonne, Kamath and Steinke 2020, Proposition 12), as in later versions
    of TensorFlow Privacy; earlier ones used the classical one of Mironov (2017, Proposition 3): larger epsilons.
    """
    if (target_eps is None) == (target_delta is None):
        given = "neither" if target_eps is None else "both"
        raise InvalidArgument("target_eps", f"{given} of target_eps and target_delta", "exactly one of them")
    at, bounds = orders_from_one("orders", orders), _bounds(rdp)
    if at.size != bounds.size:
        raise InvalidArgument("rdp", f"{bounds.size} numbers", f"{at.size}, one for each order")
    with renamed_errors(_TARGET_WORDS):
        if target_delta is not None:
            target, worst = to_float("target_delta", target_delta), math.inf
            questions.epsilon(_NOTHING, delta=target, want="renyi")  # refuses a target that is no delta
        else:
            target, worst = to_float("target_eps", target_eps), 1.0
            questions.delta(_NOTHING, epsilon=target, want="renyi")
    best, order = _converted(at, bounds, target, by_delta=target_delta is not None)
    found, order = (worst, float(at[0])) if best is None else (best, order)
    return (found, target, order) if target_delta is not None else (target, found, order)


_NOTHING = Rdp(order=2.0, epsilon=0.0)


def _bounds(rdp: Numbers) -> Floats:
    values = to_floats("rdp", rdp).ravel()
    for value in values:
        if not value >= 0:
            raise InvalidArgument("rdp", repr(float(value)), "numbers of at least 0, inf among them")
    return values


def _converted(orders: Floats, bounds: Floats, target: float, *, by_delta: bool) -> tuple[Optional[float], float]:
    """Returns the best conversion and its order; None if no bound says anything. No bound at order 1 is used: none
    gives a positive epsilon there."""
    points: dict[float, float] = {}
    for order, bound in zip(orders.tolist(), bounds.tolist()):
        if order > 1 and bound <= _MOST_RDP:
            points[order] = min(bound, points.get(order, math.inf))
    if not points:
        return None, 0.0
    what = Rdp(points=[[order, bound] for order, bound in points.items()])
    if by_delta:
        cost = questions.epsilon(what, delta=target, want="renyi", orders=list(points))
        return (None, 0.0) if math.isinf(cost.renyi) else (cost.renyi, cost.order)
    chance = questions.delta(what, epsilon=target, want="renyi", orders=list(points))
    return chance.renyi, chance.order


def compute_dp_sgd_privacy(
    n: int, batch_size: int, noise_multiplier: float, epochs: float, delta: float
) -> tuple[float, float]:
    """Returns (epsilon, order): the Rényi bound on the epsilon of a training run of ceil(epochs * n / batch_size) steps,
    and the order at which it is attained, the best of all orders. ``n`` counts as public (docs/guide/public-size.md).
    Nothing is printed.

    ``renyi.epsilon(dataset_size=n, batch_size=..., epochs=..., ...)`` gives the exact epsilon, which is smaller.
    """
    with renamed_errors(_RUN_WORDS):
        size, batch = to_int("n", n), to_int("batch_size", batch_size)
        run = Run(dataset_size=size, batch_size=batch, epochs=epochs)
        plan = plan_of_history([(to_float("noise_multiplier", noise_multiplier), batch / size, run.steps)])
    found = questions.epsilon(plan, delta=delta, want="renyi")
    issue(run.warnings(float(delta)), stacklevel=2)
    return found.renyi, found.order
