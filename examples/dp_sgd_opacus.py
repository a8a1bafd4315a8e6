"""The same training with PyTorch and Opacus, accounted by renyi.

    python examples/dp_sgd_opacus.py --epsilon 3

``import renyi.compat.opacus`` makes accountant="renyi" known to Opacus; the rest is Opacus as ever. Prints the accuracy
and what the run cost: by Opacus' own Rényi accountant, by the Rényi bound of renyi and exactly.

This is a demonstration: Opacus is not in its secure mode, so the noise is predictable from the seed. What
dp_sgd_digits.py says of the data and of its settings holds here too: they are the same.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

import dp_sgd_digits as digits
import renyi


class Result(NamedTuple):
    noise: float
    accuracy: float
    by_engine: float  # epsilon of the privacy engine with the accountant of renyi
    opacus: float  # epsilon of Opacus' own accountant for the same history
    ours: renyi.Epsilon


def prepare(train: digits.Images, epsilon: float, epochs: int) -> tuple[Any, Any, Any, Any]:
    """Returns a privacy engine with renyi's accountant, and the model, optimizer and loader that it made private."""
    import torch
    from opacus import PrivacyEngine

    import renyi.compat.opacus  # noqa: F401  (makes accountant="renyi" known)

    dataset = torch.utils.data.TensorDataset(
        torch.tensor(train.pixels, dtype=torch.float32), torch.tensor(train.digits, dtype=torch.int64)
    )
    # Opacus samples at the rate 1 / (number of batches), by Poisson sampling: the batch size only sets that number.
    batch_size = -(-len(dataset) // digits.BATCHES_AN_EPOCH)
    model = torch.nn.Linear(train.pixels.shape[1], digits.CLASSES, bias=False)
    torch.nn.init.zeros_(model.weight)
    engine = PrivacyEngine(accountant="renyi")
    engine.accountant.neighbors = "zero-out"  # the number of training images is taken to be public
    private = engine.make_private_with_epsilon(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=digits.LEARNING_RATE),
        data_loader=torch.utils.data.DataLoader(dataset, batch_size=batch_size),
        target_epsilon=epsilon,
        target_delta=digits.DELTA,
        epochs=epochs,
        max_grad_norm=digits.CLIPPING_NORM,
    )
    return (engine, *private)


def train_and_account(epsilon: float, epochs: int, seed: int) -> Result:
    import torch
    from opacus.accountants import RDPAccountant

    torch.manual_seed(seed)
    train, test = digits.load(np.random.default_rng(seed))
    engine, model, optimizer, loader = prepare(train, epsilon, epochs)
    loss = torch.nn.CrossEntropyLoss()
    for epoch in range(epochs):
        for pixels, labels in loader:
            optimizer.zero_grad()
            loss(model(pixels), labels).backward()
            optimizer.step()
        if (epoch + 1) % max(1, epochs // 5) == 0:
            print(f"epoch {epoch + 1:3}: epsilon so far {digits.up(engine.get_epsilon(digits.DELTA))}")

    history = list(engine.accountant.history)  # (noise multiplier, sample rate, steps), as every Opacus accountant
    theirs, ours = RDPAccountant(), renyi.Accountant()
    theirs.history = history
    for noise, rate, steps in history:
        ours.step(noise_multiplier=noise, sampling_rate=rate, count=steps)
    weights = next(model.parameters()).detach().numpy().T
    return Result(
        noise=optimizer.noise_multiplier,
        accuracy=digits.accuracy(weights, test),
        by_engine=engine.get_epsilon(digits.DELTA),
        opacus=theirs.get_epsilon(digits.DELTA),
        ours=ours.epsilon(digits.DELTA),
    )


def show(result: Result) -> None:
    ours = result.ours
    print(f"\nnoise {result.noise:.4f} x the clipping norm, {ours.plan.steps[0].count} steps")
    print(f"test accuracy        {result.accuracy:.3f}")
    print(f"epsilon at delta {digits.DELTA:g}")
    print(f"  Opacus, rdp        {digits.up(result.opacus)}  (a grid of orders)")
    print(f"  renyi, Rényi bound {digits.up(ours.renyi)}  (order {ours.order:.2f}, {ours.conversion} conversion)")
    print(f"  renyi, exact       {digits.up(ours.exact.upper)}  (by {ours.exact.engine})")
    print(f"  by the engine      {digits.up(result.by_engine)}  (PrivacyEngine with accountant=\"renyi\")")


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
    given = digits.arguments("DP-SGD on handwritten digits, with PyTorch and Opacus.")
    absent = missing()
    if absent:
        print(f"This example needs torch and opacus; missing: {', '.join(absent)}.", file=sys.stderr)
        return 3
    try:
        show(train_and_account(given.epsilon, given.epochs, given.seed))
    except ValueError as error:  # raised by Opacus or by renyi
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
