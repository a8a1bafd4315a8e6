// The views of `renyi calibrate --split`: several noise parameters that share one budget.
#pragma once

#include "api/calibrate.h"
#include "apps/cli/commands/command.h"

namespace renyi::cli {

Views<api::SplitRequest> split_views();

}  // namespace renyi::cli
