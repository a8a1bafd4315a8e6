// delta next to 1, where the engines lose it in rounding.
#pragma once

#include "renyi/curve.h"

namespace renyi::exact {

// A lower bound on delta(epsilon); 0 where it says nothing.
double delta_at_least(const Curve& curve, Direction direction, double epsilon);
// The same of epsilon(delta).
double epsilon_at_least(const Curve& curve, Direction direction, double delta);

}  // namespace renyi::exact
