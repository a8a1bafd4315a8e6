"""The request of a figure: of plans, of reports, or of the numbers of runs."""

from __future__ import annotations

import json
from typing import Any, Callable, Iterable, NamedTuple, Optional

import numpy as np

from .._ask import Question, parts_of
from .._format import plain
from .._numbers import Floats, to_float, to_floats, to_int, to_text
from ..errors import InvalidArgument
from ..mechanisms import Mechanism
from ..plan import Plan, to_plan
from ..reports._figure import Figure
from ..reports._request import numbers, orders_of
from ..run import Sizes, issue, scheme_name

Json = dict[str, Any]
_MOST = 8  # runs that can still be told apart
_SIZES = ("dataset_size", "batch_size", "epochs", "accumulation", "sampling", "batch_limit")
_NUMBERS = ("sampling_rate", "noise_multiplier", "steps", "neighbors", "unit")
#: The letters of the literature for numbers of runs; other numbers have their names.
SYMBOLS = {"sampling_rate": "q", "noise_multiplier": "σ", "epsilon": "ε", "delta": "δ"}


def scale(field: str, value: object) -> str:
    return _one_of(field, value, "linear", "log")


def _one_of(field: str, value: object, *names: str) -> str:
    if value not in names:
        raise InvalidArgument(field, repr(value), f"one of {', '.join(names)}")
    return str(value)


def _range(field: str, value: object) -> list[float]:
    ends: list[float] = to_floats(field, value).ravel().tolist()
    if len(ends) != 2:
        raise InvalidArgument(field, repr(value), "two numbers, the smaller one first")
    return ends


#: The members of a request besides the runs, by the keywords that give them.
_OPTIONS: dict[str, tuple[str, Callable[[str, Any], Any]]] = {
    "delta": ("delta", to_float),
    "epsilon": ("epsilon", to_float),
    "range": ("range", _range),
    "xscale": ("x_scale", scale),
    "yscale": ("y_scale", scale),
    "quality": ("quality", lambda field, value: _one_of(field, value, "fine", "coarse")),
    "want": ("want", lambda _, value: list(parts_of(value))),
    "orders": ("orders", lambda _, value: orders_of(value)),
    "conversion": ("conversion", to_text),
    "method": ("method", to_text),
    "direction": ("direction", lambda field, value: _one_of(field, value, "remove", "add")),
    "tolerance": ("tolerance", to_float),
    "memory": ("memory", to_int),
    "baseline": ("baseline", numbers),
}


class Asked(NamedTuple):
    """A request, series of the points of reports, the title, the time limit, and the properties of lines."""

    request: Json
    points: list[Json]
    title: Optional[str]
    timeout: Optional[float]
    line: Json


def asked(kind: str, plans: Any, given: Json) -> Asked:
    """Makes a request of what a function of figures was given; keywords that are None were not."""
    given = {name: value for name, value in given.items() if value is not None}
    title, labels, timeout = (given.pop(name, None) for name in ("title", "labels", "timeout"))
    if title is not None:
        to_text("title", title, "a text, or None for the usual one")
    members = {_OPTIONS[name][0]: _OPTIONS[name][1](name, given.pop(name)) for name in list(given) if name in _OPTIONS}
    run = {name: given.pop(name) for name in list(given) if name in _SIZES + _NUMBERS}
    line = _line_properties(given)
    reports = [_figure_of(one, kind) for one in _listed(plans) if hasattr(one, "_figure")]
    if reports:
        members = {**_options_of(reports), **members}
    runs = _runs_of_numbers(run) if plans is None else _runs_of_plans(_listed(plans), run)
    if labels is not None:
        _set_labels(runs, labels)
    what = {"runs": runs} if len(runs) > 1 else runs[0]
    members = {name: _encoded(value) for name, value in members.items()}
    return Asked({"op": "figure", "kind": kind, **what, **members}, _points_of(reports), title, timeout, line)


def _figure_of(report: Any, kind: str) -> Figure:
    found: Figure = report._figure()
    if found.kind != kind:
        raise InvalidArgument("plan", type(report).__name__, f"a plan: the figure of this report is {found.kind}")
    return found


def _options_of(reports: list[Figure]) -> Json:
    """Returns the options that the reports were asked for with, and the range of their points."""
    first, *others = ({name: value for name, value in one.options.items() if value is not None} for one in reports)
    if any(other != first for other in others):
        raise InvalidArgument("plans", "reports with different options", "reports that were asked for alike")
    x = np.concatenate([points.x for one in reports for points in one.points] or [np.zeros(0)])
    x = x[np.isfinite(x)]
    spans = reports[0].kind != "tradeoff" and x.size > 0 and x.min() < x.max()
    return {**first, "range": [float(x.min()), float(x.max())]} if spans else first


def _points_of(reports: list[Figure]) -> list[Json]:
    """Returns the points of reports as series; those without a place on a figure are unknown."""
    return [
        {
            **{"name": "", "role": points.role, "shape": "points", "bound": "upper"},
            **{"x": _known(points.x), "y": _known(points.y)},
            **({"run": place} if len(reports) > 1 else {}),
        }
        for place, one in enumerate(reports)
        for points in one.points
    ]


def _known(values: Floats) -> list[Optional[float]]:
    return [float(value) if np.isfinite(value) else None for value in values]


def _encoded(value: Any) -> Any:
    """Encodes infinity, and NaN, which the engine refuses with its own message."""
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return [_encoded(item) for item in value] if isinstance(value, list) else value


def _line_properties(given: Json) -> Json:
    """Returns what matplotlib knows as a property of lines, by its whole name."""
    if not given:
        return {}
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    found: Json = dict(normalize_kwargs(given, Line2D))
    unknown = [name for name in found if name == "label" or not hasattr(Line2D, f"set_{name}")]
    if unknown:
        names = ", ".join((*_NUMBERS, *_SIZES, *_OPTIONS, "labels", "title", "timeout"))
        raise TypeError(f"unexpected keyword argument {unknown[0]!r}; allowed are properties of lines, and {names}")
    return found


def _listed(plans: Any) -> list[Any]:
    return list(plans) if isinstance(plans, (list, tuple)) else [] if plans is None else [plans]


def _runs_of_plans(plans: list[Any], run: Json) -> list[Json]:
    for name, value in run.items():
        raise InvalidArgument(name, repr(value), "nothing beside a plan")
    _check_size(len(plans))
    return [_run(one.plan if hasattr(one, "_figure") else one) for one in plans]


def _run(plan: Any) -> Json:
    if not isinstance(plan, (Plan, Mechanism)):
        raise InvalidArgument("plan", repr(plan), "a plan, a mechanism, or a list of them")
    document: Json = json.loads(to_plan(plan).to_json())
    return {name: value for name, value in document.items() if name != "renyi"}


def _runs_of_numbers(run: Json) -> list[Json]:
    sizes = Sizes(*(run.get(name) for name in _SIZES)).told()
    question = Question(None, sizes=sizes, **{name: run.get(name) for name in _NUMBERS})
    _check_size(int(np.prod(question.shape, dtype=int)))
    columns = question.arguments()
    differing = [name for name, column in columns.items() if np.unique(column).size > 1]
    runs = []
    for index in range(int(np.prod(question.shape, dtype=int))):
        one = _run(question.plan(index))
        if sizes is not None:
            one.pop("steps")
            one["run"] = {name: column.flat[index].item() for name, column in columns.items()}
            if sizes.sampling is not None:
                one["run"]["sampling"] = scheme_name(sizes.sampling)
        if differing:
            one["label"] = ", ".join(_equation(name, columns[name].flat[index]) for name in differing)
        runs.append(one)
    issue(question.all_warnings(), stacklevel=5)
    return runs


def _equation(name: str, value: Any) -> str:
    return f"{symbol(name)} = {plain(float(value))}"


def symbol(name: str) -> str:
    """Returns the letter for a number, or its name in words."""
    return SYMBOLS.get(name, name.replace("_", " "))


def _check_size(count: int) -> None:
    if not 1 <= count <= _MOST:
        raise InvalidArgument("plans", f"{count} plans", f"from 1 to {_MOST} in one figure")


def _set_labels(runs: list[Json], labels: Iterable[str]) -> None:
    texts = [] if isinstance(labels, str) else list(labels)
    if len(texts) != len(runs) or not all(isinstance(label, str) for label in texts):
        raise InvalidArgument("labels", repr(labels), f"a list of {len(runs)} labels, one for each plan")
    for run, label in zip(runs, texts):
        run["label"] = label
