// Where a function of a positive number is least.
#pragma once

#include <cmath>

namespace renyi::plan {

// By golden sections of the logarithm, for a function that falls and then rises. No more than a place where the
// function is near its least value is promised: its users may take any.
template <class F>
double least_at(const F& f, double low, double high) {
  constexpr int sections = 48;  // of up to 250 natural logarithms: to 1e-7
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double from = std::log(low), to = std::log(high);
  double x = to - golden * (to - from), y = from + golden * (to - from);
  double at_x = f(std::exp(x)), at_y = f(std::exp(y));
  for (int i = 0; i < sections; ++i) {
    if (at_x <= at_y) {
      to = y, y = x, at_y = at_x;
      x = to - golden * (to - from), at_x = f(std::exp(x));
    } else {
      from = x, x = y, at_x = at_y;
      y = from + golden * (to - from), at_y = f(std::exp(y));
    }
  }
  return std::exp(at_x <= at_y ? x : y);
}

}  // namespace renyi::plan
