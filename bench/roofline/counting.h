// A curve that counts what is asked of it, by the public interface alone.
#pragma once

#include <array>
#include <memory>

#include "renyi/extras/curve.h"

namespace bench {

// Of one direction.
struct Counts {
  long orders = 0;  // real ones
  long lines = 0;
  long points = 0;  // of lines
};

// Orders whose direction is the worst are of direction remove, as they are of sampled Gaussians.
using CountsOfBoth = std::array<Counts, 2>;  // by Direction

std::shared_ptr<const renyi::Curve> counting(std::shared_ptr<const renyi::Curve> curve, CountsOfBoth& counts);

}  // namespace bench
