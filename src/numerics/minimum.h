// Where a function of a positive number is least, by its values alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace renyi::numerics {

struct Minimum {
  double at = 0;
  double value = std::numeric_limits<double>::infinity();
};

// By golden sections of the logarithm, for a function that falls and then rises.
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

// Over [low, last], of a function that is one that never falls and one, `falling`, that does: nothing beyond z is less
// than f(z) - falling(z). In steps until that is no less than the best, and then between the neighbours of the best, so
// that a stretch where f is flat to within rounding does not lead astray.
template <class F, class Falling>
Minimum minimum_of(const F& f, const Falling& falling, double low, double last) {
  constexpr double step = 4;
  Minimum best{low, f(low)};
  for (double z = low; z < last;) {
    z = std::min(z * step, last);
    const double here = f(z);
    if (here < best.value) best = {z, here};
    if (!(here - falling(z) < best.value)) break;  // where it is infinite too
  }
  const Minimum between = minimum_between(f, std::max(low, best.at / step), std::min(best.at * step, last));
  return between.value < best.value ? between : best;
}

// The same where nothing is known but that it falls and then rises.
template <class F>
Minimum minimum_of(const F& f, double low, double last) {
  return minimum_of(
      f, [](double) { return std::numeric_limits<double>::infinity(); }, low, last);
}

}  // namespace renyi::numerics
