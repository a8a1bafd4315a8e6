// With h = epsilon/2 and s(y) = ln(sinh(y)/y),
//
//     K(z) = max over t of ln E[exp(z L_t)] = (z+1) s((z+1) h) - z s(z h) - s(h),
//
// L_t having the values t and t - epsilon (docs/math/selection.md, "Bounded range"). The three terms cancel where z or
// h is small; each of the forms below is for a part of the plane where nothing much does.
#include "mechanism/bounded_range/bounded_range_curve.h"

#include <cmath>

#include "mechanism/bounded_range/bounded_range_pair.h"
#include "numerics/log_sinhc.h"
#include "renyi/error.h"

namespace renyi::mechanism {

namespace {

using numerics::log_sinhc_series;
using numerics::unit_roundoff;

constexpr double series_ulps = 64;
constexpr double term_ulps = 32;
// Up to this h the second form is used.
constexpr double narrow_up_to = 0.5;
// Below this h a difference of derivatives is lost, and the next derivative is used.
constexpr double differentiable = 1e-3;

// The second and third derivative of y s(y).
double second_derivative(double y) { return 2 * numerics::log_sinhc_slope(y) + y * numerics::log_sinhc_curvature(y); }
double third_derivative(double y) {
  const double sinh = std::sinh(y), square = sinh * sinh;
  return 1 / (y * y) + (2 * y / std::tanh(y) - 3) / square;
}

// 2y/(exp(2y) - 1)
double fallen(double y) { return y > 0 ? 2 * y / std::expm1(2 * y) : 1; }

}  // namespace

std::shared_ptr<const Curve> BoundedRangeCurve::dominating() const {
  return std::make_shared<BoundedRangePair>(epsilon_);
}

LogMoment BoundedRangeCurve::at(double z) const {
  if ((z + 1) * h_ <= numerics::log_sinhc_radius) return by_series(z);
  return h_ <= narrow_up_to ? narrow(z) : wide(z);
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
  return with_relative_error(value, slope, curvature, series_ulps);
}

// h <= 1/2 and z > 1: K = z [s(y+h) - s(y)] + s(y+h) - s(h) with y = z h, and
//     s(y+h) - s(y) = ln(cosh(h) + coth(y) sinh(h)) - ln(1 + 1/z).
LogMoment BoundedRangeCurve::narrow(double z) const {
  const double y = z * h_, x = y + h_, half = std::sinh(0.5 * h_), sinh = std::sinh(h_);
  const double up = std::log1p(2 * half * half + sinh / std::tanh(y)), down = std::log1p(1 / z);
  const double top = numerics::log_sinhc(x);
  const double rest = h_ / std::tanh(x), lost = y * sinh / std::sinh(y) / std::sinh(x);
  const double relative = term_ulps * unit_roundoff;
  return {.value = z * (up - down) + (top - numerics::log_sinhc(h_)),
          .error = relative * (z * (up + down) + 4 * top),
          .slope = (up - down) + (rest - lost),
          .slope_error = relative * (up + down + rest + lost),
          .curvature = curvature(z)};
}

// h > 1/2: s(y) = y - ln(2y) + l(y) with l(y) = ln(1 - exp(-2y)), and what is linear in y collects to z epsilon:
//     K = z epsilon - ln(1+z) - z u + z l((z+1) h) + [l((z+1) h) - l(h)],   u = ln( (1+z) (1 - exp(-z epsilon)) / z ).
LogMoment BoundedRangeCurve::wide(double z) const {
  const double e = epsilon_, y = z * h_, x = y + h_, fall = -std::expm1(-z * e);
  const double first = z >= 1 ? std::log1p(1 / z) : std::log1p(z);
  const double second = z >= 1 ? std::log(fall) : std::log(z > 0 ? fall / z : e);
  const double u = first + second, l = std::log1p(-std::exp(-2 * x)), lift = std::log1p(fall / std::expm1(e));
  const double sizes = e + first + std::abs(second) + 2 - l, relative = term_ulps * unit_roundoff;
  return {.value = z * e - std::log1p(z) - z * u + z * l + lift,
          .error = relative * (z * sizes + std::log1p(z) + lift),
          .slope = e - u + l + fallen(x) - fallen(y),
          .slope_error = relative * sizes,
          .curvature = curvature(z)};
}

double BoundedRangeCurve::curvature(double z) const {
  const double y = z * h_;
  if (h_ < differentiable) return std::max(0.0, h_ * h_ * third_derivative(y + 0.5 * h_));
  return std::max(0.0, h_ * (second_derivative(y + h_) - second_derivative(y)));
}

ComplexLogMoment BoundedRangeCurve::at(std::complex<double>) const {
  throw Unsupported("z", "each order has a worst pair of its own, so the step has no single law", "use real orders");
}

}  // namespace renyi::mechanism
