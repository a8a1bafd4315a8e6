"""Certificates: proofs of the cost of a plan in ball arithmetic, and their verification (docs/guide/certify.md)."""

from __future__ import annotations

import dataclasses
import decimal
import json
import math
import os
import pathlib
from typing import Any, Optional, Union, overload

from . import _native, _format
from ._ask import Question, for_each
from ._export import Table, cell
from ._grid import Grid
from ._numbers import Count, Counts, Number, Numbers, to_float, to_text
from ._report import Report, Section, ends_text
from ._timed import timed
from .errors import InvalidArgument
from .plan import Plan
from .questions import Planlike, Planlikes
from .run import Scheme, Sizes, issue

_A_CERTIFICATE = "a certificate, as renyi.certify and renyi certify make them"
_COLUMNS = ["claim", "order", "conversion", "at", "direction", "lower", "upper"]


@dataclasses.dataclass(frozen=True)
class ClaimStatement:
    """What a claim is about, without its value. Members that a kind of claim does not use are None."""

    #: "rdp", "renyi-epsilon", "renyi-delta", "epsilon" or "delta".
    kind: str
    #: The order of the Rényi divergence that the claim is about or comes from.
    order: Optional[float]
    #: How the divergence was converted: "tight", "classical" or "pure".
    conversion: Optional[str]
    #: "remove" or "add".
    direction: Optional[str]
    #: The given delta of an epsilon, or the given epsilon of a delta.
    at: Optional[float]

    @classmethod
    def _read(cls, entry: dict[str, Any]) -> dict[str, Any]:
        at = cell(entry.get("delta", entry.get("epsilon")))
        order = cell(entry.get("order"))
        return {
            "kind": str(entry["claim"]),
            "order": None if order is None else float(order),
            "conversion": entry.get("conversion"),
            "direction": entry.get("direction"),
            "at": None if at is None else float(at),
        }

    @property
    def name(self) -> str:
        """The statement on one line, as ``renyi certify`` prints it: "epsilon at delta 1e-05, remove"."""
        given = "delta" if self.kind.endswith("epsilon") else "epsilon"
        at = "" if self.at is None else f" at {given} {_format.plain(self.at)}"
        return f"{self.kind}{at}" + ("" if self.direction is None else f", {self.direction}")

    def _cells(self) -> list[Any]:
        return [self.kind, self.order, self.conversion, self.at, self.direction]


@dataclasses.dataclass(frozen=True)
class Claim(ClaimStatement):
    """A claim of a certificate: the exact value lies in [``lower``, ``upper``].

    >>> import renyi
    >>> claim = renyi.certify(renyi.Gaussian(4.0), delta=1e-5)["epsilon", "remove"]
    >>> claim.kind, claim.direction, claim.at, claim.method
    ('epsilon', 'remove', 1e-05, 'closed form')
    """

    #: The ends as doubles, rounded outwards.
    lower: float
    upper: float
    #: The ends as decimals with 20 digits, rounded outwards.
    decimals: tuple[str, str]
    #: The method of the proof.
    method: str
    #: The precision of the proof, in bits.
    precision: int

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper

    def _row(self) -> list[str]:
        return [self.name, ends_text(self.lower, self.upper), self.method]


@dataclasses.dataclass(frozen=True)
class Gap(ClaimStatement):
    """A value of the question that no method proves, and the reason."""

    unavailable: str


@dataclasses.dataclass(frozen=True)
class Verified(ClaimStatement):
    """What the verification of one claim proved: the exact value lies in [``lower``, ``upper``]."""

    #: The recomputed ends as doubles, rounded outwards.
    lower: float
    upper: float
    #: The recomputed ends as decimals, rounded outwards.
    decimals: tuple[str, str]
    #: The width of the recomputed interval, rounded up.
    width: float
    #: "nothing" or "an upper bound only" if the interval says no more than that, else "".
    says: str

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper

    def _row(self) -> list[str]:
        return [self.name, ends_text(self.lower, self.upper), self.says or _format.up(self.width)]


class Certificate(Report):
    """A certificate: the answer of ``renyi.certify``. Anybody can check it, by ``renyi.verify`` or ``renyi verify``.

    ``to_json()`` is the certificate itself, the same bytes that ``renyi certify`` prints for the same plan.

    >>> import renyi
    >>> proof = renyi.certify(renyi.Gaussian(4.0) * 3, delta=1e-5)
    >>> [claim.name for claim in proof.claims][3:5]
    ['epsilon at delta 1e-05, remove', 'epsilon at delta 1e-05, add']
    >>> proof["epsilon", "add"].decimals[1][:12], 1.7 in proof["epsilon", "add"]
    ('1.6980352047', False)
    """

    def __init__(self, text: str) -> None:
        """Reads a certificate without checking what it claims; ``renyi.verify`` does that."""
        self._answer = to_text("certificate", text, _A_CERTIFICATE)
        try:
            document = json.loads(text)
            if document["renyi_certificate"] != 1:
                raise InvalidArgument("certificate", f"version {document['renyi_certificate']!r}", "version 1")
            self._plan = json.dumps(document["plan"])
            question = document["question"]
            #: The delta, or the epsilon, of the question; the other one is None.
            self.delta: Optional[float] = question.get("delta")
            self.epsilon: Optional[float] = question.get("epsilon")
            #: The claims, in the order of the document.
            self.claims: tuple[Claim, ...] = tuple(_claim(entry) for entry in document["claims"])
            #: What no method proves.
            self.not_certified: tuple[Gap, ...] = tuple(
                Gap(**ClaimStatement._read(entry), unavailable=str(entry["unavailable"]))
                for entry in document["not_certified"]
            )
            #: The digest of the document: "sha256:" and hexadecimal digits.
            self.digest: str = str(document["digest"])
        except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
            if isinstance(error, InvalidArgument):
                raise
            raise InvalidArgument("certificate", _shown(text), _A_CERTIFICATE) from None

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> Certificate:
        """Reads a file, without checking what it claims; ``renyi.verify`` does that."""
        return cls(pathlib.Path(path).read_text(encoding="utf-8"))

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the certificate into a file, which ``renyi.verify`` and ``renyi verify`` read."""
        pathlib.Path(path).write_bytes(self._answer.encode())

    def to_json(self) -> str:
        """Returns the certificate itself: canonical JSON on one line, with its line end."""
        return self._answer

    @property
    def plan(self) -> Plan:
        """The plan that the certificate is about."""
        return Plan.from_json(self._plan)

    def __getitem__(self, key: Union[str, tuple[str, str]]) -> Claim:
        """Returns the first claim of a kind, or of a kind and a direction: ``proof["epsilon", "remove"]``."""
        kind, direction = (key, None) if isinstance(key, str) else key
        for claim in self.claims:
            if claim.kind == kind and direction in (None, claim.direction):
                return claim
        raise KeyError(key)

    def __eq__(self, other: object) -> bool:
        return self._answer == other._answer if isinstance(other, Certificate) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._answer)

    def __reduce__(self) -> tuple[Any, ...]:
        return Certificate, (self._answer,)

    def _table(self) -> Table:
        rows = [[*claim._cells(), claim.lower, claim.upper, claim.method] for claim in self.claims]
        return Table([*_COLUMNS, "method"], rows)

    def _title(self) -> str:
        at = f"epsilon {_format.plain(self.epsilon)}" if self.epsilon is not None else ""
        at = at or f"delta {_format.plain(self.delta or 0)}"
        gaps = f", {len(self.not_certified)} not certified" if self.not_certified else ""
        return f"certificate at {at} of {_format.plan_text(self.plan)}: {len(self.claims)} claims{gaps}"

    def _sections(self) -> list[Section]:
        gaps = [[gap.name, gap.unavailable] for gap in self.not_certified]
        claims = Section(["claim", "proven", "method"], [claim._row() for claim in self.claims])
        return [claims, Section(["not certified", "because"], gaps)]


class Verdict(Report):
    """The result of ``renyi.verify``; true if the certificate is valid.

    That a certificate is valid does not mean that it is about the run in question: compare ``plan`` and ``delta``, or
    ``epsilon``, with those that were expected.

    >>> import renyi
    >>> text = renyi.certify(renyi.Gaussian(4.0) * 3, delta=1e-5).to_json()
    >>> verdict = renyi.verify(text)
    >>> bool(verdict), len(verdict.claims), verdict.plan == renyi.Gaussian(4.0) * 3
    (True, 7, True)
    >>> renyi.verify(text.replace('"count":3', '"count":2')).faults
    ('digest: not that of the body: the certificate was changed or damaged',)
    """

    def __init__(self, found: _native.Verified) -> None:
        self._answer = found.answer
        #: Whether every claim was recomputed and stands, and the claims prove the answer.
        self.valid: bool = found.valid
        #: What is wrong, each with its path in the certificate.
        self.faults: tuple[str, ...] = tuple(found.faults)
        #: If the certificate is valid: what was recomputed, one entry per claim.
        self.claims: tuple[Verified, ...] = tuple(
            Verified(*statement, _below(low), _above(high), (low, high), width, says)
            for statement, low, high, width, says in found.proven
        )
        #: How many values of the question no method proves.
        self.not_certified: int = found.not_certified
        #: The plan of the certificate; None if it could not be read.
        self.plan: Optional[Plan] = None if found.plan is None else Plan._of(found.plan)
        #: The delta, or the epsilon, of the question; None for the other one, and if it could not be read.
        self.delta: Optional[float] = found.delta
        self.epsilon: Optional[float] = found.epsilon

    def __bool__(self) -> bool:
        return self.valid

    def _table(self) -> Table:
        rows = [[*claim._cells(), claim.lower, claim.upper, claim.width, claim.says] for claim in self.claims]
        return Table([*_COLUMNS, "width", "says"], rows)

    def _title(self) -> str:
        if not self.valid:
            return "certificate is NOT VALID"
        gaps = f", {self.not_certified} values not certified" if self.not_certified else ""
        return f"certificate is valid: {len(self.claims)} claims recomputed{gaps}"

    def _sections(self) -> list[Section]:
        claims = Section(["claim", "proven", "width"], [claim._row() for claim in self.claims])
        return [claims, Section(["fault"], [[fault] for fault in self.faults])]


@overload
def certify(  # pyright: ignore[reportOverlappingOverload]
    plan: Optional[Planlike] = None,
    *,
    delta: Optional[Number] = None,
    epsilon: Optional[Number] = None,
    order: Optional[Number] = None,
    sampling_rate: Optional[Number] = None,
    noise_multiplier: Optional[Number] = None,
    steps: Optional[Count] = None,
    dataset_size: Optional[Count] = None,
    batch_size: Optional[Count] = None,
    epochs: Optional[Number] = None,
    accumulation: Optional[Count] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Count] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    timeout: Optional[float] = None,
) -> Certificate: ...


@overload
def certify(
    plan: Optional[Planlikes] = None,
    *,
    delta: Optional[Numbers] = None,
    epsilon: Optional[Numbers] = None,
    order: Optional[Number] = None,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    timeout: Optional[float] = None,
) -> Grid[Certificate]: ...


@timed
def certify(
    plan: Optional[Planlikes] = None,
    *,
    delta: Optional[Numbers] = None,
    epsilon: Optional[Numbers] = None,
    order: Optional[Number] = None,
    sampling_rate: Optional[Numbers] = None,
    noise_multiplier: Optional[Numbers] = None,
    steps: Optional[Counts] = None,
    dataset_size: Optional[Counts] = None,
    batch_size: Optional[Counts] = None,
    epochs: Optional[Numbers] = None,
    accumulation: Optional[Counts] = None,
    sampling: Optional[Scheme] = None,
    batch_limit: Optional[Counts] = None,
    neighbors: Optional[str] = None,
    unit: Optional[Count] = None,
    timeout: Optional[float] = None,
) -> Union[Certificate, Grid[Certificate]]:
    """Proves the cost of a plan at ``delta``, or at ``epsilon``, in ball arithmetic.

    >>> import renyi
    >>> proof = renyi.certify(noise_multiplier=4, steps=3, delta=1e-5)
    >>> proof["epsilon", "remove"].decimals[0][:12]
    '1.6980352047'
    >>> renyi.verify(proof).valid
    True

    order: the order of the Rényi claims, in (1, 1e4] or infinite (default: the best one).

    The plan is given as for ``renyi.epsilon``. Arrays give a ``Grid``. Raises ``Unsupported`` if nothing about the plan
    can be proven, and in a build without certified arithmetic. Other threads of Python run meanwhile; a proof that has
    started ends before control-C is heeded.
    """
    numbers: dict[str, Any] = {"delta": delta, "epsilon": epsilon}
    numbers = {name: value for name, value in numbers.items() if value is not None}
    sizes = Sizes(dataset_size, batch_size, epochs, accumulation, sampling, batch_limit).told()
    question = Question(plan, sampling_rate, noise_multiplier, steps, neighbors, unit, sizes, **numbers)
    at_order = None if order is None else to_float("order", order)

    def ask(index: int) -> Certificate:
        given = {name: float(question.column(name)[index]) for name in numbers}
        engine = question.plan(index)._engine
        return Certificate(_native.certify(engine, given.get("delta"), given.get("epsilon"), at_order))

    found = for_each(question, ask, fixed=("order",))
    issue(question.all_warnings(), stacklevel=3)
    return found  # type: ignore[no-any-return]


@timed
def verify(
    certificate: Union[Certificate, str, os.PathLike[str]], *, timeout: Optional[float] = None
) -> Verdict:
    """Checks a certificate: recomputes every claim by another route, and whether the claims prove the answer.

    >>> import renyi
    >>> verdict = renyi.verify(renyi.certify(renyi.Laplace(2.0), epsilon=0.25))
    >>> verdict.valid, verdict.claims[-1].kind, verdict.claims[-1].direction
    (True, 'delta', 'add')

    certificate: a ``Certificate``; the path of a file; or the text of a certificate, which starts with a brace.

    Raises ``InvalidArgument`` for what is no certificate at all, and ``Unsupported`` for a later version of the format
    and in a build without certified arithmetic.
    """
    return Verdict(_native.verify(_text_of(certificate)))


def _text_of(certificate: object) -> str:
    if isinstance(certificate, Certificate):
        return certificate.to_json()
    if isinstance(certificate, str) and certificate.lstrip().startswith("{"):
        return to_text("certificate", certificate, _A_CERTIFICATE)
    if isinstance(certificate, (str, os.PathLike)):
        return pathlib.Path(certificate).read_text(encoding="utf-8", errors="replace")
    raise InvalidArgument("certificate", _shown(certificate), f"{_A_CERTIFICATE}, its text, or the path of its file")


def _claim(entry: dict[str, Any]) -> Claim:
    low, high = (str(entry[end]["decimal"]) for end in ("lower", "upper"))
    return Claim(
        **ClaimStatement._read(entry),
        lower=_below(low),
        upper=_above(high),
        decimals=(low, high),
        method=str(entry["method"]),
        precision=int(entry["precision"]),
    )


def _above(text: str) -> float:
    """Returns the smallest double that is not below a decimal number."""
    value = float(text)
    return math.nextafter(value, math.inf) if decimal.Decimal(value) < decimal.Decimal(text) else value


def _below(text: str) -> float:
    """Returns the largest double that is not above a decimal number."""
    value = float(text)
    return math.nextafter(value, -math.inf) if decimal.Decimal(value) > decimal.Decimal(text) else value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
