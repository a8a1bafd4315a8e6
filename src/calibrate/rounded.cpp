#include "calibrate/rounded.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace renyi::calibrate_detail {

namespace {

double read(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

// Of a positive number.
double magnitude(double value, int digits, bool up) {
  const std::string near = fmt::format("{:.{}e}", value, digits - 1);
  const double nearest = read(near);
  if (up ? nearest >= value : nearest <= value) return nearest;
  // One unit in the last of the digits further; below a power of ten units are smaller.
  const auto e = near.find('e');
  std::string figures = near.substr(0, e);
  std::erase(figures, '.');
  const int exponent = std::stoi(near.substr(e + 1)) - digits + 1;
  const bool is_power = figures.find_first_not_of('0', 1) == std::string::npos && figures.front() == '1';
  if (!up && is_power) return read(fmt::format("{}e{}", std::string(figures.size(), '9'), exponent - 1));
  return read(fmt::format("{}e{}", std::stoll(figures) + (up ? 1 : -1), exponent));
}

}  // namespace

double to_digits(double value, int digits, bool up) {
  if (value == 0 || !std::isfinite(value)) return value;
  return value > 0 ? magnitude(value, digits, up) : -magnitude(-value, digits, !up);
}

std::int64_t to_digits(std::int64_t value, int digits, bool up) {
  std::int64_t unit = 1;
  const auto written = static_cast<int>(std::to_string(value).size());
  for (int i = digits; i < written; ++i) unit *= 10;
  const std::int64_t down = value - value % unit;
  if (!up || down == value) return down;
  return down > std::numeric_limits<std::int64_t>::max() - unit ? value : down + unit;
}

}  // namespace renyi::calibrate_detail
