"""Rényi differential privacy: computes the (epsilon, delta) of a training run or of any composition of mechanisms.

Every answer has an upper bound from Rényi divergences and, where possible, an interval that contains the exact value.

>>> import renyi
>>> renyi.epsilon(sampling_rate=0.01, noise_multiplier=1.1, steps=10_000, delta=1e-5)
<epsilon <= 5.19259 at delta 1e-05: exact [5.19258, 5.19259] by contour, Rényi bound 5.63181 at order 4.67145 (tight)>

What is asked about is a training run given by its numbers, as above, or a ``Plan``: mechanisms (``Gaussian``,
``Laplace``, ... ; ``catalogue()`` lists them) that run in sequence.

>>> plan = renyi.SampledGaussian(0.01, 1.1) * 10_000 + renyi.Laplace(20) * 3

The questions:

- ``epsilon``, ``delta``, ``profile``, ``rdp``: what a plan costs.
- ``calibrate``: the noise, the steps or another number that meets a budget.
- ``explain``, ``tradeoff``, ``loss``: what that means for a person, and what an attacker can learn.
- ``accuracy``: the error of noise before it is drawn.
- ``compare``, ``relate``: other theorems, and other notions of privacy.
- ``design_filter``: which filter lets most steps run if they are chosen on the way.
- ``matrix_design``: banded matrices for correlated noise, their error, and the noise for a target.
- ``report``: a privacy statement for a paper or a model card.
- ``certify``, ``verify``: a proof that anybody can check.
- ``divergence``: divergences of two distributions.
- ``plot``: figures of all these; ``plot_profile``, ``plot_rdp``, ``plot_steps``, ``plot_epochs``, ``plot_outcomes``,
  ``plot_tradeoff``, ``plot_accountants``, ``plot_closed_form``, ``plot_loss``, ``plot_loss_tails``, ``plot_heat_map``:
  their names until 1.0.
- ``sweep``: one question at every point of a grid. ``ask``: a request as a dictionary.
- ``noise``: exact noise for what is published, and the step to account for.
- ``Accountant``: the steps of a training loop as they happen.
- ``loaders``: batches for it, drawn exactly as they are accounted for.
- ``Filter``: a ``Budget`` for steps that are chosen on the way, after earlier results were seen.
- ``Odometer``: the cost of such steps so far, without a budget.
- ``IndividualFilter``: accounts of single records, each with a budget of its own.
- ``Ledger``: budgets that outlive the process, in a file or a database. ``LedgerAccountant``: training, epoch by epoch.
- ``Client``: the same on a server, over HTTP.
- ``release``: values with noise that a ledger has paid for first, ready to publish.
- ``convert``: the records of Opacus and dp-accounting as plans.

Every number of a question may be a NumPy array. Every answer converts by ``to_dict()``, ``to_json()`` and
``to_frame()``, and shows as a table in notebooks. Upper bounds are rounded up wherever they are printed or rounded.
"""

from . import _mechanisms
from ._native import version as __version__
from ._catalogue import catalogue
from ._grid import Grid
from .accountant import Accountant
from .answer_arrays import DeltaArray, EpsilonArray
from .answers import Delta, Epsilon, Exact, Interval
from . import loaders, noise, plot
from .balances import Balance, Balances
from .budgets import Budget
from .calibration import Calibration, Rounded, calibrate
from .certificates import Certificate, Claim, Verdict, certify, verify
from .divergences import Divergence, divergence
from .errors import AlreadyOpened, BudgetExceeded, Error, InvalidArgument, LimitReached, NotConverged, Refused
from .errors import StoreFailure, Unsupported
from .filters import Filter, FilterVerdict, FittingStep
from .individual_filter import IndividualFilter
from .ledger import Ledger
from .client import Client
from .ledger_accountant import LedgerAccountant
from ._mechanisms import *
from .mechanisms import Mechanism, Sampled, mechanism
from .custom import CustomMechanism, custom_curve, custom_pair
from .odometers import Odometer, OdometerReading
from .parallel import Parallel
from .pair import BernoulliLaw, LaplaceLaw, MultivariateNormalLaw, NormalLaw, Pair
from .plan import Plan, Step
from .plotting import plot_accountants, plot_closed_form, plot_epochs, plot_heat_map, plot_loss, plot_loss_tails
from .plotting import plot_outcomes, plot_profile, plot_rdp, plot_steps, plot_tradeoff
from .questions import delta, epsilon, rdp
from .receipts import BlockRule, LedgerEntry, LedgerHead, LedgerScope, LedgerVerification, Receipt, Ticket
from .records import convert
from .releases import Release, ReleasedNumber, ReleasedStatistic, release
from .reports import Accuracy, Comparison, Explanation, FilterDesign, Loss, MatrixDesign, Profile, Relations
from .reports import Statement, Tradeoff
from .reports import accuracy, compare, design_filter, explain, loss, matrix_design, profile, relate, report, tradeoff
from .requests import ask
from .run import PrivacyWarning, Run
from .sampling import FixedSize, Poisson, RandomAllocation, Sampling, Shuffled, TruncatedPoisson, WithReplacement
from .selection import Select
from .splitting import SplitCalibration, SplitValue
from .sweeps import Sweep, sweep

__all__ = [
    "Accountant",
    "Accuracy",
    "AlreadyOpened",
    "Balance",
    "Balances",
    "BernoulliLaw",
    "BlockRule",
    "Budget",
    "BudgetExceeded",
    "Calibration",
    "Certificate",
    "Claim",
    "Client",
    "Comparison",
    "Delta",
    "DeltaArray",
    "Divergence",
    "Epsilon",
    "EpsilonArray",
    "Error",
    "Exact",
    "Explanation",
    "Filter",
    "FilterDesign",
    "FilterVerdict",
    "FittingStep",
    "FixedSize",
    "Grid",
    "IndividualFilter",
    "Interval",
    "InvalidArgument",
    "LaplaceLaw",
    "Ledger",
    "LedgerAccountant",
    "LedgerEntry",
    "LedgerHead",
    "LedgerScope",
    "LedgerVerification",
    "LimitReached",
    "Loss",
    "MatrixDesign",
    "Mechanism",
    "MultivariateNormalLaw",
    "NormalLaw",
    "NotConverged",
    "Odometer",
    "OdometerReading",
    "CustomMechanism",
    "Pair",
    "Parallel",
    "Plan",
    "Poisson",
    "PrivacyWarning",
    "Profile",
    "RandomAllocation",
    "Receipt",
    "Refused",
    "Relations",
    "Release",
    "ReleasedNumber",
    "ReleasedStatistic",
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
    "StoreFailure",
    "Sweep",
    "Ticket",
    "Tradeoff",
    "TruncatedPoisson",
    "Unsupported",
    "Verdict",
    "WithReplacement",
    "__version__",
    "accuracy",
    "ask",
    "calibrate",
    "catalogue",
    "certify",
    "compare",
    "convert",
    "delta",
    "design_filter",
    "divergence",
    "epsilon",
    "explain",
    "loaders",
    "loss",
    "matrix_design",
    "mechanism",
    "noise",
    "custom_curve",
    "custom_pair",
    "plot",
    "plot_accountants",
    "plot_closed_form",
    "plot_epochs",
    "plot_heat_map",
    "plot_loss",
    "plot_loss_tails",
    "plot_outcomes",
    "plot_profile",
    "plot_rdp",
    "plot_steps",
    "plot_tradeoff",
    "profile",
    "rdp",
    "relate",
    "release",
    "report",
    "sweep",
    "tradeoff",
    "verify",
]
__all__ += _mechanisms.__all__
