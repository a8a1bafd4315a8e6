"""DP-SGD that a ledger pays for: each epoch before it begins, until the budget is spent.

    python examples/ledger_training.py --ledger models.ledger

Logistic regression on synthetic data, by gradients of Poisson samples that are clipped and get Gaussian noise. The
ledger is a file that outlives this program: run it again with the same file, and there is nothing left to train with.
Without --ledger, it is a temporary one.

This is a demonstration: the noise is that of NumPy, and predictable from the seed; renyi.noise draws noise that may be
published. The accuracy is computed from the records without noise. For real data it is private.
"""

from __future__ import annotations

import argparse
import math
import os
import tempfile

import numpy as np
from numpy.typing import NDArray

import renyi

RECORDS, FEATURES = 2000, 5
SAMPLING_RATE, NOISE_MULTIPLIER, CLIP = 0.05, 1.2, 1.0
STEPS_PER_EPOCH = 20
LEARNING_RATE, DELTA = 0.02, 1e-6
#: What the dataset may cost in all, whoever trains on it: 8 epochs and a half of this kind.
BUDGET = renyi.Budget.curve_of(renyi.SampledGaussian(SAMPLING_RATE, NOISE_MULTIPLIER) * 170)

Array = NDArray[np.float64]


def synthetic_data(generator: np.random.Generator) -> tuple[Array, Array]:
    """Points, and labels that a direction explains well."""
    direction = np.ones(FEATURES) / math.sqrt(FEATURES)
    points = generator.normal(size=(RECORDS, FEATURES)) / math.sqrt(FEATURES)
    labels = np.where(points @ direction + 0.1 * generator.normal(size=RECORDS) > 0, 1.0, -1.0)
    return points, labels


def noisy_gradient(weights: Array, points: Array, labels: Array, generator: np.random.Generator) -> Array:
    """The sum of the clipped gradients of a sample, with noise."""
    chosen = generator.random(len(points)) < SAMPLING_RATE
    points, labels = points[chosen], labels[chosen]
    gradients = (-labels / (1 + np.exp(labels * (points @ weights))))[:, None] * points
    norms = np.linalg.norm(gradients, axis=1)
    gradients *= np.minimum(1, CLIP / np.maximum(norms, 1e-300))[:, None]
    return np.asarray(gradients.sum(axis=0) + NOISE_MULTIPLIER * CLIP * generator.normal(size=FEATURES))


def opened(path: str) -> renyi.Ledger:
    """Opens the ledger, or makes it, with one scope."""
    if os.path.exists(path):
        return renyi.Ledger(path)
    ledger = renyi.Ledger.create(path)
    ledger.add_scope("survey", BUDGET)
    return ledger


def train(ledger: renyi.Ledger, generator: np.random.Generator) -> None:
    points, labels = synthetic_data(generator)
    weights = np.zeros(FEATURES)
    account = renyi.LedgerAccountant(
        ledger,
        "survey",
        steps_per_epoch=STEPS_PER_EPOCH,
        noise_multiplier=NOISE_MULTIPLIER,
        sampling_rate=SAMPLING_RATE,
    )
    try:
        while True:
            with account.epoch():
                for _ in range(STEPS_PER_EPOCH):
                    account.step()
                    weights -= LEARNING_RATE * noisy_gradient(weights, points, labels, generator)
    except renyi.BudgetExceeded as error:
        assert error.receipt is not None
        print(f"refused              entry {error.receipt.entry}, after {account.epochs} epochs")
        print(f"steps that would fit {error.receipt.fitting_count}")
    print(f"accuracy             {np.mean(np.sign(points @ weights) == labels):.3f}")
    if account.epochs:
        print(f"epsilon, this run    {account.epsilon(DELTA):.4f} at delta {DELTA}")
    print(f"epsilon, the survey  {BUDGET.epsilon(DELTA):.4f} at delta {DELTA}, whatever else is charged")
    print(f"log                  {'valid' if ledger.verify() else 'wrong'}, {ledger.head().entry + 1} entries")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ledger", help="a file that is kept")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        train(opened(given.ledger or os.path.join(folder, "survey.ledger")), np.random.default_rng(given.seed))


if __name__ == "__main__":
    main()
