#include "relate/centred_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"

namespace renyi::relate {

namespace {

Range mean_of(const Curve& curve, Direction direction) {
  const LogMoment k = curve.log_moment(0.0, direction);
  const Bounded mean{k.slope, k.slope_error};
  return {mean.lower(), mean.upper()};
}

Range sum(const Range& k, double shift_low, double shift_high) {
  const double rounding = 3 * numerics::unit_roundoff * std::max(std::abs(k.upper), std::abs(shift_high));
  return {std::max(0.0, k.lower + shift_low - rounding), std::max(0.0, k.upper + shift_high + rounding)};
}

Range ends(const LogMoment& k, double argument_error) {
  const double error = k.error + argument_error * (k.slope + k.slope_error);
  if (!std::isfinite(k.value) || !std::isfinite(error)) return {0, std::numeric_limits<double>::infinity()};
  return {numerics::next_down(k.value - error), numerics::next_up(k.value + error)};
}

}  // namespace

CentredLoss::CentredLoss(const Curve& curve, Direction direction)
    : curve_(curve), direction_(direction), mean_(mean_of(curve, direction)) {}

Range CentredLoss::at(double x, Sign sign) const {
  if (sign == Sign::minus) return below_zero(x);
  return sum(ends(curve_.log_moment(x, direction_), 0), x * -mean_.upper, x * -mean_.lower);
}

// K(-x) is -chernoff(1-x) up to x = 1, where it is ln E_P[Q/P] = 0, and K of the other direction at x - 1 beyond.
Range CentredLoss::below_zero(double x) const {
  if (x == 1) return sum({0, 0}, mean_.lower, mean_.upper);
  if (x > 1) {
    const LogMoment k = curve_.log_moment(x - 1, opposite(direction_));
    return sum(ends(k, x > 2 ? numerics::unit_roundoff * x : 0), x * mean_.lower, x * mean_.upper);
  }
  // The order 1 - x is rounded so that x' = 1 - (1-x), which is exact, is at least x: N rises with x, and
  // 2 N(x')/x'^2 is little less than 2 N(x')/x^2.
  double order = 1 - x;
  if (1 - order < x) order = numerics::next_down(order);
  const double moved = 1 - order;
  const Bounded c = curve_.chernoff(order, direction_);
  const Range n = sum({-c.upper(), -c.lower()}, moved * mean_.lower, moved * mean_.upper);
  return {n.lower * std::max(0.0, 1 - 4 * numerics::unit_roundoff / x), n.upper};
}

}  // namespace renyi::relate
