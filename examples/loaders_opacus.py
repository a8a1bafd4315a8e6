"""Opacus with a loader that matches the account: Opacus clips and adds noise, the loader draws the batches.

    python examples/loaders_opacus.py

PrivacyEngine makes its own loader and computes a sampling rate from the length of the one that it is given. Here the
batches come from renyi.loaders, and the account is charged as they are handed out. Opacus divides by
``expected_batch_size``, which is right: the number of records that were drawn is secret, and so is that of all
records, so that the loader computes it from a nominal size. ``make_exact`` replaces the noise of torch, whose low bits
tell sums apart, by exact noise.
"""

from __future__ import annotations

import sys

import renyi

RECORDS, FEATURES, BATCHES_AN_EPOCH, EPOCHS = 2000, 10, 20, 6
NOMINAL_SIZE = 2000  # stated without looking at the data
NOISE_MULTIPLIER, CLIPPING_NORM, LEARNING_RATE, DELTA = 2.0, 1.0, 4.0, 1e-5


def train() -> tuple[float, renyi.Accountant]:
    import torch
    from opacus import GradSampleModule
    from opacus.optimizers import DPOptimizer

    from renyi.compat.opacus import make_exact

    torch.manual_seed(7)
    features = torch.randn(RECORDS, FEATURES) / FEATURES**0.5
    labels = (features @ torch.randn(FEATURES) > 0).float()
    dataset = torch.utils.data.TensorDataset(features, labels)

    loader = renyi.loaders.PoissonLoader(
        len(dataset), rate=1 / BATCHES_AN_EPOCH, steps=EPOCHS * BATCHES_AN_EPOCH, nominal_size=NOMINAL_SIZE
    )
    account = renyi.Accountant()
    account.observe(loader, noise_multiplier=NOISE_MULTIPLIER)

    model = GradSampleModule(torch.nn.Linear(FEATURES, 1, bias=False))
    optimizer = make_exact(
        DPOptimizer(
            torch.optim.SGD(model.parameters(), lr=LEARNING_RATE),
            noise_multiplier=NOISE_MULTIPLIER,
            max_grad_norm=CLIPPING_NORM,
            expected_batch_size=loader.expected_batch_size,
        )
    )
    batches = loader.data_loader(dataset)
    for _ in range(EPOCHS):
        for inputs, targets in batches:
            optimizer.zero_grad()
            predicted = model(inputs).squeeze(-1)
            torch.nn.functional.binary_cross_entropy_with_logits(predicted, targets).backward()
            optimizer.step()
    account.check(
        sampling_rate=1 / BATCHES_AN_EPOCH, steps=EPOCHS * BATCHES_AN_EPOCH, noise_multiplier=optimizer.noise_multiplier
    )
    with torch.no_grad():
        accuracy = ((model(features).squeeze(-1) > 0) == (labels > 0)).float().mean().item()
    return accuracy, account


def missing() -> list[str]:
    """Returns the packages that this example needs and that are not installed."""
    names = []
    for name in ("torch", "opacus"):
        try:
            __import__(name)
        except ImportError:
            names.append(name)
    return names


def main() -> int:
    absent = missing()
    if absent:
        print(f"This example needs torch and opacus; missing: {', '.join(absent)}.", file=sys.stderr)
        return 3
    accuracy, account = train()
    print(f"accuracy   {accuracy:.3f}")
    print(f"steps      {account.steps}  ({account.plan.steps[0].what!r})")
    print(f"epsilon    {account.epsilon(DELTA):.4f}  at delta {DELTA:g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
