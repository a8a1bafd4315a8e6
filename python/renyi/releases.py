"""Releases: aggregated values become numbers to publish, with noise that a ledger has paid for first."""

from __future__ import annotations

import dataclasses
import decimal
import json
import os
import warnings
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from . import _format, _native
from ._export import Table, Tabular, cell
from ._files import Path
from ._numbers import Count, Number, to_float, to_int, to_text
from .balances import Balances
from .errors import AlreadyOpened, BudgetExceeded, InvalidArgument, Refused
from .filters import FilterVerdict, FittingStep
from .ledger import AnyLedger, _blocks
from .plan import Plan
from .receipts import Receipt
from .run import PrivacyWarning

_VALUES = (
    "a release as JSON text or as a dictionary, statistics as a list of dictionaries or as a dictionary by name, or a "
    "data frame"
)
#: Cells of a data frame that are numbers of things: pandas makes floats of them if a cell of the column is empty.
_COUNTS = ("max_bins", "max_records")


@dataclasses.dataclass(frozen=True)
class ReleasedNumber:
    """A number that may be published, and its 95 % interval: for this number by itself, and for the noise alone.

    >>> import renyi, warnings
    >>> about = {"value": 1017, "integer": True, "l1_sensitivity": 1}
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # nobody counts
    ...     released = renyi.release({"visits": about}, ledger=None, rho=0.02)
    >>> number = released["visits"].numbers[0]
    >>> number.bin, number.lower < number.value < number.upper
    ('', True)
    """

    #: The bin of a histogram; "" for a statistic that is one number.
    bin: str
    #: An int if the statistic is an integer.
    value: Union[int, float]
    lower: Union[int, float]
    upper: Union[int, float]


@dataclasses.dataclass(frozen=True)
class ReleasedStatistic:
    """A statistic that may be published. It iterates over its numbers.

    >>> import renyi, warnings
    >>> about = {"value": 1017, "integer": True, "l1_sensitivity": 1}
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # nobody counts
    ...     released = renyi.release({"visits": about}, ledger=None, rho=0.02)
    >>> visits = released["visits"]
    >>> visits.mechanism, round(visits.size, 3), isinstance(visits.value, int)
    ('discrete-gaussian', 5.0, True)
    """

    name: str
    #: The noise, as in plan files.
    mechanism: str
    #: The stddev or the scale of the noise.
    size: float
    #: The standard deviation of the noise on each number, without post-processing; an upper bound.
    standard_error: float
    #: What was done after the noise was added, in words.
    post_processing: tuple[str, ...]
    numbers: tuple[ReleasedNumber, ...]
    #: The range of the values: those beyond it counted as the nearer end, and NaN as 0, before the noise was added. It
    #: follows from the noise alone, and nothing says whether any value was beyond it. None in documents of 0.8.1, which
    #: do not state it.
    range: Optional[tuple[Union[int, float], Union[int, float]]] = None

    @property
    def value(self) -> Union[int, float]:
        """The number, of a statistic that is one number."""
        return self._only.value

    @property
    def interval(self) -> tuple[Union[int, float], Union[int, float]]:
        """The 95 % interval, of a statistic that is one number."""
        return self._only.lower, self._only.upper

    @property
    def _only(self) -> ReleasedNumber:
        if len(self.numbers) == 1 and not self.numbers[0].bin:
            return self.numbers[0]
        raise AttributeError(f"{self.name} is a histogram: its numbers are in .numbers")

    def __iter__(self) -> Iterator[ReleasedNumber]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    @classmethod
    def _read(cls, row: dict[str, Any]) -> ReleasedStatistic:
        rows = row["bins"] if "bins" in row else [{**row, "name": ""}]
        return cls(
            row["name"],
            row["mechanism"],
            row["stddev"] if "stddev" in row else row["scale"],
            row["standard_error"],
            tuple(row.get("post_processing", ())),
            tuple(ReleasedNumber(each["name"], each["value"], *each["interval"]) for each in rows),
            (row["range"][0], row["range"][1]) if "range" in row else None,
        )


class Release(Tabular):
    """The result of ``renyi.release``: numbers that may be published, and what they cost. ``released["visits"]`` is a
    statistic; iterating gives all of them.

    >>> import renyi, warnings
    >>> about = {"value": 1017, "integer": True, "l1_sensitivity": 1}
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # nobody counts
    ...     released = renyi.release({"visits": about}, ledger=None, rho=0.02)
    >>> [statistic.name for statistic in released], released.rho <= 0.02, released.payment
    (['visits'], True, None)
    """

    def __init__(self, document: str, repeated: bool) -> None:
        self._document, self._repeated = document, repeated
        self._content: dict[str, Any] = json.loads(document)
        self._statistics = {row["name"]: ReleasedStatistic._read(row) for row in self._content["statistics"]}

    @property
    def statistics(self) -> tuple[ReleasedStatistic, ...]:
        """The statistics, in the order in which they were given."""
        return tuple(self._statistics.values())

    @property
    def repeated(self) -> bool:
        """Whether it is what was released before with this key. Nothing was charged or drawn then."""
        return self._repeated

    @property
    def plan(self) -> Plan:
        """The steps that were paid for, each with the name of its statistic."""
        return Plan.from_json(json.dumps(self._content["plan"]))

    @property
    def epsilon(self) -> Optional[float]:
        """An upper bound on the cost of all statistics together, at ``delta``; None without a delta."""
        found = cell(self._content["cost"].get("epsilon"))
        return None if found is None else float(found)

    @property
    def delta(self) -> Optional[float]:
        """The delta of ``epsilon``."""
        found: Optional[float] = self._content["cost"].get("delta")
        return found

    @property
    def rho(self) -> Optional[float]:
        """An upper bound on the cost, if the budget was one of zero-concentrated DP."""
        found: Optional[float] = self._content["cost"].get("rho")
        return found

    @property
    def payment(self) -> Optional[dict[str, Any]]:
        """The entry of the ledger that paid: "id", "scope", "key", "ticket", "entry", "hash", "time". None if nobody
        counted."""
        found: Optional[dict[str, Any]] = self._content["ledger"]
        return found

    def to_json(self) -> str:
        """Returns the document, as ``renyi release`` writes it (docs/format/release.md): the bytes that the ledger has
        stored."""
        return self._document

    def to_dict(self) -> dict[str, Any]:
        """Returns the document as dictionaries and lists."""
        document: dict[str, Any] = json.loads(self._document)
        return document

    def write(self, path: Path) -> None:
        """Writes the document into a file, completely or not at all. An existing file is replaced."""
        _native.write_output(os.fsdecode(path), self._document)

    def _table(self) -> Table:
        header = ("statistic", "bin", "value", "lower", "upper", "standard_error", "mechanism", "size")
        rows = [
            (each.name, one.bin, one.value, one.lower, one.upper, each.standard_error, each.mechanism, each.size)
            + (each.range or (None, None))
            for each in self
            for one in each
        ]
        return Table((*header, "range_lower", "range_upper"), rows)

    def __getitem__(self, name: str) -> ReleasedStatistic:
        return self._statistics[name]

    def __iter__(self) -> Iterator[ReleasedStatistic]:
        return iter(self._statistics.values())

    def __len__(self) -> int:
        return len(self._statistics)

    def __eq__(self, other: object) -> bool:
        return self._document == other._document if isinstance(other, Release) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._document)

    def _rows(self) -> list[tuple[str, str]]:
        rows = []
        for each in self:
            for one in each:
                name = f"{each.name}: {one.bin}" if one.bin else each.name
                rows.append((name, f"{one.value!r} in [{one.lower!r}, {one.upper!r}]"))
        paid = self.payment
        rows.append(("paid by", "nobody" if paid is None else f"{paid['scope']}, entry {paid['entry']}"))
        return rows

    def __repr__(self) -> str:
        return f"<{', '.join(f'{name} {text}' for name, text in self._rows())}>"

    def _repr_html_(self) -> str:
        return _format.table("Released", self._rows())


def release(
    values: object,
    *,
    ledger: Optional[AnyLedger],
    scope: str = "",
    key: str = "",
    blocks: Sequence[str] = (),
    person: str = "",
    epsilon: Optional[Number] = None,
    delta: Optional[Number] = None,
    rho: Optional[Number] = None,
    divide: Optional[str] = None,
    noise: Optional[str] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
) -> Release:
    """Adds noise to aggregated values, paid for by a scope of the ledger before anything is drawn.

    >>> import os, renyi, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = renyi.Ledger.create(os.path.join(folder.name, "clinic.ledger"))
    >>> done = ledger.add_scope("clinic", renyi.Budget.zcdp(0.5))
    >>> visits = {"visits": {"value": 1017, "integer": True, "max_records": 1, "max_per_record": 1}}
    >>> released = renyi.release(visits, ledger=ledger, scope="clinic", key="november", rho=0.02)
    >>> round(released["visits"].standard_error, 3)
    5.0
    >>> lower, upper = released["visits"].interval
    >>> lower < released["visits"].value < upper, released.rho <= 0.02, released.payment["scope"]
    (True, True, 'clinic')
    >>> again = renyi.release(visits, ledger=ledger, scope="clinic", key="november", rho=0.02)
    >>> again.repeated, again == released, len(list(ledger.history()))
    (True, True, 5)
    >>> folder.cleanup()

    ``values`` are statistics with the members of docs/format/release.md: a list of dictionaries, or a dictionary by
    name; a data frame with the columns of the command's CSV files, one row a number; or a whole release, as JSON text
    or as a dictionary. What the arguments say replaces what it says. Everything but the values is public.

    The budget is ``epsilon`` and ``delta``, or ``rho``, for all statistics together, which ``divide`` ("equal-error",
    "weights", "min-variance") divides; ``noise`` is "gaussian" or "laplace". Without a budget, each statistic has a
    mechanism of its own.

    The same ``key`` gives what was released with it, whatever the values are; with other statistics, noise, scope or
    blocks it raises ``InvalidArgument``. ``BudgetExceeded`` is raised if the cost does not fit, with the factor on all
    noise with which it would; and ``AlreadyOpened`` if an earlier call was interrupted after the charge was spent:
    nothing is drawn again, and another key is charged anew. ``ledger=None`` draws although nobody counts what it costs,
    with a ``PrivacyWarning``."""
    request = _request(values)
    _set_budget(request, epsilon, delta, rho)
    for name, value in (("divide", divide), ("noise", noise), ("neighbors", neighbors)):
        if value is not None:
            request[name] = to_text(name, value)
    if unit is not None:
        request["unit"] = to_int("unit", unit)
    text = _written(request)
    if ledger is None:
        if scope or key or blocks or person:
            raise InvalidArgument("ledger", "None", "a ledger, or no scope, key, blocks and person")
        document = _native.release_uncounted(text)
        message = "no ledger counts what this release costs"
        warnings.warn(PrivacyWarning(message, "uncounted"), stacklevel=2)
        return Release(document, False)
    if not isinstance(ledger, AnyLedger):
        raise InvalidArgument("ledger", repr(type(ledger).__name__), "a renyi.Ledger, or None if nobody is to count")
    charge = to_text("scope", scope), _blocks(blocks), to_text("key", key), to_text("person", person)
    repeated, document, reason, refusal, factor = ledger._engine.release(text, charge)
    if document:
        return Release(document, repeated)
    raise _refusal(ledger, key, reason, None if refusal is None else Receipt._read(refusal), factor)


def _refusal(
    ledger: AnyLedger, key: str, reason: str, receipt: Optional[Receipt], factor: Optional[float]
) -> Union[BudgetExceeded, Refused]:
    if receipt is not None and receipt.refused_by:
        balances = receipt.left.get(receipt.refused_by, Balances(()))
        fitting = None if factor is None else FittingStep("all noise times", factor)
        return BudgetExceeded("scope", FilterVerdict(False, receipt.reason, balances), fitting, receipt)
    found = receipt or ledger.answer_to(f"{key}:reserve")
    assert found is not None  # what refuses without a receipt was reserved before
    if ledger.ticket(found.ticket).state in ("opened", "committed"):
        return AlreadyOpened("key", found, None)
    return Refused("key", dataclasses.replace(found, accepted=False, reason=reason))


class _Literal(str):
    """A number of a JSON text, as it was written."""


def _read(text: str) -> Optional[dict[str, Any]]:
    """Returns the object of a JSON text, or None: the error of the parser would carry the whole text."""
    try:
        found = json.loads(text, parse_int=_Literal, parse_float=_Literal, parse_constant=_Literal)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _request(values: object) -> dict[str, Any]:
    if isinstance(values, str):
        request = _read(values)
        if request is None:
            raise InvalidArgument("values", "text", "a release as JSON text")
        return request
    if hasattr(values, "columns") and not isinstance(values, Mapping):
        return _release_of(_statistics_of_rows(_rows_of_frame(values)))
    if isinstance(values, Mapping):
        if "statistics" in values and "renyi-release" in values:
            return dict(values)
        if all(isinstance(about, Mapping) for about in values.values()):
            return _release_of([{"name": name, **about} for name, about in values.items()])
    elif isinstance(values, Sequence) and all(isinstance(row, Mapping) for row in values):
        return _release_of([dict(row) for row in values])
    raise InvalidArgument("values", repr(type(values).__name__), _VALUES)


def _release_of(statistics: list[dict[str, Any]]) -> dict[str, Any]:
    return {"renyi-release": 1, "statistics": statistics}


def _rows_of_frame(frame: Any) -> list[dict[str, Any]]:
    """Returns the rows of a data frame of pandas or polars, without empty cells. A value is never an empty cell: NaN is
    a number that data may have."""
    rows = frame.to_dicts() if hasattr(frame, "to_dicts") else frame.to_dict("records")
    found = []
    for row in rows:
        kept = {str(name): one for name, one in row.items() if name == "value" or not _is_empty(one)}
        for name in _COUNTS:
            one = kept.get(name)
            if isinstance(one, float) and one.is_integer():
                kept[name] = int(one)
        kept.pop("comment", None)
        found.append(kept)
    return found


def _is_empty(one: object) -> bool:
    if one is None or type(one).__name__ == "NAType":
        return True
    return one == "" or one != one  # NaN differs from itself


def _statistics_of_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Makes histograms of the rows that name one."""
    found: list[dict[str, Any]] = []
    histograms: dict[str, dict[str, Any]] = {}
    for index, row in enumerate(rows):
        for column in ("name", "value"):
            if column not in row:
                raise InvalidArgument(f"values[{index}].{column}", "nothing", "a column of this name")
        about = {name: one for name, one in row.items() if name not in ("name", "value", "histogram")}
        if "histogram" not in row:
            found.append({"name": row["name"], "value": row["value"], **about})
            continue
        name = row["histogram"]
        if name not in histograms:
            histograms[name] = {"name": name, "bins": [], "values": []}
            found.append(histograms[name])
        one = histograms[name]
        one["bins"].append(row["name"])
        one["values"].append(row["value"])
        for member, said in about.items():
            if one.setdefault(member, said) != said:
                raise InvalidArgument(f"values[{index}]", "another statement", "the same in all rows of a histogram")
    return found


def _set_budget(
    request: dict[str, Any], epsilon: Optional[Number], delta: Optional[Number], rho: Optional[Number]
) -> None:
    given = {"epsilon": epsilon, "delta": delta, "rho": rho}
    said = {name: to_float(name, value) for name, value in given.items() if value is not None}
    if not said:
        return
    stated = request.get("budget")
    budget = dict(stated) if isinstance(stated, Mapping) and "rho" not in said else {}
    if "epsilon" in said:
        budget.pop("rho", None)
    request["budget"] = {**budget, **said}


#: Members that are numbers of data, or arrays of them.
_EXACT = ("value", "values")
#: Whole numbers beyond it are outside of every range to which values are clamped.
_FAR = 10**400


def _written(request: dict[str, Any]) -> str:
    """Returns the request as JSON text in which no value is rounded. What cannot be written is refused by its type, and
    after the error about it is gone: that would be the context of this one."""
    try:
        return _json(request, False, 0)
    except _NotWritten as error:
        refused = error.args[0]
    except (TypeError, ValueError, ArithmeticError, RecursionError):
        refused = repr(type(request).__name__)
    raise InvalidArgument("values", refused, "numbers, text, lists and dictionaries with texts as keys")


class _NotWritten(Exception):
    """Holds the name of a type."""


def _json(one: Any, exact: bool, depth: int) -> str:
    if depth > 64:  # a list that contains itself
        raise _NotWritten(repr(type(one).__name__))
    if isinstance(one, _Literal):
        return str(one)
    if isinstance(one, Mapping):
        if not all(isinstance(name, str) for name in one):
            raise _NotWritten(repr(type(one).__name__))
        return "{" + ",".join(f"{json.dumps(k)}:{_json(v, k in _EXACT, depth + 1)}" for k, v in one.items()) + "}"
    if isinstance(one, (list, tuple)):
        return "[" + ",".join(_json(each, exact, depth + 1) for each in one) + "]"
    if exact and hasattr(one, "as_integer_ratio") and not isinstance(one, bool):
        return _number(one)
    if one is None or isinstance(one, (bool, int, float, str)):
        return json.dumps(one)
    if isinstance(one, decimal.Decimal):
        return _number(one)
    if hasattr(one, "tolist"):  # arrays and numbers of NumPy
        plain = one.tolist()
        if type(plain) is not type(one):
            return _json(plain, exact, depth + 1)
    raise _NotWritten(repr(type(one).__name__))


def _number(one: Any) -> str:
    """Returns exactly this number as JSON: a whole number, a decimal, or a fraction as text. A float is the binary
    number that it is, and not the short decimal that it is printed as."""
    if isinstance(one, decimal.Decimal):
        if one.is_finite():
            return str(one)
        return "NaN" if one.is_nan() else "Infinity" if one > 0 else "-Infinity"
    if one != one:  # NaN differs from itself
        return "NaN"
    try:
        above, below = (int(part) for part in one.as_integer_ratio())
    except (OverflowError, ValueError):
        return "Infinity" if one > 0 else "-Infinity"
    if below == 1:
        return _digits(max(-_FAR, min(above, _FAR)))
    return f'"{_digits(above)}/{_digits(below)}"'


def _digits(whole: int) -> str:
    """Returns the digits of a number of any length, which str refuses beyond some thousands."""
    return format(decimal.Decimal(whole), "f")
