"""Training runs described by their sizes (records, batches and epochs), and the number of steps that follows."""

from __future__ import annotations

import warnings
from typing import Any, Iterable, NamedTuple, Optional, Union

from . import _native
from ._numbers import Count, Counts, Number, Numbers, shown_step, to_float, to_int, to_text
from .errors import InvalidArgument
from .mechanisms import Mechanism
from .plan import ADD_OR_REMOVE_ONE, RELATIONS, Plan
from .sampling import Sampling, from_native

#: The sampling scheme of a step: "poisson", "fixed-size", ..., or the class of that scheme.
Scheme = Union[str, type[Sampling]]
_SCHEMES = "one of poisson, fixed-size, with-replacement, truncated-poisson, shuffled"


class PrivacyWarning(UserWarning):
    """A warning about a run although the answer is correct; ``str(warning)`` is a sentence.

    ``kind`` is "large-delta" (delta is not below 1/N) or "shuffled-loader" (the run is given in epochs, as for a data
    loader that shuffles, but analysed with sampling). Python's ``warnings`` module issues the first kind; the member
    ``warnings`` of the answer contains both. "size-taken-as-public" is issued by ``renyi.loaders.recognise``.

    >>> import renyi
    >>> [warning.kind for warning in renyi.Run(dataset_size=600, batch_size=20, epochs=2).warnings(delta=1e-5)]
    ['shuffled-loader']
    """

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message, kind)
        self.kind = kind

    def __str__(self) -> str:
        return str(self.args[0])

    def __eq__(self, other: object) -> bool:
        return self.args == other.args if isinstance(other, PrivacyWarning) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.args)


class Run:
    """A training run described by its sizes: the number of its steps, its sampling, and the rules that gave them.

    >>> import renyi
    >>> run = renyi.Run(dataset_size=60_000, batch_size=256, epochs=60)
    >>> run.steps, run.sampling
    (14063, Poisson(rate=0.004266666666666667))
    >>> run.plan(renyi.Gaussian(1.1))
    <Plan: 14063 x SampledGaussian(sampling_rate=0.004266666666666667, noise_multiplier=1.1) (add-or-remove-one)>

    dataset_size: the number of records, N, which counts as public: under add-or-remove-one a rate or a number of steps
      that is computed from it tells it (docs/guide/public-size.md).
    epochs: the number of passes over the data, which determines the steps unless ``steps`` is given.
    accumulation: the number of batches into which the records of one step are divided.
    sampling: the name of a scheme, or its class (default: Poisson, if a batch size or a rate is given).
    sampling_rate: the sampling rate, instead of a batch size.
    batch_limit: the largest batch size of "truncated-poisson".
    """

    __slots__ = ("_engine", "_sizes")

    def __init__(
        self,
        *,
        dataset_size: Optional[Count] = None,
        batch_size: Optional[Count] = None,
        epochs: Optional[Number] = None,
        accumulation: Optional[Count] = None,
        sampling: Optional[Scheme] = None,
        batch_limit: Optional[Count] = None,
        sampling_rate: Optional[Number] = None,
        steps: Optional[Count] = None,
    ) -> None:
        def whole(name: str, value: Optional[Count]) -> Optional[int]:
            return None if value is None else to_int(name, value)

        self._sizes: dict[str, Any] = {
            "dataset_size": whole("dataset_size", dataset_size),
            "batch_size": whole("batch_size", batch_size),
            "epochs": None if epochs is None else to_float("epochs", epochs),
            "accumulation": whole("accumulation", accumulation),
            "sampling": scheme_name(sampling),
            "batch_limit": whole("batch_limit", batch_limit),
            "sampling_rate": None if sampling_rate is None else to_float("sampling_rate", sampling_rate),
            "steps": whole("steps", steps),
        }
        self._engine = _native.Run(**self._sizes, solve=None)

    @classmethod
    def _of(cls, sizes: dict[str, Any], solve: Optional[str] = None) -> Run:
        run = cls.__new__(cls)
        run._sizes, run._engine = sizes, _native.Run(**sizes, solve=solve)
        return run

    @property
    def steps(self) -> Optional[int]:
        """How often the mechanism runs: the number of steps, or of epochs if they are shuffled. None if it is solved
        for."""
        return self._engine.count

    @property
    def sampling(self) -> Optional[Sampling]:
        """The sampling of each step; None if every step uses all records."""
        found = self._engine.sampling
        return None if found is None else from_native(*found)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that gave the numbers, such as "steps: ceil(epochs * N / B) = ceil(60 * 60000 / 256) = 14063"."""
        return tuple(self._engine.rules)

    def plan(self, mechanism: Mechanism, *, neighbors: str = ADD_OR_REMOVE_ONE, unit: Count = 1) -> Plan:
        """Returns the plan that runs ``mechanism`` with the steps and the sampling of this run. ``Gaussian(1.1)`` is
        noise with a noise multiplier of 1.1."""
        if not isinstance(mechanism, Mechanism):
            raise InvalidArgument("mechanism", shown_step(mechanism), "a mechanism")
        relation = to_text("neighbors", neighbors, RELATIONS), to_int("unit", unit)
        return Plan._of(self._engine.plan(mechanism._engine, *relation))

    def warnings(self, delta: Optional[Number] = None) -> tuple[PrivacyWarning, ...]:
        """Returns the warnings about the run; if ``delta`` is given, those about delta too."""
        at = None if delta is None else to_float("delta", delta)
        return tuple(PrivacyWarning(text, kind) for kind, text in self._engine.warnings(at))

    def __eq__(self, other: object) -> bool:
        return self._sizes == other._sizes if isinstance(other, Run) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._sizes.values()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._sizes,)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._sizes.items() if value is not None)
        return f"Run({given})"


def _restored(sizes: dict[str, Any]) -> Run:
    return Run._of(sizes)


class Sizes(NamedTuple):
    """The sizes of a run in the arguments of a question: numbers, or arrays of them."""

    dataset_size: Optional[Counts] = None
    batch_size: Optional[Counts] = None
    epochs: Optional[Numbers] = None
    accumulation: Optional[Counts] = None
    sampling: Optional[Scheme] = None
    batch_limit: Optional[Counts] = None

    def told(self) -> Optional[Sizes]:
        """Returns the sizes, or None if none was given."""
        return None if all(size is None for size in self) else self


def scheme_name(sampling: object) -> Optional[str]:
    """Returns the name of a scheme that is given by its name or its class."""
    if sampling is None:
        return None
    if isinstance(sampling, type) and issubclass(sampling, Sampling) and sampling is not Sampling:
        return sampling.scheme
    return to_text("sampling", sampling, f"{_SCHEMES}, or a class such as renyi.Poisson")


def issue(found: Iterable[PrivacyWarning], stacklevel: int) -> None:
    """Issues Python warnings. A "shuffled-loader" warning is only in the answer: the records may well be sampled as
    stated."""
    for warning in found:
        if warning.kind != "shuffled-loader":
            warnings.warn(warning, stacklevel=stacklevel + 1)
