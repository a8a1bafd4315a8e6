// Where exp(K(z) - z t) is smallest on the real axis.
#pragma once

#include "renyi/curve.h"

namespace renyi::loss {

// z = c and K there.
struct Saddle {
  double c = 0;
  LogMoment k;
};

// The root of K'(c) = t + pole/c: the least point of exp(K - c t) for pole = 0 (next to 0 if it
// rises from there), and of exp(K - c t)/c for pole = 1. Any c is as valid, if worse.
Saddle saddle_point(const Curve& curve, Direction direction, double t, double pole);

}  // namespace renyi::loss
