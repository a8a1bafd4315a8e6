// What several records of one person do to a number that says how far one record moves a step.
#pragma once

#include "numerics/directed.h"

namespace renyi::mechanism {

// value * factor, rounded up where it has to be; nothing stays nothing.
inline double grown(double value, double factor) { return numerics::product_up(value, factor); }

}  // namespace renyi::mechanism
