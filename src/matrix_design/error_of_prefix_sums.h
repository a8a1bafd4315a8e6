// The error of prefix sums as a function of the coefficients of C, with its gradient (docs/math/banded-matrices.md,
// "The error of prefix sums").
#pragma once

#include <cstdint>
#include <span>

#include "matrix_design/power_series.h"
#include "renyi/extras/matrix_design.h"

namespace renyi::matrix_design {

struct MeanErrorGradient {
  double mean_squared = 0;
  Series gradient{};  // with respect to the coefficients
};

// Returns the mean squared error and its gradient, for coefficients near some that are not negative and do not rise;
// infinity without a gradient where the weights of the noise do not settle, so that a search turns back.
MeanErrorGradient mean_error_gradient(std::span<const double> coefficients, std::int64_t rounds);

}  // namespace renyi::matrix_design
