// Where an unknown may lie, and on which side it is private.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "calibrate/cost.h"
#include "numerics/rounding.h"

namespace renyi::calibrate_detail {

struct Range {
  double lowest = 0;
  double highest = 0;
  bool more_is_private = false;

  double costly_end() const { return more_is_private ? lowest : highest; }
};

// Ranges may be open at their lower end; towards 0 a number this small stands for it.
inline Range range_of(const Parameter& parameter) {
  const double first = parameter.lowest_allowed ? parameter.lowest : numerics::next_up(parameter.lowest);
  return {parameter.lowest > 0 ? first : 1e-50, parameter.highest, parameter.effect == Effect::lowers_cost};
}

// Two settings, one on each side of the boundary; equal at an end of the range.
struct Ends {
  double private_value = 0;
  double costly_value = 0;
};

// The boundary between two values, within 1e-9 (relative).
Setting boundary(const Cost& cost, const Ends& ends);

// The largest private count, given one that is and a larger one that is not.
Setting count_boundary(const Cost& cost, std::int64_t good, std::int64_t bad);

}  // namespace renyi::calibrate_detail
