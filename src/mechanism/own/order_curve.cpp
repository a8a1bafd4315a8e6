#include "mechanism/own/order_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::mechanism {

namespace {

using numerics::next_up;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Differences are taken over this share of z = order - 1, or of the least z below.
constexpr double stride = 0x1p-11, least_z = 0x1p-10;

// The first order that is no double's distance below 1 + z: D never falls in the order
// (van Erven, Harremoes 2014, Theorem 3), so its bound holds for K(z).
double order_above(double z) {
  if (z >= 0x1p53) return next_up(z) > largest_order ? infinity : next_up(z);
  const double order = 1 + z;
  return order - 1 < z ? next_up(order) : order;
}

}  // namespace

// f'(a) and f''(a) of the parabola through three points. They guide the search for the best order and nothing
// else: every bound is made of values alone.
OrderCurve::Derivatives OrderCurve::derivatives(double order, double here, Direction direction) const {
  const double h = std::max(order - 1, least_z) * stride;
  const double high = order + h, other = order - h >= 1 ? order - h : order + 2 * h;
  if (!(std::max(high, other) <= largest_order)) return {};
  const double at_high = divergence_of(high, direction).value, at_other = divergence_of(other, direction).value;
  const double up = (at_high - here) / (high - order), side = (at_other - here) / (other - order);
  if (!std::isfinite(up)) return {std::isfinite(side) ? side : 0, 0};
  if (!std::isfinite(side)) return {up, 0};
  const double second = (up - side) / (high - other);
  return {up + second * (order - high), 2 * second};
}

// K(z) = z D_(1+z)
LogMoment OrderCurve::real_at(double z, Direction direction) const {
  const double order = order_above(z);
  const Bounded d = divergence_of(order, direction);
  if (!std::isfinite(d.upper())) return {z == 0 ? 0 : infinity, 0, infinity, 0, 0};
  const Derivatives f = std::isinf(order) ? Derivatives{} : derivatives(order, d.value, direction);
  const double curvature = std::max(0.0, 2 * f.first + z * f.second);
  if (z == 0) return {0, 0, d.value, d.error, curvature};
  const double value = z * d.value, slope = std::max(0.0, d.value + z * f.first);
  const double rounding = 2 * numerics::unit_roundoff * value + (d.value > 0 ? std::numeric_limits<double>::min() : 0);
  return {value, z * d.error + rounding, slope, slope, curvature};
}

ComplexLogMoment OrderCurve::complex_at(std::complex<double>, Direction) const {
  throw Unsupported("z", "the step is known by its divergences at real orders only", "use real orders");
}

Bounded OrderCurve::max_loss_at(Direction direction) const { return divergence_of(infinity, direction); }

}  // namespace renyi::mechanism
