// Enclosures in extended precision, and their way to doubles.
#pragma once

#include <algorithm>

#include "exact/invert.h"
#include "numerics/mills.h"
#include "numerics/rounding.h"

namespace renyi::exact {

inline constexpr long double extended_roundoff = numerics::extended_roundoff;

// The truth lies in [lower, upper].
struct Enclosure {
  long double lower = 0;
  long double upper = 0;
  bool nothing = false;  // 0 by nature: an upper end of 0 may also be one that fell below all numbers
};

inline constexpr Enclosure exactly_nothing{0, 0, true};

// A value that is right to a few roundings.
inline Enclosure around(long double value, long double roundings) {
  const long double reach = roundings * extended_roundoff * value;
  return {value - reach, value + reach};
}

// A probability as doubles, rounded outwards; the upper end is 0 only where it is so by nature.
inline Ends to_ends(const Enclosure& p) {
  if (p.nothing) return {0, 0};
  const double lower = p.lower > 0 ? std::max(0.0, numerics::next_down(static_cast<double>(p.lower))) : 0;
  return {lower, std::min(1.0, numerics::next_up(static_cast<double>(p.upper)))};
}

}  // namespace renyi::exact
