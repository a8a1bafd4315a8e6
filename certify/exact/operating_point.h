// Estimates the composed loss in doubles, and the point at which its distribution will be evaluated. The estimates
// choose methods and never enter bounds.
#pragma once

#include <vector>

#include "renyi/plan.h"

namespace renyi::certify {

using Steps = std::vector<CountedMechanism>;

// K(c) and its first two derivatives: mean and variance of the loss tilted by c.
struct Estimate {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

Estimate estimate_log_moment(const Mechanism& mechanism, Direction direction, double c);
Estimate estimate_log_moment(const Steps& steps, Direction direction, double c);

// The point at which delta will be evaluated, so that a method can be precise there. All values are estimates and not
// bounds.
struct OperatingPoint {
  double epsilon = 0;
  double saddle = 1;     // the c at which K(c) - c epsilon - ln c - ln(c+1) is smallest
  double log_delta = 0;  // ln delta
};
OperatingPoint place_of_epsilon(const Steps& steps, Direction direction, double epsilon);
OperatingPoint place_of_delta(const Steps& steps, Direction direction, double delta);

}  // namespace renyi::certify
