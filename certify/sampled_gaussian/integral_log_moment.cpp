// K by integration over windows, and what lies outside them.
#include <cmath>
#include <numbers>

#include "certify/sampled_gaussian/curve.h"
#include "certify/sampled_gaussian/exponent.h"
#include "certify/sampled_gaussian/integral.h"

namespace renyi::certify {
namespace {

// Lemma C9: r^e <= 2^(e-1) ((1-q)^e + q^e exp(e u)), two Gaussians about 0 and about e.
Ball remove_moment(const SampledGaussian& mechanism, const Ball& exponent, long bits) {
  const double powers = static_cast<double>(bits) + 8 + exponent.about();  // of 2, to be made up for
  const Ball width = mechanism.noise_multiplier * std::sqrt(2 * std::numbers::ln2 * powers);
  const Ball q = mechanism.sampling_rate;
  const Ball bulk = exp(exponent * log1p(-q));
  const Ball shifted = exp(exponent * (log(q) + (exponent - 1) / (2 * square(Ball(mechanism.noise_multiplier)))));
  const Integrand integrand{.mechanism = mechanism, .exponent = exponent};
  Ball moment = integral_over_windows(integrand, {0, exponent}, width, max(1, shifted));
  const Ball outside =
      exp((exponent - 1) * log(Ball(2))) * (bulk + shifted) * 2 * normal_above(width / mechanism.noise_multiplier);
  return moment.widen(outside);
}

// ---- direction add: ln of the integrand is G(x) = -x^2/(2 s^2) - z ln r, up to a constant

// s^2 G'(x) = -x + e w(x), w = q exp(u)/r, e = -z.
Ball scaled_slope(const SampledGaussian& mechanism, const Ball& exponent, const Ball& x) {
  const Ball q = mechanism.sampling_rate;
  const Ball u = (2 * x - 1) / (2 * square(Ball(mechanism.noise_multiplier)));
  return exponent / (1 + (1 - q) / q * exp(-u)) - x;
}

// Where the slope is 0; about.
double peak_about(const SampledGaussian& mechanism, const Ball& exponent) {
  const Precision rough(64);
  double low = exponent.about();
  double high = 0;
  for (int i = 0; i < 200; ++i) {
    const double x = (low + high) / 2;
    (scaled_slope(mechanism, exponent, x).about() > 0 ? low : high) = x;
  }
  return (low + high) / 2;
}

Ball integrand_at(const SampledGaussian& mechanism, const Ball& exponent, const Ball& x) {
  const Ball twice_variance = 2 * square(Ball(mechanism.noise_multiplier));
  const Ball log_ratio = log1p(Ball(mechanism.sampling_rate) * expm1((2 * x - 1) / twice_variance));
  return exp(exponent * log_ratio - square(x) / twice_variance) / sqrt(Ball::pi() * twice_variance);
}

// Lemma C8: beyond an end where G slopes down, exp(G) falls at least like a Gaussian from its top: at most its value
// there times s sqrt(pi/2). `sign` is +1 at the right end.
Ball beyond(const SampledGaussian& mechanism, const Ball& exponent, const Ball& end, int sign) {
  if (!surely_less(Ball(sign) * scaled_slope(mechanism, exponent, end), 0)) return Ball::infinity();
  return integrand_at(mechanism, exponent, end) * mechanism.noise_multiplier * sqrt(Ball::pi() / 2);
}

Ball add_moment(const SampledGaussian& mechanism, const Ball& exponent, long bits) {
  const double s = mechanism.noise_multiplier;
  const double peak = peak_about(mechanism, exponent);
  const double width = s * std::sqrt(2 * std::numbers::ln2 * (static_cast<double>(bits) + 8));
  const double left = peak - width;
  const double right = peak + width;
  const Ball scale = max(1, integrand_at(mechanism, exponent, peak) * s);
  const Integrand integrand{.mechanism = mechanism, .exponent = exponent};
  Ball moment = integral(integrand, left, peak, scale) + integral(integrand, peak, right, scale);
  return moment.widen(beyond(mechanism, exponent, left, -1)).widen(beyond(mechanism, exponent, right, 1));
}

}  // namespace

Ball integral_log_moment(const SampledGaussian& mechanism, Direction direction, const Ball& z, Effort effort) {
  const Ball exponent = exponent_of(direction, z);
  const Ball moment = direction == Direction::remove ? remove_moment(mechanism, exponent, effort.window)
                                                     : add_moment(mechanism, exponent, effort.window);
  return log1p(moment - 1);
}

}  // namespace renyi::certify
