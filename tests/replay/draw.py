"""Draws numbers with a bias to the ends of their ranges, from a seed alone."""

import math
import random

INFINITE = "inf"


class Draw:
    """A stream of choices. Only random() is asked of Python's generator: its values are the same in every version."""

    def __init__(self, seed):
        self._random = random.Random(seed)

    def chance(self, probability):
        return self._random.random() < probability

    def pick(self, choices):
        choices = list(choices)
        return choices[int(self._random.random() * len(choices))]

    def whole(self, low, high):
        return low + int(self._random.random() * (high - low + 1))

    def usual(self, low, high):
        """Returns a number of three digits, even on a logarithmic scale."""
        exponent = math.log(low) + self._random.random() * (math.log(high) - math.log(low))
        return float(f"{math.exp(exponent):.3g}")

    def number(self, low, high, corners, corner=0.35):
        """Returns a usual number between the two, or one of the corners."""
        return self.pick(corners) if self.chance(corner) else self.usual(low, high)

    def integer(self, low, high, corners, corner=0.35):
        return self.pick(corners) if self.chance(corner) else max(low, int(self.usual(low, high)))

    def some(self, most, one):
        """Returns a list of up to so many values, each drawn by one()."""
        return [one() for _ in range(self.whole(1, most))]

    def delta(self):
        return self.number(1e-12, 1e-2, [0, 1, 1e-300, 5e-324, 1e-100, 1e-5, 1e-6, 0.5, 0.999999999999, 1 - 2**-53])

    def epsilon(self):
        return self.number(0.01, 20, [0, INFINITE, 1e-300, 1e-9, 1, 100, 1e6, 1e50, 1.7976931348623157e308])

    def order(self):
        return self.number(1.01, 200, [1.0000001, 1.5, 2, 3, 64, 256, 1e4, 1e5, 1e100, INFINITE])

    def count(self):
        return self.integer(1, 20000, [1, 1, 1, 2, 3, 10, 1000, 14063, 10**6, 2**31, 2**63 - 1], 0.6)

    def rate(self):
        return self.number(1e-4, 0.3, [0, 1e-100, 1e-15, 1e-6, 0.01, 0.5, 0.999999, 1])

    def noise(self):
        return self.number(0.5, 10, [0.01, 0.1, 0.3, 1, 1.1, 4, 100, 1e6])
