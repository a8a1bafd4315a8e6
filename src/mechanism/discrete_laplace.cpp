// Discrete Laplace noise (two-sided geometric) on a query that answers with a whole number
// (docs/math/discrete-noise.md).
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <mutex>
#include <numbers>
#include <optional>
#include <vector>

#include "mechanism/curve.h"
#include "mechanism/model.h"
#include "mechanism/table.h"
#include "numerics/decimal_arithmetic.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

namespace discrete_laplace_file {
namespace {

using numerics::exp_remainder;
using numerics::unit_roundoff;

// E[exp(zL)] for discrete Laplace noise shifted by D, without cancellation (docs/math/discrete-noise.md, "Discrete
// Laplace"). With s = 1/scale, E = sD and x = s(z + 1/2),
//
//     E[exp(zL)] = alpha exp(zE) + beta exp(-(z+1)E),   alpha, beta = (1 +- tanh(s/2) coth(x))/2.
template <class Scalar>
struct LaplaceWeights {
  Scalar alpha;
  Scalar beta;
  Scalar lambda;     // alpha z - beta (z+1)
  double error = 0;  // absolute error of lambda beyond a few units of itself
};

double expm1(double w) { return std::expm1(w); }
std::complex<double> expm1(std::complex<double> w) {
  const double half = std::sin(0.5 * w.imag());
  return {std::expm1(w.real()) * std::cos(w.imag()) - 2 * half * half, std::exp(w.real()) * std::sin(w.imag())};
}

// Beyond this modulus lambda is computed as the plain difference.
constexpr double series_radius = 2;

// Returns the sum over k >= 1 of (a^2k - b^2k)/((2k+1)! (a^2 - b^2)), whose terms are positive for real a, b.
template <class Scalar>
Scalar sinh_difference(Scalar a, Scalar b) {
  Scalar sum = 0, h = 1, power = 1;
  double factorial = 6;
  for (int k = 1; k <= 16; ++k) {
    sum += h / factorial;
    power *= b * b;
    h = a * a * h + power;
    factorial *= (2 * k + 2) * (2 * k + 3);
  }
  return sum;
}

// Returns sinh(w) exp(-w) 2.
template <class Scalar>
Scalar fallen(Scalar w) {
  return -expm1(-2.0 * w);
}

template <class Scalar>
LaplaceWeights<Scalar> laplace_weights(double s, Scalar z) {
  const Scalar x = s * (z + 0.5), norm = (1 + std::exp(-s)) * fallen(x);
  LaplaceWeights<Scalar> w{fallen(s * (z + 1.0)) / norm, std::exp(-s) * fallen(s * z) / norm, {}, 0};
  const Scalar a = s * (z + 1.0), b = s * z;
  if (std::abs(a) <= series_radius) {
    // z sinh(a) - (z+1) sinh(b) = z (z+1) s (sinh(a)/a - sinh(b)/b), and 2 cosh(s/2) sinh(x) = exp(x + s/2) norm/2.
    const Scalar gap = s * s * s * z * (z + 1.0) * (2.0 * z + 1.0) * sinh_difference(a, b);
    w.lambda = 2.0 * gap * std::exp(-x - 0.5 * s) / norm;
  } else {
    w.lambda = w.alpha * z - w.beta * (z + 1.0);
    w.error = 8 * unit_roundoff * (std::abs(w.alpha * z) + std::abs(w.beta * (z + 1.0)));
  }
  return w;
}

// Returns x coth(x) - 1, computed by the series of x cosh(x) - sinh(x) where that difference cancels.
double coth_excess(double x) {
  if (x > 1) return x / std::tanh(x) - 1;
  double sum = 0, term = x;
  for (int k = 1; k <= 10; ++k) {
    term *= x * x / ((2 * k) * (2 * k + 1));
    sum += 2 * k * term;
  }
  return sum / std::sinh(x);
}

// Returns (sinh(2x)/2 - x) / sinh(x)^2.
double coth_rest(double x) {
  if (x > 300) return 1;
  if (x > 1) return (0.5 * std::sinh(2 * x) - x) / (std::sinh(x) * std::sinh(x));
  double sum = 0, term = 2 * x;
  for (int k = 1; k <= 14; ++k) {
    term *= 4 * x * x / ((2 * k) * (2 * k + 1));
    sum += term;
  }
  return 0.5 * sum / (std::sinh(x) * std::sinh(x));
}

// beta' = -alpha' and alpha''.
struct Derivatives {
  double first = 0;
  double second = 0;
};
Derivatives of_alpha(double s, double z) {
  const double x = s * (z + 0.5);
  if (x > 300) return {};
  const double sine = std::sinh(x), first = 0.5 * s * std::tanh(0.5 * s) / (sine * sine);
  return {first, 2 * s * first / std::tanh(x)};
}

// exp(zE) alpha + exp(-(z+1)E) beta - 1 = alpha R(zE) + beta R(-(z+1)E) + E lambda, R(y) = exp(y) - 1 - y: for real z
// every term is >= 0.
struct LaplaceMoment {
  double excess = 0;
  double slope = 0;
  double curvature = 0;  // curvature of the moment, not of its logarithm
};
LaplaceMoment laplace_moment(double s, double e, double z) {
  const auto w = laplace_weights(s, z);
  const double r_up = exp_remainder(z * e), r_down = exp_remainder(-(z + 1) * e);
  const double d_up = r_up + z * e, d_down = r_down - (z + 1) * e, x = s * (z + 0.5);
  const auto [g, bent] = of_alpha(s, z);
  LaplaceMoment m;
  m.excess = w.alpha * r_up + w.beta * r_down + e * w.lambda;
  // E[(alpha - beta) - (2z+1) g] = E tanh(s/2) (sinh(2x)/2 - x)/sinh(x)^2 is the remainder of the linear terms.
  m.slope = e * std::tanh(0.5 * s) * coth_rest(x) + e * (w.alpha * d_up - w.beta * d_down) - g * (r_up - r_down);
  m.curvature =
      4 * e * g * coth_excess(x) + bent * (r_up - r_down) - 2 * e * g * (d_up + d_down) + e * e * (1 + m.excess);
  return m;
}

// -alpha'/alpha and alpha''/alpha.
struct AlphaFall {
  double first = 0;
  double second = 0;
};
AlphaFall alpha_fall(double s, double z) {
  const auto [g, bent] = of_alpha(s, z);
  const double alpha = laplace_weights(s, z).alpha;
  return {g / alpha, bent / alpha};
}

// The curve of the pair of the noise and the same noise shifted by an integer distance D: the loss takes D+1 values
// (docs/math/discrete-noise.md, "Discrete Laplace").
class DiscreteLaplaceCurve final : public AtomicCurve {
 public:
  DiscreteLaplaceCurve(double scale, double distance)
      : s_(1 / scale), distance_(distance), e_(distance / scale), written_{distance, scale} {}

  std::optional<Quotient> max_loss_quotient(Direction) const override { return written_; }
  bool is_symmetric() const override { return true; }
  bool is_listed() const override;
  const std::vector<LossAtom>& atoms(Direction direction) const override;
  Bounded hockey_stick(double epsilon, Direction direction) const override {
    return listed_hockey_stick(*this, epsilon, direction);
  }

 private:
  LogMoment real_at(double z, Direction direction) const override;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;
  Bounded chernoff_at(double a, Direction direction) const override;
  Cumulants cumulants_at(Direction direction) const override;

  double s_;  // 1/scale
  double distance_;
  double e_;  // the largest loss
  Quotient written_;
  mutable std::once_flag listed_;
  mutable std::vector<LossAtom> atoms_;
};

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

// Returns x coth(x) - 1.
double coth_excess_for_chernoff(double x) {
  const auto [cosh, sinh] = hyperbolic_excess(x);
  return x > 0.5 ? x / std::tanh(x) - 1 : (cosh - sinh) / (1 + sinh);
}

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

Bounded DiscreteLaplaceCurve::max_loss_at(Direction) const { return numerics::decimal_quotient(written_); }

// With y = a - 1/2: E[(P/Q)^a] = exp(-E/2) (cosh(yE) + (E/2) tau sinh(yE)/(yE)),
// tau = tanh(s/2)/(s/2) sy coth(sy), and 1 minus that without the terms that cancel.
Bounded DiscreteLaplaceCurve::chernoff_at(double a, Direction) const {
  const double y = a - 0.5, b = 1 - a, half = 0.5 * s_;
  if (e_ > 1 || a >= 0.75) {
    if (e_ <= 1) {  // near order 1 the form of K(z), z = -b, is the one that does not cancel
      const auto w = laplace_weights(s_, -b);
      const double lost = -(w.alpha * exp_remainder(-b * e_) + w.beta * exp_remainder(-a * e_) + e_ * w.lambda);
      return {-std::log1p(-lost), 8 * curve_ulps * unit_roundoff * -std::log1p(-lost)};
    }
    const double x = y * e_, fallen = x > 0 ? -std::expm1(-2 * x) / (2 * x) : 1;
    const double tau = std::tanh(half) / half * (1 + coth_excess_for_chernoff(s_ * y));
    const double value = b * e_ - std::log(0.5 * (1 + std::exp(-2 * x)) + 0.5 * e_ * tau * fallen);
    return {std::max(0.0, value), curve_ulps * unit_roundoff * (1 + b * e_)};
  }
  const auto [cosh, sinh] = hyperbolic_excess(y * e_);
  // tau - 1 = (coth_excess_for_chernoff(sy) - coth_excess_for_chernoff(s/2)) / (1 + coth_excess_for_chernoff(s/2)) <= 0
  const double at_half = coth_excess_for_chernoff(half),
               off = (coth_excess_for_chernoff(s_ * y) - at_half) / (1 + at_half);
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

constexpr double largest_sensitivity = 1e6;

constexpr Reference ghosh2012{
    "ghosh2012",
    "Ghosh, Roughgarden, Sundararajan 2012, Universally utility-maximizing privacy mechanisms "
    "(arXiv:0811.2841v3), Definition 2.1",
    R"(@article{ghosh2012,
  author = {Ghosh, Arpita and Roughgarden, Tim and Sundararajan, Mukund},
  title = {Universally Utility-Maximizing Privacy Mechanisms},
  journal = {SIAM Journal on Computing},
  volume = {41},
  number = {6},
  pages = {1673--1693},
  year = {2012},
  eprint = {0811.2841}
})"};

struct DiscreteLaplace {
  double scale = 1;
  double sensitivity = 1;

  static constexpr std::string_view kind = "discrete-laplace";
  static constexpr std::string_view summary = "discrete Laplace (two-sided geometric) noise on a whole number";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&DiscreteLaplace::scale, &DiscreteLaplace::sensitivity};
  static Notes notes();
  static constexpr bool is_additive_noise = true;
  std::optional<DiscreteLaplace> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const DiscreteLaplace&) const = default;
};

std::span<const Parameter> DiscreteLaplace::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "scale",
       .meaning = "b: whole x have masses proportional to exp(-|x|/b)",
       .lowest = 1e-3,
       .highest = 1e9,
       .effect = Effect::lowers_cost},
      {.name = "sensitivity",
       .meaning = "how far one record moves the query, a whole number",
       .lowest = 1,
       .highest = largest_sensitivity,
       .whole = true,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> DiscreteLaplace::curve() const {
  return std::make_shared<DiscreteLaplaceCurve>(scale, sensitivity);
}

// Along a chain of neighbours the distances add (triangle inequality).
std::optional<DiscreteLaplace> DiscreteLaplace::for_group(double size) const {
  if (!(sensitivity * size <= largest_sensitivity)) return std::nullopt;
  return DiscreteLaplace{scale, sensitivity * size};
}

Notes DiscreteLaplace::notes() {
  return {.relation = "any; the sensitivity is stated for it (of a sampled step: for the presence of one record)",
          .exact = "everything, for one number; exact accounting for a sensitivity up to 20000",
          .bound =
              "Renyi divergences, for vectors whose coordinates move by no more than the sensitivity in all; beyond "
              "that sensitivity (epsilon, delta) are those of the Renyi curve",
          .references = {ghosh2012}};
}

}  // namespace
}  // namespace discrete_laplace_file

}  // namespace renyi::mechanism

namespace renyi {

Mechanism table::discrete_laplace() { return mechanism::made(mechanism::discrete_laplace_file::DiscreteLaplace{}); }

}  // namespace renyi
