// What a plan that meets a target is likely to have as its Renyi bound.
#pragma once

#include "renyi/calibrate.h"

namespace renyi::calibrate_detail {

// The Renyi bound of the Gaussian mechanism that meets the target exactly: sums of many losses are nearly normal, so
// other plans have nearly the same. An estimate, fit for a start only.
double estimated_renyi_bound(const Target& target);

}  // namespace renyi::calibrate_detail
