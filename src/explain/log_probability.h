// Probabilities between logarithms and doubles, rounded to the safe side.
#pragma once

#include <cmath>

#include "numerics/rounding.h"

namespace renyi::promises {

// Each term of a formula carries a few roundings; so does exp of their sum.
inline constexpr double formula_rounding = 8 * numerics::unit_roundoff;

// Logarithms of an event's probability and of its complement's: 1 - p would lose a small p.
struct LogBaseline {
  double event;
  double complement;
};
// Throws InvalidArgument unless `baseline` is in (0, 1).
LogBaseline log_baseline(double baseline);

// exp of an upper (lower) bound on a logarithm, in [0, 1].
inline double probability_up(double log_upper) {
  return log_upper < 0 ? std::fmin(1, numerics::next_up(std::exp(log_upper) * (1 + formula_rounding))) : 1;
}
inline double probability_down(double log_lower) {
  return std::fmax(0, numerics::next_down(std::exp(std::fmin(0, log_lower)) * (1 - formula_rounding)));
}

// 1 - exp(log): an upper bound from a lower one, and the other way round.
inline double complement_up(double log_lower) {
  return std::fmin(1, numerics::next_up(-std::expm1(std::fmin(0, log_lower)) * (1 + formula_rounding)));
}
inline double complement_down(double log_upper) {
  return log_upper < 0 ? std::fmax(0, numerics::next_down(-std::expm1(log_upper) * (1 - formula_rounding))) : 0;
}

}  // namespace renyi::promises
