// The half-width of a confidence interval: the inverse of the tail probability.
#pragma once

#include "accuracy/tail.h"
#include "renyi/interval.h"

namespace renyi::noise_error {

// Returns an interval that contains the smallest t with Pr[|S| <= t] >= level, for a level in (0, 1).
Interval half_width(Tails& tails, double level);

}  // namespace renyi::noise_error
