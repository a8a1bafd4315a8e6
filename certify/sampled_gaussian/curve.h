// The curve of the sampled Gaussian, 0 < q < 1, several ways (docs/math/certified-curves.md). P = (1-q) N(0, s^2) +
// q N(1, s^2), Q = N(0, s^2), r = P/Q; all at the working precision.
#pragma once

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

}  // namespace renyi::certify
