#include "divergence/check.h"

#include <fmt/format.h>

#include <cmath>

#include "renyi/error.h"

namespace renyi::divergence_detail {
namespace {

// Squares of ratios, times orders up to 1e100, stay within double.
constexpr double largest = 1e50;
constexpr double smallest_scale = 1e-50;

}  // namespace

void check_location(const std::string& field, double value) {
  if (std::abs(value) <= largest) return;
  throw InvalidArgument(field, fmt::format("{}", value), fmt::format("a number from -{0} to {0}", largest));
}

void check_scale(const std::string& field, double value) {
  if (value >= smallest_scale && value <= largest) return;
  throw InvalidArgument(field, fmt::format("{}", value),
                        fmt::format("a number from {} to {}", smallest_scale, largest));
}

}  // namespace renyi::divergence_detail
