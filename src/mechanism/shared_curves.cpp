#include "mechanism/shared_curves.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "numerics/exponentials.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"

namespace renyi::mechanism {

using numerics::exp_remainder;

namespace shared_curves_file {
namespace {

constexpr double atom_ulps = 24;
constexpr double linear_ulps = 8;  // for d1, rho, the sum and the products
// Up to here the centred form is used; beyond it the losses are so unequal that
// high expm1(z e) outweighs low expm1(-z e) and nothing cancels.
constexpr double centred_up_to = 1;
// Beyond this ln(high e^(z e)) the other terms are small compared with the first, and splitting off its logarithm
// cancels nothing.
constexpr double large_exponent = 30;

// The tilted loss is +e, -e or 0 with probabilities a, b and 1-a-b, so with x = y e
//     phi(y) - 1 = -2 (a+b) sin(x/2)^2 + i (a-b) sin(x).
class TwoSidedLine final : public PointwiseLine {
 public:
  TwoSidedLine(const Curve& curve, double c, double e, double a, double b, double a_minus_b, double ulps)
      : PointwiseLine(curve, c, Direction::remove), e_(e), moves_(a + b), drift_(a_minus_b), ulps_(ulps) {}

  ComplexLogMoment log_phi(double y) const override {
    const double x = y * e_, half = std::sin(0.5 * x), whole = std::sin(x);
    const std::complex<double> s(-2 * moves_ * half * half, drift_ * whole);
    // A relative error of e turns phi by that share of the mean's phase.
    const double relative = (ulps_ + 8) * numerics::unit_roundoff;
    const double error = relative * (std::abs(s) + std::abs(x) * (moves_ * std::abs(whole) + std::abs(drift_)));
    const double modulus = std::abs(1.0 + s);
    if (!(error < 0.5 * modulus)) return {{std::min(0.0, std::log(modulus + error)), 0}, HUGE_VAL};
    return {numerics::log1p(s), 2 * error / modulus + 4 * numerics::unit_roundoff * std::abs(s)};
  }
  double cost(double) const override { return 14; }

 private:
  double e_;
  double moves_;
  double drift_;
  double ulps_;
};

}  // namespace
}  // namespace shared_curves_file

TwoSidedCurve::TwoSidedCurve(double e, double high, double low, double rest, double epsilon_ulps, Knowledge knowledge,
                             Law law)
    : e_(e),
      epsilon_ulps_(epsilon_ulps),
      high_(high),
      low_(low),
      rest_(rest),
      ulps_(shared_curves_file::atom_ulps + 2 * epsilon_ulps),
      knowledge_(knowledge),
      law_(law) {}

// K(z) = ln( high e^(z e) + low e^(-z e) + rest ), written as
//
//     log1p( high [R(z e) + z R(-e)] + low [R(-z e) + z R(e)] ),  R(y) = exp(y) - 1 - y
//
// (docs/math/log-moment-curve.md, "centred moments"): for real z >= 0 all terms
// are >= 0. For large e the plain form does not cancel and cannot overflow.
LogMoment TwoSidedCurve::at(double z) const {
  const double y = z * e_;
  const double log_high = std::log(high_);
  if (y + log_high > shared_curves_file::large_exponent) {
    // K = y + ln(high) + log1p(rest/high e^(-y) + ...), and the omitted terms are below rounding.
    const double rest = rest_ / high_ * std::exp(-y);
    const double share = 1 / (1 + rest);
    return with_relative_error(y + log_high + std::log1p(rest), e_ * share, e_ * e_ * share * (1 - share), ulps_);
  }
  const double up = exp_remainder(y) + y, down = exp_remainder(-y) - y;  // expm1(y), expm1(-y)
  double s = 0, s1 = 0;
  if (e_ <= shared_curves_file::centred_up_to) {
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
  if (y.real() + std::log(high_) > shared_curves_file::large_exponent) {
    const std::complex<double> rest = rest_ / high_ * std::exp(-y);
    const std::complex<double> value = y + std::log(high_) + numerics::log1p(rest);
    return {{value.real(), std::remainder(value.imag(), 2 * M_PI)}, rounding};
  }
  std::complex<double> up, down;
  double turned = 0;  // y is rounded: exp(y) turns by |y| roundings even where expm1(y) vanishes
  if (e_ <= shared_curves_file::centred_up_to) {
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

// 1 - M = high [b R(-e) - R(-b e)] + low [b R(e) - R(b e)] with b = 1-a <= 1/2, both
// brackets >= 0; where M itself is small, its terms are added instead.
Bounded TwoSidedCurve::chernoff_of(double a) const {
  const double b = 1 - a, y = b * e_;
  const double relative = ulps_ * (1 + e_) * numerics::unit_roundoff;
  if (e_ <= shared_curves_file::centred_up_to) {
    const double lost =
        high_ * (b * exp_remainder(-e_) - exp_remainder(-y)) + low_ * (b * exp_remainder(e_) - exp_remainder(y));
    const double value = -std::log1p(-lost);
    return {value, 4 * relative * value};
  }
  // M = high e^(-b e) + low e^(b e) + rest, in units of its largest term; low = high e^(-e).
  const double first = std::log(high_) - y, last = rest_ > 0 ? std::log(rest_) : first;
  const double scale = std::max(first, last);
  const double sum = std::exp(first - scale) * (1 + std::exp(-(a - b) * e_)) + (rest_ > 0 ? std::exp(last - scale) : 0);
  return {std::max(0.0, -scale - std::log(sum)), relative * (1 + y)};
}

Cumulants TwoSidedCurve::cumulants_of() const {
  const LogMoment at_zero = at(0.0);  // high - low would cancel
  const double mean = at_zero.slope, up = e_ * (rest_ + 2 * low_), down = e_ * (1 + high_ - low_);  // e -+ mean
  const double variance = high_ * up * up + low_ * down * down + rest_ * mean * mean;
  const double gain = high_ * up * up * up, loss = low_ * down * down * down + rest_ * mean * mean * mean;
  const double relative = ulps_ * numerics::unit_roundoff;
  return {.mean = mean,
          .mean_error = at_zero.slope_error,
          .variance = variance,
          .variance_error = relative * variance,
          .third = gain - loss,
          .third_error = relative * (gain + loss)};
}

// a/b = exp((2c+1) e) and a + b + rest = 1 in units of exp(K).
std::unique_ptr<const VerticalLine> TwoSidedCurve::line_at(double c, Direction direction) const {
  const double fall = std::exp(-(2 * c + 1) * e_), rest = rest_ > 0 ? rest_ / high_ * std::exp(-c * e_) : 0;
  const double a = 1 / (1 + fall + rest), ulps = ulps_ * (1 + c * e_) + epsilon_ulps_;
  if (!(e_ > 0)) return std::make_unique<PointwiseLine>(*this, c, direction);
  return std::make_unique<shared_curves_file::TwoSidedLine>(*this, c, e_, a, a * fall,
                                                            -a * std::expm1(-(2 * c + 1) * e_), ulps);
}

Bounded TwoSidedCurve::supremum() const { return with_relative_error(e_, epsilon_ulps_); }

LinearDivergenceCurve::LinearDivergenceCurve(double d1, double rho, double last_order, Law law)
    : d1_(d1), rho_(rho), last_order_(last_order), law_(law) {
  if (d1 > 0) return;
  // D_1 = 0: both distributions are the same, and every order has the divergence 0.
  rho_ = 0;
  last_order_ = std::numeric_limits<double>::infinity();
}

// K(z) = z D_(1+z)
LogMoment LinearDivergenceCurve::at(double z) const {
  return with_relative_error(z * (d1_ + rho_ * z), d1_ + 2 * rho_ * z, 2 * rho_, shared_curves_file::linear_ulps);
}

ComplexLogMoment LinearDivergenceCurve::at(std::complex<double>) const {
  throw Unsupported("z", "the step is known by its divergences at real orders only", "use real orders");
}

// A bound that holds at every order and does not grow with it is a bound on the loss itself.
Bounded LinearDivergenceCurve::supremum() const {
  const double infinity = std::numeric_limits<double>::infinity();
  if (rho_ > 0 || last_order_ < infinity) return {infinity, 0};
  return {d1_, 0};  // a parameter as it was given
}

Growth LinearDivergenceCurve::growth() const {
  const double up = 1 + 2 * shared_curves_file::linear_ulps * numerics::unit_roundoff;
  return {std::max(0.0, d1_ - rho_) * up, rho_ * up};
}

ComplexLogMoment InfiniteLossCurve::at(std::complex<double>) const {
  throw Unsupported("z", "the loss is infinite with some probability, so K is infinite", "ask for the finite part");
}

Mechanism finite_mechanism(const Mechanism& mechanism) {
  const auto curve = mechanism.curve();
  if (const auto* known = dynamic_cast<const InfiniteLossCurve*>(curve.get())) return known->finite();
  auto finite = curve->finite_part();
  return finite ? Mechanism(CustomMechanism(std::string(mechanism.summary()), std::move(finite))) : mechanism;
}

}  // namespace renyi::mechanism
