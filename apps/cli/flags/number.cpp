#include "apps/cli/flags/number.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace renyi::cli {
namespace number_file {
namespace {

constexpr long least_power = -3;
constexpr long largest_power = 9;

std::string digits_of(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '.'), text.end());
  return text;
}

// Adds one unit in the last digit: 129 becomes 130, and 999 becomes 1000.
std::string next_above(std::string digits) {
  const auto last_below_nine = digits.find_last_not_of('9');
  const std::size_t from = last_below_nine == std::string::npos ? 0 : last_below_nine + 1;
  std::fill(digits.begin() + static_cast<std::ptrdiff_t>(from), digits.end(), '0');
  if (from == 0) return "1" + digits;
  ++digits[from - 1];
  return digits;
}

}  // namespace
}  // namespace number_file

std::string plain_decimal(std::string decimal) {
  const auto mark = decimal.find('e');
  if (mark == std::string::npos) return decimal;
  const long power = std::strtol(decimal.c_str() + mark + 1, nullptr, 10);
  if (power < number_file::least_power || power > number_file::largest_power) return decimal;
  const std::string sign = decimal.front() == '-' ? "-" : "";
  const std::string digits = number_file::digits_of(decimal.substr(sign.size(), mark - sign.size()));
  if (power < 0) return sign + "0." + std::string(static_cast<std::size_t>(-power - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(power) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string shortened(const std::string& decimal, std::size_t digits, Side side) {
  const auto mark = std::min(decimal.find('e'), decimal.size());
  const std::string written = decimal.substr(0, mark);
  std::string all = number_file::digits_of(written);
  const auto zeros = all.find_first_not_of('0');
  if (decimal == "inf" || zeros == std::string::npos) return decimal;
  all.erase(0, zeros);
  if (all.size() <= digits) return decimal;
  // The power of ten of the first digit that is not 0.
  long power = mark == decimal.size() ? 0 : std::strtol(decimal.c_str() + mark + 1, nullptr, 10);
  power += static_cast<long>(std::min(written.find('.'), written.size())) - 1 - static_cast<long>(zeros);
  std::string kept = all.substr(0, digits);
  const bool cuts = all.find_first_not_of('0', digits) != std::string::npos;
  if (side == Side::above && cuts) kept = number_file::next_above(kept);
  power += static_cast<long>(kept.size() - digits);
  const auto last = kept.find_last_not_of('0');
  kept.erase(last + 1);
  if (kept.size() > 1) kept.insert(1, ".");
  return power == 0 ? kept : kept + "e" + std::to_string(power);
}

}  // namespace renyi::cli
