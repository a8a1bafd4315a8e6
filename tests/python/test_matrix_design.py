"""renyi.matrix_design: the figures of the request, arrays, and the step of a plan."""

import numpy as np
import pytest

import renyi


def test_answers_what_the_request_answers():
    found = renyi.matrix_design(rounds=200, bands=[1, 4], participations=2, min_separation=100)
    asked = {"op": "matrix-design", "rounds": 200, "bands": [1, 4], "participations": 2, "min_separation": 100}
    assert found.to_dict() == renyi.ask(asked)
    assert [matrix.bands for matrix in found.matrices] == [1, 4]
    assert found.matrices[1].coefficients.dtype == np.float64
    assert found.matrices[0].noise_multiplier is None
    assert "bands" in repr(found)


def test_the_step_meets_the_target():
    found = renyi.matrix_design(rounds=300, bands=[2, 8], dataset_size=3000, batch_size=30, epsilon=2, delta=1e-5)
    for index, matrix in enumerate(found.matrices):
        step = found.step(index)
        assert step.kind == ("banded-matrix" if matrix.amplified else "toeplitz-matrix")
        assert renyi.epsilon(step, delta=1e-5).upper <= 2
    best = found.matrices[found.best]
    assert best.rms_error_estimate == min(matrix.rms_error_estimate for matrix in found.matrices)


def test_a_matrix_at_hand():
    found = renyi.matrix_design(rounds=50, coefficients=np.array([1.0, 0.5]), noise_multiplier=3, delta=1e-6)
    (matrix,) = found.matrices
    assert matrix.sensitivity == pytest.approx(1.25**0.5)
    assert matrix.epsilon == pytest.approx(renyi.epsilon(renyi.Gaussian(3 / 1.25**0.5), delta=1e-6).upper, rel=1e-6)


def test_bad_questions_name_the_argument():
    with pytest.raises(renyi.InvalidArgument, match="bands"):
        renyi.matrix_design(rounds=10)
    with pytest.raises(renyi.InvalidArgument, match="rounds"):
        renyi.matrix_design(rounds=0, bands=1)
    with pytest.raises(renyi.InvalidArgument, match="method"):
        renyi.matrix_design(rounds=10, bands=1, method="square")
    with pytest.raises(renyi.InvalidArgument, match="noise_multiplier"):
        renyi.matrix_design(rounds=10, bands=1).step()
