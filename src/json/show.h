// Untrusted values and keys, shortened and escaped for a one-line error message.
#pragma once

#include <string>
#include <string_view>

#include "json/json.h"

namespace renyi::json {

// Returns at most about 40 bytes of the text, cut between characters, as printable, valid UTF-8.
std::string show(std::string_view text);

// Returns the value as JSON, shortened in the same way.
std::string show(const Json& value);

// Returns what the value is and nothing of what it says: "a number", "a string", "an array", ...
std::string_view kind_of(const Json& value);

// Returns the path of a member: "steps[2]" and "count" give "steps[2].count".
std::string member_path(std::string_view parent, std::string_view key);

// Returns the path of an element: "steps" and 2 give "steps[2]".
std::string element_path(std::string_view parent, std::size_t index);

}  // namespace renyi::json
