"""What a figure is about: one plan or several, given as values, as reports, or by the numbers of runs."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Sequence

import numpy as np

from .._ask import Question
from ..errors import InvalidArgument
from ..mechanisms import Mechanism
from ..plan import Plan, to_plan
from ..run import Sizes
from ._words import number, plan_words, symbol

_SIZES = ("dataset_size", "batch_size", "epochs", "accumulation", "sampling", "batch_limit")
_NUMBERS = ("sampling_rate", "noise_multiplier", "steps", "neighbors", "unit")
_MOST = 14  # lines that can still be told apart


@dataclasses.dataclass(frozen=True)
class Subject:
    """A plan and its label, and the report that was given in the place of the plan."""

    plan: Plan
    label: str
    report: Any = None


def subjects(
    plans: Any, labels: Optional[Sequence[str]], run: dict[str, Any], report: tuple[type, ...] = ()
) -> list[Subject]:
    """Returns what a figure is about. ``report`` are the kinds of reports that may be given in place of plans."""
    found = _of_run(run) if plans is None else _of_plans(plans, run, report)
    if not found or len(found) > _MOST:
        raise InvalidArgument("plans", f"{len(found)} plans", f"from 1 to {_MOST} in one figure")
    if labels is None:
        return found
    if isinstance(labels, str) or len(labels) != len(found) or not all(isinstance(label, str) for label in labels):
        raise InvalidArgument("labels", repr(labels), f"a list of {len(found)} labels, one for each plan")
    return [dataclasses.replace(one, label=label) for one, label in zip(found, labels)]


def one_subject(plan: Any, run: dict[str, Any], report: tuple[type, ...] = ()) -> Subject:
    """Returns what a figure of a single plan is about."""
    found = subjects(plan, None, run, report)
    if len(found) > 1:
        raise InvalidArgument("plan", f"{len(found)} plans", "one plan: figures of this kind show one")
    return found[0]


def _of_plans(plans: Any, run: dict[str, Any], report: tuple[type, ...]) -> list[Subject]:
    for name, value in run.items():
        raise (
            _unknown(name)
            if name not in _SIZES + _NUMBERS
            else InvalidArgument(name, repr(value), "nothing beside a plan")
        )
    several = plans if isinstance(plans, (list, tuple)) else [plans]
    return [_subject(one, report) for one in several]


def _subject(one: Any, report: tuple[type, ...]) -> Subject:
    if report and isinstance(one, report):
        return Subject(one.plan, plan_words(one.plan), one)  # type: ignore[attr-defined]
    if not isinstance(one, (Plan, Mechanism)):
        raise InvalidArgument("plan", repr(one), "a plan, a mechanism, or a list of them")
    plan = to_plan(one)
    return Subject(plan, plan_words(plan))


def _of_run(run: dict[str, Any]) -> list[Subject]:
    for name in run:
        if name not in _SIZES + _NUMBERS:
            raise _unknown(name)
    sizes = Sizes(*(run.get(name) for name in _SIZES)).told()
    question = Question(None, sizes=sizes, **{name: run.get(name) for name in _NUMBERS})
    count = int(np.prod(question.shape, dtype=int))
    plans = [question.plan(index) for index in range(min(count, _MOST + 1))]
    differing = [name for name, column in question._columns.items() if np.unique(column).size > 1]
    return [
        Subject(plan, ", ".join(_equation(question, name, index) for name in differing) or plan_words(plan))
        for index, plan in enumerate(plans)
    ]


def _equation(question: Question, name: str, index: int) -> str:
    return f"{symbol(name)} = {number(float(question.column(name)[index]))}"


def _unknown(name: str) -> TypeError:
    return TypeError(f"unexpected keyword argument {name!r}; numbers of a run are {', '.join(_NUMBERS + _SIZES)}")
