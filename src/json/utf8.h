// Texts that users wrote and that are kept: UTF-8, without control characters.
#pragma once

#include <string_view>

namespace renyi::json {

// Returns whether the text is valid UTF-8 without control characters other than those that are allowed.
bool is_text(std::string_view text, std::string_view allowed_controls = {});

}  // namespace renyi::json
