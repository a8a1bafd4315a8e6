// Minimization of a function of a positive number, by its values alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace renyi::numerics {

struct Minimum {
  double at = 0;
  double value = std::numeric_limits<double>::infinity();
};

// Minimizes a function that falls and then rises, by golden-section search on the logarithm of its argument.
template <class F>
Minimum minimum_between(const F& f, double low, double high) {
  constexpr int most_sections = 64;
  constexpr double narrow = 1e-12;
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double from = std::log(low), to = std::log(high);
  double x = to - golden * (to - from), y = from + golden * (to - from);
  double at_x = f(std::exp(x)), at_y = f(std::exp(y));
  for (int i = 0; i < most_sections && to - from > narrow; ++i) {
    if (at_x <= at_y) {
      to = y, y = x, at_y = at_x;
      x = to - golden * (to - from), at_x = f(std::exp(x));
    } else {
      from = x, x = y, at_x = at_y;
      y = from + golden * (to - from), at_y = f(std::exp(y));
    }
  }
  return at_x <= at_y ? Minimum{std::exp(x), at_x} : Minimum{std::exp(y), at_y};
}

// Minimizes f over [low, last], where f is the sum of a function that never falls and of `falling`, which does: beyond
// z no value is less than f(z) - falling(z). The search goes in steps until that bound is at least the best value, and
// then searches between the neighbours of the best point, so that an interval where f is constant to within rounding
// does not mislead it.
template <class F, class Falling>
Minimum minimum_of(const F& f, const Falling& falling, double low, double last) {
  constexpr double step = 4;
  Minimum best{low, f(low)};
  for (double z = low; z < last;) {
    z = std::min(z * step, last);
    const double here = f(z);
    if (here < best.value) best = {z, here};
    if (!(here - falling(z) < best.value)) break;  // also stops where f is infinite
  }
  const Minimum between = minimum_between(f, std::max(low, best.at / step), std::min(best.at * step, last));
  return between.value < best.value ? between : best;
}

// Minimizes a function of which only is known that it falls and then rises.
template <class F>
Minimum minimum_of(const F& f, double low, double last) {
  return minimum_of(
      f, [](double) { return std::numeric_limits<double>::infinity(); }, low, last);
}

}  // namespace renyi::numerics
