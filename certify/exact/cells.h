// One step's law rounded to a grid, to either side (docs/math/certified-lattice.md).
#pragma once

#include <vector>

#include "certify/exact/hang.h"

namespace renyi::certify {

// P-masses at the points offset + (first + j) h, j = 0, 1, ...; the Q-mass at the loss l is exp(-l) times as much.
struct Rounded {
  Ball offset;
  std::int64_t first = 0;
  std::vector<Ball> mass;
  Ball infinite;  // P-mass of infinite loss
};

// The points, what is above each, and exp(l).
struct Cut {
  Points points;
  std::vector<Tail> above;
  std::vector<Ball> ratio;
};
Cut cut(const StepTails& tails, const Points& points);

// delta is at least, or at most, that of the step, at every epsilon.
Rounded rounded_up(const StepTails& tails, const Cut& cut);
Rounded rounded_down(const StepTails& tails, const Cut& cut);

}  // namespace renyi::certify
