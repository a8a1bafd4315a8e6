// Epsilon from delta on one law.
#pragma once

#include "certify/exact/law.h"

namespace renyi::certify {

// About where the law's delta is the one wanted, and -d ln(delta)/d epsilon there; for starting a proof, not for
// bounds.
struct Root {
  double epsilon = 0;
  double slope = 1;
};
Root find_root(const Law& law, double delta, const Place& place);

// What the law proves: delta(low) > delta unless low is 0, delta(high) < delta unless high is `largest`, a bound of the
// loss. Starts `step` away from the root.
struct Interval {
  double low = 0;
  double high = 0;
};
Interval proven_interval(const Law& law, double delta, double root, double step, double largest);

}  // namespace renyi::certify
