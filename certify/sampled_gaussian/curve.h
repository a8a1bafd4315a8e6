// The curve of the sampled Gaussian, 0 < q < 1, several ways (docs/math/certified-curves.md). P = (1-q) N(0, s^2) +
// q N(1, s^2), Q = N(0, s^2), r = P/Q; all at the working precision.
#pragma once

#include <vector>

#include "certify/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// About 2^-rule and 2^-window is what a rule, and what windows, may leave out of a sum or an integral.
struct Effort {
  long rule = Precision::bits();
  long window = Precision::bits();
};

// K(order - 1) in the direction remove, for whole orders: a finite sum without cancellation.
Ball finite_sum_log_moment(const SampledGaussian& mechanism, std::int64_t order);

// K at real z > 0, exact. By the trapezoidal rule, and by adaptive integration.
Ball trapezoid_log_moment(const SampledGaussian& mechanism, Direction direction, const Ball& z, Effort effort = {});
Ball integral_log_moment(const SampledGaussian& mechanism, Direction direction, const Ball& z, Effort effort = {});

// D_1 = E_Q[r ln r] (remove) or E_Q[-ln r] (add), the same two ways.
Ball trapezoid_mean_loss(const SampledGaussian& mechanism, Direction direction, Effort effort = {});
Ball integral_mean_loss(const SampledGaussian& mechanism, Direction direction, Effort effort = {});

// D_inf.
Ball max_loss(const SampledGaussian& mechanism, Direction direction);

// What both ways to D_1 share: where its integrand lives, and how large it is elsewhere. With u = (2x-1)/(2 s^2) and
// k = 1/(2 s^2) - ln(1-q),
//
//     |ln r| <= u_+ - ln(1-q),   r phi_s(x) = (1-q) phi_s(x) + q phi_s(x-1).
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
