// Numbers between text and double: strict on the way in, honest on the way out.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "api/rounded.h"

namespace renyi::cli {

// The value of a flag. Throws InvalidArgument naming the flag.
double read_number(std::string_view flag, std::string_view text);
std::int64_t read_integer(std::string_view flag, std::string_view text,
                          std::int64_t most = std::numeric_limits<std::int64_t>::max());

using api::power_of_ten_above;
using api::rounded;
using api::rounded_down;
using api::rounded_up;

}  // namespace renyi::cli
