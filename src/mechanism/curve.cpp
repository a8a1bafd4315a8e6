#include "renyi/curve.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "mechanism/pointwise_line.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi {

namespace {

void check_point(double re, double im) {
  if (re >= 0 && re <= largest_order && std::isfinite(im)) return;
  throw InvalidArgument("z", im == 0 ? fmt::format("{}", re) : fmt::format("{}{:+}i", re, im),
                        fmt::format("numbers with real part in [0, {}]", largest_order));
}

constexpr double infinity = std::numeric_limits<double>::infinity();

bool beyond(const Curve& curve, double z) { return z > curve.last_order() - 1; }

LogMoment infinite_moment() { return {.value = infinity, .slope = infinity}; }

Unsupported unknown_loss() {
  return {"steps", "the law of the loss is not known, only bounds on its moments", "use steps whose noise is known"};
}

// D_a from K at z = a - 1 (docs/math/log-moment-curve.md).
Bounded divergence_at(const LogMoment& k, double z) {
  if (z == 0) return {k.slope, std::isinf(k.slope) ? 0 : k.slope_error};
  if (std::isinf(k.value)) return {k.value, 0};
  return {k.value / z, k.error / z + 2 * numerics::unit_roundoff * (k.value / z)};
}

}  // namespace

LogMoment Curve::log_moment(double z, Direction direction) const {
  check_point(z, 0);
  return beyond(*this, z) ? infinite_moment() : real_at(z, direction);
}

ComplexLogMoment Curve::log_moment(std::complex<double> z, Direction direction) const {
  check_point(z.real(), z.imag());
  if (beyond(*this, z.real())) {
    throw Unsupported("z", fmt::format("K is infinite above order {}", last_order()), "use a smaller real part");
  }
  return complex_at(z, direction);
}

LogMoment Curve::worst_log_moment(double z) const {
  check_point(z, 0);
  return beyond(*this, z) ? infinite_moment() : worst_at(z);
}

Bounded Curve::worst_max_loss() const {
  const Bounded remove = max_loss_at(Direction::remove), add = max_loss_at(Direction::add);
  return add.upper() > remove.upper() ? add : remove;
}

double Curve::last_order() const { return infinity; }

std::unique_ptr<const VerticalLine> Curve::line(double c, Direction direction) const {
  check_point(c, 0);
  if (knowledge() == Knowledge::orders || beyond(*this, c)) {
    throw Unsupported("z", "the curve has no complex points there", "use steps whose loss is known");
  }
  return line_at(c, direction);
}

std::unique_ptr<const VerticalLine> Curve::line_at(double c, Direction direction) const {
  return std::make_unique<mechanism::PointwiseLine>(*this, c, direction);
}

// Skew symmetry: E_Q[(P/Q)^a] = E_P[(Q/P)^(1-a)] (van Erven, Harremoes 2014, Proposition 2).
Bounded Curve::chernoff(double a, Direction direction) const {
  if (!(a >= 0 && a <= 1)) throw InvalidArgument("a", fmt::format("{}", a), "a number in [0, 1]");
  if (knowledge() != Knowledge::loss) throw unknown_loss();
  if (a == 0 || a == 1) return {};
  if (a >= 0.5) return chernoff_at(a, direction);
  // 1 - a is rounded by r <= 2^-54; a concave function that is 0 at both ends moves by at most r/(a-r) of itself.
  Bounded c = chernoff_at(1 - a, opposite(direction));
  c.error += (c.value + c.error) * 2 * numerics::unit_roundoff / a;
  return c;
}

Cumulants Curve::cumulants(Direction direction) const {
  if (knowledge() != Knowledge::loss) throw unknown_loss();
  return cumulants_at(direction);
}

Bounded Curve::chernoff_at(double, Direction) const { throw unknown_loss(); }

Cumulants Curve::cumulants_at(Direction) const { throw unknown_loss(); }

LogMoment Curve::worst_at(double z) const {
  const LogMoment remove = real_at(z, Direction::remove);
  if (is_symmetric()) return remove;
  const LogMoment add = real_at(z, Direction::add);
  // At z = 0 both values are 0, up to rounding, and the slopes (orders near 1) decide.
  const bool add_is_larger = z == 0 ? add.slope > remove.slope : add.value + add.error > remove.value + remove.error;
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
