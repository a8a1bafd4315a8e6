"""Figures of plans and reports (needs matplotlib), of the same kinds as ``renyi plot`` and with the same numbers.

Every function draws on ``ax``, or on a new figure, and returns the axes. The sizes of figures, their resolution and
their fonts are matplotlib's (``figure.figsize``, ``savefig.dpi``, ``font.size``). What the functions have in common:

plans: a plan, a mechanism, or a list of them, each of which becomes a line with a label; in place of it, the numbers of
  a run as keywords, as in ``renyi.epsilon``. A number may be an array: ``noise_multiplier=[0.8, 1.1, 2]`` draws three
  lines.
labels: the labels of the lines in the legend (default: the plans in words, or the numbers that differ).
title: the title, whole and in as many lines as it needs; "" for none (default: what is drawn, of which plan).
xscale, yscale: "linear" or "log".
"""

from ._costs import plot_accountants, plot_closed_form, plot_epochs, plot_steps
from ._curves import plot_profile, plot_rdp, plot_tradeoff
from ._heat_map import plot_heat_map
from ._losses import plot_loss, plot_loss_tails
from ._outcomes import plot_outcomes

__all__ = [
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
]
