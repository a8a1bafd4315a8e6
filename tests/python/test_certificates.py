"""certify and verify: the engine of the command, with claims as values."""

import json
import math
import pickle
import threading
from decimal import Decimal

import pytest

import renyi
from support import batch, command, in_build, request_of

PLANS = {
    "gaussian": renyi.Gaussian(4.0) * 3,
    "laplace": renyi.Plan(renyi.Laplace(2.0)),
    "bounds": renyi.Plan(renyi.Zcdp(0.1)),
    "response": renyi.Plan(renyi.RandomizedResponse(0.75), neighbors="replace-one"),
}


def is_built_in():
    try:
        renyi.certify(renyi.Gaussian(4.0), delta=1e-5)
    except renyi.Unsupported as error:
        assert "RENYI_CERTIFY" in str(error) or "Arb" in str(error)
        return False
    return True


pytestmark = pytest.mark.skipif(not is_built_in(), reason="built without certified arithmetic")


@pytest.fixture(scope="module")
def proof():
    return renyi.certify(noise_multiplier=4, steps=3, delta=1e-5)


@in_build
@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("asked", [{"delta": 1e-5}, {"epsilon": 0.5}, {"delta": 1e-5, "order": 8.0}], ids=str)
def test_certificates_have_the_bytes_of_the_command(name, asked, tmp_path):
    (tmp_path / "plan.json").write_text(PLANS[name].to_json())
    flags = [word for key, value in asked.items() for word in (f"--{key}", repr(value))]
    made = renyi.certify(PLANS[name], **asked)
    assert made.to_json() == command("certify", tmp_path / "plan.json", *flags)
    made.save(tmp_path / "certificate.json")
    assert command("verify", tmp_path / "certificate.json").startswith(f"VALID: {len(made.claims)} claims of")
    assert renyi.Certificate.load(tmp_path / "certificate.json") == made
    request = request_of("certify", PLANS[name], **asked)
    assert [json.loads(line) for line in batch(request)] == [{"certificate": made.to_dict()}]


@pytest.mark.parametrize("name", PLANS)
def test_claims_are_those_of_the_document(name):
    made = renyi.certify(PLANS[name], delta=1e-5)
    document = made.to_dict()
    assert made.plan == PLANS[name] and (made.delta, made.epsilon) == (1e-5, None)
    assert made.digest == document["digest"]
    assert len(made.claims) == len(document["claims"]) and len(made.not_certified) == len(document["not_certified"])
    for claim, entry in zip(made.claims, document["claims"]):
        assert (claim.kind, claim.method, claim.precision) == (entry["claim"], entry["method"], entry["precision"])
        assert (claim.direction, claim.conversion) == (entry.get("direction"), entry.get("conversion"))
        assert claim.order == entry.get("order") and claim.at == entry.get("delta", entry.get("epsilon"))
        assert claim.decimals == (entry["lower"]["decimal"], entry["upper"]["decimal"])
        assert Decimal(claim.lower) <= Decimal(entry["lower"]["decimal"])
        assert Decimal(claim.upper) >= Decimal(entry["upper"]["decimal"])
        assert claim.lower in claim and math.nextafter(claim.upper, math.inf) not in claim
    for gap, entry in zip(made.not_certified, document["not_certified"]):
        assert (gap.kind, gap.unavailable) == (entry["claim"], entry["unavailable"])


@pytest.mark.parametrize("name", ["gaussian", "bounds"])
def test_verdicts_have_claims_as_values(name):
    made = renyi.certify(PLANS[name], delta=1e-5)
    verdict = renyi.verify(made)
    assert verdict and verdict.valid and verdict.faults == ()
    assert (verdict.plan, verdict.delta, verdict.epsilon) == (PLANS[name], 1e-5, None)
    assert verdict.not_certified == len(made.not_certified)
    document = verdict.to_dict()
    assert document == renyi.ask({"op": "verify", "certificate": made.to_dict()})
    for found, claimed, entry in zip(verdict.claims, made.claims, document["proven"]):
        assert (found.kind, found.order, found.conversion) == (claimed.kind, claimed.order, claimed.conversion)
        assert (found.direction, found.at) == (claimed.direction, claimed.at)
        assert found.decimals == (entry["lower"], entry["upper"]) and found.width == entry["width"]
        assert claimed.lower <= found.lower <= found.upper <= claimed.upper
    assert len(verdict.claims) == len(made.claims) == len(document["proven"])


def test_epsilon_lies_in_the_claim(proof):
    found = renyi.epsilon(noise_multiplier=4, steps=3, delta=1e-5)
    for way in ("remove", "add"):
        claim, exact = proof["epsilon", way], getattr(found.exact, way)
        assert claim.lower <= exact.upper and exact.lower <= claim.upper
    assert proof["rdp"] is proof.claims[0] and proof["rdp", "add"] is proof.claims[1]
    with pytest.raises(KeyError):
        proof["renyi-delta"]


def test_the_texts_that_verify_takes(proof, tmp_path):
    proof.save(tmp_path / "c.json")
    for given in (proof, proof.to_json(), tmp_path / "c.json", str(tmp_path / "c.json")):
        assert renyi.verify(given).valid
    with pytest.raises(FileNotFoundError):
        renyi.verify(tmp_path / "none.json")
    with pytest.raises(renyi.InvalidArgument, match="^certificate: got 7"):
        renyi.verify(7)


def test_a_changed_certificate_is_not_valid(proof):
    verdict = renyi.verify(proof.to_json().replace('"count":3', '"count":2'))
    assert not verdict and not verdict.valid and verdict.claims == () and verdict.plan is None
    assert verdict.faults == ("digest: not that of the body: the certificate was changed or damaged",)
    assert "NOT VALID" in repr(verdict) and "digest" in verdict._repr_html_()
    assert verdict.to_dict() == {"valid": False, "faults": list(verdict.faults)}


@pytest.mark.parametrize("text", ["{}", '{"renyi_certificate":1}', "[]", "{", '{"renyi_certificate":2}', "{\ud800"])
def test_what_is_no_certificate(text):
    try:
        assert not renyi.verify("{" + text[1:])
    except (renyi.InvalidArgument, renyi.Unsupported) as error:
        assert error.field.startswith(("certificate", "byte"))
    with pytest.raises(renyi.InvalidArgument) as refused:
        renyi.Certificate(text)
    assert refused.value.field == "certificate"


@pytest.mark.parametrize(
    "asked, field",
    [({}, "delta"), ({"delta": 2.0}, "delta"), ({"delta": 1e-5, "epsilon": 1.0}, "delta"), ({"epsilon": -1}, "epsilon")]
    + [({"delta": 1e-5, "order": 1.0}, "order"), ({"delta": "1e-5"}, "delta")],
    ids=str,
)
def test_bad_questions_are_named(asked, field):
    with pytest.raises(renyi.InvalidArgument) as refused:
        renyi.certify(renyi.Gaussian(4.0), **asked)
    assert field in refused.value.field


def test_custom_mechanisms_have_no_certificate():
    with pytest.raises(renyi.Unsupported):
        renyi.certify(renyi.custom_curve(lambda order: order / 200), delta=1e-5)


def test_arrays_give_a_grid():
    grid = renyi.certify(noise_multiplier=[4.0, 8.0], delta=1e-5)
    assert grid.shape == (2,) and grid[1] == renyi.certify(noise_multiplier=8.0, delta=1e-5)
    header, rows = grid._table()
    assert header[:3] == ["noise_multiplier", "steps", "delta"] and len(rows) == 14 and rows[7][0] == 8.0


def test_certificates_are_values(proof):
    assert pickle.loads(pickle.dumps(proof)) == proof and hash(pickle.loads(pickle.dumps(proof))) == hash(proof)
    verdict = renyi.verify(proof)
    assert pickle.loads(pickle.dumps(verdict)).claims == verdict.claims
    assert pickle.loads(pickle.dumps(verdict)).to_dict() == verdict.to_dict()
    assert proof != renyi.certify(noise_multiplier=4, steps=2, delta=1e-5)
    assert "7 claims" in repr(proof) and "epsilon at delta 1e-05, remove" in proof._repr_html_()
    assert [row[0] for row in proof._table().rows] == [claim.kind for claim in proof.claims]


def test_other_threads_run_meanwhile():
    plan = renyi.Gaussian(4.0).sampled(renyi.Poisson(0.01)) * 1000
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(len(ticks))

    other = threading.Thread(target=tick)
    other.start()
    renyi.certify(plan, delta=1e-5)
    done.set()
    other.join()
    assert len(ticks) > 3
