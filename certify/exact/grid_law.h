// delta(epsilon) of a law on a grid, at the price of a lookup.
#pragma once

#include <vector>

#include "certify/exact/cells.h"

namespace renyi::certify {

class GridProfile {
 public:
  // Finite losses only.
  GridProfile(const Rounded& law, const Ball& h);

  // sum of mass (1 - exp(epsilon - loss))_+, at any epsilon.
  Ball delta(const Ball& epsilon) const;

 private:
  Ball from(std::size_t j, const Ball& epsilon) const;
  Ball at_exact(const Ball& epsilon) const;

  Ball start_;
  Ball h_;
  // Sums over the points from the j-th on: mass exp(l_j - l), and mass (1 - exp(l_j - l)).
  std::vector<Ball> discounted_;
  std::vector<Ball> rest_;
};

}  // namespace renyi::certify
