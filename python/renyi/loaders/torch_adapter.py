"""Loaders as batch samplers of torch. torch is used only if the program has imported it or asks for its DataLoader."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Callable, Iterator, Sequence

from ..errors import InvalidArgument
from .checks import is_public_for, shown
from .loader import Loader


class LoaderBatchSampler:
    """The batches of a loader as lists of indices; each iteration is an epoch.

    >>> import renyi
    >>> loader = renyi.loaders.FixedSizeLoader(100, batch_size=20, steps=10, neighbors="zero-out")
    >>> sampler = loader.batch_sampler()
    >>> len(sampler), [len(batch) for batch in sampler]
    (5, [20, 20, 20, 20, 20])

    The lists are drawn in the process that iterates, and workers are sent theirs: all of them share one draw. A batch
    is charged when it is drawn, which may be some batches before it is used. Padded batches come without padding.
    """

    def __init__(self, loader: Loader) -> None:
        self.renyi_loader = loader

    def __iter__(self) -> Iterator[list[int]]:
        for batch in self.renyi_loader.epoch():
            yield batch.indices[batch.mask].tolist()

    def __len__(self) -> int:
        return self.renyi_loader.steps_per_epoch

    def __repr__(self) -> str:
        return f"<batches of {self.renyi_loader!r}>"


def batch_sampler(loader: Loader) -> LoaderBatchSampler:
    """Returns the batch sampler of a loader, which is also one of torch's if torch was imported."""
    torch = sys.modules.get("torch")
    if torch is None:
        return LoaderBatchSampler(loader)
    made = type("LoaderBatchSampler", (LoaderBatchSampler, torch.utils.data.Sampler), {})(loader)
    assert isinstance(made, LoaderBatchSampler)
    return made


def data_loader(loader: Loader, dataset: Any, options: dict[str, Any]) -> Any:
    """Returns torch's DataLoader with the batches of a loader."""
    data: Any = importlib.import_module("torch.utils.data")
    if len(dataset) != loader.dataset_size:
        raise _other_records(len(dataset), loader)
    for name in ("batch_size", "shuffle", "sampler", "batch_sampler", "drop_last"):
        if name in options:
            given = shown(options[name], is_public_for(loader))
            raise InvalidArgument(name, given, "nothing: the loader decides which records a batch has")
    collate = options.pop("collate_fn", None) or data.default_collate
    return data.DataLoader(
        dataset, batch_sampler=batch_sampler(loader), collate_fn=CollateEmpty(collate, dataset), **options
    )


def _other_records(given: int, loader: Loader) -> InvalidArgument:
    """Returns an error that says how many records there are only where that is public."""
    if not is_public_for(loader):
        return InvalidArgument("dataset", "other records", "the records that the loader draws from")
    return InvalidArgument("dataset", f"{given} records", f"{loader.dataset_size} records, as the loader draws from")


class CollateEmpty:
    """Collates batches, also those without records: they become the collated first record with its rows left out."""

    def __init__(self, collate: Callable[[Sequence[Any]], Any], dataset: Any) -> None:
        self._collate, self._dataset = collate, dataset

    def __call__(self, samples: Sequence[Any]) -> Any:
        return self._collate(samples) if len(samples) else _without_rows(self._collate([self._dataset[0]]))


def _without_rows(collated: Any) -> Any:
    if isinstance(collated, dict):
        return {name: _without_rows(part) for name, part in collated.items()}
    if isinstance(collated, (list, tuple)):
        # A list of tensors is a batch of records with several parts; other lists have an element for each record.
        whole = all(hasattr(part, "shape") or isinstance(part, (dict, list, tuple)) for part in collated)
        return [_without_rows(part) for part in collated] if whole else []
    return collated[:0]
