"""The ledger of a server, with the calls of the engine's own: rows in, one request over HTTP, rows out."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import urllib.parse
from typing import TYPE_CHECKING, Any, Optional, Sequence

from . import _native
from ._decode import _number
from .errors import InvalidArgument, StoreFailure, Unsupported

if TYPE_CHECKING:
    from ._http import Answer, Server

_CallRow = tuple[str, str, str]
_ChargeRow = tuple[str, _native.Plan, int, Sequence[str]]
_FilterRow = tuple[str, str, str, str, int, int, int, int, str]
_Row = dict[str, Any]

_LONGEST_KEY = 200


class ServerLedger:
    """What ``_native.Ledger`` is for a file, for a server."""

    def __init__(self, server: Server) -> None:
        self.server = server

    # Changes.

    def add_scope(
        self,
        name: str,
        budget: _native.Budget,
        cap: Optional[_native.Budget],
        neighbors: Optional[str],
        unit: Optional[int],
        analysts_may_collude: bool,
        may_cancel: bool,
        block_rule: Optional[tuple[str, bool, bool]],
        call: _CallRow,
    ) -> _Row:
        body: _Row = {"scope": name, "budget": json.loads(budget.to_json())}
        if cap is not None:
            body["cap"] = json.loads(cap.to_json())
        body.update(_given(neighbors=neighbors, unit=unit))
        body.update(analysts_may_collude=analysts_may_collude, may_cancel=may_cancel)
        if block_rule is not None:
            body["block_rule"] = dict(zip(("rule", "unit_in_one_block", "block_is_fixed"), block_rule))
        return self._change("scope", body, call)

    def add_blocks(self, scope: str, blocks: Sequence[str], call: _CallRow) -> _Row:
        return self._change("blocks", {"scope": scope, "blocks": list(blocks)}, call)

    def lower_budget(self, scope: str, budget: _native.Budget, call: _CallRow) -> _Row:
        return self._change("lower", {"scope": scope, "budget": json.loads(budget.to_json())}, call)

    def raise_budget(self, scope: str, budget: _native.Budget, reason: str, call: _CallRow) -> _Row:
        body = {"scope": scope, "budget": json.loads(budget.to_json()), "reason": reason}
        return self._change("raise", body, call)

    def charge_all(self, charges: Sequence[tuple[_ChargeRow, _CallRow]]) -> list[_Row]:
        if not charges:
            return []
        if len(charges) == 1:
            ((what, call),) = charges
            return [self._change("charge", _charge(what), call)]
        items = [{**_charge(what), **_said(call), **_key(call)} for what, call in charges]
        found = self.server.ask("/v1/ledger/charge", {"charges": items}, _new_key())
        return [_receipt(one, call[0]) for one, (_, call) in zip(found["receipts"], charges)]

    def reserve(self, request: _ChargeRow, expires_in: int, call: _CallRow) -> _Row:
        return self._change("reserve", {**_charge(request), "expires_in": expires_in}, call)

    def open(self, ticket: int, secret: str, call: _CallRow) -> _Row:
        return self._change("open", {"ticket": ticket, "secret": secret}, call)

    def commit(self, ticket: int, output: bytes, sha256: str, call: _CallRow) -> _Row:
        body: _Row = {"ticket": ticket}
        if output:
            try:
                body["output"] = output.decode()
            except UnicodeDecodeError:
                body["output_hex"] = output.hex()
        if sha256:
            body["output_sha256"] = sha256
        return self._change("commit", body, call)

    def cancel(self, ticket: int, call: _CallRow) -> _Row:
        return self._change("cancel", {"ticket": ticket}, call)

    def _change(self, verb: str, body: _Row, call: _CallRow) -> _Row:
        """Asks for a change. Without a key a new one is made, so that an attempt whose answer was lost is found."""
        key = header_of(call[0]) if call[0] else _new_key()
        found = self.server.ask(f"/v1/ledger/{verb}", {**body, **_said(call)}, key)
        return _receipt(found, call[0])

    # Questions.

    def may_run(self, request: _ChargeRow) -> _Row:
        return _receipt(self._ask("may-run", **_charge(request)), "")

    def scopes(self) -> list[_Row]:
        return [_scope(one) for one in self._ask("show")["scopes"]]

    def scope(self, name: str) -> _Row:
        return _scope(self._ask("show", scope=name)["scopes"][0])

    def ticket(self, ticket: int) -> _Row:
        found = self._ask("ticket", ticket=ticket)
        return _receipt(found, found.get("key", ""))

    def answer_to(self, key: str, scope: str = "") -> Optional[_Row]:
        """Looks through the log, of one scope if it is known: a server has no request for it. Others may have used the
        same key, and the caller for other scopes."""
        stored, after = header_of(key), -1
        caller = self.server.ask("/v1/session", None)["name"]
        while True:
            rows = self.history((scope, "", "", "", after, 1000, -1, 0, "log"))
            for row in rows:
                receipt, person = _native.receipt_of(row), json.loads(row[2])["request"].get("person", "")
                is_own = person == caller or person.startswith(caller + " for ")
                if receipt["key"] == stored and is_own and scope in ("", receipt["scope"]):
                    return {**receipt, "key": key}
            if len(rows) < 1000:
                return None
            after = rows[-1][0]

    def output(self, ticket: int) -> Optional[bytes]:
        found = self._ask("ticket", ticket=ticket)
        if "output_hex" in found:
            return bytes.fromhex(found["output_hex"])
        return found["output"].encode() if "output" in found else None

    def head(self) -> tuple[str, int, str]:
        return _head(self._ask("head"))

    def has_witness(self) -> bool:
        return bool(self._ask("show")["witness"])

    def history(self, filter: _FilterRow) -> list[tuple[int, str, str]]:
        scope, person, since, until, after, most, before, last, of = filter
        words = {"scope": scope, "person": person, "since": since, "until": until, "most": most, "last": last}
        asked = {name: value for name, value in words.items() if value}
        asked.update(_given(before=None if before < 0 else before, of=None if of == "log" else of))
        found = self._ask("history", after=after, **asked)
        return [_entry(one) for one in json.loads(found.data, parse_int=_Digits, parse_float=_Digits)["entries"]]

    def verify(self, kept: Optional[tuple[str, int, str]], resume: bool) -> _Row:
        body: _Row = {} if kept is None else {"head": dict(zip(("ledger", "entry", "hash"), kept))}
        if resume:
            body["resume"] = True
        found = self._ask("verify", **body)
        return {
            "valid": found["valid"],
            "entries": found["entries"],
            "wrong_entry": found.get("wrong_entry", -1),
            "fault": found.get("fault", ""),
            "notes": found.get("notes", []),
            "resumed_after": found.get("resumed_after"),
            "head": _head(found["head"]) if "head" in found else ("", 0, ""),
        }

    def release(
        self, request: str, payment: tuple[str, Sequence[str], str, str]
    ) -> tuple[bool, str, str, Optional[dict[str, Any]], Optional[float]]:
        raise Unsupported(
            "ledger",
            "release() draws its noise beside the ledger, and that of a server is elsewhere",
            "use a renyi.Ledger, or draw the noise in the block of client.reserve(...)",
        )

    def _ask(self, verb: str, **body: Any) -> Answer:
        found: Answer = self.server.ask(f"/v1/ledger/{verb}", body)
        return found


class _Digits(str):
    """A number as it was written."""


def header_of(key: str) -> str:
    """Returns a key as a header can carry it: bytes that are no visible ASCII are written as %20, and so is %."""
    text = urllib.parse.quote(key, safe="!\"#$&'()*+,/:;<=>?@[\\]^`{|}")
    if re.search(r"[\x00-\x1f\x7f]", key) or len(text) > _LONGEST_KEY:
        allowed = f"a text of one line, of at most {_LONGEST_KEY} visible ASCII characters, or fewer others"
        raise InvalidArgument("key", repr(key), allowed)
    return text


def _new_key() -> str:
    return f"client-{secrets.token_hex(16)}"


def _given(**members: Any) -> _Row:
    return {name: value for name, value in members.items() if value is not None}


def _said(call: _CallRow) -> _Row:
    return {name: text for name, text in zip(("person", "comment"), call[1:]) if text}


def _key(call: _CallRow) -> _Row:
    return {"key": header_of(call[0])} if call[0] else {}


def _charge(row: _ChargeRow) -> _Row:
    scope, plan, count, blocks = row
    stated = json.loads(plan.to_json())
    body = {name: stated[name] for name in ("neighbors", "unit", "steps") if name in stated}
    return {"scope": scope, **body, "count": count, **({"blocks": list(blocks)} if blocks else {})}


def _receipt(found: _Row, key: str) -> _Row:
    """Returns the row of a receipt. A key that the call itself has made is known to nobody else: what is repeated under
    it is an earlier attempt of the same call, whose answer was lost."""
    step = found.get("fitting_step")
    texts = ("hash", "time", "verb", "scope", "secret", "expires", "note", "refused_by", "reason")
    return {
        **{name: found.get(name, "") for name in texts},
        "entry": found.get("entry", 0),
        "key": key or found.get("key", ""),
        "accepted": found["accepted"],
        "repeated": found.get("repeated", False) and bool(key),
        "ticket": found.get("ticket", 0),
        "state": found.get("state"),
        "left": {one["scope"]: _balances(one["balances"]) for one in found.get("left", ())},
        "fitting_count": found.get("fitting_count"),
        "fitting_step": step and (step["parameter"], _number(step["value"]), step.get("is_closest", True)),
    }


def _balances(rows: Sequence[_Row]) -> list[tuple[Any, ...]]:
    return [
        (
            row["name"],
            _number(row["order"]) if "order" in row else None,
            *(_number(row[name]) for name in ("spent", "limit", "left")),
            row["within"],
        )
        for row in rows
    ]


def _scope(found: _Row) -> _Row:
    rule = found.get("block_rule")
    same = ("neighbors", "unit", "analysts_may_collude", "may_cancel", "charges", "reserved")
    return {
        **{name: found[name] for name in same},
        "name": found["scope"],
        "budget": _native.Budget.from_json(json.dumps(found["budget"])),
        "cap": _native.Budget.from_json(json.dumps(found["cap"])) if "cap" in found else None,
        "block_rule": rule and (rule["rule"], rule["unit_in_one_block"], rule["block_is_fixed"]),
        "blocks": found.get("blocks", []),
        "balances": _balances(found["balances"]),
        "note": found.get("note", ""),
    }


def _head(found: _Row) -> tuple[str, int, str]:
    return found["ledger"], found["entry"], found["hash"]


def _entry(found: _Row) -> tuple[int, str, str]:
    """Returns an entry with its canonical text, which is what was hashed: numbers stay as they were written."""
    hashed = found.pop("hash")
    text = _written(found)
    if hashlib.sha256(text.encode()).hexdigest() != hashed:
        why = f"entry {found.get('entry')} of the server's log has another hash than it says"
        raise StoreFailure("corrupt", f"{why}; verify the log where it is kept")
    return int(found["entry"]), hashed, text


def _written(value: Any) -> str:
    if isinstance(value, _Digits):
        return value
    if isinstance(value, dict):
        return "{" + ",".join(f"{_written(name)}:{_written(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
