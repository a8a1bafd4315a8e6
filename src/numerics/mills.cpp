#include "numerics/mills.h"

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

namespace renyi::numerics {

namespace mills_file {
namespace {

using Real = long double;

// From this x on the continued fraction has converged after `levels` levels: two neighbouring convergents, which
// enclose R, differ by less than 2e-23 of it.
constexpr Real fraction_from = 4;
constexpr int levels = 60;

// Error from the error function, the exponential and the rounding of their arguments where |x| <= 4, in roundings; the
// continued fraction, all of whose terms are positive, has a smaller error.
constexpr Real ratio_roundings = 128;
// 1 - x R loses a factor of 20 at most up to x = 4; beyond nothing cancels.
constexpr Real slope_roundings = 4096;

// Returns c with R = 1/(x + c): c = 1/(x + 2/(x + 3/(x + ...))).
Real fraction(Real x) {
  Real c = 0;
  for (int k = levels; k >= 1; --k) c = static_cast<Real>(k) / (x + c);
  return c;
}

Real ratio(Real x) {
  if (x >= fraction_from) return 1 / (x + fraction(x));
  const Real root_half_pi = std::sqrt(std::numbers::pi_v<Real> / 2);
  return root_half_pi * std::exp(x * x / 2) * std::erfc(x / std::numbers::sqrt2_v<Real>);
}

// Returns -R'(x) = 1 - x R(x).
Real slope(Real x) {
  if (x < fraction_from) return 1 - x * ratio(x);
  const Real c = fraction(x);
  return c / (x + c);
}

}  // namespace
}  // namespace mills_file

Approximation mills_ratio(mills_file::Real x) {
  return {mills_file::ratio(x), mills_file::ratio_roundings * extended_roundoff};
}

Approximation mills_difference(mills_file::Real x, mills_file::Real w) {
  // -R' is completely monotone, so ten Gauss points leave at most
  // w^21 (10!)^4 / (21 (20!)^3) |R^(21)(x)|: below 1e-22 of the integral for these w.
  if (w <= 0.25L * (1 + std::abs(x))) {
    const auto at = [&](mills_file::Real share) { return mills_file::slope(x + w * share); };
    const mills_file::Real mean =
        boost::math::quadrature::gauss<mills_file::Real, 10>::integrate(at, mills_file::Real{0}, mills_file::Real{1});
    return {w * mean, (mills_file::slope_roundings + 64) * extended_roundoff};
  }
  const mills_file::Real near = mills_file::ratio(x), far = mills_file::ratio(x + w), difference = near - far;
  return {difference, (mills_file::ratio_roundings + 4) * extended_roundoff * (near + far) / difference};
}

}  // namespace renyi::numerics
