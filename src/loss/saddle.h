// Finds the points where the integrands exp(K(z) - z t) times a kernel are smallest on the real axis.
#pragma once

#include "renyi/extras/curve.h"

namespace renyi::loss {

// A point z = c and K there.
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

// Returns the root of K'(c) = t + pull(c), where the integrand is smallest (close to 0 if it rises from there).
// Any other c is also valid, but gives worse accuracy. The search starts at `start`.
Saddle saddle_point(const Curve& curve, Direction direction, double t, const Poles& poles, double start = 1);

// The saddle of a t at which the saddle-point approximation of the integral is about exp(log_value), and the t for
// which this c gives that value. The search starts at `start`, or at the saddle of a normal loss.
struct SaddleOfValue {
  Saddle saddle;
  double t = 0;
};
SaddleOfValue saddle_of_value(const Curve& curve, Direction direction, double log_value, const Poles& poles,
                              double start = 0);

}  // namespace renyi::loss
