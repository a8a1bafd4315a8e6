"""Loaders that match the account: batches drawn by exact samplers, each loader with its own step of a plan.

>>> import renyi
>>> loader = renyi.loaders.PoissonLoader(61_234, batch_size=256, nominal_size=64_000, steps=500)
>>> account = renyi.Accountant()
>>> observed = account.observe(loader, noise_multiplier=1.1)
>>> for batch in loader:
...     pass  # data[batch] are the records of the step, and the step is in the account already
>>> account.plan
<Plan: 500 x Gaussian(stddev=1.1, l2_sensitivity=1.0).sampled(Poisson(rate=0.004)) (add-or-remove-one)>

Which records a batch holds is secret, because sampling amplifies privacy only against those who do not know it: it is
never printed, logged or pickled. ``state_dict`` of a loader is secret for the same reason. The number of records is
private too, unless a loader is told otherwise: ``nominal_size`` stands for it (docs/guide/public-size.md).
``recognise`` says what a DataLoader of torch does. docs/guide/loaders.md has the whole story.
"""

from .batches import Batch, microbatches
from .fixed_size import FixedSizeLoader
from .loader import Loader
from .observation import Observation, Observed, TorchObservation
from .poisson import PoissonLoader, TruncatedPoissonLoader
from .random_allocation import RandomAllocationLoader
from .recognise import Recognised, recognise
from .torch_adapter import LoaderBatchSampler

__all__ = [
    "Batch",
    "FixedSizeLoader",
    "Loader",
    "LoaderBatchSampler",
    "Observation",
    "Observed",
    "PoissonLoader",
    "RandomAllocationLoader",
    "Recognised",
    "TorchObservation",
    "TruncatedPoissonLoader",
    "microbatches",
    "recognise",
]
