// Numbers between text and double: strict on the way in, honest on the way out.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace renyi::cli {

// The value of a flag. Throws InvalidArgument naming the flag.
double read_number(std::string_view flag, std::string_view text);
std::int64_t read_integer(std::string_view flag, std::string_view text,
                          std::int64_t most = std::numeric_limits<std::int64_t>::max());

// Six significant digits that read back to no less (no more) than the value:
// how upper (lower) bounds are displayed.
std::string rounded_up(double value);
std::string rounded_down(double value);
// The least power of ten that is no less than the value: "1e-9".
std::string power_of_ten_above(double value);
// Six significant digits, to nearest: for what the user told us, never for a bound.
std::string rounded(double value);

}  // namespace renyi::cli
