// One axis of a sweep: the values that one place of a request takes (docs/format/sweep.md).
#pragma once

#include <cstddef>
#include <vector>

#include "json/field.h"

namespace renyi::api::sweep {

// Objects with "values" or with "from". No object of a request has such a key, so there is no doubt.
bool is_axis(const json::Json& value);

// The values of {"values":[...]} or {"from","to","points","scale"?}, each once, at most `most` (2 or more). Where whole
// numbers are taken, points are rounded to them, and values may be written 1e4. Throws InvalidArgument.
std::vector<json::Json> read_axis(const json::Field& axis, bool whole, std::size_t most);

}  // namespace renyi::api::sweep
