// Gaussian noise beside a sensitivity that may be a bound only.
#pragma once

#include <algorithm>

#include "numerics/directed.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

// The Gaussian mechanism where some record moves the query so far. Otherwise any step of that Gaussian DP: lower ends
// of exact figures would not hold for what was run. `squared` is the square of the sensitivity, rounded up; a smaller
// one than a Gaussian may have is rounded up to that.
inline Mechanism gaussian_beside(double noise_multiplier, double squared, bool attained) {
  const double sensitivity = std::max(Gaussian::parameters()[1].lowest, numerics::sqrt_up(squared));
  const double mu = numerics::quotient_up(sensitivity, noise_multiplier);
  if (!attained && GaussianDp::parameters()[0].allows(mu)) return GaussianDp{mu};
  return Gaussian{noise_multiplier, sensitivity};
}

}  // namespace renyi::mechanism
