// With x = epsilon/mu - mu/2 (Balle, Wang 2018, Theorem 8), Phi' = Pr[X > .], and R Mills' ratio,
//
//     delta = Phi'(x) - e^epsilon Phi'(x + mu) = phi(x) [ R(x) - R(x + mu) ],
//
// because phi(x) = e^epsilon phi(x + mu). It falls with x and rises with mu, each alone.
#include "exact/closed_form/normal_pair.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace renyi::exact {

namespace {

using Real = long double;

// phi(40) is below the smallest double.
constexpr Real beyond_doubles = 40;

Real density(Real x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi_v<Real>); }

// The exponent x^2/2 is rounded once or twice.
Real density_error(Real x) { return (8 + 2 * x * x) * extended_roundoff; }

// 1 - t, where both parts of t are small: x < -1, and so mu > 2 and x + mu > 1.
Enclosure nearly_one(Real x, Real mu) {
  const Real t = std::erfc(-x / std::numbers::sqrt2_v<Real>) / 2 + density(x) * numerics::mills_ratio(x + mu).value;
  const Real error = t > 0 ? t * (256 * extended_roundoff + 2 * density_error(x)) : 0;
  return {1 - t - error - 2 * extended_roundoff, 1 - t + error + 2 * extended_roundoff};
}

Enclosure delta_at(Real x, Real mu) {
  if (!(x <= beyond_doubles)) return {0, std::numeric_limits<double>::denorm_min()};
  if (x < -1) return nearly_one(x, mu);
  const numerics::Approximation difference = numerics::mills_difference(x, mu);
  const Real value = density(x) * difference.value;
  const Real error = value * (difference.relative_error + density_error(x));
  return {value - error, value + error};
}

// x with the roundings of its two terms on the side of `outwards`.
Real place(Real mu, Real epsilon, int outwards) {
  const Real far = epsilon / mu, near = mu / 2;
  return far - near + static_cast<Real>(outwards) * 4 * extended_roundoff * (far + near);
}

}  // namespace

Enclosure normal_pair_delta(const Enclosure& mu, const Enclosure& epsilon) {
  const Enclosure least = delta_at(place(mu.lower, epsilon.upper, +1), mu.lower);
  const Enclosure most = delta_at(place(mu.upper, epsilon.lower, -1), mu.upper);
  return {least.lower, most.upper};
}

}  // namespace renyi::exact
