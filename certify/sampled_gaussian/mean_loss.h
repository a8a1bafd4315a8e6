// What both ways to D_1 share: where its integrand lives, and how large it is elsewhere. With u = (2x-1)/(2 s^2) and
// k = 1/(2 s^2) - ln(1-q),
//
//     |ln r| <= u_+ - ln(1-q),   r phi_s(x) = (1-q) phi_s(x) + q phi_s(x-1).
#pragma once

#include <vector>

#include "certify/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

struct MeanLossWindows {
  std::vector<double> centres;  // 0, and 1 in the direction remove
  double half_width = 0;
};
MeanLossWindows mean_loss_windows(const SampledGaussian& mechanism, Direction direction, long bits);

// Lemma C5: at least the integral of the modulus outside all windows; with a step, at least step times its sum over the
// multiples of the step outside.
Ball mean_loss_outside(const SampledGaussian& mechanism, const MeanLossWindows& windows, const Ball& step);

// Lemma C6: at least the integral of the modulus along the line Im x = strip. Not finite unless strip/s^2 < pi.
Ball mean_loss_on_edge(const SampledGaussian& mechanism, const Ball& strip);

}  // namespace renyi::certify
