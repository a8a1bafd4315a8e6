// ln Pr[X > t] of a standard normal X, rounded up.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace renyi::sampling {

inline double log_normal_above(double t) {
  constexpr double slack = 1e-12;  // what erfc and the logarithm leave, and more
  if (t < 25) return std::min(0.0, std::log(0.5 * std::erfc(t / std::numbers::sqrt2)) + slack);
  // Pr[X > t] <= exp(-t^2/2)/(t sqrt(2 pi)).
  return -0.5 * t * t * (1 - 1e-15) - std::log(t * std::sqrt(2 * std::numbers::pi));
}

}  // namespace renyi::sampling
