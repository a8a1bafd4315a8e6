#include "mechanism/pointwise_line.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::mechanism {

PointwiseLine::PointwiseLine(const Curve& curve, double c, Direction direction)
    : curve_(curve),
      c_(c),
      direction_(direction),
      base_(curve.log_moment(c, direction)),
      range_(curve.max_loss(Direction::remove).upper() + curve.max_loss(Direction::add).upper()) {}

ComplexLogMoment PointwiseLine::log_phi(double y) const {
  ComplexLogMoment k;
  try {
    k = curve_.log_moment({c_, y}, direction_);
  } catch (const NotConverged&) {  // lost in rounding
    return {{0, 0}, std::numeric_limits<double>::infinity()};
  }
  const double rounding = 2 * numerics::unit_roundoff * (std::abs(k.value) + base_.value);
  return {k.value - base_.value, k.error + base_.error + rounding};
}

// |phi(v)|^2 = E cos(v(L-L')) with L, L' independent tilted losses. While |v(L-L')| <= pi, 1 - cos u >= 2 u^2/pi^2, and
// always 1 - cos u >= u^2/2 - u^4/24, so for v in [y, 2y] and |L-L'| <= r
//     1 - |phi(v)|^2 >= Var(L) max(4 y^2/pi^2, min over both ends of v^2 (1 - v^2 r^2/12)).
double PointwiseLine::decay(double y) const {
  constexpr double margin = 0.05;  // the variance is no bound
  const double beyond = decay_beyond(y);
  if (!(2 * y * range_ <= std::numbers::pi)) return beyond;
  const auto series = [&](double v) { return v * v * (1 - v * v * range_ * range_ / 12); };
  const double wide = 4 * y * y / (std::numbers::pi * std::numbers::pi);
  const double lost = (1 - margin) * base_.curvature * std::max(wide, std::min(series(y), series(2 * y)));
  return lost > 0 && lost < 1 ? std::min(beyond, 0.5 * std::log1p(-lost)) : beyond;
}

}  // namespace renyi::mechanism
