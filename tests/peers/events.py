"""Random events of dp_accounting, of the kinds that both sides analyse."""

import dp_accounting as dp

ADD_OR_REMOVE = dp.NeighboringRelation.ADD_OR_REMOVE_ONE
REPLACE = dp.NeighboringRelation.REPLACE_ONE
ZERO_OUT = dp.NeighboringRelation.REPLACE_SPECIAL


def log_uniform(rng, low, high):
    return low * (high / low) ** rng.random()


def gaussian(rng):
    return dp.GaussianDpEvent(log_uniform(rng, 1, 50))


def laplace(rng):
    return dp.LaplaceDpEvent(log_uniform(rng, 3, 100))


def zcdp(rng):
    return dp.ZCDpEvent(log_uniform(rng, 1e-4, 0.1), rng.choice([0.0, 0.0, 0.01]))


def response(rng):
    return dp.RandomizedResponseDpEvent(rng.uniform(0.3, 0.95), rng.randint(2, 10))


def sampled(rng):
    inside = gaussian(rng)
    if rng.random() < 0.2:
        inside = dp.ComposedDpEvent([inside, dp.SelfComposedDpEvent(gaussian(rng), rng.randint(1, 3))])
    return dp.PoissonSampledDpEvent(log_uniform(rng, 1e-3, 0.3), inside)


def sampled_once(rng):
    """PLDAccountant takes nothing composed inside a sample."""
    return dp.PoissonSampledDpEvent(log_uniform(rng, 1e-3, 0.3), gaussian(rng))


def composed(rng, kinds, most=30, depth=0):
    """One to three parts, each a few times, some of them groups."""
    parts = []
    for _ in range(rng.randint(1, 3)):
        nested = depth < 2 and rng.random() < 0.2
        part = composed(rng, kinds, 3, depth + 1) if nested else rng.choice(kinds)(rng)
        count = rng.choice([1, rng.randint(1, most)])
        parts.append(part if count == 1 else dp.SelfComposedDpEvent(part, count))
    return parts[0] if len(parts) == 1 else dp.ComposedDpEvent(parts)
