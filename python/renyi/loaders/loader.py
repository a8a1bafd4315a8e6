"""The base class of the loaders: batches that are charged as they are handed out."""

from __future__ import annotations

import math
import os
import secrets
import threading
from typing import TYPE_CHECKING, Any, ClassVar, Iterator, Mapping, NoReturn, Optional

from .._mechanisms import Gaussian
from .._numbers import Count, Number, shown_step
from ..errors import InvalidArgument, Unsupported
from ..mechanisms import Mechanism, Sampled
from ..plan import ADD_OR_REMOVE_ONE, Plan
from ..sampling import Poisson, Sampling
from .batches import Batch, Mask
from .checkpoint import checked_state
from .checks import check_rate, check_same, check_steps, number_told
from .draws import Indices
from .progress import Due, Progress
from .size import Records

if TYPE_CHECKING:
    from .observation import Observation


class Loader:
    """Base class of the loaders. A loader draws the batches of one training by exact samplers, and carries the step of
    a plan that accounts for them.

    >>> import renyi
    >>> loader = renyi.loaders.PoissonLoader(61_234, batch_size=256, nominal_size=64_000, steps=1000)
    >>> isinstance(loader, renyi.loaders.Loader), loader.sampling
    (True, Poisson(rate=0.004))
    >>> loader.step(noise_multiplier=1.1)
    Gaussian(stddev=1.1, l2_sensitivity=1.0).sampled(Poisson(rate=0.004))

    ``dataset_size`` is used for drawing only, unless ``neighbors`` is "zero-out" or "replace-one", under which it is
    public. ``nominal_size`` is the public number that stands for it (docs/guide/public-size.md).

    Iterating gives the batches that are left of the training, ``epoch()`` those of the epoch. Batches are drawn when
    they are asked for, in the process that made the loader: workers are given batches, and do not draw their own.
    """

    kind: ClassVar[str]
    #: The parameters of the loader, which a checkpoint has to agree with.
    _parameters: dict[str, Any]

    def __init__(self, records: Records, steps: int, sampling: Sampling, parameters: dict[str, Any]) -> None:
        self._records, self._steps, self._sampling = records, steps, sampling
        stated = {} if records.stated is None else {"nominal_size": records.stated}
        self._parameters = {"dataset_size": records.count, **parameters, **stated}
        self._position = self._start = 0
        self._identifier = secrets.token_hex(16)
        self._attempt: object = object()
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._observations: list[Observation] = []
        self._progress = Progress()
        self._paid = Due(0, 0)
        self._session = secrets.token_hex(8)
        #: The epochs that began before a checkpoint, and where this loader went on with them.
        self._inherited: dict[str, int] = {}

    @property
    def dataset_size(self) -> int:
        """The number of records that batches are drawn from. Under add-or-remove-one it is private, and so is all that
        is computed from it: use ``nominal_size``."""
        return self._records.count

    @property
    def nominal_size(self) -> Optional[int]:
        """The public number that stands for the number of records: the one that was stated, or the number itself if
        ``neighbors`` keeps it the same; else None."""
        return self._records.nominal

    @property
    def neighbors(self) -> str:
        """The neighbouring relation that the loader was made for. Under add-or-remove-one what it hands out, besides
        the records of a batch, does not depend on their number."""
        return self._records.neighbors

    @property
    def steps(self) -> int:
        """The number of batches of the whole training."""
        return self._steps

    @property
    def position(self) -> int:
        """The number of batches that were handed out, those before a checkpoint included."""
        return self._position

    @property
    def sampling(self) -> Sampling:
        """The sampling scheme by which the batches are drawn."""
        return self._sampling

    @property
    def identifier(self) -> str:
        """A public random name, by which accounts know the loader and those that continue from its checkpoints."""
        return self._identifier

    @property
    def steps_per_epoch(self) -> int:
        """The number of batches in which each record is expected once, rounded up."""
        return max(1, math.ceil(min(self._steps, self._batches_for_all() * (1 - 1e-12))))

    def _batches_for_all(self) -> float:
        """Returns one over the public rate of a record."""
        raise NotImplementedError

    @property
    def expected_batch_size(self) -> float:
        """The expected number of records of a batch, if there are ``nominal_size`` of them: what sums with noise are
        divided by. ``Unsupported`` if there is no such number."""
        raise NotImplementedError

    def mean(self, total: Any, divisor: Optional[Number] = None) -> Any:
        """Divides a sum with noise by the expected batch size.

        >>> import renyi
        >>> renyi.loaders.PoissonLoader(1017, rate=0.1, nominal_size=1000, steps=1).mean(250.0)
        2.5

        ``divisor`` is what a program divides by at present; any other number is refused. A divisor that depends on the
        data gives the noise a scale that does: the number of records that were drawn, the parts that a batch was cut
        into, or a rate times a number of records that is not public. The error does not repeat it.
        """
        expected = self.expected_batch_size
        if divisor is not None and not abs(number_told("divisor", divisor, False) - expected) <= 1e-12 * expected:
            given = "a number that is not the expected batch size"
            why = "what else a program divides by depends on the draw or on the data, and is not accounted for"
            raise InvalidArgument("divisor", given, f"{expected:g}: {why}")
        return total / expected

    def step(self, what: Optional[Mechanism] = None, *, noise_multiplier: Optional[Number] = None) -> Sampled:
        """Returns the step of a plan: the mechanism, or Gaussian noise of this multiplier, on such a sample. For random
        allocation it stands for an epoch. A step carries no relation: put it into a plan with that of the loader
        (``neighbors``), or take ``plan``."""
        return mechanism_of(what, noise_multiplier).sampled(self._sampling)

    def plan(
        self,
        what: Optional[Mechanism] = None,
        *,
        noise_multiplier: Optional[Number] = None,
        neighbors: Optional[str] = None,
        unit: Count = 1,
    ) -> Plan:
        """Returns the plan of the whole training, for questions before it starts. Its relation is that of the loader,
        unless ``neighbors`` states one under which the loader reveals no more.

        >>> import renyi
        >>> loader = renyi.loaders.PoissonLoader(61_234, batch_size=256, nominal_size=60_000, steps=14_063)
        >>> renyi.epsilon(loader.plan(noise_multiplier=1.1), delta=1e-5) <= 2.4
        True
        """
        empty = Plan(neighbors=self.neighbors if neighbors is None else neighbors, unit=unit)
        self._check_neighbors(empty.neighbors)
        return empty.add(self.step(what, noise_multiplier=noise_multiplier), self._planned_steps())

    def check(
        self,
        *,
        sampling_rate: Optional[Number] = None,
        steps: Optional[Count] = None,
        batch_size: Optional[Number] = None,
        dataset_size: Optional[Count] = None,
    ) -> None:
        """Compares numbers that another accountant or program is told with those of the loader, and raises
        ``InvalidArgument``, which names both, where they differ.

        >>> import renyi
        >>> loader = renyi.loaders.PoissonLoader(101_007, batch_size=16, nominal_size=100_000, steps=1000)
        >>> loader.check(sampling_rate=16 / 100_000, steps=1000, dataset_size=100_000)

        ``dataset_size`` is compared with ``nominal_size``. Under add-or-remove-one errors do not repeat what was given,
        which may have been computed from the data.
        """
        check_rate(sampling_rate, self)
        check_steps(steps, self._steps, "the batches of the training", self)
        if batch_size is not None:
            which = "the expected number of records of a batch"
            check_same("batch_size", batch_size, self.expected_batch_size, which, self)
        if dataset_size is not None:
            which = "the nominal size" if self._records.stated else "the records that the loader draws from"
            check_same("dataset_size", dataset_size, self._records.nominal_for("its check"), which, self)

    def _check_neighbors(self, neighbors: str) -> None:
        """Raises an error if the loader takes the number of records to be public, and these neighbours differ in it."""
        if neighbors == ADD_OR_REMOVE_ONE and self._records.is_public:
            allowed = (
                f"{self.neighbors}, as the loader says, which takes the number of records to be public: state it for"
                " the account too, or make the loader with nominal_size=... alone (docs/guide/public-size.md)"
            )
            raise InvalidArgument("neighbors", neighbors, allowed)

    def __iter__(self) -> Iterator[Batch]:
        """Hands out the batches that are left of the training, one after the other. Each is charged to the accounts
        that observe the loader before it is drawn."""
        return self._batches(self._steps)

    def epoch(self) -> Iterator[Batch]:
        """Hands out the batches that are left of the epoch, or those of the next one."""
        if self._position >= self._steps:
            done = f"an epoch after batch {self._position}"
            raise InvalidArgument("steps", done, f"at most {self._steps} batches, as the loader was made for")
        size = self.steps_per_epoch
        return self._batches(min(self._steps, (self._position // size + 1) * size))

    def _batches(self, end: int) -> Iterator[Batch]:
        while True:
            batch = self._next(end)
            if batch is None:
                return
            yield batch

    def _next(self, end: int) -> Optional[Batch]:
        if os.getpid() != self._process:
            why = "it was made by another process: a forked copy would draw batches that no account knows of"
            raise Unsupported("loader", why, "draw the batches in the process that made the loader, and pass them on")
        with self._lock:
            position = self._position
            if position >= end:
                return None
            epoch = self._epoch_of(position)
            for observation in self._observations:
                observation._charge(position, epoch, self._attempt)
            due = self._progress.due(position, epoch, self._attempt)
            indices, mask = self._draw(position, epoch)
            self._progress.settle(due, position, epoch, self._attempt)
            self._paid = Due(self._paid.sampled + due.sampled, self._paid.unsampled + due.unsampled)
            self._position = position + 1
            indices.setflags(write=False)
            return Batch(indices, position + 1, type(self).__name__, mask)

    def _epoch_of(self, position: int) -> str:
        """Returns the public name of the allocation to which a batch belongs; empty if each is drawn by itself."""
        return ""

    def _draw(self, position: int, epoch: str) -> tuple[Indices, Optional[Mask]]:
        raise NotImplementedError

    @property
    def samples_each_batch(self) -> bool:
        """True if each batch is a step of the plan, False if an epoch is one."""
        return True

    def _planned_steps(self) -> int:
        """Returns the number of steps of the plan."""
        return self._steps if self.samples_each_batch else self._steps // self.steps_per_epoch

    def _again(self, what: Mechanism) -> Mechanism:
        """Returns the step that is due where batches of an allocation are handed out again: every record takes part."""
        return what.sampled(Poisson(rate=1.0))

    def batch_sampler(self) -> Any:
        """Returns a batch sampler for torch: ``DataLoader(dataset, batch_sampler=loader.batch_sampler())``. Each
        iteration is an epoch. If torch was imported, it is a ``torch.utils.data.Sampler``."""
        from .torch_adapter import batch_sampler

        return batch_sampler(self)

    def data_loader(self, dataset: Any, **options: Any) -> Any:
        """Returns torch's ``DataLoader`` of the dataset with these batches, which also collates empty ones. The options
        are those of ``DataLoader``, for example ``num_workers``."""
        from .torch_adapter import data_loader

        return data_loader(self, dataset, options)

    def state_dict(self) -> dict[str, Any]:
        """Returns a checkpoint. **It is secret**: it holds the number of records, and for random allocation the batches
        of the epoch, so that a loader which continues from it redraws nothing. Keep it where the data are kept."""
        with self._lock:
            common = {"renyi_loader": 1, "kind": self.kind, "identifier": self._identifier}
            return {**common, "parameters": dict(self._parameters), "position": self._position, **self._secrets()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continues from a checkpoint of a loader with the same parameters. Accounts that observe this loader charge
        the batches that are handed out again. An invalid checkpoint raises an error and changes nothing."""
        checked = checked_state(state, self.kind, self._parameters, self._steps, self._records.is_public)
        with self._lock:
            restored = self._read_secrets(checked)
            if checked["identifier"] != self._identifier and self._progress.batches:
                allowed = "a checkpoint of this loader, or a loader that has handed out no batch yet"
                raise InvalidArgument("state.identifier", "that of another loader", allowed)
            for observation in self._observations:
                observation._expect(checked["identifier"], checked["position"])
            self._restore(restored)
            if checked["identifier"] != self._identifier:
                self._progress, self._inherited, self._identifier = Progress(), {}, checked["identifier"]
            self._position, self._attempt = checked["position"], object()
            self._start = min(self._start, self._position) if self._progress.batches else self._position
            self._continue_epoch()
            for observation in self._observations:
                observation._follow()

    def _secrets(self) -> dict[str, Any]:
        return {}

    def _read_secrets(self, state: Mapping[str, Any]) -> Any:
        return None

    def _restore(self, restored: Any) -> None:
        pass

    def _continue_epoch(self) -> None:
        pass

    def __reduce__(self) -> NoReturn:
        why = "what a loader draws is secret, and a copy of it would hand out batches that no account knows of"
        raise Unsupported("loader", why, "use state_dict() and load_state_dict()")

    def __repr__(self) -> str:
        """Names the number of records where it is public, and then the relation that says so."""
        shown = dict(self._parameters)
        if self._records.is_public:
            shown["neighbors"] = self.neighbors
        else:
            del shown["dataset_size"]
        given = ", ".join(f"{name}={value!r}" for name, value in shown.items())
        return f"{type(self).__name__}({given})"


def mechanism_of(what: object, noise_multiplier: Optional[Number]) -> Mechanism:
    """Returns the mechanism that runs on each batch: one that is given, or Gaussian noise."""
    if what is None:
        if noise_multiplier is None:
            raise InvalidArgument("noise_multiplier", "nothing", "a number, or a mechanism in its place")
        return Gaussian(noise_multiplier)
    if noise_multiplier is not None:
        raise InvalidArgument("noise_multiplier", repr(noise_multiplier), "nothing beside a mechanism")
    if not isinstance(what, Mechanism):
        raise InvalidArgument("what", shown_step(what), "a mechanism")
    if isinstance(what, Sampled) or what.kind == "sampled-gaussian":
        raise InvalidArgument("what", repr(what), "a mechanism without a sample, which the loader draws")
    return what
