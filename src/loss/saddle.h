// Where the integrands exp(K(z) - z t) times a kernel are smallest on the real axis.
#pragma once

#include "renyi/extras/curve.h"

namespace renyi::loss {

// z = c and K there.
struct Saddle {
  double c = 0;
  LogMoment k;
};

// The order of the kernel's poles at 0 and at -1.
struct Poles {
  double at_zero = 0;
  double at_minus_one = 0;

  // -d/dc and d^2/dc^2 of the kernel's logarithm.
  double pull(double c) const { return at_zero / c + at_minus_one / (c + 1); }
  double stiffness(double c) const { return at_zero / (c * c) + at_minus_one / ((c + 1) * (c + 1)); }
};

// The root of K'(c) = t + pull(c): the least point of the integrand (next to 0 if it rises from there).
// Any c is as valid, if worse. The search starts at `start`.
Saddle saddle_point(const Curve& curve, Direction direction, double t, const Poles& poles, double start = 1);

// The saddle of a t at which the saddle-point approximation of the integral is about exp(log_value), and the t at which
// it is so with this c. The search starts at `start`, or where a normal loss would have it.
struct SaddleOfValue {
  Saddle saddle;
  double t = 0;
};
SaddleOfValue saddle_of_value(const Curve& curve, Direction direction, double log_value, const Poles& poles,
                              double start = 0);

}  // namespace renyi::loss
