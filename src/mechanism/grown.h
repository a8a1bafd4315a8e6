// What several records of one person do to a number that says how far one record moves a step.
#pragma once

#include "numerics/rounding.h"

namespace renyi::mechanism {

// value * factor, rounded up; nothing stays nothing.
inline double grown(double value, double factor) {
  const double moved = value * factor;
  return moved == 0 ? 0 : numerics::next_up(moved);
}

}  // namespace renyi::mechanism
