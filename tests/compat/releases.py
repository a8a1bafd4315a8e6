"""Values to release, as JSON and as CSV, documents that were released, and the ledger that paid for one and stores it."""

import json
import os
import pathlib
import re
import subprocess
import tempfile

import renyi

import ledgers

FILES = ("releases/*",)
RENYI = os.environ["RENYI_BINARY"]
CSV = """name,value,histogram,integer,max_records,max_per_record,max_bins,max_per_bin,l1_sensitivity,mechanism,stddev,scale,lowest,round_to
visits,1017,,true,1,1,,,,gaussian,0.001,,,
0-17,120,age,true,,,1,1,,laplace,,0.001,,
18+,700,age,,,,,,,,,,,
hours,20417.5,,,,,,,24,laplace,,0.001,,
rounded,18.7,,,,,,,2,gaussian,0.001,,20,5
"""
JSON = {
    "renyi-release": 1, "neighbors": "replace-one", "unit": 2, "budget": {"delta": 1e-6}, "statistics": [
        {"name": "visits", "value": 812, "integer": True, "l2_sensitivity": 2, "mechanism": "gaussian", "stddev": 0.001},
        {"name": "hours", "bins": ["day", "night"], "values": [17320.5, 4102], "l1_sensitivity": 3, "scale": 0.001,
         "mechanism": "laplace", "lowest": 0, "highest": 20000},
        {"name": "score", "value": -3.5, "max_records": 2, "max_per_record": 0.5, "nonnegative": True, "stddev": 0.001,
         "mechanism": "gaussian"},
        {"name": "turnover", "value": 2e9, "l2_sensitivity": 10, "mechanism": "gaussian", "stddev": 0.001,
         "expected_lowest": 0, "expected_highest": 1e11}]}
DIVIDED = {
    "renyi-release": 1, "divide": "weights", "statistics": [
        {"name": "visits", "value": 1017, "integer": True, "max_records": 1, "max_per_record": 1, "weight": 4},
        {"name": "age", "bins": ["0-64", "65+"], "values": [820, 197], "integer": True, "max_bins": 1, "max_per_bin": 1}]}
PAID = ["--rho", "0.04", "--scope", "clinic", "--key", "annual"]


def make(folder):
    where = folder / "releases"
    where.mkdir()
    (where / "values.csv").write_text(CSV)
    (where / "values.json").write_text(json.dumps(JSON) + "\n")
    (where / "annual.values").write_text(json.dumps(DIVIDED) + "\n")
    ledger = renyi.Ledger.create(where / "annual.ledger")
    ledger.add_scope("clinic", renyi.Budget.zcdp(0.05))
    del ledger
    _release(where / "annual.values", where / "annual.released.json", *PAID, "--ledger", where / "annual.ledger")
    _release(where / "annual.values", where / "uncounted.released.json", "--epsilon", "1", "--delta", "1e-6", "--no-ledger")
    (where / "annual.ledger-sync").unlink()


def _release(values, out, *flags):
    done = subprocess.run([RENYI, "release", values, "--out", out, *flags], capture_output=True, text=True)
    if done.returncode != 0:
        raise renyi.InvalidArgument("release", done.stderr, "a release")


def meaning(path):
    with tempfile.TemporaryDirectory() as folder:
        to = pathlib.Path(folder)
        if path.name.startswith("values."):
            return _values_meaning(path, to)
        if path.name.startswith("uncounted."):
            return _document(path.read_text())
        return _paid_meaning(path.parent, to)


def _values_meaning(path, to):
    """Values are read by releasing them with noise that is nearly nothing, and whole numbers stay as they are."""
    _release(path, to / "out.json", "--delta", "1e-6", "--no-ledger")
    found = json.loads((to / "out.json").read_text())
    del found["beyond_range"]  # stated since 0.8.2, as the range of each statistic
    for statistic in found["statistics"]:
        del statistic["range"]
        for number in statistic.get("bins", [statistic]):
            number["value"] = round(number["value"], 1)
            number["interval"] = [round(end, 1) for end in number["interval"]]
    return {"close": found}


def _paid_meaning(where, to):
    """The same release from the same ledger gives the stored document, byte for byte, and pays nothing."""
    ledger = ledgers.as_ledger(where / "annual.ledger", to / "moved.ledger", None)
    before = [entry.text for entry in ledger.history()]
    valid = ledger.verify().valid
    del ledger
    _release(where / "annual.values", to / "again.json", *PAID, "--ledger", to / "moved.ledger")
    text = (where / "annual.released.json").read_text()
    stored = renyi.Ledger(to / "moved.ledger")
    if (to / "again.json").read_text() != text:
        raise renyi.InvalidArgument("released", "another document", "what the ledger has stored")
    noise = _values_of_dry_run(where / "annual.values")
    return {"document": _document(text), "entries": before, "valid": valid, "noise": noise,
            "paid again": stored.head().entry - len(before) + 1,
            "close": {"scopes": [scope.balances for scope in stored.scopes()]}}


def _values_of_dry_run(path):
    done = subprocess.run([RENYI, "release", path, "--rho", "0.04", "--dry-run", "--json"], capture_output=True, text=True)
    return {"close": json.loads(done.stdout)}


def _document(text):
    """A document is published as it is; its plan has to be read, and to cost what it says."""
    read = renyi.Release(text, False)
    cost = renyi.epsilon(read.plan, delta=1e-6).upper
    return {"text": text, "plan": read.plan, "payment": read.payment, "epsilon": read.epsilon, "rho": read.rho,
            "close": {"cost": cost}}


def places(path):
    """The values of a release that is paid for are data: the document that was stored does not depend on them."""
    if path.suffix == ".ledger":
        return ledgers.places(path)
    content = path.read_bytes()
    data = _data(content) if path.name == "annual.values" else ()
    return [at for at, byte in enumerate(content) if chr(byte).isalnum() and at not in data]


def _data(content):
    return {at for found in re.finditer(rb'"values?": (\[[^]]*\]|[-0-9.]+)', content) for at in range(*found.span(1))}
