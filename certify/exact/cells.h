// One step's law rounded to the points of a grid, to either side (docs/math/certified-lattice.md).
#pragma once

#include <cstdint>
#include <vector>

#include "certify/exact/tails.h"

namespace renyi::certify {

// Points offset + j h, j = 0 ... last. Merging (the lower side) uses start ... end only.
struct Points {
  Ball offset;
  Ball h;
  std::int64_t last = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  bool atom_at_start = false;  // the least loss is the point `start`, exactly
  bool atom_at_end = false;    // the largest loss is the point `end`, exactly

  Ball at(std::int64_t j) const { return offset + Ball(j) * h; }
};

// The losses that matter: a P-mass of exp(log_negligible) beyond either end does not.
struct Span {
  double low = 0;
  double high = 0;
  double length() const { return high - low; }
};
Span span_of(const StepTails& tails, double log_negligible);

// Where the points go for one step, chosen in doubles, as the span is: any choice is sound.
Points hang(const StepTails& tails, const Spacing& spacing, const Span& span);

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
