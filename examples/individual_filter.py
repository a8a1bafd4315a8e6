"""Individual accounts on synthetic data: how many steps they allow beyond the worst case with the same budget.

Logistic regression by gradient descent on all records, with clipped gradients and Gaussian noise. A filter for the
worst case charges every step as if every gradient had the largest norm. Individual accounts charge each record for its
own: records that the model predicts well have small gradients, pay little, and go on.

How long they go on depends on the records. For real data that number is private: neither it nor the shares printed
below may be published. The data here is made up, so this program may print them.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from numpy.typing import NDArray

import renyi

RECORDS, FEATURES = 2000, 5
NOISE_MULTIPLIER, CLIP, RHO = 60.0, 1.0, 0.01
#: Fixed before the run. A rule that looks at accounts, such as "until half of the records are out", would be private.
STEPS = 1200
LEARNING_RATE = 2.0

Array = NDArray[np.float64]


def synthetic_data(generator: np.random.Generator) -> tuple[Array, Array]:
    """Points in the unit ball, and labels that a direction explains well."""
    direction = np.ones(FEATURES) / math.sqrt(FEATURES)
    points = generator.normal(size=(RECORDS, FEATURES)) / math.sqrt(FEATURES)
    labels = np.where(points @ direction + 0.1 * generator.normal(size=RECORDS) > 0, 1.0, -1.0)
    return points, labels


def gradients_of(weights: Array, points: Array, labels: Array) -> tuple[Array, Array]:
    """The gradient of each record's loss, clipped, and its norm."""
    pulls = -labels / (1 + np.exp(labels * (points @ weights)))
    gradients = pulls[:, None] * points
    norms = np.linalg.norm(gradients, axis=1)
    gradients *= np.minimum(1, CLIP / np.maximum(norms, 1e-300))[:, None]
    return gradients, np.minimum(norms, CLIP)


def worst_case_steps() -> int:
    """How many steps a filter allows that knows the clip only."""
    return int(2 * NOISE_MULTIPLIER**2 * RHO)  # each costs 1/2 over the square of the noise multiplier


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    generator = np.random.default_rng(parser.parse_args().seed)
    points, labels = synthetic_data(generator)
    weights = np.zeros(FEATURES)
    accounts = renyi.IndividualFilter(RECORDS, {"kind": "zcdp", "rho": RHO})
    worst_case = worst_case_steps()
    longer, shares = 0, []

    for step in range(1, STEPS + 1):
        gradients, norms = gradients_of(weights, points, labels)
        may = accounts.charge(norms, noise_multiplier=NOISE_MULTIPLIER, clip=CLIP)
        noise = generator.normal(scale=NOISE_MULTIPLIER * CLIP, size=FEATURES)
        # Divided by a constant. The number of records that may take part is private.
        weights -= LEARNING_RATE * (gradients[may].sum(axis=0) + noise) / RECORDS
        if may.mean() >= 0.9 and longer == step - 1:
            longer = step
        if step == worst_case or step % (STEPS // 5) == 0:
            shares.append((step, may.mean(), ((points @ weights > 0) == (labels > 0)).mean()))

    cost = renyi.epsilon(accounts.guarantee, delta=1e-6)
    print(f"budget of every record       rho {RHO}, so epsilon {cost:.3f} at delta 1e-6")
    print(f"steps, worst case            {worst_case}")
    print(f"steps with 90 % of records   {longer}")
    print(f"times as many                {longer / worst_case:.1f}")
    print("\n step   records that may take part   correct")
    for step, share, correct in shares:
        print(f"{step:5}   {share:26.1%}   {correct:7.1%}")
    print("\nAll after the second line was computed from the records without noise. For real data it is private.")


if __name__ == "__main__":
    main()
