// Writes the steps of plans as JSON. Plan files, and the logs of ledgers, share this writer.
#pragma once

#include "json/json.h"
#include "renyi/plan.h"

namespace renyi::plan {

// Returns the member "steps" of a plan file. Throws Unsupported if a step is a custom mechanism.
json::Json write_steps(const Plan& plan);

}  // namespace renyi::plan
