#include "numerics/significant_digits.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

namespace renyi::numerics {

namespace significant_digits_file {
namespace {

// Not by strtod, which reads "1.5e3" as 1 if the locale has another decimal point. What no double holds is 0 or
// infinite.
double read(const std::string& text) {
  double value = 0;
  const auto error = std::from_chars(text.data(), text.data() + text.size(), value).ec;
  if (error != std::errc::result_out_of_range) return value;
  return text.find("e-") != std::string::npos ? 0 : std::numeric_limits<double>::infinity();
}

// Rounds a positive number to significant digits.
double magnitude(double value, int digits, bool up) {
  const std::string near = fmt::format("{:.{}e}", value, digits - 1);
  const double nearest = read(near);
  if (up ? nearest >= value : nearest <= value) return nearest;
  // Moves further by one unit in the last digit; below a power of ten units are smaller.
  const auto e = near.find('e');
  std::string figures = near.substr(0, e);
  std::erase(figures, '.');
  const int exponent = std::stoi(near.substr(e + 1)) - digits + 1;
  const bool is_power = figures.find_first_not_of('0', 1) == std::string::npos && figures.front() == '1';
  if (!up && is_power) return read(fmt::format("{}e{}", std::string(figures.size(), '9'), exponent - 1));
  return read(fmt::format("{}e{}", std::stoll(figures) + (up ? 1 : -1), exponent));
}

}  // namespace
}  // namespace significant_digits_file

double to_nearest_digits(double value, int digits) {
  return std::isfinite(value) ? significant_digits_file::read(fmt::format("{:.{}e}", value, digits - 1)) : value;
}

double to_digits(double value, int digits, bool up) {
  if (value == 0 || !std::isfinite(value)) return value;
  return value > 0 ? significant_digits_file::magnitude(value, digits, up)
                   : -significant_digits_file::magnitude(-value, digits, !up);
}

}  // namespace renyi::numerics
