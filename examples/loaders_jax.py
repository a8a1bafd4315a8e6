"""The same training in the style of JAX: pure functions of arrays whose shapes never change.

    python examples/loaders_jax.py

A compiled step needs batches of one shape, and Poisson samples have none. TruncatedPoissonLoader pads every batch to
``batch_limit`` places and says by a mask which of them count; the account includes what the limit costs, for up to
``MOST_RECORDS`` records, which the program promises. The sum of clipped gradients is a pure function, compiled by JAX
where it is installed and run by NumPy where it is not. Noise is drawn outside of it, exactly. The sums are those of
floats, which round: renyi.noise.ClippedSum, as in loaders_numpy.py, adds exactly.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import renyi

try:
    import jax
    import jax.numpy as jnp

    compiled = jax.jit
except ImportError:
    jnp: Any = np  # type: ignore[no-redef]

    def compiled(function: Any) -> Any:  # type: ignore[no-redef]
        return function


RECORDS, FEATURES, STEPS = 2000, 10, 120
MOST_RECORDS = 2000  # stated without looking at the data, whose number of records is private
BATCH_SIZE, BATCH_LIMIT = 100, 160
NOISE_MULTIPLIER, CLIPPING_NORM, LEARNING_RATE, DELTA = 2.0, 1.0, 4.0, 1e-5


@compiled
def clipped_gradient_sum(weights: Any, features: Any, labels: Any, mask: Any) -> Any:
    """Returns the sum of clipped gradients over the places that count. The mask multiplies each gradient, because the
    places that do not count hold a record, too."""
    predicted = 1 / (1 + jnp.exp(-features @ weights))
    each = (predicted - labels)[:, None] * features
    norms = jnp.linalg.norm(each, axis=1, keepdims=True)
    clipped = each * jnp.minimum(1.0, CLIPPING_NORM / jnp.maximum(norms, 1e-12))
    return jnp.sum(clipped * mask[:, None], axis=0)


def update(weights: Any, batch: renyi.loaders.Batch, data: tuple[Any, Any], loader: renyi.loaders.Loader) -> Any:
    features, labels = data
    indices, mask = batch
    total = clipped_gradient_sum(weights, features[indices], labels[indices], mask)
    noisy = renyi.noise.gaussian(np.asarray(total, dtype=np.float64), stddev=NOISE_MULTIPLIER * CLIPPING_NORM)
    return weights - LEARNING_RATE * loader.mean(noisy.values)


def train(data: tuple[Any, Any]) -> tuple[Any, renyi.Accountant]:
    loader = renyi.loaders.TruncatedPoissonLoader(
        len(data[1]), batch_size=BATCH_SIZE, batch_limit=BATCH_LIMIT, nominal_size=MOST_RECORDS, steps=STEPS
    )
    account, weights = renyi.Accountant(), np.zeros(FEATURES)
    for batch in account.observe(loader, noise_multiplier=NOISE_MULTIPLIER):
        weights = update(weights, batch, data, loader)
    account.check(steps=STEPS)
    return weights, account


def main() -> int:
    generator = np.random.default_rng(7)
    features = generator.normal(size=(RECORDS, FEATURES)) / np.sqrt(FEATURES)
    labels = (features @ generator.normal(size=FEATURES) > 0).astype(float)
    weights, account = train((jnp.asarray(features), jnp.asarray(labels)))
    print(f"accuracy   {np.mean((features @ np.asarray(weights) > 0) == labels):.3f}")
    print(f"steps      {account.steps}  ({account.plan.steps[0].what!r})")
    print(f"epsilon    {account.epsilon(DELTA):.4f}  at delta {DELTA:g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
