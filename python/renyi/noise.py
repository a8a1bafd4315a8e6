"""Noise that may be published: drawn exactly from the law that was accounted for, with bits of the kernel and AES.

>>> import numpy as np, renyi
>>> sums = np.array([1017.5, 64.25])
>>> noisy = renyi.noise.gaussian(sums, stddev=10.0)
>>> noisy.step                                          # what to account for; noisy.values is what to publish
Gaussian(stddev=10.0, l2_sensitivity=1.0)

``numpy.random`` and ``torch.randn`` are not for this: the low bits of their sums tell the values apart. Here, real
numbers are rounded to a public grid together with ideal noise, and whole numbers get noise of a discrete law, so that
the privacy of what is published is exactly that of ``step`` (docs/guide/noise.md).

Values are NumPy arrays of any shape, tensors of torch, lists, or single numbers. They are never changed, unless the
same array is given as ``out``. float32 stays float32, other real numbers become float64, whole numbers int64. They
never cause an error: they are clamped to a public range, and NaN counts as 0. Parameters that are not allowed raise
``InvalidArgument``; a system that gives no random bits raises ``Unsupported``.
"""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._clipped_sum import ClippedSum, ExactSum, effective_noise_multiplier, float_sum_sensitivity, noise_like
from ._noise_values import number_of, output_for, real_values, scores_column, shape_of, whole_values
from ._noisy import Choice, Noisy, choice_of, noisy_of
from ._numbers import Count, Number, to_float, to_int
from .errors import InvalidArgument

__all__ = [
    "Choice",
    "ClippedSum",
    "ExactSum",
    "Noisy",
    "bernoulli",
    "bernoulli_exp",
    "discrete_gaussian",
    "discrete_laplace",
    "effective_noise_multiplier",
    "exponential",
    "fixed_size_sample",
    "float_sum_sensitivity",
    "gaussian",
    "geometric",
    "laplace",
    "noise_like",
    "permute_and_flip",
    "poisson_sample",
    "random_allocation",
    "randomized_response",
    "report_noisy_max",
    "shuffle",
    "skellam",
]

Shape = Union[Count, "tuple[int, ...]"]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


def gaussian(
    values: Any,
    *,
    stddev: Number,
    grid: Optional[Number] = None,
    range: Optional[Number] = None,
    sensitivity: Number = 1.0,
    out: Optional[NDArray[Any]] = None,
) -> Noisy[Any]:
    """Adds Gaussian noise to real numbers: returns round(values + noise), rounded to the grid.

    >>> import numpy as np, renyi
    >>> noisy = renyi.noise.gaussian(np.float32([[1.5, -2.0]]), stddev=10.0, sensitivity=2.0)
    >>> noisy.values.shape, noisy.values.dtype, noisy.step
    ((1, 2), dtype('float32'), Gaussian(stddev=10.0, l2_sensitivity=2.0))

    values: an array, a tensor, a list or one number.
    stddev: the standard deviation of the noise, from 2^-10 to 2^48 times the grid.
    grid: a power of two (default: at most 2^-20 of ``stddev``, coarser if float32 needs it).
    range: values are clamped to [-range, range] (default: as far as the results are exact).
    sensitivity: the largest L2 distance by which one record moves all values; only ``step`` depends on it.
    out: an array that receives the results; it may be ``values`` itself.
    """
    return _on_grid(_native.noise_gaussian, values, "stddev", stddev, (grid, range, sensitivity), out)


def laplace(
    values: Any,
    *,
    scale: Number,
    grid: Optional[Number] = None,
    range: Optional[Number] = None,
    sensitivity: Number = 1.0,
    out: Optional[NDArray[Any]] = None,
) -> Noisy[Any]:
    """Adds Laplace noise to real numbers: returns round(values + noise), rounded to the grid.

    >>> import renyi
    >>> noisy = renyi.noise.laplace(41.5, scale=2.0, grid=0.25)
    >>> type(noisy.values), (noisy.values / 0.25).is_integer(), noisy.step
    (<class 'float'>, True, Laplace(scale=2.0, l1_sensitivity=1.0))

    scale: the scale of the noise: its density is proportional to exp(-abs(x)/scale).
    sensitivity: the largest L1 distance by which one record moves all values; only ``step`` depends on it.
    Other arguments are those of ``gaussian``.
    """
    return _on_grid(_native.noise_laplace, values, "scale", scale, (grid, range, sensitivity), out)


def discrete_gaussian(
    values: Any, *, stddev: Number, sensitivity: Number = 1, out: Optional[Ints] = None
) -> Noisy[Any]:
    """Adds noise of the discrete Gaussian law to whole numbers: masses proportional to exp(-k^2 / (2 stddev^2)).

    >>> import renyi
    >>> noisy = renyi.noise.discrete_gaussian([17, 4], stddev=3.0)
    >>> noisy.values.dtype, noisy.step
    (dtype('int64'), DiscreteGaussian(stddev=3.0, sensitivity=1.0))

    values: an array, a tensor or a list of integers, or one integer. Sums saturate at the ends of 64-bit integers.
    sensitivity: a whole number, by which one record moves a value at most; only ``step`` depends on it. If one record
    moves up to k of the values, account for ``step * k``.
    """
    return _whole(_native.noise_discrete_gaussian, values, "stddev", stddev, sensitivity, out)


def discrete_laplace(
    values: Any, *, scale: Number, sensitivity: Number = 1, out: Optional[Ints] = None
) -> Noisy[Any]:
    """Adds noise of the discrete Laplace law to whole numbers: masses proportional to exp(-abs(k) / scale).

    >>> import renyi
    >>> renyi.noise.discrete_laplace(17, scale=3.0).step
    DiscreteLaplace(scale=3.0, sensitivity=1.0)
    """
    return _whole(_native.noise_discrete_laplace, values, "scale", scale, sensitivity, out)


def skellam(values: Any, *, variance: Number, sensitivity: Number = 1, out: Optional[Ints] = None) -> Noisy[Any]:
    """Adds Skellam noise to whole numbers: the difference of two Poisson numbers of mean variance/2.

    >>> import renyi
    >>> renyi.noise.skellam([17, 4], variance=9.0).step
    Skellam(variance=9.0, sensitivity=1.0)
    """
    return _whole(_native.noise_skellam, values, "variance", variance, sensitivity, out)


def randomized_response(
    values: Any, *, truth_probability: Number, categories: Count = 2, out: Optional[Ints] = None
) -> Noisy[Any]:
    """Keeps each value in 0, ..., categories - 1 with the probability of truth; otherwise it becomes one of the other
    categories, all with the same probability. Values outside count as the nearest category.

    >>> import renyi
    >>> noisy = renyi.noise.randomized_response([0, 3, 2], truth_probability=0.75, categories=4)
    >>> noisy.step
    RandomizedResponse(truth_probability=0.75, categories=4.0)
    """
    truth = to_float("truth_probability", truth_probability)
    given = whole_values("values", values)
    results = output_for(given, out)
    facts = _native.noise_randomized_response(
        given.column, results.reshape(-1), truth, to_int("categories", categories)
    )
    return noisy_of(given.restored(results), facts)


def geometric(size: Shape, *, scale: Number) -> Noisy[Ints]:
    """Draws whole numbers k >= 0 with masses proportional to exp(-k/scale).

    >>> import renyi
    >>> bool((renyi.noise.geometric((2, 3), scale=5.0).values >= 0).all())
    True
    """
    results = np.empty(shape_of(size), dtype=np.int64)
    return noisy_of(results, _native.noise_geometric(results.reshape(-1), to_float("scale", scale)))


def bernoulli(size: Shape, *, probability: Number) -> Noisy[Bools]:
    """Flips coins that are true with the probability that the double is, exactly.

    >>> import renyi
    >>> renyi.noise.bernoulli(3, probability=1.0).values
    array([ True,  True,  True])
    """
    results = np.empty(shape_of(size), dtype=np.bool_)
    return noisy_of(results, _native.noise_bernoulli(_bytes(results), to_float("probability", probability)))


def bernoulli_exp(size: Shape, *, exponent: Number) -> Noisy[Bools]:
    """Flips coins that are true with probability exp(-exponent); the exponent is at least 0.

    >>> import renyi
    >>> renyi.noise.bernoulli_exp(3, exponent=0.0).values
    array([ True,  True,  True])
    """
    results = np.empty(shape_of(size), dtype=np.bool_)
    return noisy_of(results, _native.noise_bernoulli_exp(_bytes(results), to_float("exponent", exponent)))


def exponential(
    scores: Any, *, epsilon: Number, sensitivity: Number = 1.0, monotonic: bool = False, range: Number = 2.0**40
) -> Choice:
    """Chooses a candidate by the exponential mechanism: weights exp(epsilon score / (2 sensitivity)), without the 2 if
    ``monotonic``.

    >>> import renyi
    >>> renyi.noise.exponential([10.0, 900.0, 30.0], epsilon=1.0)
    <candidate 1, account for Exponential(epsilon=1.0)>

    scores: one for each candidate.
    sensitivity: how far one record moves any score.
    monotonic: one record moves all scores the same way, or not at all.
    range: scores are clamped to [-range, range].
    """
    return _chosen(_native.noise_exponential, scores, "epsilon", epsilon, (sensitivity, monotonic, range))


def permute_and_flip(
    scores: Any, *, epsilon: Number, sensitivity: Number = 1.0, monotonic: bool = False, range: Number = 2.0**40
) -> Choice:
    """Chooses a candidate by permute-and-flip, whose choices are never worse than those of ``exponential``.

    >>> import renyi
    >>> renyi.noise.permute_and_flip([10.0, 900.0, 30.0], epsilon=1.0)
    <candidate 1, account for PermuteAndFlip(epsilon=1.0)>

    Arguments are those of ``exponential``.
    """
    return _chosen(_native.noise_permute_and_flip, scores, "epsilon", epsilon, (sensitivity, monotonic, range))


def report_noisy_max(
    scores: Any, *, score_scale: Number, sensitivity: Number = 1.0, monotonic: bool = False, range: Number = 2.0**40
) -> Choice:
    """Chooses the candidate with the largest score after Laplace noise.

    >>> import renyi
    >>> renyi.noise.report_noisy_max([10.0, 900.0, 30.0], score_scale=2.0).index
    1

    score_scale: the scale of the noise on each score. Other arguments are those of ``exponential``.
    """
    return _chosen(_native.noise_report_noisy_max, scores, "score_scale", score_scale, (sensitivity, monotonic, range))


def poisson_sample(size: Count, *, sampling_rate: Number) -> Noisy[Bools]:
    """Draws a Poisson sample of ``size`` records: each one is true with probability ``sampling_rate``.

    >>> import renyi
    >>> renyi.noise.poisson_sample(3, sampling_rate=0.0).values
    array([False, False, False])
    """
    results = np.empty(number_of("size", size), dtype=np.bool_)
    return noisy_of(results, _native.noise_poisson_sample(_bytes(results), to_float("sampling_rate", sampling_rate)))


def fixed_size_sample(size: Count, *, sample_size: Count) -> Noisy[Bools]:
    """Draws ``sample_size`` of ``size`` records: those in the sample are true, and all sets are equally likely.

    >>> import renyi
    >>> int(renyi.noise.fixed_size_sample(100, sample_size=7).values.sum())
    7
    """
    results = np.empty(number_of("size", size), dtype=np.bool_)
    return noisy_of(
        results, _native.noise_fixed_size_sample(_bytes(results), number_of("sample_size", sample_size, 2**63 - 1))
    )


def random_allocation(size: Count, *, steps: Count) -> Noisy[Ints]:
    """Allocates each of ``size`` records to one of the steps 0, ..., steps - 1.

    >>> import renyi
    >>> renyi.noise.random_allocation(4, steps=1).values
    array([0, 0, 0, 0])
    """
    results = np.empty(number_of("size", size), dtype=np.int64)
    facts = _native.noise_random_allocation(results.view(np.uint64), number_of("steps", steps, 2**63 - 1))
    return noisy_of(results, facts)


def shuffle(size: Count) -> Noisy[Ints]:
    """Draws a permutation of 0, ..., size - 1; all are equally likely.

    >>> import renyi
    >>> sorted(renyi.noise.shuffle(5).values.tolist())
    [0, 1, 2, 3, 4]
    """
    results = np.empty(number_of("size", size), dtype=np.int64)
    return noisy_of(results, _native.noise_shuffle(results.view(np.uint64)))


def _on_grid(
    draw: Any, values: object, name: str, scale: object, options: tuple[object, ...], out: object
) -> Noisy[Any]:
    grid, limit, sensitivity = options
    numbers = (
        to_float(name, scale),
        None if grid is None else to_float("grid", grid),
        None if limit is None else to_float("range", limit),
        to_float("sensitivity", sensitivity),
    )
    given = real_values("values", values)
    results = output_for(given, out)
    facts = draw(given.column, results.reshape(-1), *numbers)
    return noisy_of(given.restored(results), facts)


def _whole(draw: Any, values: object, name: str, parameter: object, sensitivity: object, out: object) -> Noisy[Any]:
    numbers = (to_float(name, parameter), to_float("sensitivity", sensitivity))
    given = whole_values("values", values)
    results = output_for(given, out)
    facts = draw(given.column, results.reshape(-1), *numbers)
    return noisy_of(given.restored(results), facts)


def _chosen(draw: Any, scores: object, name: str, parameter: object, options: tuple[object, ...]) -> Choice:
    sensitivity, monotonic, limit = options
    if not isinstance(monotonic, (bool, np.bool_)):
        raise InvalidArgument("monotonic", repr(monotonic), "True or False")
    numbers = (
        to_float(name, parameter),
        to_float("sensitivity", sensitivity),
        bool(monotonic),
        to_float("range", limit),
    )
    index, facts = draw(scores_column(scores), *numbers)
    return choice_of(index, facts)


def _bytes(coins: Bools) -> NDArray[np.uint8]:
    return coins.view(np.uint8).reshape(-1)
