// The runs of a command line, several of which are drawn in one figure.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/flags/question.h"

namespace renyi::cli::plot {

// One of the runs on a command line: its flags, and the name that it has in the legend unless --label says another.
struct RunAsked {
  Flags flags;
  std::string label;
};

// Splits a command line with several plan files, or with a flag such as --noise-multiplier 1,1.5,2, into its runs.
// Throws InvalidArgument if there are too many, or if --label does not give each a name.
std::vector<RunAsked> runs_asked(const Flags& flags);

// The flags for names of runs.
FlagText label_flag();

}  // namespace renyi::cli::plot
