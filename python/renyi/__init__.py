"""Rényi differential privacy: computes the (epsilon, delta) of a training run or of any composition of mechanisms.

Every answer has an upper bound from Rényi divergences and, where possible, an interval that contains the exact value.

>>> import renyi
>>> renyi.epsilon(sampling_rate=0.01, noise_multiplier=1.1, steps=10_000, delta=1e-5)
<epsilon <= 5.19259 at delta 1e-05: exact [5.19258, 5.19259] by contour, Rényi bound 5.63181 at order 4.67145 (tight)>
"""

from . import _mechanisms
from ._native import version as __version__
from ._catalogue import catalogue
from ._grid import Grid
from .accountant import Accountant
from .answer_arrays import DeltaArray, EpsilonArray
from .answers import Delta, Epsilon, Exact, Interval
from .calibration import Calibration, Rounded, calibrate
from .divergences import Divergence, divergence
from .errors import Error, InvalidArgument, NotConverged, Unsupported
from ._mechanisms import *
from .mechanisms import Mechanism, Sampled, mechanism
from .custom import CustomMechanism, custom_curve, custom_pair
from .parallel import Parallel
from .pair import BernoulliLaw, LaplaceLaw, MultivariateNormalLaw, NormalLaw, Pair
from .plan import Plan, Step
from .questions import delta, epsilon, rdp
from .records import convert
from .reports import Comparison, Explanation, Loss, Profile, Relations, Statement, Tradeoff
from .reports import compare, explain, loss, profile, relate, report, tradeoff
from .run import PrivacyWarning, Run
from .sampling import FixedSize, Poisson, Sampling, Shuffled, TruncatedPoisson, WithReplacement
from .selection import Select
from .splitting import SplitCalibration, SplitValue

__all__ = [
    "Accountant",
    "BernoulliLaw",
    "Calibration",
    "Comparison",
    "Delta",
    "DeltaArray",
    "Divergence",
    "Epsilon",
    "EpsilonArray",
    "Error",
    "Exact",
    "Explanation",
    "FixedSize",
    "Grid",
    "Interval",
    "InvalidArgument",
    "LaplaceLaw",
    "Loss",
    "Mechanism",
    "MultivariateNormalLaw",
    "NormalLaw",
    "NotConverged",
    "CustomMechanism",
    "Pair",
    "Parallel",
    "Plan",
    "Poisson",
    "PrivacyWarning",
    "Profile",
    "Relations",
    "Rounded",
    "Run",
    "Sampled",
    "Sampling",
    "Select",
    "Shuffled",
    "SplitCalibration",
    "SplitValue",
    "Statement",
    "Step",
    "Tradeoff",
    "TruncatedPoisson",
    "Unsupported",
    "WithReplacement",
    "__version__",
    "calibrate",
    "catalogue",
    "compare",
    "convert",
    "delta",
    "divergence",
    "epsilon",
    "explain",
    "loss",
    "mechanism",
    "custom_curve",
    "custom_pair",
    "profile",
    "rdp",
    "relate",
    "report",
    "tradeoff",
]
__all__ += _mechanisms.__all__
