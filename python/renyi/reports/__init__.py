"""Questions whose answers have many parts: one function and one report each."""

from ._compare import Comparison, LargestCount, Theorem, compare
from ._explain import Explanation, explain
from ._loss import DirectionLoss, Loss, loss
from ._profile import Profile, profile
from ._relate import Relations, relate
from ._statement import Statement, report
from ._tradeoff import Tradeoff, tradeoff

__all__ = [
    "Comparison",
    "DirectionLoss",
    "Explanation",
    "LargestCount",
    "Loss",
    "Profile",
    "Relations",
    "Statement",
    "Theorem",
    "Tradeoff",
    "compare",
    "explain",
    "loss",
    "profile",
    "relate",
    "report",
    "tradeoff",
]
