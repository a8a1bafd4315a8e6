// Refuses the value of a flag that is none of its choices.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace renyi::cli {

// Throws InvalidArgument that names the flag, the value with what may have been meant, and all choices.
[[noreturn]] void refuse_choice(std::string_view flag, std::string_view value, const std::vector<std::string>& choices);

}  // namespace renyi::cli
