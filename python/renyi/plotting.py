"""The names of figures before ``renyi.plot``, which stay until 1.0."""

from . import plot

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

plot_accountants = plot.accountants
plot_closed_form = plot.closed_form
plot_epochs = plot.epochs
plot_heat_map = plot.heat_map
plot_loss = plot.loss
plot_loss_tails = plot.loss_tails
plot_outcomes = plot.outcomes
plot_profile = plot.profile
plot_rdp = plot.rdp
plot_steps = plot.steps
plot_tradeoff = plot.tradeoff
