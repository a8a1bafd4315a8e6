#include "accuracy/rounding_error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "accuracy/outward.h"
#include "numerics/mills.h"

namespace renyi::noise_error {

namespace rounding_error_file {
namespace {

constexpr Real pi = std::numbers::pi_v<Real>;
// Terms of each series. Those of the Gaussian fall like exp(-2 pi^2 k^2 s^2/g^2) and those of the Laplace law like
// k^-4 or, for the bias, k^-3, unless the grid is much coarser than the scale.
constexpr int terms = 4000;

// With phi the characteristic function of the noise, and theta_k = 2 pi k/g, the mean squared error of round(x + N) - x
// exceeds Var N + g^2/12 by at most, and for x = g/2 by exactly,
//     g^2/pi^2 sum phi(theta_k)/k^2 + 2 g/pi sum |phi'(theta_k)|/k,
// and its mean is at most g/pi sum phi(theta_k)/k in modulus. All in units of g^2 and g.
struct Excess {
  Real lower = 0;  // the mean squared error by the terms that were summed
  Real upper = 0;  // with a bound on the rest
  Real bias = 0;
};

// phi(theta_k) = exp(-a k^2) with a = 2 pi^2 (s/g)^2; |phi'(theta_k)|/k = 2 pi s^2/g phi(theta_k).
Excess gaussian_excess(Real ratio) {
  const Real a = 2 * pi * pi * ratio * ratio;
  Real by_square = 0, by_slope = 0, by_bias = 0;
  for (int i = terms; i >= 1; --i) {
    const auto k = static_cast<Real>(i);
    const Real phi = std::exp(-a * k * k);
    by_square += phi / (k * k);
    by_slope += phi;
    by_bias += phi / k;
  }
  // The terms fall: sum beyond n <= the integral from n on <= exp(-a n^2)/(2 a n), and 1/n beyond for the squares.
  const auto n = static_cast<Real>(terms);
  const Real rest = std::exp(-a * n * n) / (2 * a * n);
  const Real value = by_square / (pi * pi) + 4 * ratio * ratio * by_slope;
  return {value, value + std::min(rest, 1 / n) / (pi * pi) + 4 * ratio * ratio * rest, (by_bias + rest / n) / pi};
}

// phi(theta) = 1/(1 + b^2 theta^2), with r = 2 pi b/g: phi_k = 1/(1 + r^2 k^2), |phi'_k|/k = 4 pi b^2/g phi_k^2.
Excess laplace_excess(Real ratio) {
  const Real r = 2 * pi * ratio;
  Real by_square = 0, by_slope = 0, by_bias = 0;
  for (int i = terms; i >= 1; --i) {
    const auto k = static_cast<Real>(i);
    const Real phi = 1 / (1 + r * r * k * k);
    by_square += phi / (k * k);
    by_slope += phi * phi;
    by_bias += phi / k;
  }
  const auto n = static_cast<Real>(terms);
  // Beyond n: phi_k <= min(1, 1/(r k)^2).
  const Real squares = std::min(1 / n, 1 / (3 * r * r * n * n * n));
  const Real slopes = 1 / (3 * r * r * r * r * n * n * n), bias = 1 / (2 * r * r * n * n);
  const Real value = by_square / (pi * pi) + 8 * ratio * ratio * by_slope;
  return {value, value + squares / (pi * pi) + 8 * ratio * ratio * slopes, (by_bias + bias) / pi};
}

// The bounds for all noises of one scale. The rounding moves by at most g/2, so that Minkowski's inequality bounds the
// excess by g sigma + g^2/4 - g^2/12 in any case, and the bias by g/2.
void add(Excess& sum, const Noises& noises, Real relative_stddev, const Excess& one) {
  const Real always = relative_stddev + Real{1} / 6;
  sum.lower += noises.count * std::min(one.lower, always);
  sum.upper += noises.count * std::min(one.upper, always);
  sum.bias += noises.count * std::min(one.bias, Real{0.5});
}

}  // namespace
}  // namespace rounding_error_file

Interval rounded_stddev(const NoiseSum& sum, double grid) {
  using namespace rounding_error_file;
  const Real g = grid;
  Excess all;
  Real count = 0;
  for (const Noises& noises : sum.gaussian) {
    add(all, noises, noises.scale / g, gaussian_excess(noises.scale / g));
    count += noises.count;
  }
  for (const Noises& noises : sum.laplace) {
    add(all, noises, std::numbers::sqrt2_v<Real> * noises.scale / g, laplace_excess(noises.scale / g));
    count += noises.count;
  }
  // Independent errors: the mean square of the sum is at most the sum of the mean squares and the square of the sum of
  // the means. One error alone has its mean in its mean square already, and so have errors without a mean.
  const Real means = count > 1 ? all.bias * all.bias : 0;
  const Real variance = sum.variance();
  const Real least = variance + g * g * (count / 12 + all.lower);
  const Real most = variance + g * g * (count / 12 + all.upper + means);
  const Real loose = (NoiseSum::variance_roundings + 2 * terms) * numerics::extended_roundoff;
  return {outward(std::sqrt(least), loose).lower, outward(std::sqrt(most), loose).upper};
}

}  // namespace renyi::noise_error
