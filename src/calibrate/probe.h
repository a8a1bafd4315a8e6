// What one evaluation of the exact accountant says about a setting.
#pragma once

#include "calibrate/cost.h"

namespace renyi::calibrate_detail {

struct Probe {
  Setting setting;
  double x = 0;  // ln(value)
  bool is_private = false;
  double excess = 0;  // ln(cost / target), at most 0 on the private side
  double window = 0;  // an excess this little below 0 is the target, as far as intervals tell
  double lower = 0;   // of epsilon

  bool is_settled() const { return is_private && excess >= -window; }
  // What is to become 0: the middle of the window rather than its edge.
  double miss() const { return excess + 0.5 * window; }
};

// Never throws for want of an answer: what is not proved is not private.
Probe probe(const ExactCost& cost, const Setting& setting);

}  // namespace renyi::calibrate_detail
