// K(z) = ln( high e^(z e) + low e^(-z e) + 1 - high - low ), written as
//
//     log1p( high [R(z e) + z R(-e)] + low [R(-z e) + z R(e)] ),  R(y) = exp(y) - 1 - y
//
// (docs/math/log-moment-curve.md, "centred moments"): for real z >= 0 all terms
// are >= 0. For large e the plain form does not cancel and cannot overflow.
#include "mechanism/two_sided_curve.h"

#include <cmath>

#include "numerics/exponentials.h"

namespace renyi::mechanism {

namespace {

using numerics::exp_remainder;

constexpr double atom_ulps = 24;
// Up to here the centred form is used; beyond it the losses are so unequal that
// high expm1(z e) outweighs low expm1(-z e) and nothing cancels.
constexpr double centred_up_to = 1;
// Beyond this ln(high e^(z e)) the other terms are small beside the first, and
// taking its logarithm apart cancels nothing.
constexpr double large_exponent = 30;

}  // namespace

TwoSidedCurve::TwoSidedCurve(double e, double high, double low, double epsilon_ulps)
    : e_(e), epsilon_ulps_(epsilon_ulps), high_(high), low_(low), ulps_(atom_ulps + 2 * epsilon_ulps) {}

LogMoment TwoSidedCurve::at(double z) const {
  const double y = z * e_;
  const double log_high = std::log(high_);
  if (y + log_high > large_exponent) {
    // K = y + ln(high) + log1p((1 - high - low)/high e^(-y) + ...), the rest below rounding.
    const double rest = (1 - high_ - low_) / high_ * std::exp(-y);
    const double share = 1 / (1 + rest);
    return with_relative_error(y + log_high + std::log1p(rest), e_ * share, e_ * e_ * share * (1 - share), ulps_);
  }
  const double up = exp_remainder(y) + y, down = exp_remainder(-y) - y;  // expm1(y), expm1(-y)
  double s = 0, s1 = 0;
  if (e_ <= centred_up_to) {
    const double c_up = exp_remainder(-e_), c_down = exp_remainder(e_);
    s = high_ * (exp_remainder(y) + z * c_up) + low_ * (exp_remainder(-y) + z * c_down);
    s1 = high_ * (e_ * up + c_up) + low_ * (-e_ * down + c_down);
  } else {
    s = high_ * up + low_ * down;
    s1 = e_ * (high_ * (1 + up) - low_ * (1 + down));
  }
  const double s2 = e_ * e_ * (high_ * (1 + up) + low_ * (1 + down));
  const double m = 1 + s;
  return with_relative_error(std::log1p(s), s1 / m, s2 / m - (s1 / m) * (s1 / m), ulps_ * (1 + y));
}

ComplexLogMoment TwoSidedCurve::at(std::complex<double> z) const {
  const std::complex<double> y = z * e_;
  const double rounding = ulps_ * (1 + std::abs(y)) * numerics::unit_roundoff;
  if (y.real() + std::log(high_) > large_exponent) {
    const std::complex<double> rest = (1 - high_ - low_) / high_ * std::exp(-y);
    const std::complex<double> value = y + std::log(high_) + numerics::log1p(rest);
    return {{value.real(), std::remainder(value.imag(), 2 * M_PI)}, rounding};
  }
  std::complex<double> up, down;
  double turned = 0;  // y is rounded: exp(y) turns by |y| roundings even where expm1(y) vanishes
  if (e_ <= centred_up_to) {
    up = high_ * (exp_remainder(y) + z * exp_remainder(-e_));
    down = low_ * (exp_remainder(-y) + z * exp_remainder(e_));
  } else {
    up = high_ * (exp_remainder(y) + y);
    down = low_ * (exp_remainder(-y) - y);
    turned = std::abs(y) * (high_ * std::exp(y.real()) + low_ * std::exp(-y.real()));
  }
  const std::complex<double> s = up + down;
  return {numerics::log1p(s),
          (rounding * (std::abs(up) + std::abs(down)) + 2 * numerics::unit_roundoff * turned) / std::abs(1.0 + s)};
}

Bounded TwoSidedCurve::supremum() const { return with_relative_error(e_, epsilon_ulps_); }

}  // namespace renyi::mechanism
