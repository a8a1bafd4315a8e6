"""report: writes a privacy statement for a paper or a model card."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Optional, Sequence, Union, overload

from .. import _format
from .._ask import Question
from .._export import Table, Tabular
from .._grid import Grid
from .._numbers import Count, Counts, Number, Numbers, to_int, to_text, to_text_or_none
from .._timed import timed
from ..answers import table_header, table_row
from ..errors import InvalidArgument
from ..plan import Plan
from ..questions import Planlike, Planlikes
from ..run import PrivacyWarning, Scheme, Sizes
from ._request import Json, accuracy, answers

_A_LINE = "a text of 1 to 1000 bytes on one line"


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Statement(Tabular):
    """A privacy statement as Markdown and as HTML, with all values in it: the answer of ``renyi.report``.

    ``str(statement)`` is the Markdown.

    >>> import renyi
    >>> str(renyi.report(renyi.Gaussian(2.0), delta=1e-5)).splitlines()[0]
    '# Privacy statement'
    """

    #: The plan that the statement is about.
    plan: Plan
    #: The text as Markdown.
    markdown: str
    #: The same text as a complete HTML page.
    html: str
    #: All values and facts in the statement, as the engine returns them (docs/format/requests.md, report).
    facts: dict[str, Any]
    #: Warnings about a run that is described by its sizes.
    warnings: tuple[PrivacyWarning, ...] = ()
    #: The limit of time or memory that was reached, so that values may be wider than without it; empty if none was.
    limit: str = ""

    def to_dict(self) -> Json:
        return {**self.facts, "markdown": self.markdown, "html": self.html}

    def _table(self) -> Table:
        delta: float = self.facts["delta"]
        return Table(table_header("epsilon", "delta"), [table_row("epsilon", delta, self.facts["epsilon"])])

    def __str__(self) -> str:
        return self.markdown

    def __repr__(self) -> str:
        return f"<privacy statement of {_format.plan_text(self.plan)} at delta {_format.plain(self.facts['delta'])}>"

    def _repr_markdown_(self) -> str:
        return self.markdown


@overload
def report(  # type: ignore[overload-overlap]
    plan: Optional[Planlike] = None,
    *,
    delta: Number,
    dataset_size: Optional[Count] = None,
    title: Optional[str] = None,
    remarks: Optional[Sequence[str]] = None,
    sampling_rate: Optional[Number] = None,
    noise_multiplier: Optional[Number] = None,
    steps: Optional[Count] = None,
    batch_size: Optional[Count] = None,
    epochs: Optional[Number] = None,
    accumulation: Optional[Count] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Count] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    timeout: Optional[float] = None,
) -> Statement: ...


@overload
def report(
    plan: Optional[Planlikes] = None,
    *,
    delta: Numbers,
    dataset_size: Optional[Counts] = None,
    title: Optional[str] = None,
    remarks: Optional[Sequence[str]] = None,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    timeout: Optional[float] = None,
) -> Grid[Statement]: ...


@timed
def report(
    plan: Optional[Planlikes] = None,
    *,
    delta: Numbers,
    dataset_size: Optional[Counts] = None,
    title: Optional[str] = None,
    remarks: Optional[Sequence[str]] = None,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    tolerance: Optional[float] = None,
    memory: Optional[int] = None,
    timeout: Optional[float] = None,
) -> Union[Statement, Grid[Statement]]:
    """Writes a privacy statement of a plan at ``delta``, as Markdown and HTML.

    The statement contains the guarantee, the unit of privacy and the neighbouring relation, how records must be sampled
    and whether a usual data loader does so, the values of epsilon, what they mean, and what is not covered.

    >>> import renyi
    >>> statement = renyi.report(renyi.Gaussian(2.0), delta=1e-5, title="A count")
    >>> statement.markdown.splitlines()[0]
    '# A count'

    dataset_size: the number of records, with which delta is compared. For a run that is described by its sizes, the
        statement also lists the rules that gave its steps and its sampling.
    title: the title of the statement.
    remarks: additional lines for the statement.

    The plan is given as for ``renyi.epsilon``. Arrays in its numbers or delta give a ``Grid``.
    """
    records = dataset_size if plan is None else None
    sizes = Sizes(records, batch_size, epochs, accumulation, sampling, batch_limit).told()
    question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, sizes, delta=delta)
    each: dict[str, Callable[[Any], Any]] = {"delta": float}
    if records is not None:
        each["dataset_size"] = int
    fixed = {
        "dataset_size": None if plan is None or dataset_size is None else to_int("dataset_size", dataset_size),
        "title": to_text_or_none("title", title, _A_LINE),
        "remarks": _lines(remarks),
        "formats": ["markdown", "html"],
        **accuracy(tolerance, memory),
    }
    return answers("report", question, fixed, _read, each=each)  # type: ignore[no-any-return]


def _lines(remarks: Optional[Sequence[str]]) -> Optional[list[str]]:
    if remarks is None:
        return None
    if isinstance(remarks, str) or not isinstance(remarks, (list, tuple)):
        raise InvalidArgument("remarks", repr(remarks), "a list of texts")
    return [to_text(f"remarks[{i}]", remark, _A_LINE) for i, remark in enumerate(remarks)]


def _read(plan: Plan, answer: Json, _: Json) -> Statement:
    return Statement(plan, answer.pop("markdown"), answer.pop("html"), answer)
