// Moments of one epoch of random allocation with Gaussian steps (docs/math/certified-allocation.md). P = (1/t) sum_i
// N(e_i, s^2 I), Q = N(0, s^2 I), R = P/Q is the mean of t independent log-normal variables. All values are computed at
// the working precision.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "certify/ball/ball.h"
#include "renyi/extras/certify.h"
#include "renyi/mechanism.h"
#include "renyi/plan.h"

namespace renyi::certify {

struct AllocatedGaussian {
  std::int64_t steps = 2;  // t
  double stddev = 1;
  double sensitivity = 1;

  bool operator==(const AllocatedGaussian&) const = default;
};

// Returns the epoch if the mechanism is one, and if its parameters are within reach: 2 to 1e6 steps, and noise
// multipliers in [0.25, 1000]. The neighbouring relation must be one for which `steps_to_certify` returns it.
std::optional<AllocatedGaussian> allocated_gaussian(const Mechanism& mechanism);

// Returns the steps of a plan as they are certified: those of Plan::analysed(), except that epochs of random allocation
// remain as they are where one record is added, removed or zeroed out and the analysis knows their privacy loss.
std::vector<CountedMechanism> steps_to_certify(const Plan& plan);

// The largest order of the finite sum, and the largest derivative of the integral, which needs orders of about this
// less 10 in the direction remove.
inline constexpr std::int64_t largest_allocated_sum = 2000;
inline constexpr std::int64_t most_derivatives = 200;

// Computes K(order - 1) in the direction remove for whole orders of at least 2.
Ball finite_sum_log_moment(const AllocatedGaussian& epoch, std::int64_t order);

// Compute K at an exact real z > 0, and D_1, by the trapezoidal rule for a Mellin integral. The two routes use
// different derivatives of the Laplace transform of R, so that they have no sum in common.
Ball trapezoid_log_moment(const AllocatedGaussian& epoch, Direction direction, const Ball& z, Route route);
Ball trapezoid_mean_loss(const AllocatedGaussian& epoch, Direction direction, Route route);

// Returns E_P[exp(zL)] at z = c + i j spacing, j = 0 ... points-1; each has an error of approximately 2^-bits times the
// one at c, besides rounding.
std::vector<Complex> allocated_moments(const AllocatedGaussian& epoch, Direction direction, const Ball& c,
                                       const Ball& spacing, long points, long bits);
// Estimates the work of the above, in products of balls; infinite if it is out of reach. The precision may be low.
double allocated_work(const AllocatedGaussian& epoch, Direction direction, const Ball& c, const Ball& spacing,
                      double points, long bits);
// The largest c that is certified in the direction remove; in the direction add it is 1e4.
inline constexpr double largest_allocated_c = 180;

}  // namespace renyi::certify
