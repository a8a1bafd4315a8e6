// The composed moments at the points of a line.
#pragma once

#include <vector>

#include "certify/exact/law.h"
#include "certify/exact/line.h"

namespace renyi::certify {

struct LineMoments {
  std::vector<Complex> phi;  // exp(K(c + ijh) - K(c))
  Ball log_moment;           // K(c)
  Ball lost;                 // the sum of |phi|/|z (z+1)| over points whose phase is not known; their phi above is 0
  long bits = 0;             // the working precision
};

// Accurate to about exp(-digits), whatever the counts.
LineMoments moments_on_line(const Steps& steps, Direction direction, const Line& line, long points, double digits);
// K at a real point, within about exp(-digits).
Ball log_moment_at(const Steps& steps, Direction direction, double c, double digits);

// What that costs, about, in products of balls.
double work(const Steps& steps, Direction direction, const Line& line, double points, double digits);

}  // namespace renyi::certify
