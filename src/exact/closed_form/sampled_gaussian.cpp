// One sampled Gaussian has the delta of its Gaussian at another epsilon, times a factor
// (docs/math/exact-closed-forms.md, "One sampled Gaussian"): with G the delta of mu = 1/s,
//
//     remove: delta = q G(e'),                      e^e' = 1 + (e^epsilon - 1)/q,
//     add:    delta = (1 - (1-q) e^epsilon) G(e'),  e^-e' = 1 - (1 - e^-epsilon)/q.
#include <cmath>
#include <limits>

#include "exact/closed_form/normal_pair.h"
#include "exact/closed_form/profile.h"

namespace renyi::exact {

namespace {

using Real = long double;

constexpr Real few = 8;  // roundings of a formula without cancellation

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

// e^-epsilon - (1-q), which vanishes at the largest loss: the rounding of its two terms.
Enclosure room_left(Real q, Real epsilon) {
  const bool small = epsilon < 0.5L;
  const Real first = small ? std::expm1(-epsilon) : std::exp(-epsilon), second = small ? q : q - 1;
  const Real room = first + second, error = 4 * extended_roundoff * (std::abs(first) + std::abs(second));
  return {room - error, room + error};
}

// ln(q / room), its two ends in turn.
Real scaled_down_epsilon(Real q, Real epsilon, Real room, int outwards) {
  if (!(room > 0)) return std::numeric_limits<Real>::infinity();
  const Real value = room > q / 2 ? -std::log1p(std::expm1(-epsilon) / q) : std::log(q / room);
  return value * (1 + static_cast<Real>(outwards) * few * extended_roundoff);
}

Enclosure add_delta(Real q, const Enclosure& mu, Real epsilon) {
  const Enclosure room = room_left(q, epsilon);
  if (!(room.upper > 0)) return exactly_nothing;  // at or beyond the largest loss
  const Enclosure g = normal_pair_delta(
      mu, {scaled_down_epsilon(q, epsilon, room.upper, -1), scaled_down_epsilon(q, epsilon, room.lower, +1)});
  const Enclosure growth = around(std::exp(epsilon), few);
  return {room.lower > 0 ? growth.lower * room.lower * g.lower : 0, growth.upper * room.upper * g.upper};
}

}  // namespace

Profile sampled_gaussian_profile(const SampledGaussian& mechanism, Direction direction) {
  const Real q = mechanism.sampling_rate;
  const Enclosure mu = around(1.0L / mechanism.noise_multiplier, 1);
  if (direction == Direction::remove) return [=](double epsilon) { return to_ends(remove_delta(q, mu, epsilon)); };
  return [=](double epsilon) { return to_ends(add_delta(q, mu, epsilon)); };
}

}  // namespace renyi::exact
