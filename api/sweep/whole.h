// Which numbers of a request are whole.
#pragma once

#include <string_view>

#include "json/field.h"

namespace renyi::api::sweep {

// Is the member `key` of `parent` (a request, a step, a sampling, the runs of a selection) one that takes integers
// only?
bool takes_whole_numbers(const json::Json& parent, std::string_view key);

}  // namespace renyi::api::sweep
