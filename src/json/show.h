// Values and keys of strangers, made fit for a one-line error message.
#pragma once

#include <string>
#include <string_view>

#include "json/json.h"

namespace renyi::json {

// At most about 40 bytes of the text, cut between characters: printable, valid UTF-8.
std::string show(std::string_view text);

// The value as JSON, shortened the same way.
std::string show(const Json& value);

// Path of a member: "steps[2]" and "count" give "steps[2].count".
std::string member_path(std::string_view parent, std::string_view key);

// Path of an element: "steps" and 2 give "steps[2]".
std::string element_path(std::string_view parent, std::size_t index);

}  // namespace renyi::json
