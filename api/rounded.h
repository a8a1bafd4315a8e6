// Numbers for people to read: what is printed of a bound is still one.
#pragma once

#include <string>

namespace renyi::api {

// Six significant digits that read back to no less (no more) than the value:
// how upper (lower) bounds are displayed.
std::string rounded_up(double value);
std::string rounded_down(double value);
// The least power of ten that is no less than the value: "1e-9".
std::string power_of_ten_above(double value);
// Six significant digits, to nearest: for what the user told us, never for a bound.
std::string rounded(double value);

}  // namespace renyi::api
