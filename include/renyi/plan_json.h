// Plan files, format version 1 (docs/format/plan.md).
#pragma once

#include <string>
#include <string_view>

#include "renyi/plan.h"

namespace renyi {

// Throws InvalidArgument (with the JSON path) or Unsupported.
Plan read_plan(std::string_view json);

// Canonical text: reads back to an equal plan. Throws Unsupported for a mechanism of one's own (renyi/extras/own.h).
std::string write_plan(const Plan& plan);

}  // namespace renyi
