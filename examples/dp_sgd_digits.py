"""DP-SGD in plain NumPy: handwritten digits, softmax regression, a budget kept to the last step.

    python examples/dp_sgd_digits.py --epsilon 3

Shows the whole loop: noise for a budget (renyi.calibrate), every step told to renyi.Accountant, a checkpoint in the
middle, and what the run cost in the end: by a textbook accountant, by the Rényi bound and exactly.

This is a demonstration. Noise and samples come from NumPy's generator with a fixed seed: fine to look at, not for a
release, where they must not be predictable. The learning rate and the clipping norm were tried out on these same data,
which the epsilon does not count, and the number of training images is taken to be public.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import NamedTuple

import numpy as np

import renyi

DELTA = 1e-5
BATCHES_AN_EPOCH = 10
RATE = 1 / BATCHES_AN_EPOCH  # Poisson sampling: each image enters each batch independently with this probability
LEARNING_RATE = 8.0
CLIPPING_NORM = 0.5
TRAINING_IMAGES = 1437  # four fifths
CLASSES = 10


class Images(NamedTuple):
    pixels: np.ndarray
    digits: np.ndarray


def load(generator: np.random.Generator) -> tuple[Images, Images]:
    """Returns images for training, and others for testing."""
    from sklearn.datasets import load_digits

    pixels, digits = load_digits(return_X_y=True)
    # Each image is scaled by its own norm, which uses no other image, so there is nothing to account for.
    pixels = pixels / np.linalg.norm(pixels, axis=1, keepdims=True)
    pixels = np.column_stack([pixels, np.full(len(pixels), 0.3)])  # the last column carries the bias
    shuffled = generator.permutation(len(digits))
    train, test = shuffled[:TRAINING_IMAGES], shuffled[TRAINING_IMAGES:]
    return Images(pixels[train], digits[train]), Images(pixels[test], digits[test])


def clipped_gradient_sum(weights: np.ndarray, batch: Images) -> np.ndarray:
    """Returns the sum of the images' gradients, each clipped to the clipping norm."""
    scores = batch.pixels @ weights
    likelihood = np.exp(scores - scores.max(axis=1, keepdims=True))
    error = likelihood / likelihood.sum(axis=1, keepdims=True)
    error[np.arange(len(batch.digits)), batch.digits] -= 1
    # An image's gradient is the outer product of its pixels and its error, so its norm is the product of their norms.
    norms = np.linalg.norm(batch.pixels, axis=1) * np.linalg.norm(error, axis=1)
    factors = CLIPPING_NORM / np.maximum(norms, CLIPPING_NORM)
    return batch.pixels.T @ (error * factors[:, None])


def noisy_step(weights: np.ndarray, train: Images, noise: float, generator: np.random.Generator) -> np.ndarray:
    chosen = generator.random(len(train.digits)) < RATE
    batch = Images(train.pixels[chosen], train.digits[chosen])
    total = clipped_gradient_sum(weights, batch) + generator.normal(0, noise * CLIPPING_NORM, weights.shape)
    # The sum is divided by the expected batch size: the actual size is private.
    return weights - LEARNING_RATE * total / (RATE * TRAINING_IMAGES)


def accuracy(weights: np.ndarray, test: Images) -> float:
    return float(np.mean((test.pixels @ weights).argmax(axis=1) == test.digits))


def save(weights: np.ndarray, accountant: renyi.Accountant) -> str:
    return json.dumps({"weights": weights.tolist(), "accountant": accountant.state_dict()})


def resume(checkpoint: str) -> tuple[np.ndarray, renyi.Accountant]:
    saved = json.loads(checkpoint)
    accountant = renyi.Accountant()
    accountant.load_state_dict(saved["accountant"])
    return np.array(saved["weights"]), accountant


def textbook_rdp(order: int, rate: float, noise: float) -> float:
    """Returns the divergence of one step at an integer order (Mironov, Talwar, Zhang 2019, arXiv:1908.10530v1, section
    3.3)."""
    k = np.arange(order + 1)
    log_binomial = np.array([math.lgamma(order + 1) - math.lgamma(i + 1) - math.lgamma(order - i + 1) for i in k])
    terms = log_binomial + (order - k) * math.log1p(-rate) + k * math.log(rate) + k * (k - 1) / (2 * noise**2)
    return float(np.logaddexp.reduce(terms)) / (order - 1)


def textbook_epsilon(rate: float, noise: float, steps: int, delta: float) -> float:
    """A textbook accountant: a grid of orders and the classical conversion (Mironov 2017, Proposition 3)."""
    orders = [*range(2, 65), 128, 256, 512]
    return min(steps * textbook_rdp(a, rate, noise) + math.log(1 / delta) / (a - 1) for a in orders)


class Result(NamedTuple):
    noise: float
    accuracy: float
    textbook: float
    after_resume: renyi.Epsilon  # epsilon of the accountant that was saved and loaded half-way
    unbroken: renyi.Epsilon  # epsilon of an accountant that was not


def train_and_account(epsilon: float, epochs: int, seed: int) -> Result:
    generator = np.random.default_rng(seed)
    train, test = load(generator)
    steps = epochs * BATCHES_AN_EPOCH
    noise = float(renyi.calibrate(epsilon=epsilon, delta=DELTA, sampling_rate=RATE, steps=steps))
    print(f"noise {noise:.4f} x the clipping norm, for {steps} steps at rate {RATE:g}")

    weights = np.zeros((train.pixels.shape[1], CLASSES))
    accountant, unbroken = renyi.Accountant(), renyi.Accountant()
    for epoch in range(epochs):
        if epoch == epochs // 2:
            print(f"checkpoint after {accountant.steps} steps, and on from there with a fresh accountant")
            weights, accountant = resume(save(weights, accountant))
        for _ in range(BATCHES_AN_EPOCH):
            weights = noisy_step(weights, train, noise, generator)
            accountant.step(noise_multiplier=noise, sampling_rate=RATE)
            unbroken.step(noise_multiplier=noise, sampling_rate=RATE)
        if (epoch + 1) % max(1, epochs // 5) == 0:
            spent = up(accountant.epsilon(DELTA).upper)
            print(f"epoch {epoch + 1:3}: test accuracy {accuracy(weights, test):.3f}, epsilon so far {spent}")

    textbook = textbook_epsilon(RATE, noise, steps, DELTA)
    found = accountant.epsilon(DELTA)
    return Result(noise, accuracy(weights, test), textbook, found, unbroken.epsilon(DELTA))


def up(bound: float) -> str:
    """Formats a number rounded up, so that a printed upper bound is still a bound."""
    return f"{math.ceil(bound * 1e5) / 1e5:.5f}"


def show(result: Result) -> None:
    found, unbroken = result.after_resume, result.unbroken
    same = (found.renyi, *found.exact) == (unbroken.renyi, *unbroken.exact)
    print(f"\ntest accuracy        {result.accuracy:.3f}")
    print(f"epsilon at delta {DELTA:g}")
    print(f"  textbook           {up(result.textbook)}  (integer orders, classical conversion)")
    print(f"  renyi, Rényi bound {up(found.renyi)}  (order {found.order:.2f}, {found.conversion} conversion)")
    print(f"  renyi, exact       {up(found.exact.upper)}  (by {found.exact.engine})")
    print(f"  without the break  {up(unbroken.exact.upper)}  ({'the same' if same else 'DIFFERENT'} to the last bit)")


def arguments(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--epsilon", type=float, default=3.0, help=f"the budget, at delta {DELTA:g} (3)")
    parser.add_argument("--epochs", type=int, default=40, help="how often each image is used, on average (40)")
    parser.add_argument("--seed", type=int, default=1, help="of the noise, the batches and the split (1)")
    given = parser.parse_args()
    if given.epochs < 1:
        parser.error(f"--epochs: got {given.epochs}, allowed: an integer of at least 1")
    if not 0 < given.epsilon < math.inf:  # NaN is refused too
        parser.error(f"--epsilon: got {given.epsilon}, allowed: a finite number above 0")
    return given


def main() -> int:
    given = arguments("DP-SGD on handwritten digits, in plain NumPy.")
    try:
        show(train_and_account(given.epsilon, given.epochs, given.seed))
    except renyi.Error as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
