// Laplace mechanism (docs/math/closed-form-curves.md, "Laplace"). With e = l1_sensitivity / scale and R(y) = exp(y) - 1
// - y,
//
//     K(z) = log1p( [ (z+1) R(z e) + z R(-(z+1) e) ] / (2z+1) ),
//
// the published form with the terms that cancel removed by hand: for real
// z >= 0 every term is >= 0, so small curves keep their relative accuracy.
#include <array>
#include <cmath>

#include "mechanism/symmetric_curve.h"
#include "numerics/exponentials.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace {

using numerics::exp_remainder;

constexpr double laplace_ulps = 24;
// Beyond this the second exponential, exp(-(2z+1) e) of the first, is below rounding.
constexpr double large_exponent = 40;

class LaplaceCurve final : public mechanism::SymmetricCurve {
 public:
  explicit LaplaceCurve(double max_loss) : e_(max_loss) {}

 private:
  LogMoment at(double z) const override { return (2 * z + 1) * e_ > large_exponent ? at_large(z) : at_moderate(z); }

  LogMoment at_moderate(double z) const {
    const double up = z * e_, down = -(z + 1) * e_;
    const double r_up = exp_remainder(up), r_down = exp_remainder(down);
    const double d_up = r_up + up, d_down = r_down + down;  // expm1 of each
    const double n = (z + 1) * r_up + z * r_down;
    const double n1 = r_up + r_down + e_ * ((z + 1) * d_up - z * d_down);
    const double n2 = 2 * e_ * (d_up - d_down) + e_ * e_ * ((z + 1) * (1 + d_up) + z * (1 + d_down));
    const double w = 2 * z + 1;
    const double s = n / w, s1 = (n1 - 2 * s) / w, s2 = (n2 - 4 * s1) / w;
    const double m = 1 + s;
    // The exponents carry rounding errors of their own size.
    return mechanism::with_relative_error(std::log1p(s), s1 / m, s2 / m - (s1 / m) * (s1 / m), laplace_ulps + 4 * up);
  }

  // K = z e + ln((z+1)/(2z+1)) to below rounding; the logarithm is at least -ln 2 and
  // small beside z e, so nothing cancels.
  LogMoment at_large(double z) const {
    const double w = 2 * z + 1;
    const double value = z * e_ + std::log1p(-z / w);
    const double slope = e_ + 1 / (z + 1) - 2 / w;
    const double curvature = 4 / (w * w) - 1 / ((z + 1) * (z + 1));
    return mechanism::with_relative_error(value, slope, curvature, laplace_ulps);
  }

  ComplexLogMoment at(std::complex<double> z) const override {
    const std::complex<double> w = 2.0 * z + 1.0;
    if ((2 * z.real() + 1) * e_ > large_exponent) {
      const std::complex<double> value = z * e_ + numerics::log1p(-z / w);
      return {{value.real(), std::remainder(value.imag(), 2 * M_PI)},
              laplace_ulps * numerics::unit_roundoff * (1 + std::abs(z * e_))};
    }
    const std::complex<double> up = z * e_, down = -(z + 1.0) * e_;
    const std::complex<double> s_up = (z + 1.0) * exp_remainder(up) / w, s_down = z * exp_remainder(down) / w;
    const std::complex<double> s = s_up + s_down;
    const double rounding = (laplace_ulps + 4 * std::abs(down)) * numerics::unit_roundoff;
    return {numerics::log1p(s), rounding * (std::abs(s_up) + std::abs(s_down)) / std::abs(1.0 + s)};
  }

  Bounded supremum() const override { return mechanism::with_relative_error(e_, 1); }

  double e_;
};

}  // namespace

std::span<const Parameter> Laplace::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "scale",
       .meaning = "scale of the noise",
       .lowest = 1e-50,
       .highest = 1e50,
       .effect = Effect::lowers_cost},
      {.name = "l1_sensitivity",
       .meaning = "how far one record moves the query in L1 norm",
       .lowest = 1e-50,
       .highest = 1e50,
       .fallback = 1.0,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> Laplace::curve() const { return std::make_shared<LaplaceCurve>(l1_sensitivity / scale); }

}  // namespace renyi
