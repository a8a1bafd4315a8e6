"""The pairs of laws that stand for a sampled step, and their moments straight from the definition.

Shared by sampling_rdp.py and sampling_delta.py; needs python-flint: every number is a ball with a proved
error (the integrals too), so a digit that is written down is a digit that was proved.

A step under a relation is a *revealed mixture* of pairs: which pair it is, is part of the output. Who gets
which pairs is the table of docs/math/sampling.md, written out in `components` from the definitions:
"presence" is one record more (distance 1 for noise on a contribution of norm 1), "exchange" one record for
another (distance 2), k copies k times as far.
"""
import dataclasses
import math

from flint import acb, arb, ctx, fmpz

BITS = 320
ctx.prec = BITS
ONE = arb(1)


# ---- laws with a common base: (P, Q) as ratios to it ---------------------------------------------------


class Gaussians:
    """P = sum p_i N(i d, s^2), Q = sum q_i N(i d, s^2): polynomials in exp(x d / s^2) over N(0, s^2)."""

    def __init__(self, p, q, s, d=1):
        self.s, self.d = arb(s), arb(d)
        scaled = lambda weights: {i: w * (-(i * self.d / self.s) ** 2 / 2).exp() for i, w in weights.items() if w > 0}
        self.p, self.q = scaled(p), scaled(q)
        self.reach = self.d * max(abs(i) for i in {**p, **q})

    def swapped(self):
        return self._with(self.q, self.p)

    def _with(self, p, q):
        other = object.__new__(Gaussians)
        other.s, other.d, other.p, other.q, other.reach = self.s, self.d, p, q, self.reach
        return other

    def _base(self, x):
        return (-(x / self.s) ** 2 / 2).exp() / (self.s * (2 * arb.pi()).sqrt())

    def _ratio(self, weights, x):
        e = (x * self.d / self.s ** 2).exp()
        lowest, highest = min(weights), max(weights)
        total = acb(0)
        for i in range(highest, lowest - 1, -1):
            total = total * e + weights.get(i, arb(0))
        return total * e ** lowest

    def moment(self, z, cut=None):
        """The integral of P (P/Q)^z, over x > cut if given."""
        z = arb(z)

        def f(x, analytic):
            power = self._log(self.p, x, analytic) * (1 + z) - self._log(self.q, x, analytic) * z
            return self._base(x) * power.exp()

        # Every term is a multiple of a Gaussian whose centre lies within this reach.
        end = 2 * (abs(float(z)) + 1) * float(self.reach) + 45 * float(self.s)
        begin = -end if cut is None else float(cut)
        log_f = lambda x: self._log_base(x) + (1 + float(z)) * self._real(self.p, x) - float(z) * self._real(self.q, x)
        return integral(f, log_f, begin, end, float(self.s))

    def _log_base(self, x):
        return -(x / float(self.s)) ** 2 / 2 - math.log(float(self.s) * math.sqrt(2 * math.pi))

    def _real(self, weights, x):
        """ln of the ratio, to some digits."""
        if set(weights) == {0}:
            return 0.0
        terms = [float(w.log()) + i * x * float(self.d) / float(self.s) ** 2 for i, w in weights.items()]
        top = max(terms)
        return top + math.log(sum(math.exp(t - top) for t in terms))

    def _log(self, weights, x, analytic):
        if set(weights) == {0}:
            return acb(0)
        return self._ratio(weights, x).log(analytic=analytic)

    def equal_at(self):
        """Returns the point where P/Q crosses 1: the middle of two Gaussians, or the axis of symmetry."""
        one_apart = set(self.p) ^ set(self.q) in ({1}, {0, 1})  # N(d) against N(0), beside what both have
        return self.d / 2 if one_apart and max(self.p) == 1 and max(self.q) == 0 else arb(0)


class Laplaces:
    """P = (1-g) Lap(0, b) + g Lap(d, b), Q = Lap(0, b); or the other way round."""

    def __init__(self, g, b, d, is_swapped=False):
        self.g, self.b, self.d, self.is_swapped = arb(g), arb(b), arb(d), is_swapped

    def swapped(self):
        return Laplaces(self.g, self.b, self.d, not self.is_swapped)

    def _power(self, ratio, z):
        return ratio ** (-z) if self.is_swapped else ratio ** (1 + z)

    def moment(self, z, cut=None):
        z = arb(z)
        ends = self._atoms()
        total = sum((mass * self._power(r, z) for mass, r in (ends if cut is None else ends[1:])), arb(0))
        begin = arb(0) if cut is None else cut

        def f(x, analytic):
            r = 1 - self.g + self.g * ((2 * x - self.d) / self.b).exp()
            power = -z if self.is_swapped else 1 + z
            return (-x / self.b).exp() / (2 * self.b) * (r.log(analytic=analytic) * power).exp()

        scale = float(self.b) / (1 + abs(float(z)))
        log_f = lambda x: float(f(acb(x), False).real.log())
        return total + integral(f, log_f, float(begin), float(self.d), scale)

    def _atoms(self):
        """(Q's mass, mixture/Q) below 0 and above d."""
        low, high = (-self.d / self.b).exp(), (self.d / self.b).exp()
        return [(ONE / 2, 1 - self.g + self.g * low), (low / 2, 1 - self.g + self.g * high)]

    def equal_at(self):
        return self.d / 2


class Atoms:
    """Finitely many outcomes: (P's mass, Q's mass)."""

    def __init__(self, masses):
        self.masses = masses

    def swapped(self):
        return Atoms([(q, p) for p, q in self.masses])

    def moment(self, z, cut=None):
        kept = self.masses if cut is None else self.masses[:1]  # the first is the one P makes likelier
        return sum((p ** (1 + arb(z)) * q ** (-arb(z)) for p, q in kept), arb(0))

    def equal_at(self):
        return True


NEGLIGIBLE = 190  # a factor e^-190 = 3e-83 below the largest value


def integral(f, log_f, begin, end, scale):
    """Integrates over the cells of width `scale` in which the integrand is not negligible compared with its maximum."""
    count = max(1, math.ceil((end - begin) / scale))
    edges = [begin + (end - begin) * i / count for i in range(count + 1)]
    heights = [log_f(x) for x in edges]
    top = max(heights)
    error = arb(top).exp() * arb(scale) * arb(2) ** -(BITS - 50)
    total = arb(0)
    for i in range(count):
        if max(heights[i], heights[i + 1]) > top - NEGLIGIBLE:
            total += acb.integral(f, edges[i], edges[i + 1], rel_tol=arb(2) ** -(BITS - 40), abs_tol=error).real
    return total


# ---- shapes --------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Component:
    weight: arb
    pair: object
    is_symmetric: bool = False  # the closure: above 1 the profile of (P, Q), below 1 that of (Q, P)
    other: object = None  # in direction add the profile above 1 is that of this pair, and below 1 the swap of the first

    def halves(self, direction):
        """The pairs whose losses above 0 are those above 0, and minus those below 0."""
        both = (self.pair, self.other or self.pair)
        return both if direction == "remove" else both[::-1]

    def moment(self, z, direction):
        """E[e^(z L)] of the loss under the first law."""
        if not self.is_symmetric:
            return (self.pair if direction == "remove" else self.pair.swapped()).moment(z)
        above, below = self.halves(direction)
        cut, cut_below, other = above.equal_at(), below.equal_at(), below.swapped()
        # Losses l > 0 with P's mass, -l with Q's, and what is missing from 1 at loss 0.
        return (above.moment(z, cut) + other.moment(z, cut_below)
                + 1 - above.moment(0, cut) - other.moment(0, cut_below))


def gaussian(g, s, d):
    return Gaussians({0: 1 - arb(g), 1: arb(g)}, {0: ONE}, s, d)


def atoms(g, p, q):
    g = arb(g)
    return Atoms([((1 - g) * b + g * a, b) for a, b in zip(p, q)])


def response(g, truth, categories):
    truth, k = arb(truth), int(categories)
    other = (1 - truth) / (k - 1)
    if not truth > other:
        truth, other = other, truth  # p below chance: the same two laws with the roles swapped
    rest = [1 - truth - other] if k > 2 else []
    return atoms(g, [truth, other, *rest], [other, truth, *rest])


def pure(g, epsilon):
    high = 1 / (1 + (-arb(epsilon)).exp())
    return atoms(g, [high, 1 - high], [1 - high, high])


def inner_pair(step, g, move, copies, neighbors):
    """(1-g) Q + g P against Q for a move of so many copies: move is "presence" or "exchange"."""
    kind, distance = step["mechanism"], copies * (1 if move == "presence" else 2)
    if kind == "gaussian":
        return gaussian(g, step["noise_multiplier"], distance)
    if kind == "laplace":
        return Laplaces(g, step["scale"], distance)
    if kind == "randomized-response":
        return response(g, step["truth_probability"], step.get("categories", 2))
    if kind == "pure-dp":
        # Under replace-one epsilon is already the cost of an exchange.
        times = copies if neighbors == "replace-one" else distance
        return pure(g, arb(step["epsilon"]) * times)
    raise ValueError(kind)


# ---- who gets what -------------------------------------------------------------------------------------


def binomial(n, q, i):
    """Pr[Bin(n, q) = i]; q a ball."""
    return arb(fmpz.bin_uiui(n, i)) * q ** i * (1 - q) ** (n - i)


def at_least(n, q, limit):
    return sum((binomial(n, q, i) for i in range(limit, n + 1)), arb(0))


def group(k, q):
    return {i: binomial(k, q, i) for i in range(k + 1)}


def poisson(step, q, neighbors, unit):
    if neighbors != "replace-one":
        if step["mechanism"] == "gaussian":
            return [Component(ONE, Gaussians(group(unit, q), {0: ONE}, step["noise_multiplier"]))]
        return revealed_count(step, q, neighbors, unit, "presence", False)
    if step["mechanism"] == "gaussian":
        ups = group(unit, q)
        return [Component(ONE, Gaussians(ups, {-i: w for i, w in ups.items()}, step["noise_multiplier"]))]
    return revealed_count(step, q, neighbors, unit, "exchange", True)


def exchanged(weight, step, g, copies, neighbors):
    """A record in the place of another one. If it is emptied instead, the losses of a sum of Gaussian vectors are largest
    above 0 if the others lie opposite, at -1, and below 0 if they lie where it does."""
    if neighbors == "zero-out" and step["mechanism"] == "gaussian":
        s = step["noise_multiplier"]
        above = Gaussians({-1: 1 - arb(g), 1: arb(g)}, {-1: 1 - arb(g), 0: arb(g)}, s, copies)
        return Component(weight, above, True, gaussian(g, s, copies))
    return Component(weight, inner_pair(step, g, "exchange", copies, neighbors), neighbors != "add-or-remove-one")


def revealed_count(step, q, neighbors, trials, move, is_symmetric):
    """How many of `trials` came in is told: given at least one, with rate Pr[at least one]."""
    eta = 1 - (1 - q) ** trials
    return [Component(binomial(trials, q, i) / eta, inner_pair(step, eta, move, i, neighbors), is_symmetric)
            for i in range(1, trials + 1)]


def stated(relation, step):
    """A step drawn for the larger of two neighbours, as the plan states it: of the dataset a record may be added to."""
    sampling = step.get("sampling", {})
    if relation != "add-or-remove-one" or sampling.get("scheme") != "truncated-poisson":
        return step
    return {**step, "sampling": {**sampling, "dataset_size": sampling["dataset_size"] - 1}}


def is_analysed(plan):
    """A guarantee for replaced records says nothing of a record against none, which these samplings compare."""
    return not any(step.get("mechanism") == "pure-dp" and plan["neighbors"] == "replace-one"
                   and step.get("sampling", {}).get("scheme") in ("poisson", "truncated-poisson")
                   for step in plan["steps"])


def truncated(step, sampling, neighbors):
    q = arb(sampling["rate"])
    # A record that may be added comes beside all records there are.
    others = sampling["dataset_size"] - (neighbors != "add-or-remove-one")
    psi = at_least(others, q, sampling["batch_limit"])
    below, above = poisson(step, q, neighbors, 1), exchanged(psi, step, q, 1, neighbors)
    return [Component((1 - psi) * c.weight, c.pair, c.is_symmetric) for c in below] + [above]


def components(neighbors, unit, step):
    """The revealed mixture of one step (its count aside)."""
    sampling = step.get("sampling")
    if sampling is None:  # sensitivity is stated for the relation itself
        return [Component(ONE, inner_pair(step, 1, "presence", unit, neighbors))]
    scheme = sampling["scheme"]
    if scheme == "poisson":
        return poisson(step, arb(sampling["rate"]), neighbors, unit)
    assert unit == 1
    if scheme == "truncated-poisson":
        return truncated(step, sampling, neighbors)
    if scheme == "shuffled":
        assert neighbors != "add-or-remove-one"
        move = "presence" if neighbors == "zero-out" else "exchange"
        return [Component(ONE, inner_pair(step, 1, move, 1, neighbors))]
    n, m = sampling["dataset_size"], sampling["batch_size"]
    if scheme == "fixed-size":
        return [exchanged(ONE, step, arb(m) / n, 1, neighbors)]
    assert scheme == "with-replacement"
    eta = 1 - (1 - ONE / n) ** m
    return [exchanged(binomial(m, ONE / n, i) / eta, step, eta, i, neighbors) for i in range(1, m + 1)]


def log_moment(plan, z, direction):
    """K(z) of a plan's steps: the sum over steps; of parallel parts, the largest."""
    return steps_log_moment(plan, plan["steps"], z, direction)


def steps_log_moment(plan, steps, z, direction):
    total = arb(0)
    for step in steps:
        if "parallel" in step:
            k = largest([steps_log_moment(plan, part, z, direction) for part in step["parallel"]])
        else:
            parts = components(plan["neighbors"], plan.get("unit", 1), step)
            k = sum((c.weight * c.moment(z, direction) for c in parts), arb(0)).log()
        total += step.get("count", 1) * k
    return total


def largest(values):
    best = values[0]
    for v in values[1:]:
        best = best if best > v else v
    return best


def digits(value, count=20):
    """So many digits as text, each of them proved."""
    if value != value or not math.isfinite(float(value)):
        raise ValueError(value)
    assert value.rad() <= abs(value) * arb(10) ** -(count + 1), value
    return value.str(count, radius=False)
