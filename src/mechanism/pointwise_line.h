// A line whose points are asked of the curve one by one.
#pragma once

#include "renyi/curve.h"

namespace renyi::mechanism {

class PointwiseLine : public VerticalLine {
 public:
  PointwiseLine(const Curve& curve, double c, Direction direction);

  ComplexLogMoment log_phi(double y) const override;
  // By the variance, for losses that are bounded.
  double decay(double y) const override;

 protected:
  const LogMoment& base() const { return base_; }  // K(c)

 private:
  const Curve& curve_;
  double c_;
  Direction direction_;
  LogMoment base_;
  double range_;  // the largest loss minus the smallest
};

}  // namespace renyi::mechanism
