// With h = epsilon/2 and s(y) = ln(sinh(y)/y), the dominating pair has K(z) = s((2z+1) h) - s(h), and the tight curve
// is
//
//     K(z) = max over t of ln E[exp(z L_t)] = (z+1) s((z+1) h) - z s(z h) - s(h),
//
// where L_t has the values t and t - epsilon (docs/math/selection.md, "Bounded range"). The three terms cancel where z
// or h is small; each of the forms below is for a part of the plane where little cancels.
#include "mechanism/bounded_range.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "numerics/exponentials.h"
#include "renyi/error.h"

namespace renyi::mechanism {

using numerics::log_sinhc_series;
using numerics::unit_roundoff;

namespace bounded_range_file {
namespace {

constexpr double pair_ulps = 64;
// Up to this h the forms for narrow ranges are used.
constexpr double narrow_up_to = 0.5;

// With Y = (2c+1) h and v = y epsilon, phi(y) = sinh(Y+iv)/(Y+iv) Y/sinh(Y) and |sinh(Y+iv)| <= cosh(Y), so
//     |phi(y)| <= Y coth(Y) / |Y + iv|,
// which falls with y.
class BoundedRangeLine final : public PointwiseLine {
  static constexpr double farthest_sampled = 20;

 public:
  BoundedRangeLine(const Curve& curve, double epsilon, double c)
      : PointwiseLine(curve, c, Direction::remove), epsilon_(epsilon), centre_((c + 0.5) * epsilon) {}

  double decay_beyond(double y) const override {
    // By std::abs: the symbol of std::hypot is of glibc 2.35, and wheels run with older ones.
    const double largest = centre_ / std::tanh(centre_) / std::abs(std::complex(centre_, y * epsilon_));
    return std::min(0.0, std::log(largest) + 32 * unit_roundoff);
  }

  // Where neither the variance nor the bound above gives a useful bound, |phi| is evaluated at equally spaced points,
  // and half their distance times its largest slope, E|L| <= epsilon, is added.
  double decay(double y) const override {
    const double known = PointwiseLine::decay(y);
    if (known < 0 || epsilon_ * y > farthest_sampled) return known;
    constexpr int points = 64;
    double largest = 0;
    for (int i = 0; i < points; ++i) {
      const ComplexLogMoment phi = log_phi(y * (1 + (i + 0.5) / points));
      largest = std::max(largest, std::exp(phi.value.real() + phi.error));
    }
    const double bound = std::log(largest + 0.5 * epsilon_ * y / points * (1 + 1e-9));
    return bound < 0 ? bound : 0;
  }

 private:
  double epsilon_;
  double centre_;  // Y
};

std::complex<double> expm1(std::complex<double> w) {
  if (std::abs(w) < 0.5) return numerics::exp_remainder(w) + w;
  return std::exp(w) - 1.0;
}

// Returns the sum of c_k (Y^k - H^k) where Y - H = rise, without the cancellation.
template <class Scalar>
Scalar difference_of_series(Scalar y_squared, double h_squared, Scalar rise) {
  Scalar sum = 0, term = rise;
  double power = h_squared;
  for (const double c : log_sinhc_series) {
    sum += c * term;
    term = y_squared * term + power * rise;
    power *= h_squared;
  }
  return sum;
}

}  // namespace
}  // namespace bounded_range_file

LogMoment BoundedRangePair::at(double z) const {
  const double y = (2 * z + 1) * h_, e = epsilon_, relative = bounded_range_file::pair_ulps * unit_roundoff;
  const double slope = e * numerics::log_sinhc_slope(y), curvature = e * e * numerics::log_sinhc_curvature(y);
  if (y <= numerics::log_sinhc_radius)
    return with_relative_error(value_by_series(z), slope, curvature, bounded_range_file::pair_ulps);
  if (h_ <= bounded_range_file::narrow_up_to) {
    return with_relative_error(numerics::log_sinhc(y) - numerics::log_sinhc(h_), slope, curvature,
                               4 * bounded_range_file::pair_ulps);
  }
  // s(y) = y - ln(2y) + ln(1 - exp(-2y))
  const double lift = std::log1p(-std::expm1(-2 * z * e) / std::expm1(e)), fall = std::log1p(2 * z);
  return {z * e - fall + lift, relative * (z * e + fall + lift), slope, relative * slope, curvature};
}

double BoundedRangePair::value_by_series(double z) const {
  const double y = (2 * z + 1) * h_;
  return bounded_range_file::difference_of_series(y * y, h_ * h_, 4 * (z * h_) * (z * h_ + h_));
}

ComplexLogMoment BoundedRangePair::by_series(std::complex<double> z) const {
  const std::complex<double> y = (2.0 * z + 1.0) * h_, zh = z * h_, rise = 4.0 * zh * (zh + h_);
  const std::complex<double> value = bounded_range_file::difference_of_series(y * y, h_ * h_, rise);
  return {value, bounded_range_file::pair_ulps * unit_roundoff * std::abs(rise)};
}

ComplexLogMoment BoundedRangePair::at(std::complex<double> z) const {
  if (std::abs((2.0 * z + 1.0) * h_) <= numerics::log_sinhc_radius) return by_series(z);
  const double e = epsilon_, width = std::expm1(e);
  const std::complex<double> line = z * e, w = -2.0 * line, fall = numerics::log1p(2.0 * z),
                             lift = bounded_range_file::expm1(w) / -width;
  const std::complex<double> value = line - fall + numerics::log1p(lift);
  // The rounding of w turns exp(w) by |w| roundings; |1 + lift| >= 1, since |exp(epsilon) - exp(w)| >= exp(epsilon) -
  // 1.
  const double turned = std::abs(w) * std::exp(w.real()) / width;
  const double terms = std::abs(line) + std::abs(fall) + (std::abs(lift) + turned) / std::abs(1.0 + lift);
  const double sizes = terms < 1e-3 ? terms : 1 + terms;  // near z = 0 every term is small
  return {{value.real(), std::remainder(value.imag(), 2 * M_PI)},
          bounded_range_file::pair_ulps * unit_roundoff * sizes};
}

// E_Q[(P/Q)^a] = E_P[exp(-b L)] with b = 1 - a, so -ln of it is -K(-b) = s(h) - s(u h), u = 1 - 2b in [0, 1).
Bounded BoundedRangePair::chernoff_of(double a) const {
  const double b = 1 - a, u = 1 - 2 * b, e = epsilon_;
  if (h_ <= numerics::log_sinhc_radius) {
    const double rise = 4 * a * (b * h_) * h_;
    return with_relative_error(bounded_range_file::difference_of_series(h_ * h_, (u * h_) * (u * h_), rise),
                               bounded_range_file::pair_ulps);
  }
  const double ulps = bounded_range_file::pair_ulps * unit_roundoff;
  if (a >= 0.75) {  // s(h) - s(uh) = b e + ln u + ln((1 - exp(-e))/(1 - exp(-u e))), all small where b is
    const double fall = std::log1p(-2 * b);
    const double lift = std::log1p(std::exp(-u * e) * std::expm1(-2 * b * e) / std::expm1(-u * e));
    return {b * e + fall + lift, ulps * (b * e - fall + lift)};
  }
  const double fallen = u > 0 ? -std::expm1(-u * e) / (u * e) : 1, whole = -std::expm1(-e) / e;
  return {b * e + std::log(whole / fallen), ulps * (1 + b * e + std::abs(std::log(whole / fallen)))};
}

Cumulants BoundedRangePair::cumulants_of() const {
  const LogMoment at_zero = at(0.0);
  const double e = epsilon_, relative = 4 * bounded_range_file::pair_ulps * unit_roundoff;
  const double variance = e * e * numerics::log_sinhc_curvature(h_), third = e * e * e * numerics::log_sinhc_third(h_);
  return {.mean = at_zero.slope,
          .mean_error = at_zero.slope_error,
          .variance = variance,
          .variance_error = relative * variance,
          .third = third,
          .third_error = relative * std::abs(third)};
}

std::unique_ptr<const VerticalLine> BoundedRangePair::line_at(double c, Direction) const {
  return std::make_unique<bounded_range_file::BoundedRangeLine>(*this, epsilon_, c);
}

namespace bounded_range_file {
namespace {

constexpr double series_ulps = 64;
constexpr double term_ulps = 32;
// Below this h a difference of derivatives is lost in rounding, and the next derivative is used.
constexpr double differentiable = 1e-3;

// These are the second and third derivatives of y s(y).
double second_derivative(double y) { return 2 * numerics::log_sinhc_slope(y) + y * numerics::log_sinhc_curvature(y); }
double third_derivative(double y) {
  const double sinh = std::sinh(y), square = sinh * sinh;
  return 1 / (y * y) + (2 * y / std::tanh(y) - 3) / square;
}

// 2y/(exp(2y) - 1)
double fallen(double y) { return y > 0 ? 2 * y / std::expm1(2 * y) : 1; }

}  // namespace
}  // namespace bounded_range_file

std::shared_ptr<const Curve> BoundedRangeCurve::dominating_curve() const {
  return std::make_shared<BoundedRangePair>(epsilon_);
}

LogMoment BoundedRangeCurve::at(double z) const {
  if ((z + 1) * h_ <= numerics::log_sinhc_radius) return by_series(z);
  return h_ <= bounded_range_file::narrow_up_to ? narrow(z) : wide(z);
}

// K = sum of c_k h^(2k) [(z+1)^(2k+1) - z^(2k+1) - 1]. The brackets are the power sums p_n of z+1, -z and -1, which
// add up to 0: with w = z (z+1), by Newton's identities, p_n = (w+1) p_(n-2) + w p_(n-3), and nothing cancels.
LogMoment BoundedRangeCurve::by_series(double z) const {
  const double y = z * h_, up = y + h_, w = y * up, m = w + h_ * h_;
  const double rise = h_ * (y + up), a = up * up, b = y * y;
  double before = 0, odd = 3 * w, even = 2 * m;                // h^(n-1) p_n for n = 1, 3; h^2 p_2
  double slope_term = rise, power = b;                         // h^(2k) [(z+1)^(2k) - z^(2k)], (z h)^(2k)
  double curvature_term = h_ * h_, odd_power = y * h_ * rise;  // h^(2k) [(z+1)^(2k-1) - z^(2k-1)]
  double value = 0, slope = 0, curvature = 0;
  double k = 1;
  for (const double c : log_sinhc_series) {
    value += c * odd;
    slope += c * (2 * k + 1) * slope_term;
    curvature += c * (2 * k + 1) * 2 * k * curvature_term;
    const double next = m * odd + w * even;
    even = m * even + w * h_ * h_ * before;
    before = odd;
    odd = next;
    slope_term = a * slope_term + rise * power;
    power *= b;
    curvature_term = a * curvature_term + odd_power;
    odd_power *= b;
    ++k;
  }
  return with_relative_error(value, slope, curvature, bounded_range_file::series_ulps);
}

// h <= 1/2 and z > 1: K = z [s(y+h) - s(y)] + s(y+h) - s(h) with y = z h, and
//     s(y+h) - s(y) = ln(cosh(h) + coth(y) sinh(h)) - ln(1 + 1/z).
LogMoment BoundedRangeCurve::narrow(double z) const {
  const double y = z * h_, x = y + h_, half = std::sinh(0.5 * h_), sinh = std::sinh(h_);
  const double up = std::log1p(2 * half * half + sinh / std::tanh(y)), down = std::log1p(1 / z);
  const double top = numerics::log_sinhc(x);
  const double rest = h_ / std::tanh(x), lost = y * sinh / std::sinh(y) / std::sinh(x);
  const double relative = bounded_range_file::term_ulps * unit_roundoff;
  return {.value = z * (up - down) + (top - numerics::log_sinhc(h_)),
          .error = relative * (z * (up + down) + 4 * top),
          .slope = (up - down) + (rest - lost),
          .slope_error = relative * (up + down + rest + lost),
          .curvature = curvature(z)};
}

// h > 1/2: s(y) = y - ln(2y) + l(y) with l(y) = ln(1 - exp(-2y)), and the terms linear in y collect to z epsilon:
//     K = z epsilon - ln(1+z) - z u + z l((z+1) h) + [l((z+1) h) - l(h)],   u = ln( (1+z) (1 - exp(-z epsilon)) / z ).
LogMoment BoundedRangeCurve::wide(double z) const {
  const double e = epsilon_, y = z * h_, x = y + h_, fall = -std::expm1(-z * e);
  const double first = z >= 1 ? std::log1p(1 / z) : std::log1p(z);
  const double second = z >= 1 ? std::log(fall) : std::log(z > 0 ? fall / z : e);
  const double u = first + second, l = std::log1p(-std::exp(-2 * x)), lift = std::log1p(fall / std::expm1(e));
  const double sizes = e + first + std::abs(second) + 2 - l, relative = bounded_range_file::term_ulps * unit_roundoff;
  return {.value = z * e - std::log1p(z) - z * u + z * l + lift,
          .error = relative * (z * sizes + std::log1p(z) + lift),
          .slope = e - u + l + bounded_range_file::fallen(x) - bounded_range_file::fallen(y),
          .slope_error = relative * sizes,
          .curvature = curvature(z)};
}

double BoundedRangeCurve::curvature(double z) const {
  const double y = z * h_;
  if (h_ < bounded_range_file::differentiable)
    return std::max(0.0, h_ * h_ * bounded_range_file::third_derivative(y + 0.5 * h_));
  return std::max(0.0, h_ * (bounded_range_file::second_derivative(y + h_) - bounded_range_file::second_derivative(y)));
}

ComplexLogMoment BoundedRangeCurve::at(std::complex<double>) const {
  throw Unsupported("z", "each order has a worst pair of its own, so the step has no single law", "use real orders");
}

}  // namespace renyi::mechanism
