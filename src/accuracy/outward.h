// Extended precision back to doubles, with both ends rounded outwards.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/mills.h"
#include "numerics/rounding.h"
#include "renyi/interval.h"

namespace renyi::noise_error {

// Returns doubles around a positive number that is known up to a relative error below 1.
inline Interval outward(long double value, long double relative_error) {
  const long double spread = value * (relative_error + 2 * numerics::extended_roundoff);
  const auto lower = static_cast<double>(std::max(0.0L, value - spread));
  const auto upper = static_cast<double>(value + spread);
  return {lower > 0 ? numerics::next_down(lower) : 0, numerics::next_up(upper)};
}

}  // namespace renyi::noise_error
