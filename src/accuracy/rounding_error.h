// What rounding noise to a grid adds to the mean squared error (docs/math/accuracy.md, "Rounding to a grid").
#pragma once

#include "accuracy/noise_sum.h"
#include "renyi/interval.h"

namespace renyi::noise_error {

// Returns an interval that contains the largest root of the mean squared error of the sum over all inputs x, if every
// Gaussian and Laplace noise N is drawn as round(x + N) - x, where round gives the nearest multiple of the grid.
Interval rounded_stddev(const NoiseSum& sum, double grid);

}  // namespace renyi::noise_error
