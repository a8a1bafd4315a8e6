// Values and keys of strangers, made fit for a one-line error message.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace renyi::json {

// As in parse.h; whoever looks into a value includes <nlohmann/json.hpp>.
using Json = nlohmann::ordered_json;

// At most about 40 bytes of the text, cut between characters: printable, valid UTF-8.
std::string show(std::string_view text);

// The value as JSON, shortened the same way.
std::string show(const Json& value);

// Path of a member: "steps[2]" and "count" give "steps[2].count".
std::string member_path(std::string_view parent, std::string_view key);

// Path of an element: "steps" and 2 give "steps[2]".
std::string element_path(std::string_view parent, std::size_t index);

}  // namespace renyi::json
