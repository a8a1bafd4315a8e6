"""delta(epsilon) of many equal sampled steps, to ten digits or more, by a method of its own (needs numpy).

The loss of one step, as nodes of a quadrature in x with their P-masses, is put on a grid by stencils that keep
the first eight moments of each node; tilted by e^(cL) with c near the saddle; raised to the power `count` by the
FFT; and delta = E[(1 - e^(epsilon - L))_+] is the sum over the grid, epsilon being one of its points. Stencils
have signs, so this bounds nothing: it converges, the error of the kink being A h^2 + O(h^4), taken out by
extrapolation from h and h/2. `delta` halves h until two extrapolated values agree.
"""
import math

import numpy

GAUSS_X, GAUSS_W = numpy.polynomial.legendre.leggauss(16)
STENCIL = numpy.arange(-3, 5)
FAR = 33.0  # a loss so far above epsilon counts whole: e^-33 is 5e-15


def panels(begin, end, width):
    """Nodes and weights of Gauss's rule on cells of about that width."""
    count = max(1, math.ceil((end - begin) / width))
    edges = numpy.linspace(begin, end, count + 1)
    half, middle = numpy.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    return (middle[:, None] + half[:, None] * GAUSS_X).ravel(), (half[:, None] * GAUSS_W).ravel()


# ---- one step: (losses, P-masses) of a Component of sampling_pairs, in the remove direction of a plain pair --


def gaussian_nodes(pair, cell, begin):
    s, d = float(pair.s), float(pair.d)
    reach = float(pair.reach) + 11.5 * s  # beyond it either law has less than 1e-30
    low = -reach if begin is None else begin
    x, w = panels(low, reach, min(s / 4, s * s / d / 4, cell * s * s / (2 * float(pair.reach))))

    def log_ratio(weights):
        terms = [float(v.log()) + i * x * d / (s * s) for i, v in weights.items()]
        top = numpy.max(terms, axis=0)
        return top + numpy.log(sum(numpy.exp(t - top) for t in terms))

    def excess(weights):  # the same without cancellation: the weights sum to 1 before they are scaled
        total = 0
        for i, v in weights.items():
            plain = float((v * ((i * pair.d / pair.s) ** 2 / 2).exp()))
            total = total + plain * numpy.expm1((i * x * d - (i * d) ** 2 / 2) / (s * s))
        return total

    p, q = log_ratio(pair.p), log_ratio(pair.q)
    with numpy.errstate(over="ignore", invalid="ignore"):
        small_p, small_q = excess(pair.p), excess(pair.q)
        p = numpy.where(numpy.abs(small_p) < 0.5, numpy.log1p(numpy.clip(small_p, -0.9, 1)), p)
        q = numpy.where(numpy.abs(small_q) < 0.5, numpy.log1p(numpy.clip(small_q, -0.9, 1)), q)
    base = -(x / s) ** 2 / 2 - math.log(s * math.sqrt(2 * math.pi))
    keep = numpy.maximum(base + p, base + q) > -400
    return (p - q)[keep], (w * numpy.exp(base + p))[keep], (w * numpy.exp(base + q))[keep]


def laplace_nodes(pair, cell, begin):
    g, b, d = float(pair.g), float(pair.b), float(pair.d)
    x, w = panels(0.0 if begin is None else begin, d, min(b / 8, d / 8, cell * b / 2))
    loss = lambda u: numpy.log1p(g * numpy.expm1(u))
    l, q = loss((2 * x - d) / b), w * numpy.exp(-x / b) / (2 * b)
    ends = numpy.array([loss(-d / b), loss(d / b)])
    end_q = numpy.array([0.5, math.exp(-d / b) / 2])
    if begin is not None:
        ends, end_q = ends[1:], end_q[1:]
    l, q = numpy.concatenate([l, ends]), numpy.concatenate([q, end_q])
    return (-l, q, q * numpy.exp(l)) if pair.is_swapped else (l, q * numpy.exp(l), q)


def atom_nodes(pair, cell, begin):
    del cell
    masses = pair.masses if begin is None else pair.masses[:1]
    columns = [(float((p / q).log()), float(p), float(q)) for p, q in masses]
    return tuple(numpy.array(column) for column in zip(*columns))


NODES = {"Gaussians": gaussian_nodes, "Laplaces": laplace_nodes, "Atoms": atom_nodes}


def step_law(component, direction, cell):
    pair = component.pair
    nodes = NODES[type(pair).__name__]
    if not component.is_symmetric:
        l, p, _ = nodes(pair if direction == "remove" else pair.swapped(), cell, None)
        return l, p
    above, below = component.halves(direction)
    l, p, _ = nodes(above, cell, float(above.equal_at()))
    m, _, q = nodes(below, cell, float(below.equal_at()))
    rest = 1 - p.sum() - q.sum()
    return numpy.concatenate([l, -m, [0.0]]), numpy.concatenate([p, q, [rest]])


def law(parts, direction, cell):
    laws = [(float(c.weight), *step_law(c, direction, cell)) for c in parts if c.weight > 1e-25]
    l, p = numpy.concatenate([l for _, l, _ in laws]), numpy.concatenate([w * p for w, _, p in laws])
    assert abs(p.sum() - 1) < 1e-13, p.sum() - 1
    return l, p


# ---- many steps ----------------------------------------------------------------------------------------


def saddle(losses, masses, count, epsilon):
    """About where exp(K(c) - c epsilon) / (c (c+1)) is least."""
    best = None
    for c in numpy.geomspace(0.3, 400, 160):
        e = c * losses
        top = e.max()
        k = top + math.log(numpy.dot(masses, numpy.exp(e - top)))
        value = count * k - c * epsilon - math.log(c * (c + 1))
        if best is None or value < best[0]:
            best = (value, c, k)
    return best[1], best[2]


def on_grid(positions, masses, size):
    """Each mass on eight neighbouring points (Lagrange), indices taken modulo the size."""
    cell = numpy.floor(positions)
    t = positions - cell
    grid = numpy.zeros(size)
    for j in STENCIL:
        factor = numpy.ones_like(t)
        for m in STENCIL:
            if m != j:
                factor *= (t - m) / (j - m)
        grid += numpy.bincount((cell.astype(int) + int(j)) % size, masses * factor, size)
    return grid


def on_one_grid(parts, direction, count, epsilon, size):
    width, cell = 2 * FAR, 0.02
    for _ in range(2):  # once for the width, once with cells as narrow as the grid asks
        losses, masses = law(parts, direction, cell)
        far = losses > epsilon + FAR
        near, p = losses[~far], masses[~far] / masses[~far].sum()
        width = 2 * FAR + 24 * math.sqrt(count * numpy.dot(p, near * near))
        # The losses in a cell turn by a few radians at the grid's highest frequency; many steps have none so high.
        cell = 8 * width / size * max(1.0, count / 4)
    infinite = masses[far].sum()
    c, k = saddle(near, p, count, epsilon)
    start = math.ceil(epsilon * size / width)
    h = epsilon / start  # so that epsilon is a point of the grid
    power = numpy.fft.rfft(on_grid(near / h, p * numpy.exp(c * near - k), size)) ** count
    total = numpy.fft.irfft(power, size)  # at index i: the sum is i h, modulo the width
    above = numpy.arange(1, size // 2)
    payoff = numpy.exp(count * k - c * (epsilon + above * h)) * -numpy.expm1(-above * h)
    gone = -math.expm1(count * math.log1p(-infinite))
    return h, gone + (1 - gone) * float(numpy.dot(total[(start + above) % size], payoff))


def delta(parts, direction, count, epsilon, log_size=16, agree=1e-11, last=22):
    """(value, relative difference of the last two)."""
    plain, before = [], None
    while True:
        plain.append(on_one_grid(parts, direction, count, epsilon, 2 ** log_size))
        if len(plain) > 1:
            (h, coarse), (half, fine) = plain[-2:]
            value = fine + (fine - coarse) / ((h / half) ** 2 - 1)
            if before is not None and (abs(value - before) <= agree * abs(value) or log_size >= last):
                return value, abs(value - before) / max(abs(value), 1e-300)
            before = value
        log_size += 1
