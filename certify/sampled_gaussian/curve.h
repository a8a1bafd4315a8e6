// The curve of the sampled Gaussian, 0 < q < 1, by several methods (docs/math/certified-curves.md). P = (1-q) N(0, s^2)
// + q N(1, s^2), Q = N(0, s^2), r = P/Q. All values are computed at the working precision.
#pragma once

#include <vector>

#include "certify/ball/ball.h"
#include "renyi/mechanism.h"

namespace renyi::certify {

// A rule may neglect approximately 2^-rule of a sum or an integral, and windows approximately 2^-window.
struct Effort {
  long rule = Precision::bits();
  long window = Precision::bits();
};

// Computes K(order - 1) in the direction remove, for whole orders: a finite sum without cancellation.
Ball finite_sum_log_moment(const SampledGaussian& mechanism, std::int64_t order);

// Compute K at an exact real z > 0, by the trapezoidal rule and by adaptive integration.
Ball trapezoid_log_moment(const SampledGaussian& mechanism, Direction direction, const Ball& z, Effort effort = {});
Ball integral_log_moment(const SampledGaussian& mechanism, Direction direction, const Ball& z, Effort effort = {});

// Compute D_1 = E_Q[r ln r] (remove) or E_Q[-ln r] (add), by the same two methods.
Ball trapezoid_mean_loss(const SampledGaussian& mechanism, Direction direction, Effort effort = {});
Ball integral_mean_loss(const SampledGaussian& mechanism, Direction direction, Effort effort = {});

// Computes D_inf.
Ball max_loss(const SampledGaussian& mechanism, Direction direction);

// Both methods for D_1 share these windows, in which its integrand is not negligible, and the bounds outside them. With
// u = (2x-1)/(2 s^2) and k = 1/(2 s^2) - ln(1-q),
//
//     |ln r| <= u_+ - ln(1-q),   r phi_s(x) = (1-q) phi_s(x) + q phi_s(x-1).
struct MeanLossWindows {
  std::vector<double> centres;  // 0, and also 1 in the direction remove
  double half_width = 0;
};
MeanLossWindows mean_loss_windows(const SampledGaussian& mechanism, Direction direction, long bits);

// Lemma C5: an upper bound on the integral of the modulus outside all windows; with a step, an upper bound on step
// times its sum over the multiples of the step outside.
Ball mean_loss_outside(const SampledGaussian& mechanism, const MeanLossWindows& windows, const Ball& step);

// Lemma C6: an upper bound on the integral of the modulus along the line Im x = strip. It is not finite unless
// strip/s^2 < pi.
Ball mean_loss_on_edge(const SampledGaussian& mechanism, const Ball& strip);

}  // namespace renyi::certify
