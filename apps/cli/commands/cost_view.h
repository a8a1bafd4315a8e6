// Prints the answers to the questions about epsilon and delta, as a report and as rows.
#pragma once

#include "api/cost.h"
#include "apps/cli/commands/command.h"

namespace renyi::cli {

Views<api::CostRequest> cost_views();

}  // namespace renyi::cli
