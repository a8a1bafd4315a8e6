// Laplace mechanism (docs/math/closed-form-curves.md, "Laplace"). With e = l1_sensitivity / scale and R(y) = exp(y) - 1
// - y,
//
//     K(z) = log1p( [ (z+1) R(z e) + z R(-(z+1) e) ] / (2z+1) ),
//
// which is the published form without the terms that cancel: for real z >= 0 every term is >= 0, so small curves keep
// their relative accuracy.
#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <complex>

#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/table.h"
#include "numerics/decimal_arithmetic.h"
#include "numerics/exponentials.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace mechanism_laplace_file {
namespace {

using numerics::exp_remainder;

constexpr double laplace_ulps = 24;
// Beyond this the second exponential, exp(-(2z+1) e) of the first, is below rounding.
constexpr double large_exponent = 40;

// E[exp(z L)] = [(z+1) exp(z e) + z exp(-(z+1) e)] / (2z+1). With v = Im z growing, |z+1|/|2z+1| falls
// to 1/2 and |z|/|2z+1| rises to it: for every v >= y
//     |E exp(z L)| <= exp(c e) |z_y+1|/|2z_y+1| + exp(-(c+1) e)/2,   z_y = c + iy.
class LaplaceLine final : public mechanism::PointwiseLine {
  static constexpr double farthest_sampled = 20;

 public:
  LaplaceLine(const Curve& curve, double e, double c) : PointwiseLine(curve, c, Direction::remove), e_(e), c_(c) {}

  double decay_beyond(double y) const override {
    // By std::abs: the symbol of std::hypot is of glibc 2.35, and wheels run with older ones.
    const double up = std::abs(std::complex(c_ + 1, y)) / std::abs(std::complex(2 * c_ + 1, 2 * y));
    const double log_share = c_ * e_ - base().value + std::log(up + 0.5 * std::exp(-(2 * c_ + 1) * e_));
    const double rounding = 32 * numerics::unit_roundoff * (1 + c_ * e_);
    return std::min(0.0, log_share + base().error + rounding);
  }

  // Where neither the variance nor the bound above gives a useful bound, |phi| is evaluated at equally spaced points,
  // and half their distance times its largest slope, E|L| <= e, is added.
  double decay(double y) const override {
    const double known = PointwiseLine::decay(y);
    if (known < 0 || e_ * y > farthest_sampled) return known;
    constexpr int points = 64;
    double largest = 0;
    for (int i = 0; i < points; ++i) {
      const ComplexLogMoment phi = log_phi(y * (1 + (i + 0.5) / points));
      largest = std::max(largest, std::exp(phi.value.real() + phi.error));
    }
    const double bound = std::log(largest + 0.5 * e_ * y / points * (1 + 1e-9));
    return bound < 0 ? bound : 0;
  }

 private:
  double e_;
  double c_;
};

class LaplaceCurve final : public mechanism::SymmetricCurve {
 public:
  explicit LaplaceCurve(const Quotient& max_loss) : e_(max_loss.numerator / max_loss.denominator), written_(max_loss) {}

  std::optional<Quotient> max_loss_quotient(Direction) const override { return written_; }
  mechanism::Law law() const override { return mechanism::DoubleExponential{written_.numerator, written_.denominator}; }
  Growth growth() const override { return {supremum().upper(), 0}; }

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

  // K = z e + ln((z+1)/(2z+1)) to below rounding; the logarithm is at least -ln 2 and small compared with z e, so
  // nothing cancels.
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

  Bounded supremum() const override { return numerics::decimal_quotient(written_); }

  std::unique_ptr<const VerticalLine> line_at(double c, Direction) const override {
    return std::make_unique<LaplaceLine>(*this, e_, c);
  }

  // With u = a - 1/2 and S(y) = sinh(y)/y, M = exp(-e/2) (cosh(u e) + (e/2) S(u e)), so
  //     1 - M = exp(-e/2) [ R(e/2) - (cosh(u e) - 1) - (e/2) (S(u e) - 1) ].
  // Near a = 1 the bracket cancels; there the form of K(z) does not.
  Bounded chernoff_of(double a) const override {
    const double u = a - 0.5, x = u * e_, b = 1 - a;
    if (e_ <= 1) {
      const double lost = a < 0.75 ? std::exp(-e_ / 2) * (exp_remainder(e_ / 2) - hyperbolic_excess(x, e_ / 2))
                                   : (b * exp_remainder(-a * e_) - a * exp_remainder(-b * e_)) / (2 * u);
      return mechanism::with_relative_error(-std::log1p(-lost), 8 * laplace_ulps);
    }
    // ln M = -e/2 + x + ln( (1 + exp(-2x))/2 + (e/2) (1 - exp(-2x))/(2x) )
    const double fallen = x > 0 ? -std::expm1(-2 * x) / (2 * x) : 1;
    const double value = b * e_ - std::log(0.5 * (1 + std::exp(-2 * x)) + 0.5 * e_ * fallen);
    return {std::max(0.0, value), laplace_ulps * numerics::unit_roundoff * (1 + b * e_)};
  }

  // cosh(x) - 1 + c (sinh(x)/x - 1) for 0 <= x <= 1/2, where nothing cancels in the series.
  static double hyperbolic_excess(double x, double c) {
    double term = 1, sum = 0;
    for (int k = 2; k <= 20; k += 2) {
      term *= x * x / (k * (k - 1));
      sum += term * (1 + c / (k + 1));
    }
    return sum;
  }

  // Under P, with e = max loss: L = e with probability 1/2, L = -e with probability
  // exp(-e)/2, and between them L = e - 2t where t has density exp(-t)/2 on (0, e).
  Cumulants cumulants_of() const override {
    const LogMoment at_zero = at(0.0);
    const double above = -std::expm1(-e_);    // e - mean
    const double reach = std::min(e_, 64.0);  // beyond it, exp(-t) t^3 is below rounding
    const auto about_mean = [&](int power) {
      const auto inside = [&](double t) { return 0.5 * std::exp(-t) * std::pow(above - 2 * t, power); };
      double sum = 0.5 * std::pow(above, power) + 0.5 * std::exp(-e_) * std::pow(above - 2 * e_, power);
      constexpr int pieces = 8;  // each at most 8 long: 20 points integrate exp(-t) t^3 to rounding
      for (int i = 0; i < pieces; ++i) {
        sum +=
            boost::math::quadrature::gauss<double, 20>::integrate(inside, reach * i / pieces, reach * (i + 1) / pieces);
      }
      return sum;
    };
    const double relative = 8 * laplace_ulps * numerics::unit_roundoff;
    const double width = 2 * above;  // the size of L - mean where its mass is
    return {.mean = at_zero.slope,
            .mean_error = at_zero.slope_error,
            .variance = about_mean(2),
            .variance_error = relative * width * width,
            .third = about_mean(3),
            .third_error = relative * width * width * width};
  }

  double e_;
  Quotient written_;
};

// Laplace noise of scale `scale` on a query with L1 sensitivity `l1_sensitivity`.
struct Laplace {
  double scale = 1;
  double l1_sensitivity = 1;

  static constexpr std::string_view kind = "laplace";
  static constexpr std::string_view summary = "Laplace noise on a query of bounded L1 sensitivity";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&Laplace::scale, &Laplace::l1_sensitivity};
  static Notes notes();
  static constexpr bool is_additive_noise = true;
  std::optional<Laplace> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Laplace&) const = default;
};

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

std::shared_ptr<const Curve> Laplace::curve() const {
  return std::make_shared<mechanism_laplace_file::LaplaceCurve>(Quotient{l1_sensitivity, scale});
}

// Along a chain of neighbours the distances add (triangle inequality).
std::optional<Laplace> Laplace::for_group(double size) const {
  return Laplace{scale, mechanism::grown(l1_sensitivity, size)};
}

Notes Laplace::notes() {
  return {.relation = "any; the sensitivity is stated for it (of a sampled step: for the presence of one record)",
          .exact = "everything, for one number; for vectors where the whole sensitivity falls on one coordinate",
          .bound = "for vectors that change in several coordinates",
          .references = {reference::mironov2017}};
}

}  // namespace
}  // namespace mechanism_laplace_file

Mechanism table::laplace() { return mechanism::made(mechanism_laplace_file::Laplace{}); }

}  // namespace renyi
