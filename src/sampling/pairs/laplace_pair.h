// Sampled Laplace noise: P = (1-q) Q + q Lap(1, b) against Q = Lap(0, b).
#pragma once

#include <memory>

#include "mechanism/monotone/monotone_pair.h"

namespace renyi::sampling {

using monotone::MonotonePair;
using monotone::Reading;

inline constexpr double least_laplace_scale = 1e-12;

// 0 < rate < 1; scale b in [least_laplace_scale, 1e6], for a query moved by 1. Throws InvalidArgument otherwise.
std::shared_ptr<const MonotonePair> laplace_pair(double rate, double scale, Reading reading);

}  // namespace renyi::sampling
