#include "mechanism/custom/order_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::mechanism {

namespace order_curve_file {
namespace {

using numerics::next_up;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Differences are taken over this share of z = order - 1, or of the least z below.
constexpr double stride = 0x1p-11, least_z = 0x1p-10;

// Returns the smallest double that is not below 1 + z: D never falls in the order (van Erven, Harremoes 2014, Theorem
// 3), so its bound holds for K(z).
double order_above(double z) {
  if (z >= 0x1p53) return next_up(z) > largest_order ? infinity : next_up(z);
  const double order = 1 + z;
  return order - 1 < z ? next_up(order) : order;
}

}  // namespace
}  // namespace order_curve_file

// Returns f'(a) and f''(a) of the parabola through three points. They are used only to guide the search for the best
// order: every bound is computed from values alone.
OrderCurve::Derivatives OrderCurve::derivatives(double order, double here, Direction direction) const {
  const double h = std::max(order - 1, order_curve_file::least_z) * order_curve_file::stride;
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
  const double order = order_curve_file::order_above(z);
  const Bounded d = divergence_of(order, direction);
  if (!std::isfinite(d.upper())) return {z == 0 ? 0 : order_curve_file::infinity, 0, order_curve_file::infinity, 0, 0};
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

Bounded OrderCurve::max_loss_at(Direction direction) const {
  return divergence_of(order_curve_file::infinity, direction);
}

namespace order_curve_file {
namespace {

// Beyond this all doubles are whole numbers.
constexpr double most_whole = 0x1p52;

}  // namespace
}  // namespace order_curve_file

CallableCurve::CallableCurve(std::string name, std::function<double(double)> divergence)
    : name_(std::move(name)), divergence_(std::move(divergence)) {
  if (!divergence_) throw InvalidArgument("divergence", "no function", "a function of the order");
}

double CallableCurve::asked(double order) const {
  const double value = divergence_(order);
  if (value >= 0) return value;  // false for NaN
  throw InvalidArgument("divergence", fmt::format("{} at order {} of '{}'", value, order, name_),
                        "a number of at least 0, or inf");
}

// K is convex with K(0) = 0, so it lies below the chord between bounds at whole orders n and n+1:
//   (a-1) D_a <= (1-t) (n-1) D_n + t n D_(n+1),  t = a - n.
double CallableCurve::by_chord(double order) const {
  const double n = std::floor(order), t = order - n;
  const double high = asked(n + 1);
  if (std::isinf(high)) return order_curve_file::infinity;
  if (n == 1) return high;  // D_a <= D_2
  const double low = asked(n);
  if (std::isinf(low)) return high;  // D_a <= D_(n+1)
  const double k = (1 - t) * (n - 1) * low + t * n * high;
  return k / (order - 1) * (1 + 8 * numerics::unit_roundoff);
}

Bounded CallableCurve::divergence_of(double order, Direction) const {
  const double value = asked(order);
  const bool gap =
      std::isinf(value) && order < order_curve_file::most_whole && (order != std::floor(order) || order == 1);
  return {gap ? by_chord(order) : value, 0};
}

namespace order_curve_file {
namespace {

constexpr Bounded unknown{infinity, 0};
// A search evaluates a few dozen orders, a supremum thousands.
constexpr std::size_t most_kept = 100'000;

// If a quadrature does not converge, the divergence at this order counts as infinite; other orders may still be finite.
Bounded bound_of(const DistributionPair& pair, double order) {
  try {
    const Bounded d = renyi_divergence(pair, order);
    return std::isfinite(d.upper()) ? d : unknown;
  } catch (const Unsupported&) {
    return unknown;
  } catch (const NotConverged&) {
    return unknown;
  }
}

}  // namespace
}  // namespace order_curve_file

PairCurve::PairCurve(DistributionPair pair) : add_(pair.swapped()), remove_(std::move(pair)) {}

Bounded PairCurve::divergence_of(double order, Direction direction) const {
  const auto key = std::pair(order, direction);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
  }
  // The lock is not held here: the densities are the user's functions, and may evaluate this curve again.
  const Bounded d = order_curve_file::bound_of(direction == Direction::remove ? remove_ : add_, order);
  const std::lock_guard lock(mutex_);
  if (known_.size() >= order_curve_file::most_kept) known_.clear();
  known_.emplace(key, d);
  return d;
}

}  // namespace renyi::mechanism
