"""Checkpoints of loaders: what one has to say before a loader continues from it."""

from __future__ import annotations

from typing import Any, Mapping

from .._numbers import to_int
from ..errors import InvalidArgument

_COMMON = {"renyi_loader", "kind", "identifier", "parameters", "position"}


def checked_state(
    state: object, kind: str, parameters: Mapping[str, Any], steps: int, size_is_public: bool
) -> Mapping[str, Any]:
    """Returns the checkpoint if it belongs to such a loader. Errors repeat public parts only: the number of records,
    and what another loader may have computed from it, is none unless ``size_is_public``."""
    if not isinstance(state, Mapping) or not _COMMON <= set(state):
        raise InvalidArgument("state", type(state).__name__, "what state_dict() of a loader gave")
    if state["renyi_loader"] != 1:
        raise InvalidArgument("state.renyi_loader", repr(state["renyi_loader"]), "1, the version of these checkpoints")
    if state["kind"] != kind:
        raise InvalidArgument("state.kind", repr(state["kind"]), f"{kind!r}, as this loader")
    stored = state["parameters"]
    if not isinstance(stored, Mapping) or set(stored) != set(parameters):
        raise InvalidArgument("state.parameters", "others", f"{', '.join(parameters)}, as this loader")
    for name, value in parameters.items():
        if stored[name] != value:
            given = repr(stored[name]) if size_is_public else "another value"
            own = repr(value) if size_is_public or name != "dataset_size" else "the records"
            raise InvalidArgument(f"state.parameters.{name}", given, f"{own}, as this loader")
    position = to_int("state.position", state["position"])
    if not 0 <= position <= steps:
        raise InvalidArgument("state.position", str(position), f"an integer from 0 to {steps}")
    identifier = state["identifier"]
    if not isinstance(identifier, str) or not 1 <= len(identifier) <= 64:
        raise InvalidArgument("state.identifier", "something else", "the name of a loader")
    return {**state, "position": position}
