"""What a program says about its batches, compared with what its loader does: the usual mistakes, by name."""

from __future__ import annotations

from typing import Optional, Protocol

from .._numbers import Count, Number, to_float, to_int
from ..errors import InvalidArgument
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
    def dataset_size(self) -> int: ...
    @property
    def expected_batch_size(self) -> float: ...


def check_rate(given: Optional[Number], loader: Sampled, each_batch: bool = True) -> None:
    """Raises an error if this is not the rate of the loader, or if the loader does not sample by a rate. Without
    ``each_batch`` a rate of 1 stands for epochs without sampling."""
    if given is None:
        return
    told, scheme = to_float("sampling_rate", given), loader.sampling
    if not isinstance(scheme, Poisson) or not each_batch:
        what = _NAMES[scheme.scheme]
        told_so = f"nothing: the loader has {what}, and an account of Poisson samples is no bound for that"
        raise InvalidArgument("sampling_rate", repr(given), f"{told_so}; account for loader.step(...)")
    stated = getattr(loader, "stated_rate", None)
    if any(abs(told - rate) <= _ROUNDING * rate for rate in (scheme.rate, stated) if rate is not None):
        return
    size = f"{loader.expected_batch_size:g} of {loader.dataset_size} records are expected in a batch"
    hint = "1/len(loader) and batch_size/len(sampler) are not the rate unless an epoch passes once over all records"
    ratio = f"what was given is {told / scheme.rate:.6g} times that"
    allowed = f"{scheme.rate!r}, at which the loader draws: {size}; {ratio}; {hint}"
    raise InvalidArgument("sampling_rate", repr(given), allowed)


def check_steps(given: Optional[Count], batches: int, which: str) -> None:
    """Raises an error if this is not the number of batches, and says what usually makes them differ."""
    if given is None:
        return
    told = to_int("steps", given)
    if told != batches:
        raise InvalidArgument("steps", str(told), f"{batches}, {which}: {_why_steps_differ(told, batches)}")


def _why_steps_differ(told: int, batches: int) -> str:
    if told > 0 and told < batches and batches % told == 0:
        return (
            f"{batches // told} batches for each step look like gradient accumulation, in which noise once for several"
            " batches is too little; each batch is one step with noise of its own, and microbatches() cuts a batch into"
            " parts"
        )
    if batches > 0 and told > batches and told % batches == 0:
        return (
            f"{told // batches} steps for each batch look like physical parts of batches; the parts of a batch are one"
            " step, with noise once"
        )
    return (
        "every batch that is handed out is a step, also a smaller last one, an empty one, and one that is replayed"
        " after a checkpoint was loaded"
    )


def check_same(field: str, given: Optional[Number], expected: float, which: str) -> None:
    """Raises an error if a number is another one than the loader's."""
    if given is None:
        return
    if abs(to_float(field, given) - expected) > _ROUNDING * abs(expected):
        raise InvalidArgument(field, repr(given), f"{expected:.17g}, {which}")
