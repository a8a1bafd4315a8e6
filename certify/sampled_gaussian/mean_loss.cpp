#include "certify/sampled_gaussian/mean_loss.h"

#include <cmath>
#include <numbers>

namespace renyi::certify {
namespace {

Ball density(const Ball& x, const Ball& noise) { return exp(-square(x / noise) / 2) / (noise * sqrt(2 * Ball::pi())); }

Ball least_log(const SampledGaussian& mechanism) { return log1p(-Ball(mechanism.sampling_rate)); }

}  // namespace

MeanLossWindows mean_loss_windows(const SampledGaussian& mechanism, Direction direction, long bits) {
  const double sigmas = std::sqrt(2 * std::numbers::ln2 * (static_cast<double>(bits) + 16));
  MeanLossWindows windows{.centres = {0}, .half_width = sigmas * mechanism.noise_multiplier};
  if (direction == Direction::remove) windows.centres.push_back(1);
  return windows;
}

// Lemma C5: 2 [ h phi_s(W) (W/s^2 + k) + phi_s(W) + k Pr(N(0,1) > W/s) ], for W >= s.
Ball mean_loss_outside(const SampledGaussian& mechanism, const MeanLossWindows& windows, const Ball& step) {
  const Ball noise = mechanism.noise_multiplier;
  const Ball width = windows.half_width;
  const Ball k = 1 / (2 * square(noise)) - least_log(mechanism);
  if (!surely_at_most(noise, width)) return Ball::infinity();
  const Ball end = density(width, noise);
  return 2 * (step * end * (width / square(noise) + k) + end + k * normal_above(width / noise));
}

// Lemma C6: exp(d^2/(2 s^2)) (1/s + 1/(2 s^2) - ln(1-q) + theta - ln cos(theta/2)), theta = d/s^2 < pi.
Ball mean_loss_on_edge(const SampledGaussian& mechanism, const Ball& strip) {
  const Ball noise = mechanism.noise_multiplier;
  const Ball theta = strip / square(noise);
  if (!surely_less(theta, Ball::pi())) return Ball::infinity();
  const Ball size = 1 / noise + 1 / (2 * square(noise)) - least_log(mechanism) + theta - log(cos(theta / 2));
  return exp(square(strip / noise) / 2) * size;
}

}  // namespace renyi::certify
