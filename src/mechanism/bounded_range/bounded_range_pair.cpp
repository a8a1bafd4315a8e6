// With h = epsilon/2 and s(y) = ln(sinh(y)/y), K(z) = s((2z+1) h) - s(h).
#include "mechanism/bounded_range/bounded_range_pair.h"

#include <algorithm>
#include <cmath>

#include "mechanism/pointwise_line.h"
#include "numerics/exponentials.h"
#include "numerics/log_sinhc.h"

namespace renyi::mechanism {

namespace {

using numerics::log_sinhc_series;
using numerics::unit_roundoff;

constexpr double pair_ulps = 64;
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
    const double largest = centre_ / std::tanh(centre_) / std::hypot(centre_, y * epsilon_);
    return std::min(0.0, std::log(largest) + 32 * unit_roundoff);
  }

  // Between where the variance and where the bound above say something: |phi| at equally spaced points, and half
  // their distance times its largest slope, E|L| <= epsilon.
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

// The sum of c_k (Y^k - H^k) where Y - H = rise, without the cancellation.
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

LogMoment BoundedRangePair::at(double z) const {
  const double y = (2 * z + 1) * h_, e = epsilon_, relative = pair_ulps * unit_roundoff;
  const double slope = e * numerics::log_sinhc_slope(y), curvature = e * e * numerics::log_sinhc_curvature(y);
  if (y <= numerics::log_sinhc_radius) return with_relative_error(value_by_series(z), slope, curvature, pair_ulps);
  if (h_ <= narrow_up_to) {
    return with_relative_error(numerics::log_sinhc(y) - numerics::log_sinhc(h_), slope, curvature, 4 * pair_ulps);
  }
  // s(y) = y - ln(2y) + ln(1 - exp(-2y))
  const double lift = std::log1p(-std::expm1(-2 * z * e) / std::expm1(e)), fall = std::log1p(2 * z);
  return {z * e - fall + lift, relative * (z * e + fall + lift), slope, relative * slope, curvature};
}

double BoundedRangePair::value_by_series(double z) const {
  const double y = (2 * z + 1) * h_;
  return difference_of_series(y * y, h_ * h_, 4 * (z * h_) * (z * h_ + h_));
}

ComplexLogMoment BoundedRangePair::by_series(std::complex<double> z) const {
  const std::complex<double> y = (2.0 * z + 1.0) * h_, zh = z * h_, rise = 4.0 * zh * (zh + h_);
  const std::complex<double> value = difference_of_series(y * y, h_ * h_, rise);
  return {value, pair_ulps * unit_roundoff * std::abs(rise)};
}

ComplexLogMoment BoundedRangePair::at(std::complex<double> z) const {
  if (std::abs((2.0 * z + 1.0) * h_) <= numerics::log_sinhc_radius) return by_series(z);
  const double e = epsilon_, width = std::expm1(e);
  const std::complex<double> line = z * e, w = -2.0 * line, fall = numerics::log1p(2.0 * z), lift = expm1(w) / -width;
  const std::complex<double> value = line - fall + numerics::log1p(lift);
  // exp(w) turns by |w| roundings; |1 + lift| >= 1, since |exp(epsilon) - exp(w)| >= exp(epsilon) - 1.
  const double turned = std::abs(w) * std::exp(w.real()) / width;
  const double sizes = 1 + std::abs(line) + std::abs(fall) + (std::abs(lift) + turned) / std::abs(1.0 + lift);
  return {{value.real(), std::remainder(value.imag(), 2 * M_PI)}, pair_ulps * unit_roundoff * sizes};
}

std::unique_ptr<const VerticalLine> BoundedRangePair::line_at(double c, Direction) const {
  return std::make_unique<BoundedRangeLine>(*this, epsilon_, c);
}

std::shared_ptr<const BoundedRangePair> bounded_range_pair_of(const Mechanism& mechanism) {
  if (mechanism.sampling() != nullptr) return nullptr;
  return std::dynamic_pointer_cast<const BoundedRangePair>(mechanism.curve());
}

}  // namespace renyi::mechanism
