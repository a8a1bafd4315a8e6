"""The questions of the race; bench/questions.h has the same ones."""

RATE, NOISE, STEPS, DELTA = 0.01, 1.1, 10_000, 1e-5
TARGET_EPSILON = 3.0
SCHEDULE_DELTA = 1e-6
PRV_ERROR = 0.01  # error in epsilon; that in delta is a thousandth of delta, as the authors advise


def schedule(distinct=200):
    """Returns (rate, noise, count) of 200 distinct steps, 50 times each."""
    return [(0.001 + 0.049 * i / (distinct - 1), 0.8 + 3.2 * i / (distinct - 1), 50) for i in range(distinct)]


def sweep():
    """Returns (rate, noise, count) for 20 rates log-spaced in 1e-4..0.1, 20 noise multipliers in 0.6..8, three
    counts."""
    return [
        (1e-4 * 1000.0 ** (i / 19.0), 0.6 + 7.4 * j / 19.0, count)
        for i in range(20)
        for j in range(20)
        for count in (1_000, 10_000, 100_000)
    ]


def part_of_sweep(parts=100):
    """Returns one configuration in a hundred, for peers that are too slow for all; the stride varies rates, noises and
    counts."""
    all_of_it = sweep()
    chosen = [index * 103 % len(all_of_it) for index in range(len(all_of_it) // parts)]
    return chosen, [all_of_it[index] for index in chosen]
