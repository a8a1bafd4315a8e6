// The law of the loss of one pair: what its cumulants and its divergences of orders below 1 are made of.
#pragma once

#include "sampling/pairs/monotone_pair.h"

namespace renyi::sampling {

// 1 - E_Q[(P/Q)^a], a in [1/2, 1).
Bounded lost_at(const MonotonePair& pair, double a, Direction direction);

// E[(L - mean)^2] and E[(L - mean)^3], with their errors.
struct CentralMoments {
  double second = 0;
  double second_error = 0;
  double third = 0;
  double third_error = 0;
};
CentralMoments central_moments(const MonotonePair& pair, double mean, Direction direction);

}  // namespace renyi::sampling
