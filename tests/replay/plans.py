"""Draws plans: every mechanism, way of sampling, form of a step, relation and unit."""

RELATIONS = ["add-or-remove-one", "replace-one", "zero-out"]
LARGE = [1e-50, 1e-9, 1, 1e9, 1e50]
SMALL_MATRICES = [
    [[1]],
    [[1, 0], [0.5, 1]],
    [[1, 0, 0], [0.5, 1, 0], [0.375, 0.5, 1]],
    [[1, 0], [1e-20, 1]],
    [[2, 0, 0], [0, 1, 0], [-0.5, 0, 1]],
]
COEFFICIENTS = [[1], [1, 0.5], [1, 0.5, 0.375, 0.3125], [1, -0.5], [1e-20, 1e20], [1, 0.9, 0.81]]
PAIRS = [
    [[0.75, 0.25], [0.25, 0.75]],
    [[1, 0], [0, 1]],
    [[0.5, 0.5], [0.5, 0.5]],
    [[0.9, 0.8], [0.1, 0.15], [0, 0.05]],
    [[1e-9, 2e-9], [0.999999999, 0.999999998]],
]
LOSSES = [
    [[1, 0.7310585786300049], [-1, 0.2689414213699951]],
    [["inf", 0.001], [0.5, 0.622459331201854], [-0.5, 0.376540668798146]],
    [[0, 1]],
]


def gaussian(draw):
    if draw.chance(0.6):
        return {"noise_multiplier": draw.noise()}
    return {"stddev": draw.number(0.5, 20, LARGE), "l2_sensitivity": draw.number(0.5, 3, [1, 2, 1e-50, 1e50], 0.2)}


def trees(draw):
    numbers = {"noise_multiplier": draw.number(0.5, 50, [1e-20, 1, 1e20]),
        "rounds": draw.integer(1, 3000, [1, 2, 1024, 10**9])}
    if draw.chance(0.4):
        numbers |= {"participations": draw.integer(1, 10, [1, 2]), "min_separation": draw.integer(1, 100, [1, 10**9])}
    if draw.chance(0.2):
        numbers["restart_every"] = draw.integer(1, 200, [0, 1, 10**9])
    return numbers


def matrices(draw):
    numbers = {"noise_multiplier": draw.number(0.5, 50, [1e-20, 1, 1e20]), "matrix": draw.pick(SMALL_MATRICES)}
    if draw.chance(0.3):
        numbers |= {"participations": draw.whole(1, 3), "min_separation": draw.whole(1, 2),
            "fixed_order": draw.whole(0, 1)}
    return numbers


def banded(draw):
    groups = {"groups": draw.integer(1, 8, [0, 1, 4, 10**9])} if draw.chance(0.3) else {}
    rounds, coefficients = draw.integer(1, 2000, [1, 4, 10**9]), draw.pick(COEFFICIENTS)
    noise = draw.number(0.5, 10, [0.1, 1, 1e6])
    return {"noise_multiplier": noise, "rounds": rounds, "sampling_rate": draw.rate(), **groups,
        "coefficients": coefficients}


def vectors(draw):
    norm = draw.integer(1, 20, [1, 2, 10**30])
    return {"variance": draw.number(5, 1000, [0.1, 10, 1e50]), "l1_sensitivity": norm,
        "l2_sensitivity": draw.pick([1, norm])}


def rdp(draw):
    if draw.chance(0.5):
        return {"order": draw.number(1.5, 64, [1.0000001, 2, 1e100]),
            "epsilon": draw.number(0.001, 2, [0, 1e-100, 1e50])}
    return {"points": draw.pick([[[2, 0.1], [8, 0.5]], [[2, 0.1], ["inf", 3]], [[4, "inf"], [2, 0]], [["inf", 1]]])}


def points(draw):
    return draw.number(0.01, 3, [0, 1e-100, 0.5, 1, 1e25])


def layers(draw):
    return [[draw.number(0.5, 2, [1e-20, 1, 1e20], 0.1),
        draw.number(0.5, 4, [1e-20, 1e20], 0.1)] for _ in range(draw.whole(1, 4))]


MECHANISMS = {
    "gaussian": gaussian,
    "laplace": lambda d: {"scale": d.number(0.5, 50, LARGE)}
    | ({"l1_sensitivity": d.number(0.5, 3, LARGE, 0.1)} if d.chance(0.2) else {}),
    "randomized-response": lambda d: {"truth_probability": d.number(0.3, 0.95, [1e-300, 0.5, 0.75, 1 - 2**-53])}
    | ({"categories": d.integer(2, 100, [2, 3, 10**15])} if d.chance(0.4) else {}),
    "pure-dp": lambda d: {"epsilon": d.number(0.01, 3, [0, 1e-100, 1, 700, 1e50])},
    "sampled-gaussian": lambda d: {"sampling_rate": d.rate(), "noise_multiplier": d.noise()},
    "zcdp": lambda d: {"rho": points(d)} | ({"xi": points(d)} if d.chance(0.2) else {}),
    "tcdp": lambda d: {"rho": points(d), "omega": d.number(2, 100, [1.0000001, 10, 1e100])},
    "cdp": lambda d: {"mu": points(d), "tau": points(d)},
    "gdp": lambda d: {"mu": points(d)},
    "moments": lambda d: {"lambda": d.number(1, 64, [1e-6, 8, 1e50]), "alpha": points(d)},
    "discrete-gaussian": lambda d: {"stddev": d.number(0.5, 30, [0.01, 1, 1e6]),
        "sensitivity": d.integer(1, 10, [1, 10**6])},
    "discrete-laplace": lambda d: {"scale": d.number(0.5, 30, [0.001, 1, 1e9]),
        "sensitivity": d.integer(1, 10, [1, 10**6])},
    "skellam": lambda d: {"variance": d.number(1, 500, [0.1, 10, 1e4]), "sensitivity": d.integer(1, 8, [1, 16])},
    "skellam-vector": vectors,
    "tree-aggregation": trees,
    "matrix": matrices,
    "toeplitz-matrix": lambda d: trees(d) | {"coefficients": d.pick(COEFFICIENTS)},
    "banded-matrix": banded,
    "adaptive-clipping": lambda d: {"gradient_noise_multiplier": d.number(0.5, 5, [1e-20, 1, 1e20]),
        "count_stddev": d.number(1, 100, [1e-20, 1e20])},
    "per-layer-clipping": lambda d: {"layers": layers(d)} | ({"noise_multiplier": d.noise()} if d.chance(0.5) else {}),
    "exponential": lambda d: {"epsilon": points(d)},
    "report-noisy-max": lambda d: {"score_scale": d.number(0.5, 50, [1e-20, 1, 1e20])}
    | ({"sensitivity": d.number(0.5, 3, [1e-20, 1e20]), "monotonic": d.whole(0, 1)} if d.chance(0.4) else {}),
    "permute-and-flip": lambda d: {"epsilon": points(d)},
    "sparse-vector": lambda d: {"threshold_scale": d.number(1, 20, [1e-20, 2, 1e20]),
        "query_scale": d.number(1, 50, [1e-20, 4, 1e20])}
    | ({"cutoff": d.integer(1, 20, [1, 10**9]), "monotonic": d.whole(0, 1)} if d.chance(0.4) else {}),
    "approx-dp": lambda d: {"epsilon": d.number(0.01, 3, [0, 1e-100, 1e50]),
        "delta": d.number(1e-9, 1e-3, [0, 1e-300, 1e-6, 1])},
    "non-private": lambda d: {},
    "no-op": lambda d: {},
    "rdp": rdp,
    "pairs": lambda d: {"probabilities": d.pick(PAIRS)},
    "losses": lambda d: {"losses": d.pick(LOSSES)},
    "logistic": lambda d: {"scale": d.number(0.5, 50, [0.01, 1, 1e10])}
    | ({"sensitivity": d.number(0.5, 3, [1e-9, 1e4])} if d.chance(0.3) else {}),
    "shuffle-model": lambda d: {"epsilon_local": d.number(0.1, 5, [0, 1e-6, 1, 100]),
        "people": d.integer(2, 10**6, [1, 2, 1000, 10**12])}
    | ({"categories": d.integer(2, 50, [0, 2, 10**15])} if d.chance(0.3) else {}),
}
SCHEMES = ["poisson", "poisson", "fixed-size", "with-replacement", "truncated-poisson", "shuffled", "random-allocation"]
NOT_SAMPLED = {"sampled-gaussian", "tree-aggregation", "matrix", "toeplitz-matrix", "banded-matrix", "shuffle-model"}
ADDITIVE = ["gaussian", "laplace", "discrete-gaussian", "discrete-laplace", "skellam"]
COMMON = ["gaussian"] * 3 + ["sampled-gaussian"] * 3 + ["laplace", "pure-dp", "zcdp", "randomized-response"]


def sizes(draw):
    """Returns a number of records and one of a batch, which sometimes contradict each other."""
    records = draw.integer(10, 10**6, [1, 2, 100, 60000, 10**15])
    return records, draw.pick([1, records, max(1, records // 2)] + [max(1, records // 100)] * 5 + [records + 1])


def sampling(draw):
    scheme = draw.pick(SCHEMES)
    records, batch = sizes(draw)
    batches = draw.integer(2, 1000, [1, 2, 10, 10**15])
    if scheme == "poisson":
        return {"scheme": scheme, "rate": draw.rate()}
    if scheme == "truncated-poisson":
        return {"scheme": scheme, "rate": draw.rate(), "dataset_size": records, "batch_limit": batch}
    if scheme == "shuffled":
        return {"scheme": scheme, "batches": batches}
    if scheme == "random-allocation":
        return {"scheme": scheme,
            "batches": batches} | ({"participations": draw.pick([1, 2, batches])} if draw.chance(0.4) else {})
    return {"scheme": scheme, "dataset_size": records, "batch_size": batch}


def mechanism(draw, kinds=None):
    kind = draw.pick(kinds or (COMMON if draw.chance(0.35) else MECHANISMS))
    made = {"mechanism": kind, **MECHANISMS[kind](draw)}
    if kinds is None and kind not in NOT_SAMPLED and draw.chance(0.3):
        made["sampling"] = sampling(draw)
    return made


def runs(draw):
    law = draw.pick(["geometric", "logarithmic", "negative-binomial", "poisson"])
    gamma = draw.number(0.001, 0.9, [1e-15, 0.1, 1])
    if law == "negative-binomial":
        return {"law": law, "eta": draw.number(0.1, 10, [-0.999, -0.5, 0, 1, 1e6]), "gamma": gamma}
    if law == "logarithmic" or (law == "geometric" and draw.chance(0.5)):
        return {"law": law, "gamma": gamma}
    return {"law": law, "mean": draw.number(1, 1000, [1, 10, 1e15])}


def step(draw, kinds=None, depth=0):
    form = "mechanism" if depth == 3 or kinds else draw.pick(["mechanism"] * 17 + ["plan", "parallel", "select"])
    if form == "mechanism":
        made = mechanism(draw, kinds)
    elif form == "parallel":
        made = {"parallel": [steps(draw, None, depth + 1) for _ in range(draw.whole(1, 3))]}
    else:
        made = {form: steps(draw, None, depth + 1)} | ({"runs": runs(draw)} if form == "select" else {})
    if draw.chance(0.7):
        made["count"] = draw.count()
    if draw.chance(0.05):
        made["name"] = draw.pick(["ages", "Σ of incomes", "ages", "é" * 100])
    if draw.chance(0.03):
        made["comment"] = "quarter 3\nsecond line"
    return made


def steps(draw, kinds=None, depth=0):
    return [step(draw, kinds, depth) for _ in range(draw.pick([1, 1, 1, 1, 2, 2, 3] if depth == 0 else [1, 1, 2]))]


def run(draw):
    """Returns a training run, given by its sizes."""
    records, batch = sizes(draw)
    scheme = draw.pick(SCHEMES)
    if scheme == "poisson" and draw.chance(0.3):
        made = {"sampling_rate": draw.rate(), "steps": draw.count()}
    else:
        made = {"dataset_size": records, "batch_size": batch, "epochs": draw.number(1, 60, [1, 0.5, 1e-3, 60])}
        if draw.chance(0.2):
            made["accumulation"] = draw.integer(1, 8, [1, 2, 2**40])
        if draw.chance(0.2):
            made["steps"] = draw.count()
    if scheme != "poisson" or draw.chance(0.3):
        made["sampling"] = scheme
    if scheme == "truncated-poisson" or draw.chance(0.02):
        made["batch_limit"] = batch + batch // 2
    if draw.chance(0.8):
        return made | {"noise_multiplier": draw.noise()}
    return made | mechanism(draw, ["laplace", "gaussian", "discrete-gaussian", "exponential"])


def relation(draw, members):
    """Returns a relation, mostly one under which the steps are analysed."""
    if draw.chance(0.1):
        return draw.pick(RELATIONS)
    if "shuffle-model" in members:
        return "replace-one"
    if "shuffled" in members or "random-allocation" in members:
        return draw.pick(["replace-one", "zero-out"])
    return draw.pick(RELATIONS) if draw.chance(0.35) else None


def about(draw, kinds=None):
    """Returns the members of a request that say what it is about."""
    if not kinds and draw.chance(0.12):
        members = {"run": run(draw)}
    else:
        members = {"steps": [] if draw.chance(0.01) else steps(draw, kinds)}
    if neighbors := relation(draw, str(members)):
        members["neighbors"] = neighbors
    if draw.chance(0.12):
        members["unit"] = draw.integer(1, 20, [1, 2, 3, 2**30])
    return members
