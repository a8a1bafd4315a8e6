// Where the points of a grid go for one step. Everything here is chosen in doubles: any choice is sound.
#pragma once

#include <cstdint>

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

Points hang(const StepTails& tails, const Spacing& spacing, const Span& span);

}  // namespace renyi::certify
