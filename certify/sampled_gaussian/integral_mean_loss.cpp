// D_1 by integration over windows, and what lies outside them.
#include "certify/sampled_gaussian/curve.h"
#include "certify/sampled_gaussian/integral.h"
#include "certify/sampled_gaussian/mean_loss.h"

namespace renyi::certify {

Ball integral_mean_loss(const SampledGaussian& mechanism, Direction direction, Effort effort) {
  const MeanLossWindows windows = mean_loss_windows(mechanism, direction, effort.window);
  const bool remove = direction == Direction::remove;
  const Integrand integrand{.mechanism = mechanism, .exponent = remove ? 1 : 0, .times_log = true};
  const std::vector<Ball> centres(windows.centres.begin(), windows.centres.end());
  Ball sum = integral_over_windows(integrand, centres, windows.half_width, 1);
  if (!remove) sum = -sum;
  return sum.widen(mean_loss_outside(mechanism, windows, 0));
}

}  // namespace renyi::certify
