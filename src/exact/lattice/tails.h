// Chernoff bounds on the composed tilted law, from the masses of its steps.
#pragma once

#include <vector>

#include "exact/lattice/compose.h"

namespace renyi::exact::lattice {

enum class Side { upper, lower };

inline const Masses& side_of(const CountedMasses& step, Side side) {
  return side == Side::upper ? step.upper : step.lower;
}

// ln E[exp(a S)] of the sum S of all steps under the tilted law, any real a.
double log_tilted_moment(const std::vector<CountedMasses>& steps, Side side, double a, double h);

// The least and the largest sum.
struct Support {
  double low = 0;
  double high = 0;
};
Support support_of(const std::vector<CountedMasses>& steps, Side side, double h);

}  // namespace renyi::exact::lattice
