"""What replayed batches cost (docs/math/loaders.md): the theorem's comparison of two expectations, by quadrature."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest


@pytest.mark.parametrize("sigma", [0.7, 1.0, 2.5])
@pytest.mark.parametrize("replayed", [(True, False), (True, True)])
def test_a_replay_costs_at_most_a_step_of_everybody(sigma: float, replayed: tuple[bool, bool]) -> None:
    """Two batches, of which one or both are replayed: R = (X1 W1 + X2 W2)/2 against R' = (X1 + X2) Y / 2."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(24)
    weights = weights / weights.sum()
    ratio = np.exp((2 * sigma * nodes - 1) / (2 * sigma**2))
    ratio = ratio / (weights @ ratio)  # a law of 24 atoms with mean 1, for which the theorem holds exactly as well
    one = np.ones(1)
    first, second = (ratio if again else one for again in replayed)
    of_first, of_second = (weights if again else one for again in replayed)
    shape = np.ix_(ratio, ratio, first, second)
    mass = functools.reduce(np.multiply, np.ix_(weights, weights, of_first, of_second))
    replay = (shape[0] * shape[2] + shape[1] * shape[3]) / 2
    shape = np.ix_(ratio, ratio, ratio)
    bound_mass = functools.reduce(np.multiply, np.ix_(weights, weights, weights))
    bound = (shape[0] + shape[1]) * shape[2] / 2
    for epsilon in (0.0, 0.1, 0.5, 1.0, 2.0, 4.0):
        level = math.exp(epsilon)
        removed = np.sum(mass * np.maximum(replay - level, 0))
        added = np.sum(mass * np.maximum(1 - level * replay, 0))
        assert removed <= np.sum(bound_mass * np.maximum(bound - level, 0)) * (1 + 1e-12)
        assert added <= np.sum(bound_mass * np.maximum(1 - level * bound, 0)) * (1 + 1e-12)
        # Without the further step it would not be enough: the comparison can fail.
        unpaid = (ratio[:, None] + ratio[None, :]) / 2
        if epsilon == 1.0:
            assert removed > np.sum(np.outer(weights, weights) * np.maximum(unpaid - level, 0))
