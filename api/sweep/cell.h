// Cells of comma-separated rows (RFC 4180), one line a row.
#pragma once

#include <string>
#include <string_view>

#include "api/api.h"

namespace renyi::api::sweep {

// Words, in quotes where they need them; line ends become blanks.
void append_cell(std::string& out, std::string_view words);
// Any value, as api::write has it.
void append_json(std::string& out, const Json& value);
// A number as documents have it: it reads back to the same double. Infinity is the word inf.
void append_cell(std::string& out, const Json& value);

}  // namespace renyi::api::sweep
