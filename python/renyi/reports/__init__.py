"""Questions whose answers have many parts. Each has one function and one class of reports."""

from ._accuracy import Accuracy, accuracy
from ._compare import Comparison, DeltaSplit, LargestCount, StepGuarantee, Theorem, compare
from ._explain import Explanation, explain
from ._filter_design import FilterDesign, FilterKind, FixedInAdvance, FixedSteps, design_filter
from ._loss import DirectionLoss, Loss, loss
from ._matrix_design import DesignedMatrix, MatrixDesign, matrix_design
from ._profile import Profile, profile
from ._relate import Relations, relate
from ._statement import Statement, report
from ._tradeoff import Tradeoff, tradeoff

__all__ = [
    "Accuracy",
    "Comparison",
    "DeltaSplit",
    "DesignedMatrix",
    "DirectionLoss",
    "Explanation",
    "FilterDesign",
    "FilterKind",
    "FixedInAdvance",
    "FixedSteps",
    "LargestCount",
    "Loss",
    "MatrixDesign",
    "Profile",
    "Relations",
    "Statement",
    "StepGuarantee",
    "Theorem",
    "Tradeoff",
    "accuracy",
    "compare",
    "design_filter",
    "explain",
    "loss",
    "matrix_design",
    "profile",
    "relate",
    "report",
    "tradeoff",
]
