// Laws on one grid: sums of independent losses, and delta(epsilon).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "certify/exact/cells.h"

namespace renyi::certify {

// Which way masses may be moved to shorten a law.
enum class Side { above, below };

// Masses lighter than `negligible` in all are cut off at either end of a law: above, at the lower end they go up to the
// first point kept, at the upper end they count as infinite loss; below, they are lost.
struct Shortening {
  Side side = Side::above;
  Ball negligible;
  std::size_t* points_left = nullptr;  // of all products; NotConverged when they are used up
};

Rounded shortened(Rounded law, const Shortening& how);
// Sums are products of polynomials with non-negative coefficients, each coefficient to its own relative accuracy,
// however small.
Rounded sum_of(const Rounded& a, const Rounded& b, const Shortening& how);
// `count` copies, count >= 1.
Rounded copies_of(const Rounded& law, std::int64_t count, const Shortening& how);

// delta(epsilon) of a law on a grid, at the price of a lookup.
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
