// One-dimensional root finding for monotone functions.
#pragma once

#include <algorithm>
#include <cmath>

namespace renyi::numerics {

// A function value with its derivative.
struct ValueSlope {
  double value;
  double slope;
};

// Root of a decreasing function on [low, high] to within `tolerance`: Newton's
// method kept inside the shrinking bracket, bisection when it would leave.
template <class F>
double decreasing_root(const F& f, double low, double high, double start, double tolerance) {
  double x = std::clamp(start, low, high);
  for (int i = 0; i < 200 && high - low > tolerance; ++i) {
    const ValueSlope at = f(x);
    (at.value > 0 ? low : high) = x;
    double next = x - at.value / at.slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double moved = std::abs(next - x);
    x = next;
    if (moved < 0.5 * tolerance) break;
  }
  return x;
}

// An interval that holds the root of an increasing function.
struct Bracket {
  double low;
  double high;

  // Records the sign of f(v); returns `proposed` if it lies inside, else the middle.
  double next(double v, double value, double proposed) {
    (value < 0 ? low : high) = v;
    return proposed > low && proposed < high ? proposed : 0.5 * (low + high);
  }
};

}  // namespace renyi::numerics
