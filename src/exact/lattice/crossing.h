// Where a falling function crosses a level, from both sides.
#pragma once

#include <algorithm>
#include <cmath>

#include "exact/invert.h"
#include "numerics/rounding.h"

namespace renyi::exact::lattice {

// {a, b} with f(a) > level >= f(b), or a = 0, or b = largest, from where on f is known to be 0; {0, 0} if no
// a was found. b - a is at most `precision` or a few units in the last place. f need not fall far from its
// crossing, where a bound may say nothing: steps of Newton's method on ln f, whose slope is about -c, that overshoot a
// little until both sides are known, then the Illinois method.
template <class F>
Ends crossing(const F& f, double level, double start, double c, double largest, double precision) {
  const double log_level = std::log(level), nothing = -800;
  const auto above = [&](double x) { return x < largest ? std::max(std::log(f(x)), nothing) - log_level : nothing; };
  double low = std::clamp(start, 0.0, largest), at_low = above(low), high = low, at_high = at_low;
  // A step across, by the slope, and farther each time it falls short; where nothing is known, by a few times 1/c:
  // a law tilted for one epsilon says little further off.
  const auto stride = [&](double value, int i) {
    const double by_slope = (std::abs(value) < 500 ? std::abs(value) : 8) / c * 1.02;
    return std::max(0.5 * precision, by_slope) * std::exp2(std::max(0, i - 2));
  };
  for (int i = 0; at_high > 0 && high < largest; ++i) {
    low = high, at_low = at_high;
    high = std::min(largest, high + stride(at_high, i));
    at_high = above(high);
  }
  for (int i = 0; !(at_low > 0); ++i) {
    if (low == 0) return {0, 0};
    high = low, at_high = at_low;
    low = std::max(0.0, low - stride(at_low, i));
    at_low = above(low);
  }
  int side = 0;
  for (int i = 0; i < 200 && high - low > std::max(precision, 4 * numerics::unit_roundoff * high); ++i) {
    const double margin = 0.4 * std::min(precision, high - low);
    const double secant = low + (high - low) * (at_low / (at_low - at_high));
    // Bisection now and then: where f jumps to a trivial bound the secant says little.
    const double x = i % 4 == 3 ? 0.5 * (low + high) : std::clamp(secant, low + margin, high - margin);
    const double value = above(x);
    if (value > 0) {
      low = x, at_low = value;
      if (side > 0) at_high *= 0.5;
      side = 1;
    } else {
      high = x, at_high = value;
      if (side < 0) at_low *= 0.5;
      side = -1;
    }
  }
  return {low, high};
}

}  // namespace renyi::exact::lattice
