// The delta of Gaussians and of one sampled Gaussian, both computed from the pair N(mu, 1) against N(0, 1)
// (docs/math/exact-closed-forms.md, "Gaussians").
#include <cmath>
#include <limits>
#include <numbers>

#include "exact/closed_form/profile.h"
#include "numerics/mills.h"

namespace renyi::exact {

namespace gaussian_file {
namespace {

using Real = long double;

// With x = epsilon/mu - mu/2 (Balle, Wang 2018, Theorem 8), Phi' = Pr[X > .], and R Mills' ratio,
//
//     delta = Phi'(x) - e^epsilon Phi'(x + mu) = phi(x) [ R(x) - R(x + mu) ],
//
// because phi(x) = e^epsilon phi(x + mu). It falls with x and rises with mu, each alone.

// phi(40) is below the smallest double.
constexpr Real beyond_doubles = 40;

Real density(Real x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi_v<Real>); }

// The exponent x^2/2 is rounded once or twice.
Real density_error(Real x) { return (8 + 2 * x * x) * extended_roundoff; }

// Returns 1 - t, where both terms of t are small: x < -1, and so mu > 2 and x + mu > 1.
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

// Returns x with the roundings of its two terms in the direction of `outwards`.
Real place(Real mu, Real epsilon, int outwards) {
  const Real far = epsilon / mu, near = mu / 2;
  return far - near + static_cast<Real>(outwards) * 4 * extended_roundoff * (far + near);
}

// Requires mu > 0 and epsilon >= 0; upper bounds may be infinite.
Enclosure normal_pair_delta(const Enclosure& mu, const Enclosure& epsilon) {
  const Enclosure least = delta_at(place(mu.lower, epsilon.upper, +1), mu.lower);
  const Enclosure most = delta_at(place(mu.upper, epsilon.lower, -1), mu.upper);
  return {least.lower, most.upper};
}

// One sampled Gaussian has the delta of its Gaussian at another epsilon, times a factor
// (docs/math/exact-closed-forms.md, "One sampled Gaussian"): with G the delta of mu = 1/s,
//
//     remove: delta = q G(e'),                      e^e' = 1 + (e^epsilon - 1)/q,
//     add:    delta = (1 - (1-q) e^epsilon) G(e'),  e^-e' = 1 - (1 - e^-epsilon)/q.

constexpr Real few = 8;  // the number of roundings of a formula without cancellation

// From here on e^epsilon may overflow, and nothing cancels in the logarithm.
constexpr Real large_epsilon = 40;

Enclosure scaled_up_epsilon(Real q, Real epsilon) {
  if (epsilon < large_epsilon) return around(std::log1p(std::expm1(epsilon) / q), few);
  return around(epsilon - std::log(q) + std::log1p(-(1 - q) * std::exp(-epsilon)), few);
}

Enclosure remove_delta(Real q, const Enclosure& mu, Real epsilon) {
  const Enclosure g = normal_pair_delta(mu, scaled_up_epsilon(q, epsilon));
  return {q * g.lower * (1 - few * extended_roundoff), q * g.upper * (1 + few * extended_roundoff)};
}

// Encloses e^-epsilon - (1-q), which vanishes at the largest loss: its error is the rounding of its two terms.
Enclosure room_left(Real q, Real epsilon) {
  const bool small = epsilon < 0.5L;
  const Real first = small ? std::expm1(-epsilon) : std::exp(-epsilon), second = small ? q : q - 1;
  const Real room = first + second, error = 4 * extended_roundoff * (std::abs(first) + std::abs(second));
  return {room - error, room + error};
}

// Returns a bound on ln(q / room): an upper or a lower one, by the sign of `outwards`.
Real scaled_down_epsilon(Real q, Real epsilon, Real room, int outwards) {
  if (!(room > 0)) return std::numeric_limits<Real>::infinity();
  const Real value = room > q / 2 ? -std::log1p(std::expm1(-epsilon) / q) : std::log(q / room);
  return value * (1 + static_cast<Real>(outwards) * few * extended_roundoff);
}

Enclosure add_delta(Real q, const Enclosure& mu, Real epsilon) {
  const Enclosure room = room_left(q, epsilon);
  if (!(room.upper > 0)) return exactly_nothing;  // epsilon is at or beyond the largest loss
  const Enclosure g = normal_pair_delta(
      mu, {scaled_down_epsilon(q, epsilon, room.upper, -1), scaled_down_epsilon(q, epsilon, room.lower, +1)});
  const Enclosure growth = around(std::exp(epsilon), few);
  return {room.lower > 0 ? growth.lower * room.lower * g.lower : 0, growth.upper * room.upper * g.upper};
}

}  // namespace
}  // namespace gaussian_file

// Gaussians compose to one Gaussian: mu^2 adds (Dong, Roth, Su 2022, Corollary 3.3).
std::optional<Profile> gaussian_profile(const std::vector<CountedLaw>& steps) {
  long double sum = 0;
  for (const CountedLaw& step : steps) {
    const auto* normal = step.law.get_if<mechanism::NormalShift>();
    if (normal == nullptr) return std::nullopt;
    const long double mu = static_cast<long double>(normal->shift) / normal->stddev;
    sum += static_cast<long double>(step.count) * (mu * mu);
  }
  // Each term is rounded a few times, and each sum once.
  const Enclosure mu = around(std::sqrt(sum), 8 + static_cast<long double>(steps.size()));
  return [mu](double epsilon) { return to_ends(gaussian_file::normal_pair_delta(mu, {epsilon, epsilon})); };
}

Profile sampled_gaussian_profile(const mechanism::SampledNormal& law, Direction direction) {
  const gaussian_file::Real q = law.rate;
  const Enclosure mu = around(1.0L / law.noise_multiplier, 1);
  if (direction == Direction::remove)
    return [=](double epsilon) { return to_ends(gaussian_file::remove_delta(q, mu, epsilon)); };
  return [=](double epsilon) { return to_ends(gaussian_file::add_delta(q, mu, epsilon)); };
}

}  // namespace renyi::exact
