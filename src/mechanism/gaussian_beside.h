// Gaussian noise beside a sensitivity that may be a bound only.
#pragma once

#include "numerics/directed.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

// The Gaussian mechanism where some record moves the query so far. Otherwise any step of that Gaussian DP: lower ends
// of exact figures would not hold for what was run.
inline Mechanism gaussian_beside(double noise_multiplier, double sensitivity, bool attained) {
  const double mu = numerics::quotient_up(sensitivity, noise_multiplier);
  if (!attained && GaussianDp::parameters()[0].allows(mu)) return GaussianDp{mu};
  return Gaussian{noise_multiplier, sensitivity};
}

}  // namespace renyi::mechanism
