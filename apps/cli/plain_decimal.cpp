#include "apps/cli/plain_decimal.h"

#include <algorithm>
#include <cstdlib>

namespace renyi::cli {
namespace {

constexpr long least_power = -3;
constexpr long largest_power = 9;

}  // namespace

std::string plain_decimal(std::string decimal) {
  const auto mark = decimal.find('e');
  if (mark == std::string::npos) return decimal;
  const long power = std::strtol(decimal.c_str() + mark + 1, nullptr, 10);
  if (power < least_power || power > largest_power) return decimal;
  const std::string sign = decimal.front() == '-' ? "-" : "";
  std::string digits = decimal.substr(sign.size(), mark - sign.size());
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  if (power < 0) return sign + "0." + std::string(static_cast<std::size_t>(-power - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(power) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace renyi::cli
