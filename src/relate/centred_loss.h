// The loss about its mean, seen from 0 along the positive or the negative axis.
#pragma once

#include "relate/supremum.h"
#include "renyi/curve.h"

namespace renyi::relate {

enum class Sign { plus, minus };

// N(x) = K(x) - x m for all real x: convex, with N(0) = N'(0) = 0.
class CentredLoss {
 public:
  CentredLoss(const Curve& curve, Direction direction);

  const Range& mean() const { return mean_; }
  // N at x or at -x, for x > 0.
  Range at(double x, Sign sign) const;

 private:
  Range below_zero(double x) const;

  const Curve& curve_;
  Direction direction_;
  Range mean_;
};

}  // namespace renyi::relate
