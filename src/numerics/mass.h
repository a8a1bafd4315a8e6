// A probability that may be too small for a double. All distributions of a loss use it for their masses: where one
// distribution's mass underflows, the other's, exp(loss) times it, may be anything up to 1, and only the logarithm
// still determines it.
#pragma once

#include <cmath>
#include <limits>

#include "numerics/rounding.h"

namespace renyi::numerics {

struct Mass {
  double value = 0;  // 0 where it is below the smallest double
  double log = -std::numeric_limits<double>::infinity();

  // Below the normal numbers a value has lost digits, and the logarithm is more accurate; above, the value is more
  // accurate by as many units as the logarithm is large.
  static constexpr double least = std::numeric_limits<double>::min();

  static Mass of_log(double log) { return {std::exp(log), log}; }
  // Makes a mass from its value and its logarithm: each is used in the range where it is the more accurate of the two.
  static Mass of(double value, double log) { return value > least ? Mass{value, std::log(value)} : of_log(log); }
  static Mass of(double value) { return {value, std::log(value)}; }

  Mass times(double factor) const { return of(value * factor, log + std::log(factor)); }
  Mass over(double divisor) const { return of(value / divisor, log - std::log(divisor)); }
  // Returns exp(exponent) times the mass: the mass under another distribution, or under a tilt.
  Mass tilted(double exponent) const {
    return value > least ? of(times_exp(value, exponent), log + exponent) : of_log(log + exponent);
  }
  bool operator==(const Mass&) const = default;
};

}  // namespace renyi::numerics
