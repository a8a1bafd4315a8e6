"""Certificates of every kind of question, also those with parts that nothing proves."""

import json

import renyi

FILES = ("certificates/*.json",)
G, L = renyi.Gaussian, renyi.Laplace
MADE = {
    "gaussian-epsilon": (lambda: G(4.0) * 10, {"delta": 1e-5}),
    "gaussian-delta": (lambda: G(4.0) * 10, {"epsilon": 1.0}),
    "gaussian-order": (lambda: G(4.0) * 10, {"delta": 1e-5, "order": 8}),
    "gaussian-no-delta": (lambda: L(2.0) * 3, {"delta": 0}),
    "laplace-replace-one": (lambda: renyi.Plan(L(20.0), L(20.0), neighbors="replace-one", unit=2), {"epsilon": 0.5}),
    "randomized-response": (lambda: renyi.RandomizedResponse(0.75, 4) * 5, {"delta": 1e-5}),
    "pure-order-inf": (lambda: renyi.PureDp(0.25) * 2, {"delta": 1e-9, "order": float("inf")}),
    "sampled": (lambda: renyi.SampledGaussian(0.01, 1.1) * 1000, {"delta": 1e-5}),
    "discrete": (lambda: renyi.DiscreteGaussian(4.0, 2) * 2, {"delta": 1e-5}),
    "mixed-named": (lambda: renyi.Plan.from_json(
        '{"renyi":1,"steps":[{"mechanism":"gaussian","noise_multiplier":8,"count":3,"name":"ages"},'
        '{"mechanism":"laplace","scale":20,"comment":"a sum"}]}'), {"delta": 1e-6}),
    "zcdp-unavailable": (lambda: renyi.Zcdp(0.1), {"delta": 1e-5}),
    "tcdp-unavailable": (lambda: renyi.Tcdp(0.1, 10), {"epsilon": 2.0}),
    "random-allocation": (
        lambda: renyi.Plan(G(2.0).sampled(renyi.RandomAllocation(10)), neighbors="zero-out"), {"delta": 1e-5}),
    "tree": (lambda: renyi.TreeAggregation(4.0, 100), {"delta": 1e-5}),
}


def make(folder):
    (folder / "certificates").mkdir()
    for name, (plan, question) in MADE.items():
        certificate = renyi.certify(plan(), **question)
        (folder / f"certificates/{name}.json").write_text(certificate.to_json() + "\n", encoding="utf-8")


def meaning(path):
    """What the certificate says, if it is valid; why not is for people. Its own ends are exact, and those that the
    verdict computed anew may become narrower."""
    text = path.read_text(encoding="utf-8")
    verdict = renyi.verify(text)
    if not verdict.valid:
        return {"valid": False}
    stated = json.loads(text)
    claims = [claim["claim"] for claim in verdict.to_dict()["proven"]]
    ends = [[claim["lower"]["decimal"], claim["upper"]["decimal"]] for claim in stated["claims"]]
    return {"valid": True, "plan": verdict.plan, "question": stated["question"], "answer": stated["answer"],
            "proven": claims, "ends": ends, "not_certified": len(stated["not_certified"]),
            "recomputed": [{"close": {"lower": float(claim["lower"]), "upper": float(claim["upper"])}}
                           for claim in verdict.to_dict()["proven"]]}
