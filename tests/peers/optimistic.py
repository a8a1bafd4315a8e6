"""A delta that is certainly reached, from nothing but the definition: the judge where two accountants disagree.

The loss of every step is rounded down to a grid and the laws are convolved by FFT. As delta, the mean of
max(0, 1 - exp(epsilon - loss)), rises with the loss, the figure is below the truth, but for rounding errors of the
FFT of some 1e-15. It shares no code with either side, and no parameters but the plan.
"""

import math

import numpy as np
from scipy.special import ndtr

_LOSSES = 2**20


def delta_reached(plan, epsilon, direction="remove"):
    """Returns a delta that a ``renyi.Plan`` attains under its own neighbouring relation: a lower bound."""
    steps = plan.merged()
    reach = max(sum(count * _most(what) for what, count in steps), epsilon) * 1.01 + 1e-3
    width = 2 * reach / _LOSSES
    edges = (np.arange(_LOSSES + 1) - _LOSSES // 2) * width
    transform = np.ones(_LOSSES // 2 + 1, dtype=complex)
    for what, count in steps:
        mass = np.diff(_tail_below(what, edges, direction))
        transform *= np.fft.rfft(np.roll(mass, -(_LOSSES // 2))) ** count
    total = np.roll(np.fft.irfft(transform, _LOSSES), _LOSSES // 2)
    losses = edges[:-1]
    counted = losses > epsilon
    return float(np.sum(np.maximum(total[counted], 0) * -np.expm1(epsilon - losses[counted])))


def _most(what):
    """A loss so large that what lies beyond may be forgotten: that lowers delta too."""
    if what.kind == "gaussian":
        shift = what.l2_sensitivity / what.stddev
        return shift**2 / 2 + 9 * shift
    if what.kind == "laplace":
        return what.l1_sensitivity / what.scale
    if what.kind == "randomized-response":
        return abs(_ratio(what))
    return math.log1p(what.sampling_rate * math.expm1((9 + 0.5 / what.noise_multiplier) / what.noise_multiplier))


def _ratio(what):
    return math.log(what.truth_probability * (what.categories - 1) / (1 - what.truth_probability))


def _tail_below(what, edges, direction):
    """P(loss < edge) under the law that the loss is taken of."""
    if what.kind == "gaussian":
        shift = what.l2_sensitivity / what.stddev
        return ndtr((edges - shift**2 / 2) / shift)
    if what.kind == "laplace":
        return _laplace_below(edges, what.l1_sensitivity / what.scale)
    if what.kind == "randomized-response":
        ratio, truth = _ratio(what), what.truth_probability
        lie = (1 - truth) / (what.categories - 1)
        return truth * (edges > ratio) + lie * (edges > -ratio) + (1 - truth - lie) * (edges > 0)
    return _sampled_below(edges, what.sampling_rate, what.noise_multiplier, direction)


def _laplace_below(edges, shift):
    # Loss |x - shift| - |x| under a Laplace law of scale 1 at 0: atoms of 1/2 at +shift, and e^-shift/2 at -shift.
    inside = 0.5 * np.exp((np.clip(edges, -shift, shift) - shift) / 2)
    return np.where(edges <= -shift, 0.0, np.where(edges > shift, 1.0, inside))


def _sampled_below(edges, q, noise, direction):
    # With the record x ~ (1-q) N(0, s^2) + q N(1, s^2), without it N(0, s^2); loss = log(1-q + q exp((x-1/2)/s^2)).
    sign = 1 if direction == "remove" else -1
    loss = sign * edges
    with np.errstate(divide="ignore", invalid="ignore"):
        x = 0.5 + noise**2 * np.log(np.maximum(np.expm1(loss) + q, 0) / q)
    x = np.where(np.expm1(loss) + q > 0, x, -np.inf)
    if sign == 1:
        return (1 - q) * ndtr(x / noise) + q * ndtr((x - 1) / noise)
    return ndtr(-x / noise)
