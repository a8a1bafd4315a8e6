// The figures there are.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "apps/cli/plot/figure.h"
#include "apps/cli/question.h"

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

struct Kind {
  const char* name;
  const char* help;
  Figure (*figure)(const Question&);
};
std::span<const Kind> kinds();

}  // namespace renyi::cli::plot
