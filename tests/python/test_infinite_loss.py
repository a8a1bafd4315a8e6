"""Steps that have no Rényi curve: the part of delta that covers infinite losses is stated."""

import pickle

import numpy as np
import pytest

import renyi


def test_delta_is_paid_apart_and_said():
    step = renyi.mechanism("approx-dp", epsilon=1.0, delta=1e-7)
    cost = renyi.epsilon(step * 10, delta=1e-5)
    assert cost.infinite_mass == pytest.approx(1e-6, rel=1e-6)
    assert cost.infinite_mass >= 1 - (1 - 1e-7) ** 10
    assert "infinite" in repr(cost)
    assert pickle.loads(pickle.dumps(cost)) == cost
    assert cost.exact.upper <= cost.renyi
    assert renyi.epsilon(step * 10, delta=5e-7).upper == float("inf")


def test_arrays_say_it_too():
    step = renyi.mechanism("approx-dp", epsilon=1.0, delta=1e-7)
    costs = renyi.epsilon(renyi.Plan(step), delta=np.array([1e-6, 1e-5]))
    assert costs.infinite_mass == pytest.approx([1e-7, 1e-7])
    assert costs[0].infinite_mass == renyi.epsilon(renyi.Plan(step), delta=1e-6).infinite_mass
    assert renyi.epsilon(renyi.Gaussian(4), delta=1e-5).infinite_mass == 0
