"""Draws requests of every operation (docs/format/requests.md)."""

import plans

NOISES = {"noise_multiplier", "stddev", "scale", "variance"}
SIZES = NOISES | {"count", "steps", "epochs", "batch_size", "sampling_rate", "rate", "epsilon", "rho", "mu", "mean",
    "query_scale"}
METHODS = ["quadrature", "integer", "series", "closed-form"]


def numbers(draw, most, one, infinite=True):
    drawn = draw.some(most, one)
    return drawn if infinite else [value for value in drawn if value != "inf"] or [1]


def of_cost(draw, target):
    asked = plans.about(draw) | target
    if draw.chance(0.3):
        asked["want"] = draw.pick([["renyi"], ["exact"], ["exact", "renyi"]])
    if draw.chance(0.15):
        asked["orders"] = draw.pick(["traditional", numbers(draw, 4, draw.order)])
    if draw.chance(0.15):
        asked["conversion"] = draw.pick(["tight", "classical"])
    if draw.chance(0.1):
        asked["tolerance"] = draw.number(1e-6, 0.1, [1e-300, 1e-9, 1e-3, 1e300])
    if draw.chance(0.05):
        asked["memory"] = draw.pick([1, 64, 1048576])
    if draw.chance(0.05):
        asked |= {"method": draw.pick(METHODS), "want": ["renyi"]}
    return asked


def epsilon(draw):
    return of_cost(draw, {"delta": draw.delta()})


def delta(draw):
    return of_cost(draw, {"epsilon": draw.epsilon()})


def profile(draw):
    asked = of_cost(draw, {"epsilons": numbers(draw, 3, draw.epsilon, False)})
    asked.pop("method", None)
    if draw.chance(0.4):
        asked["deltas"] = numbers(draw, 2, draw.delta)
    return asked


def rdp(draw):
    asked = plans.about(draw) | {"orders": numbers(draw, 5, lambda: draw.pick([1, draw.order()]))}
    if draw.chance(0.2):
        asked["direction"] = draw.pick(["remove", "add"])
    if draw.chance(0.3):
        asked |= {"steps": [plans.mechanism(draw, ["sampled-gaussian"])]} | {"method": draw.pick(METHODS)}
        asked.pop("run", None)
        if draw.chance(0.3):
            asked["compare"] = asked.pop("method") and "closed-form"
    return asked


def places(value, path=()):
    """Returns where numbers stand in the steps or in the run."""
    if isinstance(value, dict):
        return [place for key, inner in value.items() for place in places(inner, (*path, key))]
    if isinstance(value, list):
        return [place for index, inner in enumerate(value) for place in places(inner, (*path, index))]
    return [path] if isinstance(value, (int, float)) and "mechanism" not in path else []


def anything(_):
    return True


def is_size(path):
    return path[-1] in SIZES


def leave_open(draw, members, wanted):
    found = [path for path in places(members) if wanted(path)]
    if not found:
        return
    *way, last = draw.pick(found)
    for key in way:
        members = members[key]
    members[last] = None


def split(draw):
    steps = [plans.mechanism(draw, plans.ADDITIVE) for _ in range(draw.whole(2, 3))]
    for made in steps:
        leave_open(draw, made, lambda path: path[-1] in NOISES)
    return {"steps": steps,
        "split": draw.pick(["equal-shares", "equal-error", [1] * len(steps), [1e-9] + [1e9] * (len(steps) - 1)])}


def calibrate(draw):
    asked = split(draw) if draw.chance(0.15) else plans.about(draw, draw.pick([PLAIN, None]))
    asked |= {"epsilon": draw.number(0.1, 10, [0, 1e-6, 1, 700, 1e6], 0.2),
        "delta": draw.number(1e-10, 1e-3, [0, 1e-300, 1e-5, 1], 0.3)}
    if "split" not in asked:
        target = draw.pick(["plan"] * 8 + ["unit", "epsilon", "delta"])
        if target == "plan":
            leave_open(draw, asked["run"] if "run" in asked else asked["steps"],
                anything if draw.chance(0.25) else is_size)
        else:
            asked[target] = None
    if draw.chance(0.5):
        asked["by"] = draw.pick(["exact", "renyi", "renyi"])
    if draw.chance(0.1):
        asked["conversion"] = "classical"
    return asked


def tradeoff(draw):
    def error():
        return draw.number(1e-6, 0.9, [0, 1, 1e-300, 0.05, 0.5])
    asked = plans.about(draw) | {"type_1_errors": numbers(draw, 4, error)}
    return asked | ({"tolerance": 1e-3} if draw.chance(0.2) else {})


def explain(draw):
    if draw.chance(0.02):
        return {"reference_table": True}
    asked = plans.about(draw)
    if draw.chance(0.7):
        asked["baseline"] = numbers(draw, 2, lambda: draw.number(1e-6, 0.9, [1e-300, 0.5, 1 - 2**-53]))
    if draw.chance(0.5):
        asked["orders"] = numbers(draw, 3, draw.order)
    if draw.chance(0.4):
        asked["factors"] = numbers(draw, 2, lambda: draw.number(1.1, 1000, [1, 10, 1e300]))
    if draw.chance(0.5):
        asked["delta"] = draw.delta()
    if draw.chance(0.3):
        asked["group_size"] = draw.integer(2, 20, [2, 3, 2**30])
    return asked


def loss(draw):
    asked = plans.about(draw)
    if draw.chance(0.4):
        asked["direction"] = draw.pick(["remove", "add"])
    asked["orders"] = numbers(draw, 2, lambda: draw.number(0.1, 20, [0, 1, 1e4, 1e100]))
    asked["at_least"] = numbers(draw, 3, lambda: draw.number(0.1, 20, [0, -1, -1e300, 1, 100]))
    asked["within"] = numbers(draw, 2, lambda: draw.number(0.1, 20, [0, 1e-9, 1e300]))
    return asked


def accuracy(draw):
    asked = plans.about(draw, plans.ADDITIVE)
    for made in asked["steps"]:
        if "noise_multiplier" in made and not draw.chance(0.1):
            made["stddev"] = made.pop("noise_multiplier")
    if draw.chance(0.7):
        asked["levels"] = numbers(draw, 3, lambda: draw.number(0.1, 0.99, [1e-300, 0.5, 0.95, 0.999999, 1 - 2**-53]))
    if draw.chance(0.5):
        asked["bounds"] = numbers(draw, 2, lambda: draw.number(0.1, 100, [0, 1, 1e300]))
    if draw.chance(0.25):
        asked["grid"] = draw.pick([1, 0.5, 2**-20, 2.0**-1000, 1024, 2**-10, 0.3])
    return asked


def budget(draw):
    kind = draw.pick(["pure", "zcdp", "tcdp", "gdp", "approx", "order", "curve", "shares"])
    amount = draw.number(0.1, 10, [0, 1e-100, 1, 1e25], 0.2)
    tiny, order = draw.number(1e-10, 1e-3, [1e-300, 1e-5, 0.5]), draw.number(1.5, 64, [1.0000001, 2, 1e100])
    made = {
        "pure": {"epsilon": amount},
        "zcdp": {"rho": amount},
        "tcdp": {"rho": amount, "omega": order},
        "gdp": {"mu": amount},
        "approx": {"epsilon": amount, "delta": tiny},
        "order": {"order": order, "epsilon": amount},
        "curve": {"limits": [{"order": 2, "epsilon": amount}, {"order": draw.pick([8, "inf"]), "epsilon": amount * 3}]},
        "shares": {"epsilon": amount, "delta": tiny, "orders": [2, 8, 32]},
    }[kind]
    return {"kind": kind, **made} | ({"infinite_mass": draw.pick([0, 1e-6, 1e-300])} if draw.chance(0.2) else {})


PLAIN = ["gaussian", "laplace", "pure-dp", "zcdp", "gdp", "randomized-response", "sampled-gaussian",
    "discrete-gaussian", "approx-dp"]


def larger(budget_):
    """Returns a budget that holds whatever the given one does."""
    amounts = {key: value * 2 for key, value in budget_.items() if key in ("epsilon", "rho", "mu")}
    limits = [{**one, "epsilon": one["epsilon"] * 2} for one in budget_.get("limits", [])]
    return budget_ | amounts | ({"limits": limits} if limits else {})


def filter_(draw):
    asked = plans.about(draw, PLAIN) if draw.chance(0.5) else {}
    for one in asked.get("steps", []):
        if draw.chance(0.8):
            one["count"] = 1
    asked["budget"] = budget(draw)
    if draw.chance(0.3):
        asked["cap"] = budget(draw) if draw.chance(0.2) else larger(asked["budget"])
    if draw.chance(0.8):
        kinds = PLAIN if draw.chance(0.7) else None
        asked["step"] = {"plan": plans.steps(draw, PLAIN)} if draw.chance(0.1) else plans.mechanism(draw, kinds)
        if draw.chance(0.6):
            asked["count"] = draw.count()
    if draw.chance(0.3):
        asked["delta"] = draw.delta()
    return asked


def filter_design(draw):
    asked = plans.about(draw, PLAIN if draw.chance(0.7) else None)
    asked |= {"epsilon": draw.number(0.1, 20, [1e-6, 1, 1e6]),
        "delta": draw.number(1e-10, 1e-3, [0, 1e-300, 1e-5, 0.5])}
    return asked | ({"counts": numbers(draw, 2, draw.count)} if draw.chance(0.4) else {})


def odometer(draw):
    asked = plans.about(draw, PLAIN if draw.chance(0.7) else None) if draw.chance(0.9) else {}
    kind = draw.pick(["renyi", "zcdp", "gdp"])
    asked |= {"kind": kind, "delta": draw.number(1e-12, 1e-2, [1e-290, 1e-5, 0.5, 1 - 2**-53])}
    if kind == "renyi" and draw.chance(0.4):
        asked["orders"] = numbers(draw, 4, draw.order, False)
    return asked | ({"infinite_mass": draw.pick([0, 1e-6, 1e-300])} if draw.chance(0.2) else {})


def matrix_design(draw):
    asked = {"rounds": draw.integer(2, 500, [1, 2, 64, 1000])}
    if draw.chance(0.15):
        asked["coefficients"] = draw.pick(plans.COEFFICIENTS)
    else:
        asked["bands"] = draw.pick([1, 2, 4, [1, 2], [1, 3], 8])
        asked["method"] = draw.pick(["optimal", "square-root"])
    if draw.chance(0.4):
        asked |= {"participations": draw.integer(1, 5, [1]), "min_separation": draw.integer(1, 50, [1])}
    if draw.chance(0.3):
        asked |= {"dataset_size": draw.integer(100, 10**5, [1000]), "batch_size": draw.integer(1, 100, [1, 10])}
    if draw.chance(0.5):
        asked |= {draw.pick(["epsilon", "noise_multiplier"]): draw.usual(0.5, 10), "delta": 1e-5}
    return asked | ({"neighbors": draw.pick(plans.RELATIONS)} if draw.chance(0.3) else {})


def compare(draw):
    asked = plans.about(draw) | {"delta": draw.delta()}
    if draw.chance(0.4):
        asked["epsilon"] = draw.epsilon()
    return asked | ({"event": draw.number(1e-9, 0.5, [1e-300, 1])} if draw.chance(0.2) else {})


def relate(draw):
    asked = plans.about(draw)
    to = draw.pick([None, "pure", "zcdp", "tcdp", "cdp", "gdp", "moments"])
    if to:
        asked["to"] = to
    if to in (None, "zcdp") and draw.chance(0.3):
        asked["rho"] = draw.number(0.01, 10, [0, 1e-100, 1e50])
    if to in (None, "tcdp") and draw.chance(0.5):
        asked["omega"] = draw.pick([draw.number(1.1, 64, [1.0000001, 1e100]), [2, 1e4]])
    if to in (None, "moments") and draw.chance(0.5):
        asked["lambda"] = draw.pick([draw.number(0.1, 64, [1e-100, 1e100]), [1, 1e4]])
    return asked


def law(draw, family):
    if family == "normal":
        return {"mean": draw.number(0.1, 5, [0, -1, 1e50]), "stddev": draw.number(0.1, 5, [1, 1e-50, 1e50])}
    if family == "laplace":
        return {"location": draw.number(0.1, 5, [0, -1, 1e50]), "scale": draw.number(0.1, 5, [1, 1e-50, 1e50])}
    if family == "bernoulli":
        return draw.number(0.01, 0.99, [0, 1, 0.5, 1e-300, 1 - 2**-53])
    if family == "multivariate-normal":
        return [draw.number(0.1, 2, [0, -1]) for _ in range(2)]
    return draw.pick([[0.5, 0.5, 0], [0.25, 0.25, 0.5], [1, 0, 0], [0.999999, 1e-6, 0], [2, 1, 1]])


def divergence(draw):
    family = draw.pick(["normal", "laplace", "bernoulli", "multivariate-normal", "discrete"])
    pair = {"family": family, "p": law(draw, family), "q": law(draw, family)}
    if family == "multivariate-normal":
        pair["covariance"] = draw.pick([[[1, 0], [0, 1]], [[2, 0.5], [0.5, 1]], [[1e-9, 0], [0, 1e9]],
            [[1, 1], [1, 1]]])
    if family == "discrete" and draw.chance(0.3):
        pair["normalize"] = True
    asked = {"pair": pair}
    if draw.chance(0.6):
        asked["orders"] = numbers(draw, 3, lambda: draw.pick([0.5, 1, 1e-100, draw.order()]))
    return asked | ({"epsilons": numbers(draw, 2, draw.epsilon)} if draw.chance(0.6) else {})


def event(draw, depth=0):
    """Returns an event as dp_accounting records it."""
    def made(name, **fields):
        return {"module_name": "dp_accounting.dp_event", "class_name": name, **fields}
    inner = (lambda: event(draw, depth + 1)) if depth < 2 else (lambda: made("GaussianDpEvent",
        noise_multiplier=draw.noise()))
    return draw.pick([
        lambda: made("GaussianDpEvent", noise_multiplier=draw.pick([0, draw.noise()])),
        lambda: made("LaplaceDpEvent", noise_multiplier=draw.noise()),
        lambda: made("ZCDpEvent", rho=draw.number(0.01, 2, [0]), xi=0),
        lambda: made("EpsilonDeltaDpEvent", epsilon=draw.number(0.1, 3, [0]), delta=draw.pick([0, 1e-6])),
        lambda: made("RandomizedResponseDpEvent", noise_parameter=draw.pick([0, 0.3, 1]),
            num_buckets=draw.pick([1, 2, 10])),
        lambda: made("DiscreteLaplaceDpEvent", noise_parameter=draw.number(0.1, 2, [0]), sensitivity=1),
        lambda: made("SingleEpochTreeAggregationDpEvent", noise_multiplier=draw.noise(),
            step_counts=draw.pick([0, 10, [3, 8]])),
        lambda: made("ComposedDpEvent", events=[inner(), inner()]),
        lambda: made("SelfComposedDpEvent", event=inner(), count=draw.pick([0, 1, 1000, 2**63 - 1])),
        lambda: made("PoissonSampledDpEvent", sampling_probability=draw.rate(), event=inner()),
        lambda: made("SampledWithoutReplacementDpEvent", source_dataset_size=1000,
            sample_size=draw.pick([0, 10, 1000]), event=inner()),
        lambda: made("RepeatAndSelectDpEvent", event=inner(), mean=draw.pick([1, 10]),
            shape=draw.pick([0, 1, "inf", 2])),
        lambda: made(draw.pick(["NoOpDpEvent", "NonPrivateDpEvent", "UnsupportedDpEvent", "GausianDpEvent"])),
        lambda: ["dp_accounting.dp_event", "GaussianDpEvent", draw.noise()],
    ])()


def convert(draw):
    if draw.chance(0.4):
        record = [[draw.pick([0, draw.noise()]), draw.rate(),
            draw.pick([0, 1, 600, 2**63 - 1])] for _ in range(draw.whole(1, 3))]
        record = record if draw.chance(0.5) else {"history": record,
            "mechanism": draw.pick(["rdp", "prv", "gdp", "rpd"])}
    else:
        record = event(draw)
    asked = {"record": record} | ({"from": draw.pick(["opacus", "dp_accounting"])} if draw.chance(0.2) else {})
    return asked | ({"neighbors": draw.pick(plans.RELATIONS)} if draw.chance(0.4) else {})


def report(draw):
    asked = plans.about(draw, PLAIN if draw.chance(0.6) else None) | {"delta": draw.pick([0, 1e-5, 1e-6])}
    if draw.chance(0.3):
        asked |= {"dataset_size": draw.pick([1, 1000, 10**6]), "title": "Ages <b> & | rates",
            "remarks": ["*one*", "two"]}
    return asked | ({"formats": draw.pick([["markdown"], ["html"]])} if draw.chance(0.3) else {})


def certify(draw):
    asked = plans.about(draw, ["gaussian", "laplace", "pure-dp", "randomized-response"])
    return asked | draw.pick([{"delta": draw.pick([0, 1e-5])},
        {"epsilon": 1}]) | ({"order": draw.pick([2, "inf"])} if draw.chance(0.5) else {})


def mechanisms(draw):
    return {"kind": draw.pick(plans.MECHANISMS)}


def ledger(draw):
    """Returns requests that are answered without a file: refusals, and the verification of an export that is wrong."""
    return draw.pick([
        {}, {"verb": "chargee"}, {"verb": "show"}, {"verb": "charge", "scope": "a", "steps": []}, {"verb": 3},
        {"verb": "verify", "lines": draw.pick(["", "{}", "{}\n{}\n", "no JSON", 3])}, {"verb": "verify"},
        {"verb": "scope", "scop": "a"}, {"verb": "raise", "ledger": 3}, {"verb": "init", "ledger": ""},
        {"verb": "history", "most": -1}, {"verb": "reserve", "expires_in": "soon"}, {"verb": "commit",
            "output_hex": "xyz"},
    ])
