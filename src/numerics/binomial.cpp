// Loader's saddle-point form (C. Loader, "Fast and accurate computation of binomial
// probabilities", 2000): with c(n) = ln n! - [ (n + 1/2) ln n - n + ln(2 pi)/2 ] and
// d(x, m) = x ln(x/m) + m - x,
//
//     ln Pr = c(n) - c(i) - c(n-i) - d(i, n p) - d(n-i, n q) + ln( n / (2 pi i (n-i)) ) / 2,
//
// in which nothing large cancels. Extended precision where the machine has it.
#include "numerics/binomial.h"

#include <array>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>

#include "numerics/extended.h"

namespace renyi::numerics {

namespace binomial_file {
namespace {

using Real = long double;
constexpr Real unit = extended_epsilon;
constexpr Real half_log_two_pi = 0.918938533204672741780329736405617640L;
// Below this n the correction is taken from n! itself, which is a whole number of
// fewer bits than a double has; from it on, six terms of Stirling's series leave 2e-18.
constexpr std::int64_t series_from = 16;

Real stirling_correction(std::int64_t count) {
  const auto n = static_cast<Real>(count);
  if (count < series_from) {
    Real factorial = 1;
    for (std::int64_t k = 2; k <= count; ++k) factorial *= static_cast<Real>(k);
    return std::log(factorial) - ((n + 0.5L) * std::log(n) - n + half_log_two_pi);
  }
  const Real s = 1 / (n * n);
  return (1.0L / 12 - s * (1.0L / 360 - s * (1.0L / 1260 - s * (1.0L / 1680 - s * (1.0L / 1188 - s * 691 / 360360))))) /
         n;
}

// x ln(x/m) + m - x >= 0; near x = m by the series of the logarithm in (x-m)/(x+m).
Real deviance(Real x, Real m) {
  const Real gap = x - m;
  if (std::abs(gap) > 0.1L * (x + m)) return x * std::log(x / m) - gap;
  const Real v = gap / (x + m);
  Real sum = gap * v, power = 2 * x * v;
  for (int j = 1; j < 1000; ++j) {
    power *= v * v;
    const Real next = sum + power / static_cast<Real>(2 * j + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

}  // namespace
}  // namespace binomial_file

LogProbability log_binomial(std::int64_t i, std::int64_t runs, long double epsilon) {
  const auto n = static_cast<binomial_file::Real>(runs), x = static_cast<binomial_file::Real>(i), y = n - x;
  const binomial_file::Real odds = std::exp(-epsilon);
  if (i == 0) {
    const binomial_file::Real value = -n * std::log1p(odds);
    return {value, 4 * binomial_file::unit * -value};
  }
  const binomial_file::Real p = odds / (1 + odds), q = 1 / (1 + odds);
  const binomial_file::Real from_p = binomial_file::deviance(x, n * p), from_q = binomial_file::deviance(y, n * q);
  const binomial_file::Real corrections = binomial_file::stirling_correction(runs) -
                                          binomial_file::stirling_correction(i) -
                                          binomial_file::stirling_correction(runs - i);
  const binomial_file::Real scale = 0.5L * std::log(n / x / y) - binomial_file::half_log_two_pi;
  // d changes by (m - x) times the relative error of m; the rest by a few roundings.
  const binomial_file::Real error =
      8 * binomial_file::unit * (2 * std::abs(x - n * p) + from_p + from_q + std::abs(scale) + 64) + 1e-17L;
  return {corrections - from_p - from_q + scale, error};
}

namespace binomial_file {
namespace {

// Returns the relative error of the incomplete beta function in long double; it grows with its arguments.
double beta_error(double n) { return std::min(1e-10, 4e-16 * (1 + n / 1e4)); }

}  // namespace
}  // namespace binomial_file

// The tail is the regularized incomplete beta function I_p(k, n-k+1).
double binomial_tail_up(double n, double p, double k) {
  if (k <= 0 || p == 1) return k <= n ? 1 : 0;
  if (k > n || p == 0) return 0;
  const long double tail =
      boost::math::ibeta(static_cast<long double>(k), static_cast<long double>(n - k + 1), static_cast<long double>(p));
  // A tail below the smallest double is not 0.
  return std::min(1.0, static_cast<double>(tail) * (1 + binomial_file::beta_error(n)) + 1e-300);
}

}  // namespace renyi::numerics
