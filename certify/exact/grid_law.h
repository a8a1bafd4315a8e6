// Loss distributions on one grid: sums of independent losses, and delta(epsilon).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "certify/exact/cells.h"

namespace renyi::certify {

// The direction in which masses may be moved to shorten a distribution.
enum class Side { above, below };

// Masses that together are lighter than `negligible` are cut off at either end of a distribution. With `above`, those
// at the lower end move up to the first point kept, and those at the upper end count as infinite loss; with `below`,
// they are dropped.
struct Shortening {
  Side side = Side::above;
  Ball negligible;
  std::size_t* points_left = nullptr;  // the remaining work of all products; NotConverged when it is used up
};

Rounded shortened(Rounded law, const Shortening& how);
// Sums of losses are products of polynomials with non-negative coefficients; each coefficient has its own relative
// accuracy, however small it is.
Rounded sum_of(const Rounded& a, const Rounded& b, const Shortening& how);
// Returns the sum of `count` independent copies, count >= 1.
Rounded copies_of(const Rounded& law, std::int64_t count, const Shortening& how);

// Evaluates delta(epsilon) of a distribution on a grid in the time of a lookup.
class GridProfile {
 public:
  // Covers finite losses only.
  GridProfile(const Rounded& law, const Ball& h);

  // Returns the sum of mass (1 - exp(epsilon - loss))_+, at any epsilon.
  Ball delta(const Ball& epsilon) const;

 private:
  Ball from(std::size_t j, const Ball& epsilon) const;
  Ball at_exact(const Ball& epsilon) const;

  Ball start_;
  Ball h_;
  // The sums over the points from the j-th on: mass exp(l_j - l), and mass (1 - exp(l_j - l)).
  std::vector<Ball> discounted_;
  std::vector<Ball> rest_;
};

}  // namespace renyi::certify
