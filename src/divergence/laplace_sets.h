// The hockey-stick divergence of two Laplace laws, by the set where the loss exceeds epsilon.
#pragma once

#include "divergence/laplace_shape.h"
#include "renyi/bounded.h"

namespace renyi::divergence_detail {

Bounded laplace_hockey_stick(const LaplaceShape& shape, double epsilon);

}  // namespace renyi::divergence_detail
