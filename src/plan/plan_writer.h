// Writes the steps of plans as JSON. Plan files, and the logs of ledgers, share this writer.
#pragma once

#include "json/json.h"
#include "renyi/plan.h"

namespace renyi::plan {

// Returns the member "steps" of the file of a plan with these steps. Throws Unsupported if one is a custom mechanism.
json::Json write_steps(const Steps& steps);

}  // namespace renyi::plan
