// The hockey-stick divergence of two normal laws, by the set where the loss exceeds epsilon.
#pragma once

#include "renyi/bounded.h"

namespace renyi::divergence_detail {

// P and Q in P's own units: under P, u is standard normal; under Q, k u + b is.
struct NormalShape {
  long double k = 1;
  long double w = 0;  // k^2 - 1
  long double b = 0;
  long double log_k = 0;
};

Bounded normal_hockey_stick(const NormalShape& shape, double epsilon);

}  // namespace renyi::divergence_detail
