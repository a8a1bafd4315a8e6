// Estimates of the curve of an epoch of random allocation in doubles. They choose lines and never enter bounds.
#pragma once

#include "certify/exact/operating_point.h"
#include "certify/random_allocation/moment.h"

namespace renyi::certify {

// Returns K(c) and its derivatives from a table, which is made once per thread for the last few epochs.
Estimate estimate_log_moment(const AllocatedGaussian& epoch, Direction direction, double c);

}  // namespace renyi::certify
