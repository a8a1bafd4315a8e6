// The distance of two means in the metric of a covariance matrix.
#pragma once

#include <vector>

#include "renyi/bounded.h"

namespace renyi::divergence_detail {

// y' S^-1 y. Throws InvalidArgument unless S is symmetric and positive definite, of y's size.
Bounded squared_mahalanobis(const std::vector<long double>& y, const std::vector<std::vector<double>>& covariance);

}  // namespace renyi::divergence_detail
