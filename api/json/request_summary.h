// Describes the steps of JSON documents as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"

namespace renyi::api {

// Returns what the values of these steps assume under this neighbouring relation (renyi/plan.h: `assumption`). It is
// empty for most steps.
std::string assumption_in(const json::Json& steps, std::string_view relation);

// Returns one line per step; the steps of a group, a parallel part or a selection follow below it, indented by "> ".
std::vector<std::string> steps_in_words(const json::Json& steps);

}  // namespace renyi::api
