// The boundary by the exact accountant, in few evaluations: one may take a good part of a second.
#pragma once

#include "calibrate/cost.h"

namespace renyi::calibrate_detail {

struct Found {
  Setting setting;
  double unspent = 0;  // of the target's epsilon, at most, for want of narrower intervals; 0: next to nothing
};

// From a setting next to the boundary, private but for rounding, towards more cost. Stops where the private
// end is as near to the target as its interval is wide: no finer answer has a meaning. Throws Unsupported if
// nothing is private.
Found search_exactly(const ExactCost& cost, const Setting& start);

}  // namespace renyi::calibrate_detail
