// Numbers as text, rounded in the direction that is asked for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "api/number_text.h"

namespace renyi::cli {

using api::power_of_ten_above;
using api::rounded;
using api::rounded_down;
using api::rounded_up;

// Writes "8.75e-1" as "0.875", which is easier to read: the same number without its exponent, if few zeros suffice.
std::string plain_decimal(std::string decimal);

enum class Side { below, above };

// Rounds "1.23456e-7" to "1.23e-7" or "1.24e-7": to that many significant digits, in the given direction. The argument
// is a decimal of at least 0, as the library writes it.
std::string shortened(const std::string& decimal, std::size_t digits, Side side);

}  // namespace renyi::cli
