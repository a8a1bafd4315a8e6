// All kinds of figures, one file for each.
#pragma once

#include <string>

#include "api/ledger.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// The question's request contains the run and, if given, "delta". These functions throw Error if the run has no such
// figure.
Figure rdp_figure(const Question& question);
Figure steps_figure(const Question& question);
Figure profile_figure(const Question& question);
Figure tradeoff_figure(const Question& question);
Figure outcomes_figure(const Question& question);
Figure accountants_figure(const Question& question);
Figure closed_form_figure(const Question& question);
Figure loss_figure(const Question& question);
Figure epochs_figure(const Question& question);
Figure filter_figure(const Question& question);

// Draws the balance of a scope that is nearest to its limit, after each of its entries.
Figure ledger_figure(const api::LedgerRequest& asked, const ScopeState& state);

// Draws the divergences that `renyi rdp` printed, without points between them.
Figure rdp_points_figure(const Question& question);

}  // namespace renyi::cli::plot
