// Lower bounds of the sampled Gaussian's tilted masses in cells of x, and what they prove of |phi|.
#pragma once

#include <vector>

#include "certify/exact/tilted.h"

namespace renyi::certify {

class Buckets {
 public:
  // Cells fine enough for y up to `finest`.
  Buckets(const Tilted& law, double finest);
  double finest() const { return finest_; }

  // Lemma K5: a lower bound of 1 - |phi|^2 on [y, ratio y].
  Ball lost(const Ball& y, const Ball& ratio) const;

 private:
  struct Cell {
    Ball mass;       // at least this much
    Ball low, high;  // the loss at its ends, but for its sign
  };
  Ball pairs(const Ball& width, const Ball& first_width) const;
  void add_cell(const Tilted& law, double from, double to);

  double finest_;
  std::vector<Cell> cells_;
};

}  // namespace renyi::certify
