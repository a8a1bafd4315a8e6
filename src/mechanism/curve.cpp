#include "mechanism/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "mechanism/law.h"
#include "numerics/extended.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi {

namespace curve_file {
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

// Computes D_a from K at z = a - 1 (docs/math/log-moment-curve.md).
Bounded divergence_at(const LogMoment& k, double z) {
  if (z == 0) return {k.slope, std::isinf(k.slope) ? 0 : k.slope_error};
  if (std::isinf(k.value)) return {k.value, 0};
  return {k.value / z, k.error / z + 2 * numerics::unit_roundoff * (k.value / z)};
}

}  // namespace
}  // namespace curve_file

LogMoment Curve::log_moment(double z, Direction direction) const {
  curve_file::check_point(z, 0);
  return curve_file::beyond(*this, z) ? curve_file::infinite_moment() : real_at(z, direction);
}

ComplexLogMoment Curve::log_moment(std::complex<double> z, Direction direction) const {
  curve_file::check_point(z.real(), z.imag());
  if (curve_file::beyond(*this, z.real())) {
    throw Unsupported("z", fmt::format("K is infinite above order {}", last_order()), "use a smaller real part");
  }
  return complex_at(z, direction);
}

LogMoment Curve::worst_log_moment(double z) const {
  curve_file::check_point(z, 0);
  if (curve_file::beyond(*this, z)) return curve_file::infinite_moment();
  if (const auto larger = larger_direction()) return real_at(z, *larger);
  const LogMoment remove = real_at(z, Direction::remove), add = real_at(z, Direction::add);
  // At z = 0 both values are 0, up to rounding, and the slopes (orders near 1) decide.
  const bool add_is_larger = z == 0 ? add.slope + add.slope_error > remove.slope + remove.slope_error
                                    : add.value + add.error > remove.value + remove.error;
  return add_is_larger ? add : remove;
}

Bounded Curve::worst_max_loss() const {
  const Bounded remove = max_loss_at(Direction::remove), add = max_loss_at(Direction::add);
  return add.upper() > remove.upper() ? add : remove;
}

mechanism::Law Curve::law() const { return mechanism::OnlyMoments{}; }

double Curve::last_order() const { return curve_file::infinity; }

std::unique_ptr<const VerticalLine> Curve::line(double c, Direction direction) const {
  curve_file::check_point(c, 0);
  if (knowledge() == Knowledge::orders || curve_file::beyond(*this, c)) {
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
  if (knowledge() != Knowledge::loss) throw curve_file::unknown_loss();
  if (a == 0 || a == 1) return {};
  if (a >= 0.5) return chernoff_at(a, direction);
  // 1 - a is rounded by r <= 2^-54; a concave function that is 0 at both ends moves by at most r/(a-r) of itself.
  Bounded c = chernoff_at(1 - a, opposite(direction));
  c.error += (c.value + c.error) * 2 * numerics::unit_roundoff / a;
  return c;
}

Cumulants Curve::cumulants(Direction direction) const {
  if (knowledge() != Knowledge::loss) throw curve_file::unknown_loss();
  return cumulants_at(direction);
}

Bounded Curve::chernoff_at(double, Direction) const { throw curve_file::unknown_loss(); }

Cumulants Curve::cumulants_at(Direction) const { throw curve_file::unknown_loss(); }

void check_order(double order) {
  if (order >= 1 && (order <= largest_order || std::isinf(order))) return;  // false for NaN
  throw InvalidArgument("order", fmt::format("{}", order), fmt::format("a number in [1, {}], or inf", largest_order));
}

Bounded divergence(const Curve& curve, double order, Direction direction) {
  check_order(order);
  if (std::isinf(order)) return curve.max_loss(direction);
  return curve_file::divergence_at(curve.log_moment(order - 1, direction), order - 1);
}

Bounded rdp(const Curve& curve, double order) {
  check_order(order);
  if (std::isinf(order)) return curve.worst_max_loss();
  return curve_file::divergence_at(curve.worst_log_moment(order - 1), order - 1);
}

}  // namespace renyi

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
  constexpr double margin = 0.05;  // the computed variance is not a bound
  const double beyond = decay_beyond(y);
  if (!(2 * y * range_ <= std::numbers::pi)) return beyond;
  const auto series = [&](double v) { return v * v * (1 - v * v * range_ * range_ / 12); };
  const double wide = 4 * y * y / (std::numbers::pi * std::numbers::pi);
  const double lost = (1 - margin) * base_.curvature * std::max(wide, std::min(series(y), series(2 * y)));
  return lost > 0 && lost < 1 ? std::min(beyond, 0.5 * std::log1p(-lost)) : beyond;
}

// Returns the sum over losses above epsilon of p (1 - exp(epsilon - l)).
Bounded listed_hockey_stick(const AtomicCurve& curve, double epsilon, Direction direction) {
  long double value = 0, error = std::exp(curve.left_out(direction).log_above);
  const auto& atoms = curve.atoms(direction);
  for (const LossAtom& atom : atoms) {
    const double excess = atom.loss - epsilon, off = atom.loss_error + numerics::unit_roundoff * std::abs(excess);
    if (excess < -off) continue;
    const double term = -std::expm1(-std::max(excess, 0.0));
    // The relative error of the mass is the error of its exponent.
    const double ulps = (16 + 4 * std::abs(atom.p.log)) * numerics::unit_roundoff;
    value += static_cast<long double>(atom.p.value) * term;
    error += atom.p.value * (ulps * term + off) + std::numeric_limits<double>::denorm_min();
  }
  error += static_cast<long double>(atoms.size() + 1) * numerics::extended_epsilon * value;
  const auto rounded = static_cast<double>(value);
  return {rounded,
          static_cast<double>(error) + numerics::unit_roundoff * rounded + std::numeric_limits<double>::denorm_min()};
}

Law AtomicCurve::law() const { return AtomicLoss{.curve = this}; }

std::shared_ptr<const AtomicCurve> atomic_curve_of(const std::shared_ptr<const Curve>& curve) {
  const Law law = curve->law();
  const auto* atoms = law.get_if<AtomicLoss>();
  return atoms == nullptr ? nullptr : std::shared_ptr<const AtomicCurve>(curve, atoms->curve);
}

std::shared_ptr<const AtomicCurve> atomic_curve_of(const Mechanism& mechanism) {
  return mechanism.sampling() == nullptr ? atomic_curve_of(mechanism.curve()) : nullptr;
}

}  // namespace renyi::mechanism
