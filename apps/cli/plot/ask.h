// The figure of a question, or of several questions about different runs.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/flags/question.h"
#include "apps/cli/plot/axes.h"

namespace renyi::cli::plot {

// A question about one run, and the name of the run among several.
struct AskedRun {
  Question question{};
  std::string label{};
};

// Draws the figure of this kind with those members of the request that it takes. Errors name paths of the request.
Figure figure_of(const std::string& kind, const Question& question);
// The same for several runs, of which the first question says what is asked. Errors are explained by the flags of the
// run that they are about, or by its file.
Figure figure_of_all(const std::string& kind, const std::vector<AskedRun>& runs);

}  // namespace renyi::cli::plot
