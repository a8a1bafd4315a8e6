"""Plans: every mechanism under every relation, every sampling scheme that is allowed, every form, older spellings."""

import json

import renyi

FILES = ("plans/*.jsonl",)
LINES = True
# A blank between the parts of a document says nothing, and neither does the e or E of a number.
HIDDEN = rb"(?<=[0-9])[eE](?=[-+0-9])"
RELATIONS = ("add-or-remove-one", "replace-one", "zero-out")
SCHEMES = (
    {"scheme": "poisson", "rate": 0.01},
    {"scheme": "fixed-size", "dataset_size": 10000, "batch_size": 100},
    {"scheme": "fixed-size", "dataset_size": 10000, "batch_size": 100, "padded": True},
    {"scheme": "with-replacement", "dataset_size": 10000, "batch_size": 100},
    {"scheme": "truncated-poisson", "rate": 0.01, "dataset_size": 10000, "batch_limit": 130},
    {"scheme": "shuffled", "batches": 20},
    {"scheme": "random-allocation", "batches": 20, "participations": 2},
)
# Besides the example of the catalogue.
SETTINGS = {
    "gaussian": [{"stddev": 3.7, "l2_sensitivity": 0.3}, {"noise_multiplier": 0.1, "count": 9223372036854775807}],
    "laplace": [{"scale": 0.1, "l1_sensitivity": 2.5}],
    "randomized-response": [{"truth_probability": 0.3, "categories": 1000}],
    "pure-dp": [{"epsilon": 0}, {"epsilon": 0.1, "count": 10}],
    "sampled-gaussian": [{"sampling_rate": 1e-100, "noise_multiplier": 1e6}, {"sampling_rate": 1, "noise_multiplier": 5}],
    "zcdp": [{"rho": 1e-100, "xi": 0.25}],
    "tcdp": [{"rho": 3, "omega": 1.5}],
    "cdp": [{"mu": 0, "tau": 0.125}],
    "gdp": [{"mu": 2.718281828459045}],
    "moments": [{"lambda": 1e-06, "alpha": 0.3}],
    "discrete-gaussian": [{"stddev": 12.25, "sensitivity": 7}],
    "discrete-laplace": [{"scale": 0.3, "sensitivity": 3}],
    "skellam": [{"variance": 33.5, "sensitivity": 2}],
    "skellam-vector": [{"variance": 1e6, "l1_sensitivity": 30, "l2_sensitivity": 10}],
    "tree-aggregation": [{"noise_multiplier": 7, "rounds": 64, "participations": 3, "min_separation": 10, "restart_every": 32}],
    "matrix": [{"noise_multiplier": 3, "matrix": [[2, 0], [-0.5, 1e-20]], "participations": 2, "fixed_order": 1}],
    "toeplitz-matrix": [{"noise_multiplier": 2, "rounds": 12, "coefficients": [1, 0.25], "participations": 3, "min_separation": 4}],
    "banded-matrix": [{"noise_multiplier": 2, "rounds": 12, "sampling_rate": 0.1, "coefficients": [1, 0.5], "groups": 2}],
    "adaptive-clipping": [{"gradient_noise_multiplier": 2.5, "count_stddev": 0.5}],
    "per-layer-clipping": [{"noise_multiplier": 4, "layers": [[1, 1], [0.25, 8], [3, 0.125]]}],
    "exponential": [{"epsilon": 0.3}],
    "report-noisy-max": [{"score_scale": 3, "sensitivity": 0.5, "monotonic": 1}],
    "permute-and-flip": [{"epsilon": 2.5}],
    "sparse-vector": [{"threshold_scale": 8, "query_scale": 16, "cutoff": 5, "sensitivity": 2, "monotonic": 1}],
    "approx-dp": [{"epsilon": 0, "delta": 0.001}],
    "non-private": [{"count": 3}],
    "no-op": [{"count": 3}],
    "rdp": [{"points": [[2, 0.1], [8, "inf"], ["inf", 3]]}, {"order": 4, "epsilon": 0.25, "points": [[16, 1.5]]}],
    "pairs": [{"probabilities": [[0.5, 0.25], [0.25, 0.75], [0.25, 0]]}],
    "losses": [{"losses": [[0, 0.5], ["inf", 0.5]]}],
    "logistic": [{"scale": 4, "sensitivity": 0.5}],
    "shuffle-model": [{"epsilon_local": 2, "people": 50000, "categories": 4}],
}
LAPLACE, GAUSSIAN = {"mechanism": "laplace", "scale": 20}, {"mechanism": "gaussian", "noise_multiplier": 8}
SAMPLED = {"mechanism": "sampled-gaussian", "sampling_rate": 0.01, "noise_multiplier": 1.1, "count": 1000}
NAMED = {**LAPLACE, "name": "Größe “x” 😀", "comment": "two lines\n\tof a survey", "count": 3}
FORMS = (
    [], [LAPLACE, GAUSSIAN, SAMPLED], [{"plan": [LAPLACE, {"plan": [GAUSSIAN], "count": 7}], "count": 10}],
    [{"parallel": [[LAPLACE], [GAUSSIAN, {"plan": [LAPLACE], "count": 2}]], "count": 4, "name": "halves"}],
    [{"select": [GAUSSIAN], "runs": {"law": "geometric", "mean": 20}, "name": "tuning"}],
    [{"select": [SAMPLED], "runs": {"law": "logarithmic", "gamma": 0.01}}],
    [{"select": [GAUSSIAN], "runs": {"law": "negative-binomial", "eta": -0.5, "gamma": 0.1}, "count": 2}],
    [{"select": [LAPLACE, {"plan": [GAUSSIAN], "count": 2}], "runs": {"law": "poisson", "mean": 12.5}}],
    [NAMED], [{"plan": [NAMED, {**GAUSSIAN, "name": "means"}], "name": "all of it", "comment": "a group"}],
    [{"plan": [{"select": [NAMED], "runs": {"law": "geometric", "mean": 3}}], "count": 2}],
    [{**SAMPLED, "count": 1}, {**SAMPLED, "count": 2}, {**GAUSSIAN, "sampling": SCHEMES[0]}],
)
# Other spellings of the same plans, and what earlier versions wrote.
SPELLINGS = (
    '{"steps":[{"count":3,"scale":2e1,"mechanism":"laplace"}],"renyi":1}',
    ' { "renyi" : 1 , "neighbors":"zero-out","unit":2,"steps" : [ {"mechanism":"gaussian","stddev":4,"l2_sensitivity":1} ] }',
    '{"renyi":1,"steps":[{"mechanism":"gaussian","stddev":0.00001,"l2_sensitivity":1e-5,"count":1}]}',
    '{"renyi":1,"steps":[{"mechanism":"rdp-points","points":[[2,0.1],[4,0.25]]}]}',
    '{"renyi":1,"steps":[{"select":[{"mechanism":"laplace","scale":20}],"runs":{"law":"geometric","gamma":0.05}}]}',
    '{"renyi":1,"steps":[{"mechanism":"laplace","scale":20,"name":"\\u00e4 \\ud83d\\ude00","comment":"\\n"}]}',
    '{"renyi":1,"steps":[{"mechanism":"randomized-response","truth_probability":0.75,"categories":2}]}',
)


def make(folder):
    (folder / "plans").mkdir()
    catalogue = renyi.ask({"op": "mechanisms"})["mechanisms"]
    examples = {row["kind"]: _short(row["example"]) for row in catalogue}
    assert set(SETTINGS) == set(examples), "a mechanism without a second setting"
    single = [step for kind in examples for step in (examples[kind], *({"mechanism": kind, **more} for more in SETTINGS[kind]))]
    _write(folder / "plans/mechanisms.jsonl", _allowed([step] for step in single))
    sampled = ([{**step, "sampling": scheme}] for step in examples.values() for scheme in SCHEMES)
    _write(folder / "plans/samplings.jsonl", _allowed(sampled))
    grouped = [_plan(steps, relation, unit) for steps in FORMS for relation in RELATIONS for unit in (1, 3)]
    _write(folder / "plans/forms.jsonl", filter(_is_read, grouped))
    (folder / "plans/spellings.jsonl").write_text("\n".join(SPELLINGS) + "\n", encoding="utf-8")


def _short(step):
    """The figures of long matrices take long."""
    return {**step, "rounds": 16} if step.get("rounds") == 1000 else step


def _plan(steps, relation, unit=1):
    return json.dumps({"renyi": 1, "neighbors": relation, "unit": unit, "steps": steps}, ensure_ascii=False)


def _allowed(many):
    return filter(_is_read, (_plan(steps, relation) for steps in many for relation in RELATIONS))


def _is_read(text):
    try:
        renyi.Plan.from_json(text)
    except renyi.Error:
        return False
    return True


def _write(path, plans):
    lines = [renyi.Plan.from_json(text).to_json() for text in plans]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def meaning(text):
    canonical = renyi.Plan.from_json(text).to_json()
    return {"canonical": canonical, **figures(canonical)}


def figures(canonical):
    """What the plan costs. Exact intervals are asked for where they are quick: without sampling."""
    plan = {name: value for name, value in json.loads(canonical).items() if name != "renyi"}
    want = ["renyi"] if '"sampling"' in canonical else ["renyi", "exact"]
    answer = renyi.ask({"op": "epsilon", **plan, "delta": 1e-5, "want": want})
    orders = renyi.ask({"op": "rdp", **plan, "orders": [2, 16]})
    return {"close": {"epsilon": _figures(answer), "rdp": _figures(orders)}}


def _figures(answer):
    """Without what is told of a figure in words, and which engine found it."""
    if not isinstance(answer, dict):
        return answer
    if "unavailable" in answer:
        return {"unavailable": True}
    return {key: True if key in ("assumes", "note") else _figures(value) for key, value in answer.items() if key != "engine"}
