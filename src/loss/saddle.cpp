#include "loss/saddle.h"

#include <algorithm>
#include <cmath>

#include "numerics/root.h"

namespace renyi::loss {

namespace {

constexpr double smallest_c = 1e-12, largest_c = 1e12;
constexpr int most_steps = 100;
constexpr double close = 1e-6;  // in ln c: the value is flat at its least point

}  // namespace

Saddle saddle_point(const Curve& curve, Direction direction, double t, double pole) {
  const double last = std::min(largest_c, curve.last_order() - 1);
  numerics::Bracket bracket{std::log(smallest_c), std::log(last)};
  double v = std::clamp(0.0, bracket.low(), bracket.high());
  Saddle here;
  for (int i = 0; i < most_steps && bracket.width() > close; ++i) {
    const double c = std::exp(v);
    here = {c, curve.log_moment(c, direction)};
    const double value = here.k.slope - t - pole / c;
    const double slope = c * here.k.curvature + pole / c;
    const double newton = slope > 0 ? v - std::clamp(value / slope, -3.0, 3.0) : v + (value < 0 ? 3 : -3);
    if (std::abs(newton - v) < close) break;
    v = bracket.next(v, value, newton);
  }
  return here;
}

}  // namespace renyi::loss
