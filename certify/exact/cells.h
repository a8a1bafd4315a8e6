// Rounds the loss distribution of one step to the points of a grid, upwards or downwards
// (docs/math/certified-lattice.md).
#pragma once

#include <cstdint>
#include <vector>

#include "certify/exact/tails.h"

namespace renyi::certify {

// The points offset + j h, j = 0 ... last. Merging, which gives the lower bound, uses start ... end only.
struct Points {
  Ball offset;
  Ball h;
  std::int64_t last = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  bool atom_at_start = false;  // the smallest loss is the point `start`, exactly
  bool atom_at_end = false;    // the largest loss is the point `end`, exactly

  Ball at(std::int64_t j) const { return offset + Ball(j) * h; }
};

// The range of losses that matter: the P-mass beyond either endpoint is at most exp(log_negligible).
struct Span {
  double low = 0;
  double high = 0;
  double length() const { return high - low; }
};
Span span_of(const StepTails& tails, double log_negligible);

// Chooses the points for one step, in doubles, as the span is: any choice is valid.
Points hang(const StepTails& tails, const Spacing& spacing, const Span& span);

// The P-masses at the points offset + (first + j) h, j = 0, 1, ...; the Q-mass at the loss l is exp(-l) times as much.
struct Rounded {
  Ball offset;
  std::int64_t first = 0;
  std::vector<Ball> mass;
  Ball infinite;  // the P-mass of infinite loss
};

// The points, the masses above each of them, and exp(l).
struct Cut {
  Points points;
  std::vector<Tail> above;
  std::vector<Ball> ratio;
};
Cut cut(const StepTails& tails, const Points& points);

// The resulting delta is an upper bound, or a lower bound, on that of the step at every epsilon.
Rounded rounded_up(const StepTails& tails, const Cut& cut);
Rounded rounded_down(const StepTails& tails, const Cut& cut);

}  // namespace renyi::certify
