"""The number of records: the batches are drawn from so many, and nothing else may depend on it unless it is public.

Under add-or-remove-one neighbours differ in their number of records, so that everything which is computed from it, such
as a divisor or a rate, tells them apart (docs/math/loaders.md). Computations use the nominal size, which is public.
"""

from __future__ import annotations

import dataclasses
from typing import Optional

from .. import _deprecation
from .._numbers import Count, to_int, to_text_or_none
from ..errors import InvalidArgument, Unsupported
from ..plan import ADD_OR_REMOVE_ONE, RELATIONS

ZERO_OUT = "zero-out"
_MOST_RECORDS = 2**40
_REMEDY = (
    'state nominal_size=..., a number that was chosen without looking at the data or bought by a noisy count, or'
    ' neighbors="zero-out", which says that the number of records is public (docs/guide/public-size.md)'
)


@dataclasses.dataclass(frozen=True)
class Records:
    """The records that a loader draws from. ``count`` is for drawing only, unless ``is_public``; ``stated`` is the
    nominal size that the user gave."""

    count: int = dataclasses.field(repr=False)
    neighbors: str
    stated: Optional[int]

    @property
    def is_public(self) -> bool:
        """Says whether neighbours have equally many records."""
        return self.neighbors != ADD_OR_REMOVE_ONE

    @property
    def nominal(self) -> Optional[int]:
        """The public number that stands for the number of records, if there is one."""
        return self.stated if self.stated is not None or not self.is_public else self.count

    def nominal_for(self, what: str) -> int:
        """Returns the nominal size. ``what`` would be computed from the number of records without it."""
        if self.nominal is None:
            why = f"the number of records is private under add-or-remove-one, and {what} would be computed from it"
            raise Unsupported("nominal_size", why, _REMEDY)
        return self.nominal

    def nominal_in_words(self) -> str:
        """Names the nominal size for an error about another argument, which may be read before a relation is stated."""
        return "the number of records" if self.stated is None else f"{self.stated}, the nominal size"


def records_of(
    dataset_size: Count,
    nominal_size: Optional[Count],
    neighbors: Optional[str],
    size_is_public: bool,
    needed_for: str = "",
) -> Records:
    """Checks what a loader is told of its records. ``needed_for`` names what needs a public number of them, if anything
    does; where neither it nor a relation is stated, the number is taken to be public until that way goes."""
    relation = _stated_relation(neighbors, size_is_public)
    nominal = None if nominal_size is None else at_least_one("nominal_size", nominal_size)
    if needed_for and relation is None and nominal is None:
        _deprecation.warn("renyi.loaders.Loader(batch_size=) without nominal_size=, neighbors= or size_is_public=", stacklevel=3)
        relation = ZERO_OUT
    relation = ADD_OR_REMOVE_ONE if relation is None else relation
    records = Records(_count(dataset_size, relation != ADD_OR_REMOVE_ONE), relation, nominal)
    if needed_for:
        records.nominal_for(needed_for)
    return records


def _stated_relation(neighbors: Optional[str], size_is_public: bool) -> Optional[str]:
    relation = to_text_or_none("neighbors", neighbors, RELATIONS)
    if relation not in (None, ADD_OR_REMOVE_ONE, "replace-one", ZERO_OUT):
        raise InvalidArgument("neighbors", repr(relation), RELATIONS)
    if not isinstance(size_is_public, bool):
        raise InvalidArgument("size_is_public", type(size_is_public).__name__, "True or False")
    if size_is_public and relation == ADD_OR_REMOVE_ONE:
        allowed = "False: neighbours differ in their number of records under add-or-remove-one"
        raise InvalidArgument("size_is_public", "True", allowed)
    return ZERO_OUT if size_is_public and relation is None else relation


def _count(dataset_size: object, is_public: bool) -> int:
    """Returns the number of records. An error repeats it only where it is public, and where it is private there may be
    none: a refusal would tell an empty data set from one of a single record."""
    least, allowed = int(is_public), f"an integer from {int(is_public)} to 2^40"
    try:
        count = to_int("dataset_size", dataset_size)
    except InvalidArgument:
        raise InvalidArgument("dataset_size", type(dataset_size).__name__, allowed) from None
    if not least <= count <= _MOST_RECORDS:
        raise InvalidArgument("dataset_size", str(count) if is_public else "another number", allowed)
    return count


def at_least_one(field: str, value: object) -> int:
    number = to_int(field, value)
    if number < 1:
        raise InvalidArgument(field, str(number), "an integer from 1 to 2^63-1")
    return number
