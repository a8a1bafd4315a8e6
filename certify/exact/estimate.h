// What the composed loss looks like, in doubles: for choosing places, contours and steps, never for bounds.
#pragma once

#include "certify/exact/law.h"

namespace renyi::certify {

// K(c) and its first two derivatives: mean and variance of the loss tilted by c.
struct Estimate {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

Estimate estimate_log_moment(const Mechanism& mechanism, Direction direction, double c);
Estimate estimate_log_moment(const Steps& steps, Direction direction, double c);

}  // namespace renyi::certify
