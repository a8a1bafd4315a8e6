// Numbers for people to read: what is printed of a bound is still one.
#pragma once

#include <optional>
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

// Every digit: the shortest decimal that reads back to the same number; inf.
std::string decimal(double value);

// "2.38168 to 2.38169": rounded outwards, and one number where that is the same.
std::string interval(double lower, double upper);

// What (epsilon, delta) makes at most of a probability p: "10.8232 p + 1e-5". Nothing where it promises nothing.
std::optional<std::string> most_likely(double epsilon, double delta);

}  // namespace renyi::api
