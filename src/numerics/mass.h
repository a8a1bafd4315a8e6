// A probability that may be too small for a double. Every law of a loss forms its masses as these: where one law's mass
// underflows, the other's, exp(loss) times it, may be anything up to 1, and only the logarithm still knows it.
#pragma once

#include <cmath>
#include <limits>

#include "numerics/rounding.h"

namespace renyi::numerics {

struct Mass {
  double value = 0;  // 0 where it is below the smallest double
  double log = -std::numeric_limits<double>::infinity();

  // Below the normal numbers a value has lost digits, and the logarithm is what is known; above, the value is better
  // known by as many units as the logarithm is large.
  static constexpr double least = std::numeric_limits<double>::min();

  static Mass of_log(double log) { return {std::exp(log), log}; }
  // From a value and a logarithm of the same mass: each in the range where it is the better known of the two.
  static Mass of(double value, double log) { return value > least ? Mass{value, std::log(value)} : of_log(log); }
  static Mass of(double value) { return {value, std::log(value)}; }

  Mass times(double factor) const { return of(value * factor, log + std::log(factor)); }
  Mass over(double divisor) const { return of(value / divisor, log - std::log(divisor)); }
  // exp(exponent) of it: what the mass is under another law, or under a tilt.
  Mass tilted(double exponent) const {
    return value > least ? of(times_exp(value, exponent), log + exponent) : of_log(log + exponent);
  }
  bool operator==(const Mass&) const = default;
};

}  // namespace renyi::numerics
