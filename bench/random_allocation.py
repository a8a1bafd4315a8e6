"""Random allocation beside Poisson sampling and beside one Gaussian step an epoch, and a simulation of its delta.

    python3 bench/random_allocation.py              # the table: 60,000 records, 235 batches, delta 1e-5
    python3 bench/random_allocation.py --simulate   # delta at the computed epsilon by importance sampling

The command build/bin/renyi answers. The simulation needs NumPy.
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


def simulated(noise, batches, at, runs, seed=1):
    """Returns the mean and the standard error of delta in the direction remove, one epoch, at epsilon `at`.

    delta = E[(R - e^at)_+] is t times the expectation where the first of the t terms is the largest. That term is
    integrated given the others, so that large values need not be drawn. The noise w of the others is drawn from its law
    times exp(theta min(X, cap)), X = exp(sigma w - sigma^2/2), and each run is weighted by the ratio of the laws.
    """
    import numpy as np

    rng, sigma = np.random.default_rng(seed), 1 / noise
    node, weight = np.polynomial.legendre.leggauss(60)
    grid = np.linspace(-9, 9, 40001)
    at_grid, normal = np.exp(sigma * grid - sigma**2 / 2), np.exp(-(grid**2) / 2)
    normal /= normal.sum()

    def draw(theta, cap, count):
        density = normal * np.exp(theta * np.minimum(at_grid, cap))
        cumulative = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2)])
        drawn = np.interp(rng.random((count, batches - 1)) * cumulative[-1], cumulative, grid)
        x = np.exp(sigma * drawn - sigma**2 / 2)
        log_weight = (batches - 1) * np.log(density.sum()) - theta * np.minimum(x, cap).sum(axis=1)
        others, level = x.sum(axis=1), batches * np.exp(at)
        # The first term is the largest, and the sum is above the level.
        least = np.maximum(drawn.max(axis=1), (np.log(np.maximum(level - others, 1e-300)) + sigma**2 / 2) / sigma)
        length = np.maximum(np.minimum(least + 9, 12 + sigma) - least, 0.0)[:, None]
        w = least[:, None] + 0.5 * length * (1 + node)
        value = (np.exp(sigma * w - sigma**2 / 2) + others[:, None] - level) / batches
        part = (np.exp(-(w**2) / 2) / np.sqrt(2 * np.pi) * value * weight).sum(axis=1) * 0.5 * length[:, 0]
        return batches * np.exp(log_weight) * part

    def theta_for(cap, growth):
        """The tilt under which the mean of min(X, cap) has grown by this much."""
        capped, low, high = np.minimum(at_grid, cap), 0.0, 30 / cap
        start = (normal * capped).sum()
        for _ in range(50):
            theta = 0.5 * (low + high)
            tilted = normal * np.exp(theta * capped)
            if (tilted * capped).sum() / tilted.sum() - start < growth:
                low = theta
            else:
                high = theta
        return low

    rows = max(1, 2_000_000 // batches)
    pilots = {}
    for share in (0.02, 0.05, 0.15, 0.4):
        for part in (0.0, 0.2, 0.4, 0.6, 0.8):
            cap = share * batches * np.expm1(at)
            theta = theta_for(cap, part * np.expm1(at)) if part > 0 else 0.0
            values = draw(theta, cap, min(rows, 6000))
            # What the largest value contributes shows a tilt that is too strong or too weak.
            pilots[theta, cap] = values.std() / values.mean() + 100 * values.max() / values.sum()
    best = min(pilots, key=pilots.get)
    total, square, done = 0.0, 0.0, 0
    while done < runs:
        values = draw(*best, min(rows, runs - done))
        total, square, done = total + values.sum(), square + (values**2).sum(), done + len(values)
    mean = total / done
    return mean, (max(0.0, square / done - mean**2) / done) ** 0.5


def simulate(runs):
    print(f"{'sigma':>5} {'steps':>6} {'epsilon':>10} {'delta computed':>15} {'simulated, 99.9 %':>32} {'half-width':>10}")
    for noise, batches in ((0.6, 235), (0.8, 235), (1.1, 235), (0.6, 3), (0.6, 10_000)):
        at = round(ask([epsilon(step(noise, 1, batches))])[0]["exact"]["remove"]["upper"], 4)
        own = ask([{"op": "delta", "steps": [step(noise, 1, batches)], "epsilon": at, "neighbors": "zero-out",
                    "want": ["exact"]}])[0]["exact"]["remove"]["upper"]
        mean, error = simulated(noise, batches, at, min(runs, 10**9 // batches))
        half = 3.2905 * error
        inside = "" if abs(own - mean) <= half else "  outside"
        print(f"{noise:>5} {batches:>6} {at:>10} {own:>15.6e} [{mean - half:.6e}, {mean + half:.6e}] {half / mean:>9.2%}"
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
    parser.add_argument("--runs", type=int, default=400_000)
    arguments = parser.parse_args()
    if arguments.simulate:
        simulate(arguments.runs)
    else:
        table()
        times()


if __name__ == "__main__":
    main()
