// Mean and variance of a discrete loss tilted by exp(z L): the first derivatives of K.
#pragma once

#include <cstddef>
#include <limits>

#include "mechanism/own/discrete_curve.h"

namespace renyi::mechanism {

struct TiltedMoments {
  double mean = 0;
  double mean_error = 0;
  double variance = 0;
};

// What a sum of so many terms in long double loses, beside the sum of their sizes.
inline double summation_rounding(std::size_t terms) {
  return static_cast<double>(terms) * static_cast<double>(std::numeric_limits<long double>::epsilon());
}

// z >= 0; finite losses.
TiltedMoments tilted_moments(const DiscreteLoss& loss, double z);

// The atom of the largest p exp(zl).
const LossAtom& heaviest(const std::vector<LossAtom>& atoms, double z);

}  // namespace renyi::mechanism
