"""Data loaders of torch, recognised by what they do: accounted as that, or refused with the reason."""

from __future__ import annotations

import dataclasses
import math
import warnings
from typing import Any, Optional

import numpy as np

from .._numbers import Number, to_text
from ..errors import InvalidArgument, Unsupported
from ..mechanisms import Mechanism, Sampled
from ..plan import ADD_OR_REMOVE_ONE, RELATIONS, Plan
from ..run import PrivacyWarning
from ..sampling import Poisson, Sampling, Shuffled, WithReplacement
from .checks import check_rate, check_steps
from .loader import Loader, mechanism_of
from .size import ZERO_OUT

_PREDICTABLE = "the batches come from torch's generator: who knows its seed knows them, and then nothing is amplified"
_TAKEN_AS_PUBLIC = (
    "rate, divisor and number of steps are taken to be public, but this loader computes them from the number of"
    ' records, which is private under add-or-remove-one: state neighbors="zero-out" if that number is public, or use'
    " renyi.loaders.PoissonLoader with nominal_size=... (docs/guide/public-size.md)"
)
_ONE_BATCH = (
    "that one batch has all records, however many they are, is taken to be public; divide its sum by a public number,"
    ' or state neighbors="zero-out" if the number of records is public (docs/guide/public-size.md)'
)
_ONCE = "every record takes part once an epoch; no amplification is claimed"
_INSTEAD = (
    "use renyi.loaders.PoissonLoader or RandomAllocationLoader with DataLoader(batch_sampler=loader.batch_sampler()),"
    " or account for neighbors zero-out or replace-one"
)


@dataclasses.dataclass(frozen=True)
class Recognised:
    """What a data loader does, made by ``recognise``.

    ``sampling`` is the scheme of a batch if ``samples_each_batch``, else that of an epoch. ``notes`` say what the
    account assumes. The number of records is not shown.

    >>> import renyi
    >>> shuffled = renyi.loaders.Recognised(renyi.Shuffled(16), 1000, 16, False, 64)
    >>> shuffled.plan(noise_multiplier=4.0, epochs=3)
    <Plan: 3 x Gaussian(stddev=4.0, l2_sensitivity=1.0).sampled(Shuffled(batches=16)) (zero-out)>
    """

    #: The sampling scheme.
    sampling: Sampling
    #: The number of records.
    dataset_size: int = dataclasses.field(repr=False)
    #: The number of batches of an epoch.
    batches: int
    #: True if each batch is a step of the plan, False if an epoch is one.
    samples_each_batch: bool
    #: The expected number of records of a batch that is not the last; None where no public number says so.
    expected_batch_size: Optional[float] = dataclasses.field(repr=False)
    #: What the account assumes, and what is left out, as sentences.
    notes: tuple[str, ...] = ()
    #: The scheme of the last batch of an epoch, if it is a smaller one.
    last: Optional[Sampling] = None
    #: The rate that the loader was told, if it draws at another one.
    stated_rate: Optional[float] = None
    #: The neighbouring relation for which it was recognised.
    neighbors: str = ZERO_OUT

    @property
    def nominal_size(self) -> Optional[int]:
        """The number of records where it is public, else None."""
        return None if self.neighbors == ADD_OR_REMOVE_ONE else self.dataset_size

    def sampling_of(self, number: int) -> Sampling:
        """Returns the scheme of a batch, counted from 0 in each epoch."""
        return self.last if self.last is not None and number == self.batches - 1 else self.sampling

    def step(self, what: Optional[Mechanism] = None, *, noise_multiplier: Optional[Number] = None) -> Sampled:
        """Returns the step of a plan: that of a batch if ``samples_each_batch``, else that of an epoch."""
        return mechanism_of(what, noise_multiplier).sampled(self.sampling)

    def plan(
        self,
        what: Optional[Mechanism] = None,
        *,
        noise_multiplier: Optional[Number] = None,
        epochs: int = 1,
        neighbors: Optional[str] = None,
    ) -> Plan:
        """Returns the plan of a training of so many epochs, for the neighbours that it was recognised for, or for
        others that keep the number of records."""
        mechanism = mechanism_of(what, noise_multiplier)
        empty = Plan(neighbors=self.neighbors if neighbors is None else neighbors)
        self._check_neighbors(empty.neighbors)
        if not self.samples_each_batch:
            return empty.add(self.step(mechanism), epochs)
        if self.last is None:
            return empty.add(self.step(mechanism), self.batches * epochs)
        whole = empty if self.batches == 1 else empty.add(self.step(mechanism), (self.batches - 1) * epochs)
        return whole.add(mechanism.sampled(self.last), epochs)

    def _check_neighbors(self, neighbors: str) -> None:
        """Raises an error if these neighbours differ in the number of records, and the loader was recognised for others
        that do not."""
        if neighbors == ADD_OR_REMOVE_ONE and self.neighbors != ADD_OR_REMOVE_ONE:
            allowed = f"{self.neighbors}, for which the loader was recognised; recognise(data_loader) says why"
            raise InvalidArgument("neighbors", neighbors, allowed)

    def check(
        self, *, sampling_rate: Optional[Number] = None, steps: Optional[int] = None, epochs: int = 1
    ) -> None:
        """Compares numbers that another accountant is told with those of the loader, and raises ``InvalidArgument``,
        which names both, where they differ."""
        check_rate(sampling_rate, self, self.samples_each_batch)
        check_steps(steps, self.batches * epochs, f"the batches of {epochs} epochs", self)


def recognise(data_loader: Any, *, neighbors: str = ADD_OR_REMOVE_ONE) -> Recognised:
    """Says what a ``DataLoader`` of torch or Opacus does, for an account with these neighbours; refuses, with the
    reason, what no account covers.

    | the loader | is accounted as |
    |---|---|
    | ``batch_sampler=loader.batch_sampler()`` of this package | that loader |
    | Opacus' ``UniformWithReplacementSampler``, as in ``DPDataLoader`` | Poisson samples, at the rate of torch.rand |
    | ``shuffle=True``, with or without ``drop_last`` | shuffled epochs: not under add-or-remove-one |
    | ``RandomSampler(replacement=True)`` | draws with replacement, batch by batch: not under add-or-remove-one |
    | ``shuffle=False`` | no sampling, each record once an epoch: not under add-or-remove-one, unless a batch has all |
    | ``WeightedRandomSampler``, ``DistributedSampler``, samplers of your own, ``IterableDataset`` | refused |

    Under add-or-remove-one a ``PrivacyWarning`` says what these loaders compute from the number of records, which is
    taken to be public then.

    >>> import renyi
    >>> renyi.loaders.recognise([1, 2, 3])
    Traceback (most recent call last):
    renyi.errors.InvalidArgument: data_loader: got list, allowed: a torch.utils.data.DataLoader
    """
    relation = to_text("neighbors", neighbors, RELATIONS)
    if relation not in ("add-or-remove-one", "replace-one", "zero-out"):
        raise InvalidArgument("neighbors", repr(relation), RELATIONS)
    if not (hasattr(data_loader, "dataset") and hasattr(data_loader, "batch_sampler")):
        raise InvalidArgument("data_loader", type(data_loader).__name__, "a torch.utils.data.DataLoader")
    batches = data_loader.batch_sampler
    ours = getattr(batches, "renyi_loader", None)
    if isinstance(ours, Loader):
        ours._check_neighbors(relation)
        expected = None if ours.nominal_size is None else ours.expected_batch_size
        found = (ours.sampling, ours.dataset_size, ours.steps_per_epoch, ours.samples_each_batch)
        return Recognised(*found, expected, neighbors=relation)
    if batches is None or not hasattr(data_loader.dataset, "__len__"):
        raise _refusal("it does not choose records by their indices, so that nothing is known of its batches")
    records = len(data_loader.dataset)
    if _is(batches, "UniformWithReplacementSampler", "DistributedUniformWithReplacementSampler"):
        return _opacus(batches, records, relation)
    if not _is(batches, "BatchSampler"):
        raise _refusal(f"its batch sampler, {type(batches).__name__}, is not known")
    return _by_sampler(batches, records, relation)


def _opacus(batches: Any, records: int, relation: str) -> Recognised:
    stated, distributed = float(batches.sample_rate), hasattr(batches, "num_replicas")
    field = "total_size" if distributed else "num_samples"
    size = int(getattr(batches, field))
    if size != records:
        is_public = relation != ADD_OR_REMOVE_ONE
        given = f"{size} records in the sampler, {records} in the data set" if is_public else "another number"
        raise InvalidArgument(field, given, "a sampler of the data set of its loader")
    rate, notes = _drawn_rate(stated), [_PREDICTABLE]
    if rate != stated:
        notes.append(f"torch.rand has multiples of 2^-24 only, so that records are drawn at the rate {rate!r}")
    if distributed:
        notes.append("a batch is that of all replicas together, and an account is charged by one of them")
    if relation == ADD_OR_REMOVE_ONE:
        notes.append(_TAKEN_AS_PUBLIC)
        warnings.warn(PrivacyWarning(_TAKEN_AS_PUBLIC, "size-taken-as-public"), stacklevel=3)
    # Opacus draws int(1/rate) batches, unless it is told how many.
    expected = None if relation == ADD_OR_REMOVE_ONE else stated * records
    found = (Poisson(rate), records, len(batches), True, expected, tuple(notes))
    return Recognised(*found, stated_rate=stated, neighbors=relation)


def _drawn_rate(stated: float) -> float:
    """Returns the probability that torch.rand is below the rate, or the rate where that is larger: in single precision
    it is one of 2^24 multiples of 2^-24, all equally likely, and the rate is rounded to single precision."""
    units = math.ceil(float(np.float32(stated)) * 2**24)
    return min(1.0, max(stated, units / 2**24))


def _by_sampler(batches: Any, records: int, relation: str) -> Recognised:
    sampler, size, drop_last = batches.sampler, int(batches.batch_size), bool(batches.drop_last)
    if _is(sampler, "WeightedRandomSampler"):
        instead = "use renyi.loaders.PoissonLoader, and weights in the loss"
        raise Unsupported("sampler", _why_not_weighted(size, len(sampler), records, relation), instead)
    if _is(sampler, "RandomSampler") and bool(sampler.replacement):
        return _with_replacement(sampler, size, drop_last, records, relation)
    if not _is(sampler, "RandomSampler", "SubsetRandomSampler", "SequentialSampler"):
        raise _refusal(f"its sampler, {type(sampler).__name__}, is not known, or repeats records")
    drawn = len(sampler)
    if drawn > records or (_is(sampler, "SubsetRandomSampler") and len(set(sampler.indices)) < drawn):
        raise _refusal("a record may come more than once in an epoch")
    return _once_an_epoch(sampler, size, drop_last, records, relation)


def _why_not_weighted(size: int, drawn: int, records: int, relation: str) -> str:
    numbers = ""
    if relation != ADD_OR_REMOVE_ONE:
        numbers = (
            f" {size} of the {drawn} draws of an epoch, {size / drawn:.6g}, is {records / drawn:.6g} times the mean"
            f" rate of {size} of {records} records, {size / records:.6g}, and"
        )
    return (
        "a weighted sampler draws some records more often than others, so that no single rate is right:"
        f"{numbers} the largest weight decides what is lost"
    )


def _with_replacement(sampler: Any, size: int, drop_last: bool, records: int, relation: str) -> Recognised:
    if relation == ADD_OR_REMOVE_ONE:
        why = "how often draws with replacement hit a record depends on the number of records, which is private"
        raise Unsupported("neighbors", why, _INSTEAD)
    drawn = int(sampler.num_samples)
    whole, rest = divmod(drawn, size)
    found = (WithReplacement(records, size), records)
    if drop_last or rest == 0:
        return Recognised(*found, whole, True, size, (_PREDICTABLE,), neighbors=relation)
    last = WithReplacement(records, rest)
    note = f"the last batch of an epoch has {rest} draws, and is a step of its own"
    return Recognised(*found, whole + 1, True, size, (_PREDICTABLE, note), last, neighbors=relation)


def _once_an_epoch(sampler: Any, size: int, drop_last: bool, records: int, relation: str) -> Recognised:
    drawn, shuffled = len(sampler), not _is(sampler, "SequentialSampler")
    count = drawn // size if drop_last else -(-drawn // size)
    all_at_once = count == 1 and drawn == records and not drop_last
    if relation == ADD_OR_REMOVE_ONE and not all_at_once:
        how = "shuffled" if shuffled else "cut in their order"
        why = (
            f"the records are {how} and cut into batches, and one record more or less moves the others between them;"
            " this is no Poisson sampling, and its rate is no bound"
        )
        raise Unsupported("neighbors", why, _INSTEAD)
    if count == 0:
        raise InvalidArgument("drop_last", f"True, with batches of {size} and {drawn} records", "batches that exist")
    notes = [_ONCE]
    if relation == ADD_OR_REMOVE_ONE:
        notes.append(_ONE_BATCH)
        warnings.warn(PrivacyWarning(_ONE_BATCH, "size-taken-as-public"), stacklevel=4)
    if drop_last and drawn % size:
        which = "others each time" if shuffled else "always the last"
        notes.append(
            f"drop_last leaves {drawn % size} records out of each epoch, {which}: an epoch has {count} batches, not"
            f" {count + 1}, and is accounted as if every record took part"
        )
    scheme: Sampling = Shuffled(count)
    if not shuffled or all_at_once:
        notes.append("there is no sampling: a step of the plan is an epoch in which every record takes part")
        scheme = Poisson(rate=1.0)
    expected = None if relation == ADD_OR_REMOVE_ONE else min(size, drawn)
    return Recognised(scheme, records, count, False, expected, tuple(notes), neighbors=relation)


def _is(value: object, *names: str) -> bool:
    """Says whether this is an instance of exactly one of these classes of torch or Opacus: a class that is derived from
    one may draw as it likes."""
    kind = type(value)
    return kind.__name__ in names and kind.__module__.split(".")[0] in ("torch", "opacus")


def _refusal(why: str) -> Unsupported:
    return Unsupported("data_loader", why, "use renyi.loaders.PoissonLoader or RandomAllocationLoader")
