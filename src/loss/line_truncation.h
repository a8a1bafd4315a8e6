// Finds where a vertical line may end (docs/math/privacy-loss.md, "Contour").
#pragma once

#include <optional>

#include "loss/contour.h"

namespace renyi::loss {

struct End {
  double y = 0;
  double beyond = 0;  // bound on the terms after it, as a multiple of exp(level)
};

// Returns the first y from `start` on, in strides, beyond which all terms of the rule with step h add up to less than
// `limit`; std::nullopt where the points up to it would cost more than `patience` times what a line may cost.
std::optional<End> find_line_end(const VerticalLine& line, Kernel kernel, double c, double h, double start,
                                 double limit, double patience);

// Returns an estimate of where a line through c ends, or a little before that.
double likely_end(Kernel kernel, double c, double h, double curvature, double limit);

// |kernel| at c + iy, and the argument of its denominator.
double modulus_of_kernel(Kernel kernel, double c, double y);
double argument_of_poles(Kernel kernel, double c, double y);

}  // namespace renyi::loss
