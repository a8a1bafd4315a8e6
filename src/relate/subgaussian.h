// The square of the subgaussian standard of a loss about its mean.
#pragma once

#include "relate/supremum.h"
#include "renyi/extras/curve.h"

namespace renyi::relate {

// Returns the smallest t with ln E exp(x (L - E L)) <= t x^2 / 2 for every real x, for the larger of both directions.
// The distribution of the curve's loss must be known.
Interval subgaussian_variance(const Curve& curve);

}  // namespace renyi::relate
