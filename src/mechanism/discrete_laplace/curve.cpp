#include "mechanism/discrete_laplace/curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mechanism/discrete_laplace/moment.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"

namespace renyi::mechanism {

namespace {

using numerics::exp_remainder;
using numerics::unit_roundoff;

constexpr double curve_ulps = 64;
// Beyond this the second exponential, exp(-(2z+1) e) of the first, is below rounding.
constexpr double large_exponent = 40;
constexpr double most_listed = 2e4;

// cosh(x) - 1 and sinh(x)/x - 1, for 0 <= x <= 1/2.
struct Hyperbolic {
  double cosh = 0;
  double sinh = 0;
};
Hyperbolic hyperbolic_excess(double x) {
  Hyperbolic sum;
  double term = 1;
  for (int k = 2; k <= 20; k += 2) {
    term *= x * x / (k * (k - 1));
    sum.cosh += term;
    sum.sinh += term / (k + 1);
  }
  return sum;
}

// x coth(x) - 1
double coth_excess(double x) {
  const auto [cosh, sinh] = hyperbolic_excess(x);
  return x > 0.5 ? x / std::tanh(x) - 1 : (cosh - sinh) / (1 + sinh);
}

}  // namespace

LogMoment DiscreteLaplaceCurve::real_at(double z, Direction) const {
  const double relative = curve_ulps * unit_roundoff;
  if ((2 * z + 1) * e_ > large_exponent) {
    // K = zE + ln(1 - beta) to below rounding.
    const auto w = laplace_weights(s_, z);
    const auto [first, second] = alpha_fall(s_, z);
    const double value = z * e_ + std::log1p(-w.beta), slope = e_ - first;
    return {value, relative * value, slope, relative * slope, std::max(0.0, second - first * first)};
  }
  const LaplaceMoment m = laplace_moment(s_, e_, z);
  const double here = 1 + m.excess, value = std::log1p(m.excess), slope = m.slope / here;
  // The exponents carry rounding errors of their own size.
  const double grown = relative * (1 + z * e_);
  return {value, grown * value, slope, grown * slope, std::max(0.0, m.curvature / here - slope * slope)};
}

ComplexLogMoment DiscreteLaplaceCurve::complex_at(std::complex<double> z, Direction) const {
  const auto w = laplace_weights(s_, z);
  if ((2 * z.real() + 1) * e_ > large_exponent) {
    const std::complex<double> up = z * e_, value = up + numerics::log1p(-w.beta);
    return {{value.real(), std::remainder(value.imag(), 2 * std::numbers::pi)},
            curve_ulps * unit_roundoff * (std::abs(up) + std::abs(w.beta) / std::abs(1.0 - w.beta))};
  }
  const std::complex<double> up = z * e_, down = -(z + 1.0) * e_;
  const std::complex<double> s_up = w.alpha * exp_remainder(up), s_down = w.beta * exp_remainder(down);
  const std::complex<double> rest = e_ * w.lambda, s = s_up + s_down + rest;
  const double rounding = (curve_ulps + 4 * std::abs(down)) * unit_roundoff;
  const double size = std::abs(s_up) + std::abs(s_down) + std::abs(rest);
  return {numerics::log1p(s), (rounding * size + e_ * w.error) / std::abs(1.0 + s)};
}

Bounded DiscreteLaplaceCurve::max_loss_at(Direction) const { return {e_, 2 * unit_roundoff * e_}; }

// With y = a - 1/2: E[(P/Q)^a] = exp(-E/2) (cosh(yE) + (E/2) tau sinh(yE)/(yE)),
// tau = tanh(s/2)/(s/2) sy coth(sy), and 1 minus that without the terms that cancel.
Bounded DiscreteLaplaceCurve::chernoff_at(double a, Direction) const {
  const double y = a - 0.5, b = 1 - a, half = 0.5 * s_;
  if (e_ > 1 || a >= 0.75) {
    if (e_ <= 1) {  // next to order 1 the form of K(z), z = -b, is the one that does not cancel
      const auto w = laplace_weights(s_, -b);
      const double lost = -(w.alpha * exp_remainder(-b * e_) + w.beta * exp_remainder(-a * e_) + e_ * w.lambda);
      return {-std::log1p(-lost), 8 * curve_ulps * unit_roundoff * -std::log1p(-lost)};
    }
    const double x = y * e_, fallen = x > 0 ? -std::expm1(-2 * x) / (2 * x) : 1;
    const double tau = std::tanh(half) / half * (1 + coth_excess(s_ * y));
    const double value = b * e_ - std::log(0.5 * (1 + std::exp(-2 * x)) + 0.5 * e_ * tau * fallen);
    return {std::max(0.0, value), curve_ulps * unit_roundoff * (1 + b * e_)};
  }
  const auto [cosh, sinh] = hyperbolic_excess(y * e_);
  // tau - 1 = (coth_excess(sy) - coth_excess(s/2)) / (1 + coth_excess(s/2)) <= 0
  const double at_half = coth_excess(half), off = (coth_excess(s_ * y) - at_half) / (1 + at_half);
  const double lost =
      std::exp(-0.5 * e_) * (exp_remainder(0.5 * e_) - cosh - 0.5 * e_ * sinh - 0.5 * e_ * off * (1 + sinh));
  return {-std::log1p(-lost), 8 * curve_ulps * unit_roundoff * -std::log1p(-lost)};
}

// Under P the loss is s (D - 2x): x = 0 with 1/(1+r), x = D with r^D/(1+r), between with (1-r)/(1+r) r^x, r = exp(-s).
Cumulants DiscreteLaplaceCurve::cumulants_at(Direction direction) const {
  const LogMoment at_zero = real_at(0, direction);
  const long double r = std::exp(static_cast<long double>(-s_)), inner = std::tanh(0.5L * s_);
  long double second = 0, third = 0, size = 0, power = 1;
  const auto add = [&](long double mass, double x) {
    const long double off = static_cast<long double>(e_) - 2 * static_cast<long double>(s_) * x - at_zero.slope;
    second += mass * off * off;
    third += mass * off * off * off;
    size += mass * std::abs(off * off * off);
  };
  add(1 / (1 + r), 0);
  for (double x = 1; x < distance_ && power > 1e-40L; ++x) add(inner * (power *= r), x);
  add(std::exp(static_cast<long double>(-e_)) / (1 + r), distance_);
  const double relative = 4 * curve_ulps * unit_roundoff;
  return {.mean = at_zero.slope,
          .mean_error = at_zero.slope_error,
          .variance = static_cast<double>(second),
          .variance_error = relative * static_cast<double>(second),
          .third = static_cast<double>(third),
          .third_error = relative * static_cast<double>(size)};
}

bool DiscreteLaplaceCurve::is_listed() const { return distance_ <= most_listed; }

const std::vector<LossAtom>& DiscreteLaplaceCurve::atoms(Direction) const {
  std::call_once(listed_, [this] {
    const double log_end = -std::log1p(std::exp(-s_)), log_inner = std::log(std::tanh(0.5 * s_));
    for (double x = distance_; x >= 0; --x) {
      const double log_p = -s_ * x + (x == 0 || x == distance_ ? log_end : log_inner), l = s_ * (distance_ - 2 * x);
      atoms_.push_back({l, 4 * unit_roundoff * std::abs(l), numerics::Mass::of_log(log_p)});
    }
  });
  return atoms_;
}

}  // namespace renyi::mechanism
