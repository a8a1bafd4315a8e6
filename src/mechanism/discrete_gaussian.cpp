// Discrete Gaussian noise on a query that answers with a whole number (Canonne, Kamath, Steinke 2020;
// docs/math/discrete-noise.md).
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <mutex>
#include <numbers>
#include <vector>

#include "mechanism/curve.h"
#include "mechanism/lattice_pair.h"
#include "mechanism/law.h"
#include "mechanism/model.h"
#include "mechanism/table.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/limits.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

namespace discrete_gaussian_file {
namespace {

using numerics::unit_roundoff;
using std::numbers::pi;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Theta(t) = sum over whole x of exp(-(x+t)^2/(2 s^2)), by whichever of its two series converges fast
// (docs/math/discrete-noise.md, "Two series").
class Theta {
 public:
  explicit Theta(double stddev);

  double stddev() const { return s_; }
  double log_at_zero() const;  // ln Theta(0)

  // t (t+d)/(2 s^2) + ln(Theta(t)/Theta(0)) and its derivatives in t, for t >= 0 and d >= 1, with a relative error of a
  // few units.
  struct Real {
    double value = 0;
    double slope = 0;
    double curvature = 0;
  };
  Real moment(double t, double d) const;

  // The same function at t + iv, up to a multiple of i pi d: v is reduced by multiples of the period 2 pi s^2 of the
  // modulus, and `turns` is the number of periods subtracted.
  struct Complex {
    std::complex<double> value;
    double error = 0;
    double turns = 0;
  };
  Complex moment(double t, double v, double d) const;

  // Returns t (d-t)/(2 s^2) - ln(Theta(t)/Theta(0)) >= 0 for t in [0, d/2].
  double deficit(double t, double d) const;

  // Returns the sum of x^2 exp(-x^2/(2 s^2)) / Theta(0).
  double variance() const;

 private:
  Real narrow(double t, double d) const;
  Real wide(double t, double d) const;
  std::complex<double> narrow_excess(std::complex<double> f, double& size) const;
  std::complex<double> wide_excess(std::complex<double> f, double& size) const;

  double s_;
  double precision_;  // 1/s^2
  bool is_narrow_;
  double norm_ = 1;  // Theta(0), or in the other series Theta(0)/(s sqrt(2 pi))
};

// At this width the terms of both series fall at least as fast as exp(-1.4 k^2).
constexpr double narrowest_wide = 0.6;
// Terms below exp(-this) of the largest are below rounding.
constexpr double negligible = 60;
constexpr double moment_ulps = 64;

std::complex<double> expm1(std::complex<double> w) {
  const double half = std::sin(0.5 * w.imag());
  return {std::expm1(w.real()) * std::cos(w.imag()) - 2 * half * half, std::exp(w.real()) * std::sin(w.imag())};
}

// t = n + f, |f| <= 1/2.
struct Split {
  double n = 0;
  double f = 0;
};
Split split(double t) {
  const double n = std::round(t);
  return {n, t - n};
}

Theta::Theta(double stddev) : s_(stddev), precision_(1 / (stddev * stddev)), is_narrow_(stddev <= narrowest_wide) {
  const double rate = is_narrow_ ? 0.5 * precision_ : 2 * pi * pi * s_ * s_;
  double sum = 0;
  for (int k = 8; k >= 1; --k) sum += std::exp(-rate * k * k);
  norm_ = 1 + 2 * sum;
}

double Theta::log_at_zero() const {
  return is_narrow_ ? std::log(norm_) : std::log(s_) + 0.5 * std::log(2 * pi) + std::log(norm_);
}

// Theta(t) = exp(-f^2/(2 s^2)) S(f), S(f) = sum exp(-x^2/(2 s^2)) cosh(x f/s^2), so that
//     t (t+d)/(2 s^2) + ln(Theta(t)/Theta(0)) = [n (n+d) + f (2n+d)]/(2 s^2) + ln(S(f)/S(0)),
// and S(f) - S(0) is a sum of terms >= 0.
Theta::Real Theta::narrow(double t, double d) const {
  const auto [n, f] = split(t);
  const double a = std::abs(f), half = 0.5 * precision_;
  double grown = 0, first = 0, second = 0;
  for (double x = 1; x * (x - 2 * a) * half < negligible; ++x) {
    const double top = std::exp(-x * (x - 2 * a) * half), y = x * a * precision_, fallen = std::expm1(-y);
    const double slope = x * precision_;
    grown += top * fallen * fallen;
    first += slope * top * -std::expm1(-2 * y);
    second += slope * slope * top * (1 + std::exp(-2 * y));
  }
  const double s = norm_ + grown, mean = std::copysign(first / s, f);
  return {(n * (n + d) + f * (2 * n + d)) * half + std::log1p(grown / norm_), (2 * n + d) * half + mean,
          std::max(0.0, second / s - mean * mean)};
}

// By Poisson's summation Theta(t) = s sqrt(2 pi) (1 + 2 sum e_k cos(2 pi k t)), e_k = exp(-2 pi^2 s^2 k^2), and
//     ln(Theta(t)/Theta(0)) = log1p(-4 sum e_k sin(pi k t)^2 / (1 + 2 sum e_k)).
Theta::Real Theta::wide(double t, double d) const {
  const double f = split(t).f, half = 0.5 * precision_, rate = 2 * pi * pi * s_ * s_;
  double fallen = 0, first = 0, second = 0;
  for (double k = 1; rate * k * k < negligible; ++k) {
    const double e = std::exp(-rate * k * k), sine = std::sin(pi * k * f);
    fallen += 4 * e * sine * sine;
    first += 4 * pi * k * e * std::sin(2 * pi * k * f);
    second += 8 * pi * pi * k * k * e * std::cos(2 * pi * k * f);
  }
  const double here = norm_ - fallen, mean = first / here;
  return {t * (t + d) * half + std::log1p(-fallen / norm_), (2 * t + d) * half - mean,
          std::max(0.0, precision_ - second / here - mean * mean)};
}

Theta::Real Theta::moment(double t, double d) const { return is_narrow_ ? narrow(t, d) : wide(t, d); }

// S(f)/S(0) - 1 = sum exp(-x^2/(2 s^2) + b) (1 - exp(-b))^2 / S(0), b = x f/s^2 with Re b >= 0. `size` is increased by
// the size of the terms.
std::complex<double> Theta::narrow_excess(std::complex<double> f, double& size) const {
  if (f.real() < 0) f = -f;
  std::complex<double> sum = 0;
  for (double x = 1; x * (x - 2 * f.real()) * 0.5 * precision_ < negligible; ++x) {
    const std::complex<double> b = x * precision_ * f, fallen = expm1(-b);
    const std::complex<double> term = std::exp(b - 0.5 * x * x * precision_) * fallen * fallen;
    sum += term;
    size += std::abs(term) * (1 + std::abs(b));
  }
  size /= norm_;
  return sum / norm_;
}

// 4 e_k sin(pi k f)^2 = -exp(b - 2 pi^2 s^2 k^2) (1 - exp(-b))^2, b = 2 pi k (|Im f| -+ i Re f), Re b >= 0.
std::complex<double> Theta::wide_excess(std::complex<double> f, double& size) const {
  const double rate = 2 * pi * pi * s_ * s_, v = std::abs(f.imag());
  const double turned = f.imag() < 0 ? f.real() : -f.real();
  std::complex<double> sum = 0;
  for (double k = 1; rate * k * k - 2 * pi * k * v < negligible; ++k) {
    const std::complex<double> b = 2 * pi * k * std::complex<double>(v, turned), fallen = expm1(-b);
    const std::complex<double> term = std::exp(b - rate * k * k) * fallen * fallen;
    sum += term;
    size += std::abs(term) * (1 + std::abs(b));
  }
  size /= norm_;
  return sum / norm_;
}

// In both series |Theta(t + iv)| exp(-v^2/(2 s^2)) is periodic in v.
Theta::Complex Theta::moment(double t, double v, double d) const {
  const double period = 2 * pi * s_ * s_, turns = std::round(v / period);
  // v may be so large that it is not known to within a period; then only the modulus is bounded, by that on the real
  // axis.
  const bool is_hidden = 8 * unit_roundoff * std::abs(v) >= period;
  const double reduced = is_hidden ? 0 : std::fma(-turns, period, v);
  const auto [n, part] = split(t);
  const std::complex<double> f(part, reduced), whole(t, reduced);
  double size = 0;
  const std::complex<double> excess = is_narrow_ ? narrow_excess(f, size) : wide_excess(f, size);
  const std::complex<double> main =
      is_narrow_ ? 0.5 * precision_ * (n * (n + d) + f * (2 * n + d)) : 0.5 * precision_ * whole * (whole + d);
  // The reduction rounds v by a few units of itself, and the slope there is at most that on the real axis.
  const double shifted = turns == 0 ? 0 : 4 * unit_roundoff * std::abs(v) * moment(t, d).slope;
  const double rounding = moment_ulps * unit_roundoff * (std::abs(main) + size / std::abs(1.0 + excess));
  const double error = is_hidden ? std::numeric_limits<double>::infinity() : rounding + shifted;
  return {main + numerics::log1p(excess), error, turns};
}

double Theta::deficit(double t, double d) const {
  const auto [n, f] = split(t);
  double size = 0;
  if (is_narrow_) {
    // t (d-t) + f^2 = n (d-n) + f (d-2n)
    return 0.5 * precision_ * (n * (d - n) + f * (d - 2 * n)) - std::log1p(narrow_excess(f, size).real());
  }
  return 0.5 * precision_ * t * (d - t) - std::log1p(wide_excess(f, size).real());
}

double Theta::variance() const {
  const double rate = is_narrow_ ? 0.5 * precision_ : 2 * pi * pi * s_ * s_;
  double sum = 0;
  for (double k = 8; k >= 1; --k) sum += 2 * k * k * std::exp(-rate * k * k);
  return is_narrow_ ? sum / norm_ : s_ * s_ * (1 - 4 * pi * pi * s_ * s_ * sum / norm_);
}

// The curve of the pair of the noise and the same noise shifted by an integer distance (docs/math/discrete-noise.md,
// "Discrete Gaussian").
class DiscreteGaussianCurve final : public AtomicCurve, public NoisePair {
 public:
  DiscreteGaussianCurve(double stddev, double distance);

  bool is_symmetric() const override { return true; }
  Law law() const override { return AtomicLoss{.curve = this, .lattice = this}; }
  Growth growth() const override;

  bool is_complete() const override { return false; }
  bool is_listed() const override;
  const std::vector<LossAtom>& atoms(Direction direction) const override;
  LeftOut left_out(Direction direction) const override;
  Bounded hockey_stick(double epsilon, Direction direction) const override;

  std::vector<Outcome> outcomes() const override;
  double log_left_out() const override;

 private:
  LogMoment real_at(double z, Direction direction) const override;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;
  Bounded chernoff_at(double a, Direction direction) const override;
  Cumulants cumulants_at(Direction direction) const override;

  Outcome outcome(double x) const override;
  double peak(double order) const override { return order * distance_; }
  double stride() const override;

  double loss(double x) const { return distance_ * (2 * x - distance_) * half_precision_; }
  double reach() const;  // half-width of the list of atoms

  Theta theta_;
  double distance_;
  double half_precision_;  // 1/(2 s^2)
  mutable std::once_flag listed_;
  mutable std::vector<LossAtom> atoms_;
};

constexpr double curve_ulps = 64;
// Masses below exp(-780) are omitted from lists.
constexpr double listed_deviations = 39.5;
constexpr double most_listed = 4e5;

DiscreteGaussianCurve::DiscreteGaussianCurve(double stddev, double distance)
    : theta_(stddev), distance_(distance), half_precision_(0.5 / stddev / stddev) {}

// Theta(t) <= Theta(0): no curve lies above the Gaussian's, z (z+1) D^2/(2 s^2), which it meets where z D is whole.
Growth DiscreteGaussianCurve::growth() const {
  return {0, distance_ * distance_ * half_precision_ * (1 + 8 * unit_roundoff)};
}

// K(z) = z (z+1) D^2/(2 s^2) + ln(Theta(zD)/Theta(0)), t = zD.
LogMoment DiscreteGaussianCurve::real_at(double z, Direction) const {
  const Theta::Real k = theta_.moment(z * distance_, distance_);
  const double relative = curve_ulps * unit_roundoff, slope = distance_ * k.slope;
  return {k.value, relative * k.value, slope, relative * slope, distance_ * distance_ * k.curvature};
}

ComplexLogMoment DiscreteGaussianCurve::complex_at(std::complex<double> z, Direction) const {
  const Theta::Complex k = theta_.moment(z.real() * distance_, z.imag() * distance_, distance_);
  // Every turn of the period adds i pi D.
  const double odd = std::fmod(k.turns, 2) * std::fmod(distance_, 2) * std::numbers::pi;
  return {{k.value.real(), std::remainder(k.value.imag() + odd, 2 * std::numbers::pi)},
          k.error + 4 * unit_roundoff * std::abs(odd)};
}

Bounded DiscreteGaussianCurve::max_loss_at(Direction) const { return {infinity, 0}; }

// This is -K(a-1), which Theta's symmetry makes a function of (1-a) D; 1 - a is exact for a in [1/2, 1).
Bounded DiscreteGaussianCurve::chernoff_at(double a, Direction) const {
  const double value = theta_.deficit((1 - a) * distance_, distance_);
  return {value, 4 * curve_ulps * unit_roundoff * value};
}

// The loss is D (2x - D)/(2 s^2), where x is centred at D: it is symmetric about its mean.
Cumulants DiscreteGaussianCurve::cumulants_at(Direction) const {
  const double relative = curve_ulps * unit_roundoff, mean = distance_ * distance_ * half_precision_;
  const double step = 2 * distance_ * half_precision_, variance = step * step * theta_.variance();
  return {.mean = mean,
          .mean_error = relative * mean,
          .variance = variance,
          .variance_error = relative * variance,
          .third_error = relative * variance * std::sqrt(variance)};
}

double DiscreteGaussianCurve::reach() const { return std::ceil(listed_deviations * theta_.stddev()) + 1; }

// If the two distributions were further apart, there would be integers between them that neither list reaches.
bool DiscreteGaussianCurve::is_listed() const { return distance_ <= 2 * reach() && 2 * reach() <= most_listed; }

// sum over k > R of exp(-k^2/(2 s^2)) <= exp(-(R+1)^2/(2 s^2)) / (1 - exp(-(2R+3)/(2 s^2)))
double DiscreteGaussianCurve::log_left_out() const {
  const double r = reach(), first = -(r + 1) * (r + 1) * half_precision_;
  return first * (1 - 8 * unit_roundoff) - theta_.log_at_zero() -
         std::log(-std::expm1(-(2 * r + 3) * half_precision_)) + 1e-9;
}

LatticePair::Outcome DiscreteGaussianCurve::outcome(double x) const {
  const double l = loss(x);
  const double moved = x - distance_;
  return {-x * x * half_precision_ - theta_.log_at_zero(), l, 4 * unit_roundoff * std::abs(l),
          -moved * moved * half_precision_ - theta_.log_at_zero()};
}

std::vector<LatticePair::Outcome> DiscreteGaussianCurve::outcomes() const {
  // The atoms of a mixture are made from these outcomes, in either direction.
  constexpr double bytes = 8 * sizeof(Outcome);
  check_memory(bytes * (2 * reach() + distance_ + 1), "the outcomes of noise on the integers");
  std::vector<Outcome> all;
  for (double x = -reach(); x <= distance_ + reach(); ++x) all.push_back(outcome(x));
  return all;
}

// Under P, x is D + k. The other direction is the mirror image.
const std::vector<LossAtom>& DiscreteGaussianCurve::atoms(Direction) const {
  std::call_once(listed_, [this] {
    const double log_norm = theta_.log_at_zero();
    for (double k = -reach(); k <= reach(); ++k) {
      const double log_p = -k * k * half_precision_ - log_norm, l = loss(distance_ + k);
      atoms_.push_back({l, 4 * unit_roundoff * std::abs(l), numerics::Mass::of_log(log_p)});
    }
  });
  return atoms_;
}

LeftOut DiscreteGaussianCurve::left_out(Direction) const { return {log_left_out(), log_left_out()}; }

Bounded DiscreteGaussianCurve::hockey_stick(double epsilon, Direction direction) const {
  return listed_hockey_stick(*this, epsilon, direction);
}

// The terms are smooth on the scale s, and on the scale s^2/D where a mixture passes from one distribution to the
// other.
double DiscreteGaussianCurve::stride() const {
  const double s = theta_.stddev();
  return std::max(1.0, std::floor(std::min(s / 5, s * s / (10 * distance_))));
}

constexpr double largest_sensitivity = 1e6;

constexpr Reference canonne2020{
    "canonne2020",
    "Canonne, Kamath, Steinke 2020, The discrete Gaussian for differential privacy (arXiv:2004.00010v5), Definition 1, "
    "Theorem 4 and Proposition 5",
    R"(@inproceedings{canonne2020,
  author = {Canonne, Cl{\'e}ment L. and Kamath, Gautam and Steinke, Thomas},
  title = {The Discrete {G}aussian for Differential Privacy},
  booktitle = {Advances in Neural Information Processing Systems},
  volume = {33},
  pages = {15676--15688},
  year = {2020},
  eprint = {2004.00010}
})"};

struct DiscreteGaussian {
  double stddev = 1;
  double sensitivity = 1;

  static constexpr std::string_view kind = "discrete-gaussian";
  static constexpr std::string_view summary = "discrete Gaussian noise on a whole number";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&DiscreteGaussian::stddev, &DiscreteGaussian::sensitivity};
  static Notes notes();
  static constexpr bool is_additive_noise = true;
  std::optional<DiscreteGaussian> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const DiscreteGaussian&) const = default;
};

std::span<const Parameter> DiscreteGaussian::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "stddev",
       .meaning = "sigma: whole x have masses proportional to exp(-x^2/(2 sigma^2))",
       .lowest = 0.01,
       .highest = 1e6,
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

std::shared_ptr<const Curve> DiscreteGaussian::curve() const {
  return std::make_shared<DiscreteGaussianCurve>(stddev, sensitivity);
}

// Along a chain of neighbours the distances add (triangle inequality).
std::optional<DiscreteGaussian> DiscreteGaussian::for_group(double size) const {
  if (!(sensitivity * size <= largest_sensitivity)) return std::nullopt;
  return DiscreteGaussian{stddev, sensitivity * size};
}

Notes DiscreteGaussian::notes() {
  return {.relation = "any; the sensitivity is stated for it (of a sampled step: for the presence of one record)",
          .exact = "everything, for one number; exact accounting for stddev up to 5000",
          .bound = "beyond that stddev (epsilon, delta) are those of the Renyi curve, which is exact",
          .references = {canonne2020}};
}

}  // namespace
}  // namespace discrete_gaussian_file

}  // namespace renyi::mechanism

namespace renyi {

Mechanism table::discrete_gaussian() { return mechanism::made(mechanism::discrete_gaussian_file::DiscreteGaussian{}); }

}  // namespace renyi
