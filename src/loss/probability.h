// Sums and complements of probabilities, rounded outwards; 0 and 1 stay what they are.
#pragma once

#include <algorithm>

#include "numerics/rounding.h"
#include "renyi/loss.h"

namespace renyi::loss {

inline double one_minus_up(double p) { return p == 0 || p == 1 ? 1 - p : std::min(1.0, numerics::next_up(1 - p)); }
inline double one_minus_down(double p) { return p == 0 || p == 1 ? 1 - p : std::max(0.0, numerics::next_down(1 - p)); }

// Of two exclusive events.
inline double sum_up(double p, double q) { return p == 0 || q == 0 ? p + q : std::min(1.0, numerics::next_up(p + q)); }
inline double sum_down(double p, double q) {
  return p == 0 || q == 0 ? p + q : std::clamp(numerics::next_down(p + q), 0.0, 1.0);
}

inline Probability complement(const Probability& p) {
  return {one_minus_down(p.upper), one_minus_up(p.lower), p.method};
}

}  // namespace renyi::loss
