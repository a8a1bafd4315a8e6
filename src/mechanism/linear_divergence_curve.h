// The curve of a step known only by D_a <= d1 + rho (a-1) up to a last order.
#pragma once

#include <limits>

#include "mechanism/symmetric_curve.h"

namespace renyi::mechanism {

class LinearDivergenceCurve final : public SymmetricCurve {
 public:
  // d1 >= 0 and rho >= 0, each with a few roundings at most.
  LinearDivergenceCurve(double d1, double rho, double last_order = std::numeric_limits<double>::infinity());

  double last_order() const override { return last_order_; }
  Knowledge knowledge() const override { return Knowledge::orders; }
  Growth growth() const override;

 private:
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override;

  double d1_;
  double rho_;
  double last_order_;
};

}  // namespace renyi::mechanism
