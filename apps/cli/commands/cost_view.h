// The answers to "which epsilon" and "which delta" as a report and as rows.
#pragma once

#include <string>

#include "apps/cli/commands/command.h"

namespace renyi::cli {

// `figure` is what was asked for, `given` the other of epsilon and delta.
JsonViews cost_views(const std::string& figure, const std::string& given);

}  // namespace renyi::cli
