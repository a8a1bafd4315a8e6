"""Clipped sums and exact sums from Python: values, errors by name, tensors' shapes, and threads."""

import math
import pathlib
import threading
from fractions import Fraction

import numpy as np
import pytest

import renyi
from renyi.noise import ClippedSum, ExactSum, effective_noise_multiplier, float_sum_sensitivity, noise_like

try:
    ExactSum()
except renyi.Unsupported:
    pytest.skip("built without exact noise", allow_module_level=True)

RNG = np.random.default_rng(3)


def test_one_record_moves_the_sum_by_at_most_the_norm():
    for kind in (np.float32, np.float64):
        records = (RNG.normal(size=(50, 13)) * 10.0 ** RNG.integers(-30, 30, size=(50, 1))).astype(kind)
        records[3, 2], records[4, 5] = math.nan, -math.inf
        total, shuffled = ClippedSum(13, clip_norm=0.7), ClippedSum(13, clip_norm=0.7)
        total.add(records)
        shuffled.add(records[RNG.permutation(50)])
        assert (total.sums == shuffled.sums).all() and total.records == 50
        for left_out in range(50):
            others = ClippedSum(13, clip_norm=0.7)
            others.add(np.delete(records, left_out, axis=0))
            moved = [int(n) for n in total.sums - others.sums]
            # (C/g)^2 as a fraction: floats are exact ratios of integers.
            norm, scale = (0.7 / total.grid).as_integer_ratio()
            assert sum(n * n for n in moved) * scale**2 <= norm**2
            if left_out in (3, 4):
                assert not any(moved)


def test_parts_are_one_vector():
    layers = [RNG.normal(size=(6, 3, 4)), RNG.normal(size=(6, 5)), RNG.normal(size=(6,))]
    apart, whole = ClippedSum(18, clip_norm=1.0), ClippedSum(18, clip_norm=1.0)
    apart.add_parts(layers)
    whole.add(np.concatenate([layer.reshape(6, -1) for layer in layers], axis=1))
    assert np.abs(apart.sums - whole.sums).max() <= 6
    apart.add_parts([np.empty((0, 3, 4)), np.empty((0, 5)), np.empty(0)])
    assert apart.records == 6
    half = ClippedSum(18, clip_norm=1.0)
    half.merge(apart)
    half.merge(apart)
    assert (half.sums == 2 * apart.sums).all() and half.records == 12
    half.clear()
    assert not half.sums.any() and half.records == 0


def test_noise_on_clipped_sums():
    total = ClippedSum(20_000, clip_norm=0.3)
    row = np.zeros(20_000)
    row[7] = 5.0
    total.add(row)
    for kind in (np.float32, np.float64):
        noisy = noise_like(total, noise_multiplier=1.1, dtype=kind)
        assert noisy.values.dtype == kind and noisy.step == renyi.Gaussian(noise_multiplier=1.1)
        error = np.asarray(noisy, dtype=np.float64) - 0.3 * (row > 0)
        assert abs(error.std() / 0.33 - 1) < 7 / math.sqrt(2 * 20_000)
        assert noisy.draws == 20_000 and 0 < noisy.timing_delta < 1e-12 and noisy.effective_stddev >= 0.33
    assert not np.array_equal(noise_like(total, noise_multiplier=1.1), noise_like(total, noise_multiplier=1.1))
    assert (noisy.values / noisy.grid == np.round(noisy.values / noisy.grid)).all()


def test_exact_sums_are_those_of_fsum():
    for _ in range(200):
        values = RNG.normal(size=RNG.integers(1, 40)) * 10.0 ** RNG.integers(-300, 300, size=1)
        values = np.concatenate([values, -values[1:] * (1 + 1e-16 * RNG.integers(0, 9, size=len(values) - 1))])
        values = np.concatenate([values, 10.0 ** RNG.integers(-320, 0, size=3)])
        total, backward = ExactSum(), ExactSum()
        total.add(values)
        backward.add(values[::-1])
        assert total.rounded[0] == backward.rounded[0] == math.fsum(values)


def test_columns_bounds_and_noise():
    total, other = ExactSum(2, bound=10.0), ExactSum(2, bound=10.0)
    total.add([[1.0, 99.0], [math.nan, -math.inf], [2.5, 4.0]])
    assert total.rounded.tolist() == [3.5, 4.0]
    other.add([1.0, 1.0])
    total.merge(other)
    assert total.rounded.tolist() == [4.5, 5.0] and total.bound == 10 and total.columns == 2
    noisy = total.gaussian(stddev=1.0, grid=0.25, sensitivity=2.0)
    assert noisy.step == renyi.Gaussian(stddev=1.0, l2_sensitivity=2.0)
    assert (noisy.values * 4 == np.round(noisy.values * 4)).all()
    assert np.abs(noisy.values - [4.5, 5.0]).max() < 12
    assert total.laplace(scale=3.0, sensitivity=1.0).step == renyi.Laplace(3.0)
    assert np.abs(total.gaussian(stddev=1e-3, range=1.0).values - 1).max() < 0.02  # clamped to the range


def test_the_sensitivity_of_exact_sums_is_that_of_a_row():
    assert ExactSum(bound=1e6).laplace(scale=2e6).step == renyi.Laplace(2e6, l1_sensitivity=1e6)
    assert ExactSum(bound=0.1).gaussian(stddev=2.0).step == renyi.Gaussian(stddev=2.0, l2_sensitivity=0.1)
    assert ExactSum(2, bound=10.0).laplace(scale=3.0).step == renyi.Laplace(3.0, l1_sensitivity=20.0)
    assert ExactSum(4, bound=10.0).gaussian(stddev=3.0).step == renyi.Gaussian(stddev=3.0, l2_sensitivity=20.0)
    for columns, bound in ((3, 0.1), (7, 1 / 3), (1000, math.pi)):
        total = ExactSum(columns, bound=bound)
        norm = Fraction(total.gaussian(stddev=1.0).step.l2_sensitivity)
        assert columns * Fraction(bound) ** 2 <= norm**2 <= columns * Fraction(bound) ** 2 * (1 + Fraction(1, 2**50))
        assert Fraction(total.laplace(scale=1.0).step.l1_sensitivity) >= columns * Fraction(bound)
    total, other = ExactSum(bound=1.0), ExactSum(bound=8.0)
    total.merge(other)
    assert total.bound == 8 and total.laplace(scale=1.0).step.l1_sensitivity == 8
    with pytest.raises(renyi.InvalidArgument):  # nothing limits what one number does
        ExactSum().laplace(scale=1.0).step


def test_numbers_of_any_size_are_added():
    total = ExactSum(bound=10.0)
    total.add([10**400, -(10**400), 3])
    assert total.rounded.tolist() == [3.0]
    vectors = ClippedSum(2, clip_norm=1.0)
    vectors.add([[10**400, 0], [3, 4]])
    assert (vectors.sums * vectors.grid).round(3).tolist() == [0.6, 0.8]
    with pytest.raises(renyi.InvalidArgument):  # what is behind a mask is not meant to be added
        total.add(np.ma.array([1.0, 2.0], mask=[False, True]))


@pytest.mark.parametrize(
    "field, call",
    [
        ("dimension", lambda: ClippedSum(0, clip_norm=1.0)),
        ("dimension", lambda: ClippedSum(1.5, clip_norm=1.0)),
        ("clip_norm", lambda: ClippedSum(3, clip_norm=math.nan)),
        ("clip_norm", lambda: ClippedSum(3, clip_norm="1")),
        ("grid", lambda: ClippedSum(3, clip_norm=1.0, grid=0.3)),
        ("records", lambda: ClippedSum(3, clip_norm=1.0).add(np.zeros((2, 4)))),
        ("records", lambda: ClippedSum(3, clip_norm=1.0).add(["a", "b", "c"])),
        ("parts", lambda: ClippedSum(3, clip_norm=1.0).add_parts([np.zeros((2, 4))])),
        ("parts", lambda: ClippedSum(3, clip_norm=1.0).add_parts([np.zeros((2, 1)), np.zeros((3, 2))])),
        ("other", lambda: ClippedSum(3, clip_norm=1.0).merge(ClippedSum(3, clip_norm=2.0))),
        ("other", lambda: ClippedSum(3, clip_norm=1.0).merge(5)),
        ("total", lambda: noise_like([1.0], noise_multiplier=1.0)),
        ("dtype", lambda: noise_like(ClippedSum(3, clip_norm=1.0), noise_multiplier=1.0, dtype=np.int64)),
        ("noise_multiplier", lambda: noise_like(ClippedSum(3, clip_norm=1.0), noise_multiplier=0.0)),
        ("bound", lambda: ExactSum(bound=-1.0)),
        ("columns", lambda: ExactSum(0)),
        ("values", lambda: ExactSum(2).add([1.0, 2.0, 3.0])),
        ("other", lambda: ExactSum(2).merge(ExactSum(3))),
        ("stddev", lambda: ExactSum().gaussian(stddev=0.0)),
        ("grid", lambda: ExactSum().gaussian(stddev=1.0, grid=0.3)),
        ("scale", lambda: ExactSum().laplace(scale=math.inf)),
        ("sensitivity", lambda: ExactSum().laplace(scale=1.0, sensitivity=-1.0)),
        ("records", lambda: float_sum_sensitivity(clip_norm=1.0, records=0, dimension=5)),
        ("dimension", lambda: float_sum_sensitivity(clip_norm=1.0, records=1, dimension=2**30)),
        ("stddev", lambda: effective_noise_multiplier(stddev=math.nan, sensitivity=1.0)),
    ],
)
def test_errors_name_the_field(field, call):
    with pytest.raises(renyi.Error) as caught:
        call()
    assert caught.value.field == field


def test_threads_add_to_one_sum():
    records = RNG.normal(size=(400, 500)).astype(np.float32)
    total, alone = ClippedSum(500, clip_norm=1.0), ClippedSum(500, clip_norm=1.0)
    threads = [threading.Thread(target=total.add, args=(records[i::4],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone.add(records)
    assert (total.sums == alone.sums).all() and total.records == 400


def test_the_documents_figures_of_float_sums():
    """The table of docs/math/clipped-sums.md."""
    text = (pathlib.Path(__file__).parents[2] / "docs/math/clipped-sums.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| ") and line[2].isdigit()]
    assert len(rows) >= 6
    for records, dimension, printed in rows:
        counts = int(records.replace(",", "")), int(dimension.replace(",", ""))
        try:
            bound = float_sum_sensitivity(clip_norm=1.0, records=counts[0], dimension=counts[1])
            assert float(printed) == pytest.approx(bound, rel=1e-3) and float(printed) >= bound
        except renyi.Unsupported:
            assert printed.strip() == "none"


def test_tensors_of_every_form():
    torch = pytest.importorskip("torch")
    for kind in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        total = ClippedSum(3, clip_norm=1.0)
        total.add(torch.tensor([[3.0, 0.0, 4.0]], dtype=kind, requires_grad=True))
        assert (total.sums * total.grid).round(3).tolist() == [0.6, 0, 0.8]
    with pytest.raises(renyi.InvalidArgument):
        total.add(torch.zeros(2, 3).to_sparse())


def test_a_sum_is_not_merged_with_itself():
    for total in (ClippedSum(3, clip_norm=1.0), ExactSum(columns=2)):
        with pytest.raises(renyi.InvalidArgument, match="other: got the sum itself"):
            total.merge(total)
