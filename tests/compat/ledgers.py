"""Ledgers in SQLite files, a witness, exports, and heads that were kept and signed.

A file in the corpus is a copy of the ledger that was made, and a copy is refused where it could be charged. So each is
read in two ways: as the copy that it is (verify, export, import), and as the ledger of a user who installs a newer
version, for which the file is given the fact that says which place it is, as somebody does who can write it.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import time

import renyi

import corpus

FILES = ("ledgers/*",)
DAYS = 366 * 24 * 3600
GAUSSIAN = renyi.Gaussian(4.0)


def make(folder):
    (folder / "ledgers").mkdir()
    with tempfile.TemporaryDirectory() as made:
        where = pathlib.Path(made)
        keep(renyi.Ledger.create(where / "clinic.ledger"), where, "clinic")
        keep(renyi.Ledger.create(where / "witnessed.ledger", where / "witnessed.witness"), where, "witnessed")
        collect(where, folder / "ledgers")


def collect(where, to):
    """Without the files beside a ledger that is in use."""
    for path in where.iterdir():
        if "-" not in path.name:
            shutil.copyfile(path, to / path.name)


def keep(ledger, where, name):
    """Fills a ledger, and keeps what is stored beside it: secrets, an export, and its head, signed and not."""
    secrets = fill(ledger)
    head = ledger.export(where / f"{name}.jsonl")
    (where / f"{name}.secrets.json").write_text(json.dumps(secrets) + "\n")
    (where / f"{name}.head").write_text(f"{head.ledger}:{head.entry}:{head.hash}\n")
    key = where / f"{name}.signing.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True)
    subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", where / f"{name}.public.pem"], check=True)
    signed = {**json.loads(head.to_json()), "signature": head.sign(key.read_text())}
    (where / f"{name}.head.json").write_text(json.dumps(signed) + "\n")


def fill(ledger):
    """Every verb, every kind of budget, every state of a ticket."""
    budget = renyi.Budget
    ledger.add_scope("clinic", budget.zcdp(0.5), cap=budget.zcdp(1), person="ana", comment="für Köln")
    ledger.add_scope("clinic/gdp", budget.gdp(0.5), may_cancel=False)
    ledger.add_scope("pure", budget.from_json('{"kind":"pure","epsilon":2}'), neighbors="replace-one", unit=3)
    ledger.add_scope("tcdp", budget.from_json('{"kind":"tcdp","rho":0.5,"omega":10}'))
    ledger.add_scope("approx", budget.from_json('{"kind":"approx","epsilon":3,"delta":1e-06,"infinite_mass":1e-06}'))
    ledger.add_scope("training", budget.curve_of(renyi.SampledGaussian(0.01, 1.1) * 250))
    ledger.add_scope("order", budget.from_json('{"kind":"order","order":8,"epsilon":2}'))
    ledger.add_scope("shares", budget.from_json('{"kind":"shares","epsilon":3,"delta":1e-06,"orders":[4,8]}'))
    ledger.add_scope("analysts", budget.zcdp(0.25), analysts_may_collude=False)
    ledger.add_scope("analysts/ana", budget.zcdp(0.25))
    ledger.add_scope("analysts/bob", budget.zcdp(0.125))
    rule = renyi.BlockRule("the month of the visit", unit_in_one_block=True)
    ledger.add_scope("visits", budget.zcdp(0.1), block_rule=rule, blocks=["2026-10", "2026-11"])
    ledger.add_blocks("visits", ["2026-12"])
    ledger.lower_budget("clinic", budget.zcdp(0.25))
    ledger.raise_budget("clinic", budget.zcdp(0.75), reason="the board, in November")
    ledger.charge("clinic", GAUSSIAN, key="november", person="ana", comment="two counts", count=2)
    ledger.charge("clinic/gdp", renyi.Gaussian(8.0), person="bob")
    ledger.charge("pure", renyi.Plan(renyi.Laplace(8.0), neighbors="replace-one", unit=3))
    ledger.charge("tcdp", renyi.Tcdp(0.01, 12))
    ledger.charge("approx", renyi.ApproxDp(0.25, 1e-8), count=3)
    for scope in ("training", "order", "shares"):
        ledger.charge(scope, renyi.SampledGaussian(0.01, 1.1), count=100)
    ledger.charge("analysts/ana", GAUSSIAN, person="ana")
    ledger.charge("analysts/bob", renyi.Gaussian(8.0), person="bob")
    ledger.charge("visits", renyi.Zcdp(0.0625), blocks=["2026-10"])
    ledger.charge("visits", renyi.Zcdp(0.015625))
    with contextlib.suppress(renyi.BudgetExceeded):
        ledger.charge("clinic", renyi.Gaussian(0.5), key="too much")
    return _tickets(ledger)


def _tickets(ledger):
    """One in each state. The one that stays reserved has a scope of its own, since it expires."""
    ledger.add_scope("reserved", renyi.Budget.zcdp(0.5))
    committed = ledger.reserve("clinic", GAUSSIAN, key="report")
    committed.open()
    committed.commit(b'{"visits":1731}')
    opened = ledger.reserve("clinic", GAUSSIAN, key="opened")
    opened.open()
    ledger.reserve("clinic", GAUSSIAN, key="cancelled").cancel()
    ledger.reserve("clinic", GAUSSIAN, key="expired", expires_in=1)
    time.sleep(1.2)
    ledger.scopes()  # a question records what has expired
    reserved = ledger.reserve("reserved", GAUSSIAN, key="reserved", expires_in=DAYS)
    return {"committed": committed.number, "opened": opened.number, "ticket": reserved.number, "secret": reserved.secret}


# ---- What a ledger says.

def says(ledger, name, where):
    """All that a ledger answers. What a reservation holds, it holds until it expires."""
    secrets = json.loads((where / f"{name}.secrets.json").read_text())
    head = stored_head(where / f"{name}.head.json")
    log = [entry for entry in ledger.history() if entry.entry <= head.entry]
    tickets = [entry.entry for entry in log if entry.verb == "reserve" and entry.outcome["accepted"]]
    keys = [entry.request["key"] for entry in log if "key" in entry.request]
    scopes = {scope.name: corpus.balances(scope.budget, _scope(scope)) for scope in ledger.scopes()}
    states = {ticket: _receipt(ledger.ticket(ticket)) for ticket in tickets}
    until = str(ledger.ticket(secrets["ticket"]).expires.isoformat())
    stays = ledger.ticket(secrets["ticket"])
    ends = renyi.Filter({"kind": "zcdp", "rho": 0.5}).remaining()
    before = scopes["reserved"]["equal"]
    scopes["reserved"] = {"until": until, "before": before,
                          "after": {**corpus.plain(before), "balances": corpus.plain(ends), "charges": 0, "reserved": 0}}
    states[secrets["ticket"]] = {"until": until, "before": stays.state, "after": "expired"}
    asked = [key for key in keys if not key.startswith("auto") and key != "reserved"]
    answers = {key: _receipt(ledger.answer_to(key)) for key in asked}
    return {"valid": ledger.verify(head).valid, "head": head, "witness": ledger.has_witness,
            "log": _sha256("\n".join(entry.text for entry in log)), "scopes": scopes, "tickets": states, "answers": answers,
            "outputs": {ticket: ledger.output(ticket) for ticket in tickets},
            "states": {name: states[secrets[name]]["state"] for name in ("committed", "opened")}}


def _sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def _scope(scope):
    return {**corpus.plain(scope), "balances": scope.balances}


def _receipt(receipt):
    """Without the sentence for people, and without what depends on the entry being a stored one."""
    without = ("secret", "repeated", "reason", "note")
    return {key: value for key, value in corpus.plain(receipt).items() if key not in without}


def goes_on(ledger, name, where):
    """What the ledger does now: a call that is repeated, charges that fit and that do not, the reservation opened."""
    secrets = json.loads((where / f"{name}.secrets.json").read_text())
    again = ledger.charge("clinic", GAUSSIAN, key="november", person="ana", comment="two counts", count=2).receipt
    done = ledger.charge("clinic", GAUSSIAN, key="december").receipt
    refused = ledger.may_run("clinic", renyi.Gaussian(0.5))
    until = str(ledger.ticket(secrets["ticket"]).expires.isoformat())
    try:
        opened = ledger.open(secrets["ticket"], secrets["secret"]).accepted
    except renyi.Refused:
        opened = False
    after = {scope.name: scope.balances for scope in ledger.scopes() if scope.name == "clinic"}
    return {"again": [again.repeated, again.entry], "new": done.accepted,
            "refused": [refused.accepted, refused.fitting_count],
            "opened": {"until": until, "before": opened, "after": False},
            "valid": ledger.verify().valid, "after": after}


def stored_head(path):
    read = json.loads(path.read_text())
    return renyi.LedgerHead(read["ledger"], read["entry"], read["hash"])


# ---- Files.

def meaning(path):
    name = path.name.split(".")[0]
    if path.suffix == ".pem" or ".head" in path.name:
        return head_meaning(path.parent, name)
    return ledger_meaning(path.parent, name, path.suffix)


def head_meaning(where, name):
    """A head as text and as JSON stands for the end of the export, and its signature is that of the keys beside it."""
    head, stored = stored_head(where / f"{name}.head.json"), json.loads((where / f"{name}.head.json").read_text())
    public, signing = where / f"{name}.public.pem", where / f"{name}.signing.pem"
    run("verify", where / f"{name}.jsonl", "--head", where / f"{name}.head")
    run("verify", where / f"{name}.jsonl", "--head", where / f"{name}.head.json", "--public-key", public)
    return {"head": head, "signature": head.sign(signing.read_text()),
            "is signed": head.is_signed(stored["signature"], public.read_text())}


def ledger_meaning(where, name, suffix):
    """Each file is read by what is asked of it: an export says the log; a file of SQLite all of it."""
    head = stored_head(where / f"{name}.head.json")
    with tempfile.TemporaryDirectory() as folder:
        to = pathlib.Path(folder)
        found = {}
        if suffix == ".jsonl":
            log = where / f"{name}.jsonl"
            return {"valid": renyi.Ledger.verify_log(log, head).valid, "head": head, "imported": _imported(log, to)}
        file = where / f"{name}.ledger"
        copy = to / "copy.ledger"
        shutil.copy(file, copy)
        run("verify", copy, "--head", where / f"{name}.head")
        found["copy"] = {"is refused": _is_refused(copy), "imported": _imported(copy, to)}
        witness = where / f"{name}.witness"
        moved = as_ledger(file, to / "moved.ledger", witness if witness.exists() else None)
        found["ledger"] = says(moved, name, where)
        found["goes on"] = goes_on(moved, name, where)
        return found


def run(verb, *words):
    done = subprocess.run([os.environ["RENYI_BINARY"], "ledger", verb, *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise renyi.InvalidArgument("ledger", done.stdout + done.stderr, "a valid log")


def _is_refused(copy):
    try:
        renyi.Ledger(copy).scopes()
    except renyi.StoreFailure as error:
        return error.fault
    return None


def _imported(file, to):
    """The balances of a ledger that is made of an export or a copy."""
    place = to / "imported.ledger"
    run("import", file, place)
    ledger = renyi.Ledger(place)
    kept = [scope for scope in ledger.scopes() if scope.name != "reserved"]
    entries = [entry for entry in ledger.history() if entry.verb != "expire"]
    return {"entries": len(entries),
            "scopes": {scope.name: [scope.charges, corpus.balances(scope.budget, scope.balances)] for scope in kept}}


def as_ledger(file, place, witness):
    """Puts the file's content where a ledger was made, so that this is the place that the ledger knows."""
    made = renyi.Ledger.create(place)
    del made  # closes it
    with contextlib.closing(sqlite3.connect(place)) as database:
        here = database.execute("SELECT value FROM facts WHERE name = 'place'").fetchone()[0]
    for extra in place.parent.glob(f"{place.name}-*"):
        extra.unlink()
    place.write_bytes(file.read_bytes())
    with contextlib.closing(sqlite3.connect(place)) as database, database:
        database.execute("UPDATE facts SET value = ? WHERE name = 'place'", (here,))
    if witness is None:
        return renyi.Ledger(place)
    moved = place.with_suffix(".witness")
    shutil.copy(witness, moved)
    return renyi.Ledger(place, moved)


def places(path):
    """Of files of SQLite: the bytes of every text in a table, wherever the file holds them."""
    content = path.read_bytes()
    if not content.startswith(b"SQLite"):
        headers = range(content.find(b"\n")) if path.suffix == ".pem" else ()
        return [at for at, byte in enumerate(content) if corpus.is_meaning(byte) and at not in headers]
    found = []
    for value in _values(path):
        first = content.find(value)
        every = [at for at in range(len(content)) if content.startswith(value, at)] if first >= 0 else []
        said = [i for i in range(len(value)) if every and corpus.is_meaning(value[i])]
        found += [(every[0] + i, tuple(at + i for at in every)) for i in said]
    return found


def _values(path):
    """Texts of entries, heads and outputs. Not the facts, which say where the ledger was made, and not the sums, of
    which the last digits are bounds of rounding errors: what they mean is in the balances."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as database:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = [row for name in tables if name not in ("facts", "cells") for row in database.execute(f"SELECT * FROM {name}")]
    cells = [value for row in rows for value in row if isinstance(value, (str, bytes))]
    texts = {value.encode() if isinstance(value, str) else value for value in cells}
    return sorted(text for text in texts if len(text) >= 15)
