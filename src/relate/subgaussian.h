// The subgaussian standard of a loss about its mean, squared.
#pragma once

#include "relate/supremum.h"
#include "renyi/extras/curve.h"

namespace renyi::relate {

// The least t with ln E exp(x (L - E L)) <= t x^2 / 2 for every real x, the larger
// of both directions. The curve must know its loss.
Interval subgaussian_variance(const Curve& curve);

}  // namespace renyi::relate
