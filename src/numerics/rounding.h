// Directed rounding by hand: floating-point results moved outwards.
#pragma once

#include <cmath>
#include <limits>

namespace renyi::numerics {

// Half the gap between 1 and the next double: the relative error of one rounding.
inline constexpr double unit_roundoff = 0x1p-53;

// Which way numbers are rounded that cannot be had exactly: up, towards more cost, for upper bounds.
enum class Rounding { up, down };

// The next double towards plus or minus infinity. One operation rounded to
// nearest, then moved by one of these, bounds the exact result.
inline double next_up(double x) noexcept { return std::nextafter(x, std::numeric_limits<double>::infinity()); }
inline double next_down(double x) noexcept { return std::nextafter(x, -std::numeric_limits<double>::infinity()); }

// value * exp(exponent). Where the result is subnormal only the last product rounds coarsely, by half a unit: one step
// outwards is then a bound, as it is everywhere else.
inline double times_exp(double value, double exponent) noexcept {
  const double half = std::exp(exponent / 2);
  return half * value * half;
}

}  // namespace renyi::numerics
