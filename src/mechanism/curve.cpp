#include "renyi/curve.h"

#include <fmt/format.h>

#include <cmath>

#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi {

namespace {

void check_point(double re, double im) {
  if (re >= 0 && re <= largest_order && std::isfinite(im)) return;
  throw InvalidArgument("z", im == 0 ? fmt::format("{}", re) : fmt::format("{}{:+}i", re, im),
                        fmt::format("numbers with real part in [0, {}]", largest_order));
}

// D_a from K at z = a - 1 (docs/math/log-moment-curve.md).
Bounded divergence_at(const LogMoment& k, double z) {
  if (z == 0) return {k.slope, k.slope_error};
  return {k.value / z, k.error / z + 2 * numerics::unit_roundoff * (k.value / z)};
}

}  // namespace

LogMoment Curve::log_moment(double z, Direction direction) const {
  check_point(z, 0);
  return real_at(z, direction);
}

ComplexLogMoment Curve::log_moment(std::complex<double> z, Direction direction) const {
  check_point(z.real(), z.imag());
  return complex_at(z, direction);
}

LogMoment Curve::worst_log_moment(double z) const {
  check_point(z, 0);
  return worst_at(z);
}

Bounded Curve::worst_max_loss() const {
  const Bounded remove = max_loss_at(Direction::remove), add = max_loss_at(Direction::add);
  return add.upper() > remove.upper() ? add : remove;
}

LogMoment Curve::worst_at(double z) const {
  const LogMoment remove = real_at(z, Direction::remove);
  const LogMoment add = real_at(z, Direction::add);
  // At z = 0 both values are 0 and the slopes (orders near 1) decide.
  const bool add_is_larger =
      add.value + add.error > remove.value + remove.error || (z == 0 && add.slope > remove.slope);
  return add_is_larger ? add : remove;
}

void check_order(double order) {
  if (order >= 1 && (order <= largest_order || std::isinf(order))) return;  // false for NaN
  throw InvalidArgument("order", fmt::format("{}", order), fmt::format("a number in [1, {}], or inf", largest_order));
}

Bounded divergence(const Curve& curve, double order, Direction direction) {
  check_order(order);
  if (std::isinf(order)) return curve.max_loss(direction);
  return divergence_at(curve.log_moment(order - 1, direction), order - 1);
}

Bounded rdp(const Curve& curve, double order) {
  check_order(order);
  if (std::isinf(order)) return curve.worst_max_loss();
  return divergence_at(curve.worst_log_moment(order - 1), order - 1);
}

}  // namespace renyi
