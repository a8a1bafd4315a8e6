// The maximum of a concave function of which some values are known, each within an interval
// (docs/math/trade-off.md, "Bracketing").
#pragma once

#include <cstddef>
#include <span>

namespace renyi::exact {

// A point x and the interval of the function's value there.
struct KnownValue {
  double x = 0;
  double lower = 0;
  double upper = 0;
};

// An upper bound on the function between two neighbouring points: it is not above the extended chords through the
// points on either side.
struct ConcaveBound {
  double upper = 0;
  double where = 0;  // the x at which the bound could be reached
};

// Bounds the function between points[i] and points[i+1]. `points` are sorted by increasing x >= 0, and are at least
// two. The slope of the function is at most `first_slope` and at least `last_slope` everywhere.
ConcaveBound bound_between(std::span<const KnownValue> points, std::size_t i, double first_slope, double last_slope);

}  // namespace renyi::exact
