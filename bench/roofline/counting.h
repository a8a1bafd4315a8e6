// A curve that counts its evaluations. It uses the public interface only.
#pragma once

#include <array>
#include <memory>

#include "renyi/extras/curve.h"

namespace bench {

// The numbers of evaluations in one direction.
struct Counts {
  long orders = 0;  // real orders
  long lines = 0;
  long points = 0;  // points on vertical lines
};

// Orders evaluated for the worse direction count as direction remove, which is the worse one for sampled Gaussians.
using CountsOfBoth = std::array<Counts, 2>;  // indexed by Direction

std::shared_ptr<const renyi::Curve> counting(std::shared_ptr<const renyi::Curve> curve, CountsOfBoth& counts);

}  // namespace bench
