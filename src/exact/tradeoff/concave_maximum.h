// The maximum of a concave function of which some values are known, each within an interval
// (docs/math/trade-off.md, "Bracketing").
#pragma once

#include <cstddef>
#include <span>

namespace renyi::exact {

// A place and the interval of the value there.
struct KnownValue {
  double x = 0;
  double lower = 0;
  double upper = 0;
};

// How large the function can be between two neighbours: not above the chords through the points
// on either side, extended.
struct ConcaveBound {
  double upper = 0;
  double where = 0;  // it could be reached here
};

// Between points[i] and points[i+1]; `points` by increasing x >= 0, and at least two. The slope of
// the function is at most `first_slope` and at least `last_slope` everywhere.
ConcaveBound bound_between(std::span<const KnownValue> points, std::size_t i, double first_slope, double last_slope);

}  // namespace renyi::exact
