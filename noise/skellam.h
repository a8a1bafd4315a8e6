// Skellam noise: the difference of two Poisson variables (docs/math/skellam-sampler.md).
#pragma once

#include <cstdint>
#include <span>

#include "noise/bits/bits.h"

namespace renyi::noise {

inline constexpr double smallest_skellam_variance = 1e-3, largest_skellam_variance = 0x1p40;

// Draws independent noise of this variance, each the difference of two Poisson variables of mean variance/2.
void skellam(Bits& bits, std::span<std::int64_t> noise, double variance);

// An upper bound on the probability that the time of a draw depends on what is drawn.
double skellam_slow_probability(double variance);

}  // namespace renyi::noise
