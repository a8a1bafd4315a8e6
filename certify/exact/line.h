// Where a contour runs and how its points are spaced: chosen in doubles, proven later.
#pragma once

#include "certify/exact/law.h"

namespace renyi::certify {

struct Line {
  double c = 1;
  double spacing = 1;   // h; copies of delta lie 2 pi/h apart
  double rival = 2;     // c' > c, where the copies above are bounded
  double log_size = 0;  // K(c) - c epsilon - ln delta, about: the integrand over the integral
  double spread = 1;    // standard deviation of the loss tilted by c
};

// The copies stay below `tolerance` of delta.
Line choose_line(const Steps& steps, Direction direction, const Place& place, double tolerance, Route route);

}  // namespace renyi::certify
