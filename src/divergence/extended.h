// Extended precision for short closed forms, and the conversion back to double. On platforms where long double is no
// wider than double, the error estimates grow with its epsilon and stay valid.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/extended.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/interval.h"

namespace renyi::divergence_detail {

inline constexpr long double long_epsilon = numerics::extended_epsilon;
inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Converts a quantity known to be >= 0: a negative value can only come from rounding.
inline Bounded to_bounded(long double value, long double error) {
  if (std::isnan(value) || std::isnan(error)) throw NotConverged("a divergence came out as no number");
  if (value == 0 && error == 0) return {};
  constexpr double most = std::numeric_limits<double>::max();
  if (!(value + error <= most)) return {most, infinity};
  const long double kept = std::max(value, 0.0L);
  const auto rounded = static_cast<double>(kept);
  // Narrowing moves the value by half a unit, or by a whole one where double is denormal.
  const long double narrowing = std::abs(static_cast<long double>(rounded) - kept);
  return {rounded, numerics::next_up(static_cast<double>(error + narrowing + (kept - value)))};
}

inline Bounded exactly(double value) { return {value, 0}; }
// Rounding hides whether the exact value is finite.
inline Bounded unknown_finiteness(long double value) { return {static_cast<double>(value), infinity}; }

// Returns exp(y) - 1 - y >= 0, in extended precision.
inline long double long_exp_remainder(long double y) {
  if (std::abs(y) > 0.5L) return std::expm1(y) - y;
  long double term = y * y / 2, sum = term;
  for (int k = 3; std::abs(term) > long_epsilon / 4 * sum; ++k) sum += (term *= y / k);
  return sum;
}

// Returns x - ln(1 + x) >= 0 for x > -1.
inline long double log_remainder(long double x) {
  if (std::abs(x) > 0.25L) return x - std::log1p(x);
  // 2 atanh(x/(2+x)) = ln(1+x), and x - 2s = x s with s = x/(2+x): the first terms are cancelled analytically.
  const long double s = x / (2 + x), s2 = s * s;
  long double power = s * s2, tail = 0;
  for (int k = 3; std::abs(power) > long_epsilon / 16 * s2; k += 2, power *= s2) tail += power / k;
  return x * s - 2 * tail;
}

}  // namespace renyi::divergence_detail
