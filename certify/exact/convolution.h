// Sums of independent losses on one grid: products of polynomials with non-negative coefficients, each coefficient to
// its own relative accuracy, however small.
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
Rounded sum_of(const Rounded& a, const Rounded& b, const Shortening& how);
// `count` copies, count >= 1.
Rounded copies_of(const Rounded& law, std::int64_t count, const Shortening& how);

}  // namespace renyi::certify
