#include "loss/chernoff.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "loss/saddle.h"
#include "numerics/rounding.h"

namespace renyi::loss {

namespace {

constexpr double rounding = 8 * numerics::unit_roundoff;

// K(c) - c t, rounded up; above 0 it says nothing, nor does a failure.
double log_bound(const Saddle& at, double t) {
  const double value = at.k.value + at.k.error - at.c * t;
  const double rounded = value + rounding * (at.k.value + std::abs(at.c * t));
  return rounded < 0 ? rounded : 0;  // also for NaN
}

}  // namespace

double log_chernoff_above(const Curve& curve, Direction direction, double t) {
  // No loss exceeds the largest one.
  if (t > curve.max_loss(direction).upper()) return -std::numeric_limits<double>::infinity();
  return log_bound(saddle_point(curve, direction, t, Poles{}), t);
}

double log_chernoff_below(const Curve& curve, Direction direction, double s) {
  const double above = log_chernoff_above(curve, opposite(direction), s);
  return std::min(0.0, above - s + rounding * std::abs(s));
}

double upper_exp(double log_value) {
  if (log_value >= 0) return 1;
  if (std::isinf(log_value)) return 0;
  return std::min(1.0, std::max(std::exp(log_value) * (1 + rounding), std::numeric_limits<double>::denorm_min()));
}

}  // namespace renyi::loss
