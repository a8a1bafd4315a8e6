// Steps of documents in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"

namespace renyi::api {

// What figures of these steps take for granted under this relation (renyi/plan.h: `assumption`); empty for most.
std::string assumption_in(const json::Json& steps, std::string_view relation);

// One line a step; those of a group, of a parallel part or of a selection below it, indented by "> ".
std::vector<std::string> steps_in_words(const json::Json& steps);

}  // namespace renyi::api
