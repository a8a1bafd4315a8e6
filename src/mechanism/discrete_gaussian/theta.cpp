#include "mechanism/discrete_gaussian/theta.h"

#include <cmath>
#include <numbers>

#include "numerics/exponentials.h"
#include "numerics/rounding.h"

namespace renyi::mechanism {

namespace {

using numerics::unit_roundoff;
using std::numbers::pi;

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

}  // namespace

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

// S(f)/S(0) - 1 = sum exp(-x^2/(2 s^2) + b) (1 - exp(-b))^2 / S(0), b = x f/s^2 with Re b >= 0. `size`: of the terms.
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

// Both series have |Theta(t + iv)| exp(-v^2/(2 s^2)) periodic in v.
Theta::Complex Theta::moment(double t, double v, double d) const {
  const double period = 2 * pi * s_ * s_, turns = std::round(v / period), reduced = std::fma(-turns, period, v);
  const auto [n, part] = split(t);
  const std::complex<double> f(part, reduced), whole(t, reduced);
  double size = 0;
  const std::complex<double> excess = is_narrow_ ? narrow_excess(f, size) : wide_excess(f, size);
  const std::complex<double> main =
      is_narrow_ ? 0.5 * precision_ * (n * (n + d) + f * (2 * n + d)) : 0.5 * precision_ * whole * (whole + d);
  // The reduction rounds v by a few units of itself, where the slope is at most that on the real axis.
  const double shifted = turns == 0 ? 0 : 4 * unit_roundoff * std::abs(v) * moment(t, d).slope;
  const double rounding = moment_ulps * unit_roundoff * (std::abs(main) + size / std::abs(1.0 + excess));
  return {main + numerics::log1p(excess), rounding + shifted, turns};
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

}  // namespace renyi::mechanism
