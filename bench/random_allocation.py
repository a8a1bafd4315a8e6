"""Random allocation beside Poisson sampling and beside one Gaussian step an epoch, and a simulation of its delta.

    python3 bench/random_allocation.py              # the table: 60,000 records, 235 batches, delta 1e-5
    python3 bench/random_allocation.py --simulate   # delta at the computed epsilon by importance sampling

The command build/bin/renyi answers. The simulation draws the noise of each epoch from the mixture with a larger shift, so
that large losses are common, and weights each run by the ratio of the laws; it needs NumPy.
"""

import argparse
import json
import pathlib
import resource
import subprocess

RENYI = pathlib.Path(__file__).resolve().parent.parent / "build" / "bin" / "renyi"
BATCHES, DATASET, BATCH, DELTA = 235, 60000, 256, 1e-5


def ask(requests):
    lines = "".join(json.dumps(each) + "\n" for each in requests)
    done = subprocess.run([RENYI, "batch"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def step(noise, epochs, batches=BATCHES):
    return {"mechanism": "gaussian", "noise_multiplier": noise, "count": epochs,
            "sampling": {"scheme": "random-allocation", "batches": batches}}


def epsilon(*steps):
    return {"op": "epsilon", "steps": list(steps), "delta": DELTA, "neighbors": "zero-out", "want": ["exact"]}


def table():
    print(f"{'sigma':>5} {'epochs':>6} {'random allocation':>34} {'Poisson':>10} {'one Gaussian':>12}")
    for noise in (0.6, 0.8, 1.1):
        for epochs in (1, 2, 5, 10, 20, 40, 60):
            poisson = {"mechanism": "sampled-gaussian", "sampling_rate": BATCH / DATASET, "noise_multiplier": noise,
                       "count": BATCHES * epochs}
            gaussian = {"mechanism": "gaussian", "noise_multiplier": noise, "count": epochs}
            answers = ask([epsilon(step(noise, epochs)), epsilon(poisson), epsilon(gaussian)])
            own, other, bound = (answer["exact"] for answer in answers)
            print(f"{noise:>5} {epochs:>6} [{own['lower']:.11f}, {own['upper']:.11f}] {other['upper']:>10.6f}"
                  f" {bound['upper']:>12.6f}")


def simulated(noise, epochs, at, runs, seed=1):
    """Returns the mean and the standard error of delta in the direction remove at epsilon `at`."""
    import numpy as np

    rng, sigma = np.random.default_rng(seed), 1 / noise

    def draw(shift, count):
        loss, log_weight = np.zeros(count), np.zeros(count)
        for _ in range(epochs):
            normal = rng.standard_normal((count, BATCHES))
            normal[np.arange(count), rng.integers(0, BATCHES, count)] += shift
            ratio = np.log(np.exp(sigma * normal - sigma**2 / 2).mean(axis=1))
            drawn = np.log(np.exp(shift * normal - shift**2 / 2).mean(axis=1))
            loss += ratio
            log_weight += ratio - drawn
        return np.exp(log_weight) * np.maximum(0, -np.expm1(at - loss))

    pilot = {extra: draw(sigma * (1 + extra), 20000) for extra in (0.05, 0.15, 0.3, 0.5, 0.8, 1.2)}
    usable = {e: x for e, x in pilot.items() if (x > 0).sum() > 200}
    extra = min(usable, key=lambda e: usable[e].std() / usable[e].mean()) if usable else 0.3
    total, square, done = 0.0, 0.0, 0
    while done < runs:
        values = draw(sigma * (1 + extra), min(20000, runs - done))
        total, square, done = total + values.sum(), square + (values**2).sum(), done + len(values)
    mean = total / done
    return mean, (max(0.0, square / done - mean**2) / done) ** 0.5


def simulate(runs):
    print(f"{'sigma':>5} {'epochs':>6} {'epsilon':>10} {'delta computed':>15} {'simulated, 99.9 %':>32} {'half-width':>10}")
    for noise, epochs in ((0.6, 1), (0.6, 5), (0.8, 1), (0.8, 10), (1.1, 5)):
        at = round(ask([epsilon(step(noise, epochs))])[0]["exact"]["remove"]["upper"], 4)
        own = ask([{"op": "delta", "steps": [step(noise, epochs)], "epsilon": at, "neighbors": "zero-out",
                    "want": ["exact"]}])[0]["exact"]["remove"]["upper"]
        mean, error = simulated(noise, epochs, at, runs)
        half = 3.2905 * error
        inside = "" if abs(own - mean) <= half else "  outside"
        print(f"{noise:>5} {epochs:>6} {at:>10} {own:>15.6e} [{mean - half:.6e}, {mean + half:.6e}] {half / mean:>9.2%}"
              f"{inside}", flush=True)


def times():
    """CPU time, so that other programs on the machine do not count."""
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    for batches, epochs in ((1000, 10), (235, 1), (235, 60)):
        start = spent()
        ask([epsilon(step(1 + 1e-6 * i, epochs, batches)) for i in range(20)])
        print(f"{epochs} epochs of {batches} steps, sigma 1: {(spent() - start) / 20 * 1e3:.1f} ms an epsilon")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulate", action="store_true")
    parser.add_argument("--runs", type=int, default=1_000_000)
    arguments = parser.parse_args()
    if arguments.simulate:
        simulate(arguments.runs)
    else:
        table()
        times()


if __name__ == "__main__":
    main()
