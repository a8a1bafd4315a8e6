"""matrix_design: banded matrices for correlated noise, their error, and the noise for a privacy target."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Optional, Union

import numpy as np

from .. import _format, _native
from .._decode import decode
from .._export import Table
from .._mechanisms import BandedMatrix, ToeplitzMatrix
from .._numbers import Count, Counts, Floats, Number, Numbers, to_float, to_floats, to_int, to_ints, to_text

_NO_LIMIT = 1e9  # seconds
from .._report import Report, Section
from ..errors import InvalidArgument


@dataclasses.dataclass(frozen=True, eq=False)
class DesignedMatrix:
    """One matrix C, used without sampling or with cyclic Poisson sampling."""

    bands: int
    #: Whether the figures are those of cyclic Poisson sampling.
    amplified: bool
    #: The probability with which a record of the round's group enters the batch; None without sampling.
    sampling_rate: Optional[float]
    #: An upper bound on how far one record moves C g: in the whole run, or, if amplified, in one round.
    sensitivity: float
    #: Estimates of the squared error of prefix sums with noise of standard deviation 1: mean and largest over the rounds.
    mean_squared_error_estimate: float
    largest_squared_error_estimate: float
    #: The noise that meets the target, or that was given.
    noise_multiplier: Optional[float]
    #: An upper bound, with this noise.
    epsilon: Optional[float]
    #: Estimates with this noise: the root of the mean squared error, and of the largest one.
    rms_error_estimate: Optional[float]
    largest_error_estimate: Optional[float]
    #: Why there is no noise or no epsilon.
    unavailable: Optional[str]
    #: The first column of C, from the diagonal down; zeros follow.
    coefficients: Floats

    @classmethod
    def _from_json(cls, value: Any) -> DesignedMatrix:
        def optional(name: str) -> Optional[float]:
            return None if name not in value else decode(float, value[name])

        return cls(
            bands=decode(int, value["bands"]),
            amplified=decode(bool, value["amplified"]),
            sampling_rate=optional("sampling_rate"),
            sensitivity=decode(float, value["sensitivity"]),
            mean_squared_error_estimate=decode(float, value["mean_squared_error_estimate"]),
            largest_squared_error_estimate=decode(float, value["largest_squared_error_estimate"]),
            noise_multiplier=optional("noise_multiplier"),
            epsilon=optional("epsilon"),
            rms_error_estimate=optional("rms_error_estimate"),
            largest_error_estimate=optional("largest_error_estimate"),
            unavailable=value.get("unavailable"),
            coefficients=np.array(value["coefficients"], dtype=np.float64),
        )


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class MatrixDesign(Report):
    """Banded matrices for a run: the answer of ``renyi.matrix_design``.

    >>> import renyi
    >>> found = renyi.matrix_design(rounds=1000, bands=[1, 8])
    >>> found.best, found.matrices[1].coefficients[:3].round(4).tolist()
    (1, [1.0, 0.7728, 0.7119])
    """

    rounds: int
    #: How often a record takes part without sampling, and at what distance.
    participations: int
    min_separation: int
    matrices: tuple[DesignedMatrix, ...]
    #: The index of the matrix with the least error; None if no matrix has the figures to compare.
    best: Optional[int]

    def step(self, index: Optional[int] = None) -> Union[ToeplitzMatrix, BandedMatrix]:
        """Returns the step of a plan that uses the best matrix, or the one of that index, with its noise."""
        chosen = self.best if index is None else to_int("index", index)
        if chosen is None or not 0 <= chosen < len(self.matrices):
            raise InvalidArgument("index", repr(index), f"a number below {len(self.matrices)}")
        matrix = self.matrices[chosen]
        if matrix.noise_multiplier is None:
            raise InvalidArgument("noise_multiplier", "None", "a design with a target or a noise multiplier")
        rows = [[float(x)] for x in matrix.coefficients]
        if matrix.sampling_rate is not None:
            return BandedMatrix(
                noise_multiplier=matrix.noise_multiplier,
                rounds=self.rounds,
                sampling_rate=matrix.sampling_rate,
                coefficients=rows,
            )
        return ToeplitzMatrix(
            noise_multiplier=matrix.noise_multiplier,
            rounds=self.rounds,
            participations=self.participations,
            min_separation=self.min_separation,
            coefficients=rows,
        )

    def _table(self) -> Table:
        header = [
            "bands",
            "sampling",
            "sampling_rate",
            "sensitivity",
            "mean_squared_error_estimate",
            "largest_squared_error_estimate",
            "noise_multiplier",
            "epsilon",
            "rms_error_estimate",
            "largest_error_estimate",
            "unavailable",
        ]
        rows = []
        for one in self.matrices:
            sampling = "cyclic-poisson" if one.amplified else "none"
            rows.append([one.bands, sampling, *(getattr(one, name) for name in header[2:])])
        return Table(header, rows)

    def _title(self) -> str:
        return f"banded matrices for correlated noise over {self.rounds} rounds"

    def _sections(self) -> list[Section]:
        def shown(value: Optional[float]) -> str:
            return "" if value is None else _format.up(value)

        rows = []
        for index, one in enumerate(self.matrices):
            rows.append(
                [
                    f"{one.bands}{' *' if index == self.best else ''}",
                    "none" if one.sampling_rate is None else f"cyclic, {_format.plain(one.sampling_rate)}",
                    shown(one.sensitivity),
                    shown(one.noise_multiplier),
                    shown(one.epsilon),
                    "" if one.rms_error_estimate is None else _format.plain(one.rms_error_estimate),
                ]
            )
        return [Section(["bands", "sampling", "sensitivity <=", "noise", "epsilon <=", "rms error estimate"], rows)]


def matrix_design(
    *,
    rounds: Count,
    bands: Optional[Counts] = None,
    method: Optional[str] = None,
    coefficients: Optional[Numbers] = None,
    participations: Optional[Count] = None,
    min_separation: Optional[Count] = None,
    dataset_size: Optional[Number] = None,
    batch_size: Optional[Number] = None,
    neighbors: Optional[str] = None,
    epsilon: Optional[Number] = None,
    delta: Optional[Number] = None,
    noise_multiplier: Optional[Number] = None,
) -> MatrixDesign:
    """Designs banded matrices C for correlated noise C^-1 z: coefficients, sensitivity, the error of prefix sums, and
    the noise for a target, with and without amplification by cyclic Poisson sampling.

    >>> import renyi
    >>> found = renyi.matrix_design(
    ...     rounds=2000, bands=[1, 16], dataset_size=60_000, batch_size=600, epsilon=3, delta=1e-6)
    >>> best = found.matrices[found.best]
    >>> best.bands, best.amplified, found.step().kind
    (16, True, 'banded-matrix')

    rounds: training steps of the run.
    bands: numbers of bands, one design for each.
    method: "optimal" (default) or "square-root".
    coefficients: the first column of a matrix at hand, instead of bands and method.
    participations, min_separation: how many rounds a record contributes to without sampling, at most, and how far apart
        they are, at least. By default they follow from the sizes (every record once an epoch, in one order), or are 1.
    dataset_size, batch_size: sizes of the training; with them every design is also given with cyclic Poisson sampling.
    epsilon, delta: the target, for which the noise is found.
    noise_multiplier: the noise instead of a target; with delta, its epsilon is given.
    """
    request: dict[str, Any] = {"op": "matrix-design", "rounds": to_int("rounds", rounds)}
    if bands is not None:
        request["bands"] = to_ints("bands", bands).ravel().tolist()
    if coefficients is not None:
        request["coefficients"] = to_floats("coefficients", coefficients).ravel().tolist()
    for name, count in (("participations", participations), ("min_separation", min_separation)):
        if count is not None:
            request[name] = to_int(name, count)
    sizes = (("dataset_size", dataset_size), ("batch_size", batch_size), ("epsilon", epsilon), ("delta", delta))
    for name, number in (*sizes, ("noise_multiplier", noise_multiplier)):
        if number is not None:
            request[name] = to_float(name, number)
    for name, text in (("method", method), ("neighbors", neighbors)):
        if text is not None:
            request[name] = to_text(name, text)
    request["time_limit"] = _NO_LIMIT  # small requests have a limit of their own otherwise
    answer = _native.ask_request(json.dumps(request))
    found: MatrixDesign = decode(MatrixDesign, json.loads(answer))
    object.__setattr__(found, "_answer", answer)  # reports are frozen
    return found
