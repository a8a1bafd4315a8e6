"""What a program says about its batches, compared with what its loader does: the usual mistakes, by name.

Under add-or-remove-one errors do not repeat what the program says, which it may have computed from the number of
records; the numbers of the loader are public.
"""

from __future__ import annotations

from typing import Optional, Protocol

from .._numbers import Count, Number, to_float, to_int
from ..errors import InvalidArgument
from ..plan import ADD_OR_REMOVE_ONE
from ..sampling import Poisson, Sampling

#: Rates that differ by their last digits only are the same.
_ROUNDING = 1e-12

_NAMES = {
    "truncated-poisson": "Poisson sampling with a limit on the batch",
    "fixed-size": "batches of a fixed size",
    "with-replacement": "draws with replacement",
    "shuffled": "shuffled epochs",
    "random-allocation": "epochs of random allocation",
    "poisson": "no sampling: every record takes part once an epoch",
}


class Sampled(Protocol):
    """What is known of a loader."""

    @property
    def sampling(self) -> Sampling: ...
    @property
    def neighbors(self) -> str: ...
    @property
    def nominal_size(self) -> Optional[int]: ...


def check_rate(given: Optional[Number], loader: Sampled, each_batch: bool = True) -> None:
    """Raises an error if this is not the rate of the loader, or if the loader does not sample by a rate. Without
    ``each_batch`` a rate of 1 stands for epochs without sampling."""
    if given is None:
        return
    is_public, scheme = is_public_for(loader), loader.sampling
    told = number_told("sampling_rate", given, is_public)
    if not isinstance(scheme, Poisson) or not each_batch:
        what = _NAMES[scheme.scheme]
        told_so = f"nothing: the loader has {what}, and an account of Poisson samples is no bound for that"
        raise InvalidArgument("sampling_rate", shown(given, is_public), f"{told_so}; account for loader.step(...)")
    stated = getattr(loader, "stated_rate", None)
    if any(abs(told - rate) <= _ROUNDING * rate for rate in (scheme.rate, stated) if rate is not None):
        return
    says = [f"{scheme.rate!r}, at which the loader draws"]
    if loader.nominal_size is not None:
        size = loader.nominal_size
        says[0] += f": {scheme.rate * size:g} of {size} records are expected in a batch"
    if is_public:
        says.append(f"what was given is {told / scheme.rate:.6g} times that")
    hint = "1/len(loader) and batch_size/len(sampler) are not the rate unless an epoch passes once over all records"
    says.append(hint)
    raise InvalidArgument("sampling_rate", shown(given, is_public), "; ".join(says))


def check_steps(given: Optional[Count], batches: int, which: str, loader: Sampled) -> None:
    """Raises an error if this is not the number of batches, and says what usually makes them differ."""
    if given is None:
        return
    is_public = is_public_for(loader)
    try:
        told = to_int("steps", given)
    except InvalidArgument:
        raise InvalidArgument("steps", shown(given, is_public), "an integer") from None
    if told != batches:
        allowed = f"{batches}, {which}: {_why_steps_differ(told, batches, is_public)}"
        raise InvalidArgument("steps", shown(given, is_public), allowed)


def _why_steps_differ(told: int, batches: int, is_public: bool) -> str:
    if told > 0 and told < batches and batches % told == 0:
        return (
            f"{_times(batches // told, is_public)} batches for each step look like gradient accumulation, in which"
            " noise once for several batches is too little; each batch is one step with noise of its own, and"
            " microbatches() cuts a batch into parts"
        )
    if batches > 0 and told > batches and told % batches == 0:
        return (
            f"{_times(told // batches, is_public)} steps for each batch look like physical parts of batches; the parts"
            " of a batch are one step, with noise once"
        )
    return (
        "every batch that is handed out is a step, also a smaller last one, an empty one, and one that is replayed"
        " after a checkpoint was loaded"
    )


def check_same(field: str, given: Number, expected: float, which: str, loader: Sampled) -> None:
    """Raises an error if a number is another one than the loader's."""
    is_public = is_public_for(loader)
    if not abs(number_told(field, given, is_public) - expected) <= _ROUNDING * abs(expected):  # also if it is no number
        raise InvalidArgument(field, shown(given, is_public), f"{expected:.17g}, {which}")


def number_told(field: str, given: object, is_public: bool) -> float:
    """Converts what a program says to a double."""
    try:
        return to_float(field, given)
    except InvalidArgument:
        raise InvalidArgument(field, shown(given, is_public), "a number") from None


def is_public_for(loader: Sampled) -> bool:
    """Says whether neighbours of the account have equally many records."""
    return loader.neighbors != ADD_OR_REMOVE_ONE


def shown(given: object, is_public: bool) -> str:
    """Returns what a program said, for an error, or where it may tell the number of records, that it is another."""
    return repr(given) if is_public else "another number"


def _times(count: int, is_public: bool) -> str:
    return str(count) if is_public else "several"
