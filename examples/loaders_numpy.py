"""DP-SGD in plain NumPy with a loader that matches the account: samples, sums and noise are all exact.

    python examples/loaders_numpy.py --loader random-allocation

The loader draws the batches and is charged for each of them before it is handed out; the gradients are clipped and
added exactly, the noise is drawn exactly, and the sum is divided by a public number, the expected batch size of
NOMINAL_SIZE records. Half-way, the training stops and goes on from a checkpoint, with the same batches for the rest of
the epoch, and costs what it would have cost without the break.
"""

from __future__ import annotations

import argparse
import pickle
import sys

import numpy as np

import renyi

RECORDS, FEATURES = 2000, 10
NOMINAL_SIZE = 2000  # stated without looking at the data; the sum is divided by NOMINAL_SIZE / BATCHES_AN_EPOCH
BATCHES_AN_EPOCH, EPOCHS = 20, 6
NOISE_MULTIPLIER, CLIPPING_NORM, LEARNING_RATE, DELTA = 2.0, 1.0, 4.0, 1e-5


def synthetic() -> tuple[np.ndarray, np.ndarray]:
    """Returns features and labels. They are not anybody's, so that a fixed seed is fine."""
    generator = np.random.default_rng(7)
    features = generator.normal(size=(RECORDS, FEATURES)) / np.sqrt(FEATURES)
    return features, (features @ generator.normal(size=FEATURES) > 0).astype(float)


def made(kind: str) -> renyi.loaders.Loader:
    if kind == "random-allocation":
        return renyi.loaders.RandomAllocationLoader(
            RECORDS, batches=BATCHES_AN_EPOCH, epochs=EPOCHS, nominal_size=NOMINAL_SIZE
        )
    steps = BATCHES_AN_EPOCH * EPOCHS
    return renyi.loaders.PoissonLoader(RECORDS, rate=1 / BATCHES_AN_EPOCH, steps=steps, nominal_size=NOMINAL_SIZE)


def gradients(weights: np.ndarray, features: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Returns one gradient a row, those of logistic regression."""
    predicted = 1 / (1 + np.exp(-features @ weights))
    return (predicted - labels)[:, None] * features


def update(weights: np.ndarray, batch: renyi.loaders.Batch, loader: renyi.loaders.Loader, data: tuple) -> np.ndarray:
    total = renyi.noise.ClippedSum(FEATURES, clip_norm=CLIPPING_NORM)
    for part in renyi.loaders.microbatches(batch, 64):  # as much as fits into memory; the noise comes once, below
        total.add(gradients(weights, *(column[part] for column in data)))
    noisy = renyi.noise.noise_like(total, noise_multiplier=NOISE_MULTIPLIER)
    return weights - LEARNING_RATE * loader.mean(noisy.values)


def train(kind: str) -> tuple[np.ndarray, renyi.Accountant]:
    data = synthetic()
    weights, loader, account = np.zeros(FEATURES), made(kind), renyi.Accountant()
    account.observe(loader, noise_multiplier=NOISE_MULTIPLIER)
    stop = loader.steps // 2 + 3  # in the middle of an epoch
    for batch in loader:
        weights = update(weights, batch, loader, data)
        if batch.number == stop:
            break

    # The state of the loader says who is in which batch: it is as secret as the data.
    checkpoint = pickle.dumps({"weights": weights, "loader": loader.state_dict(), "account": account.state_dict()})
    del weights, loader, account

    saved, loader, account = pickle.loads(checkpoint), made(kind), renyi.Accountant()
    weights = saved["weights"]
    loader.load_state_dict(saved["loader"])
    account.load_state_dict(saved["account"])
    for batch in account.observe(loader, noise_multiplier=NOISE_MULTIPLIER):
        weights = update(weights, batch, loader, data)
    account.check(steps=loader.steps, noise_multiplier=NOISE_MULTIPLIER)  # those before the break included
    assert account.plan == loader.plan(noise_multiplier=NOISE_MULTIPLIER)
    return weights, account


def main() -> int:
    parser = argparse.ArgumentParser(description="DP-SGD in NumPy with a loader that matches the account.")
    parser.add_argument("--loader", choices=["poisson", "random-allocation"], default="poisson")
    kind = parser.parse_args().loader
    weights, account = train(kind)
    features, labels = synthetic()
    print(f"accuracy   {np.mean((features @ weights > 0) == labels):.3f}")
    print(f"steps      {account.steps}  ({account.plan.steps[0].what!r})")
    print(f"epsilon    {account.epsilon(DELTA):.4f}  at delta {DELTA:g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
