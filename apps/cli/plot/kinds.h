// The kinds of figures there are, one file each.
#pragma once

#include "apps/cli/flags/question.h"
#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// What is asked is in the question's request: the run, and, where it was given, "delta". Throw Error where the run has
// no such figure.
Figure rdp_figure(const Question& question);
Figure steps_figure(const Question& question);
Figure profile_figure(const Question& question);
Figure tradeoff_figure(const Question& question);
Figure outcomes_figure(const Question& question);
Figure accountants_figure(const Question& question);
Figure closed_form_figure(const Question& question);

// The divergences that `renyi rdp` printed, and nothing between them.
Figure rdp_points_figure(const Question& question);

}  // namespace renyi::cli::plot
