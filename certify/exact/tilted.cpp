#include "certify/exact/tilted.h"

#include "certify/sampled_gaussian/trapezoid.h"

namespace renyi::certify {
namespace {

// Enough for bounds of |phi|, which are rough.
constexpr long moment_bits = 40;

Ball log_of_moment(const SampledGaussian& mechanism, const Ball& exponent) {
  return log(trapezoid_moments(mechanism, exponent, 0, 1, moment_bits).front().real());
}

}  // namespace

Tilted::Tilted(const SampledGaussian& sampled, Direction direction, const Ball& c)
    : mechanism(sampled),
      rate(sampled.sampling_rate),
      variance(square(Ball(sampled.noise_multiplier))),
      exponent(direction == Direction::remove ? 1 + c : -c),
      log_scale(log(2 * Ball::pi() * variance) / 2 + log_of_moment(sampled, exponent)) {}

Ball Tilted::loss(const Ball& x) const { return log1p(rate * expm1((2 * x - 1) / (2 * variance))); }

Ball Tilted::share(const Ball& x) const { return 1 / (1 + (1 - rate) / rate * exp((1 - 2 * x) / (2 * variance))); }

Ball Tilted::log_density(const Ball& x) const { return exponent * loss(x) - square(x) / (2 * variance) - log_scale; }

}  // namespace renyi::certify
