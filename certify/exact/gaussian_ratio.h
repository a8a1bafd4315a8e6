// Gaussian steps together are one Gaussian step.
#pragma once

#include "certify/exact/law.h"

namespace renyi::certify {

// mu, the ratio of sensitivity to noise of all steps together, at the working precision: mu^2 = sum count ratio^2.
Ball gaussian_ratio(const Steps& gaussians);

}  // namespace renyi::certify
