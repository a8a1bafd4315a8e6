// The distance of neighbouring points of a grid, as a quotient of exact numbers.
#pragma once

#include "certify/ball.h"

namespace renyi::certify {

struct Spacing {
  Ball numerator = 1;
  Ball denominator = 1;

  // At the working precision.
  Ball h() const { return numerator / denominator; }
};

}  // namespace renyi::certify
