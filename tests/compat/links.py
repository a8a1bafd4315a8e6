"""Links of the page: the fragments of its addresses. The page reads them in web/tests/unit/compat.test.mjs,
which `make test-web` runs, and which compares its state with the one beside the link. Here it is checked that a
fragment holds what is written beside it.
"""

import base64
import json

import renyi

FILES = ("links/*.jsonl",)
LINES = True
STEPS = [
    {"kind": "laplace", "values": {"scale": "20"}, "name": "Größe “x” 😀", "count": "7", "comment": "a\nb"},
    {"kind": "gaussian", "values": {"noise_multiplier": "4"}, "sampling": {"scheme": "poisson", "values": {"rate": "0.01"}}},
    {"kind": "pairs", "tables": {"probabilities": "[[0.75,0.25],[0.25,0.75]]"}},
    {"form": '{"parallel":[[]]}'},
]
STATES = (
    {"now": {}},
    {"now": {"delta": "1e-6", "neighbors": "replace-one", "unit": "3"}, "target": "2.5", "baseline": 0.01},
    {"now": {"run": {"dataset_size": "1000000", "batch_size": "512", "noise_multiplier": "0.9", "length": "steps", "steps": "777"}}},
    {"now": {"run": {"sampling": "truncated-poisson", "batch_limit": "300", "epochs": "3.5"}}, "pinned": {}},
    {"now": {"run": {"sampling": "random-allocation"}, "neighbors": "zero-out"}, "pinned": {"run": {"epochs": "1"}}, "target": "0.5"},
    {"now": {"mode": "plan", "steps": STEPS}, "pinned": {"mode": "plan", "steps": STEPS[:1], "delta": "not yet a number"}},
    {"now": {"mode": "plan", "steps": []}},
)


def make(folder):
    """The fragments are those that the page writes, which the test of the page compares; it adds what they mean."""
    (folder / "links").mkdir()
    lines = [json.dumps({"fragment": _fragment(state), "holds": state}, ensure_ascii=False) for state in STATES]
    (folder / "links/links.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _fragment(state):
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    return "v1." + base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def meaning(line):
    try:
        read = json.loads(line)
        fragment = read["fragment"]
        padded = fragment[3:].replace("-", "+").replace("_", "/") + "=" * (-len(fragment[3:]) % 4)
        text = base64.b64decode(padded, validate=True)
        holds = json.loads(text)
    except (ValueError, KeyError) as error:
        raise renyi.InvalidArgument("fragment", str(error), "a state of the page") from None
    if holds != read["holds"] or not fragment.startswith("v1."):
        raise renyi.InvalidArgument("fragment", text.decode(), "what is written beside it")
    return {"fragment": fragment, "holds": holds, "shared": read.get("shared")}
