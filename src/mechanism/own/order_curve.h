// A curve known by an upper bound on its divergence at each order, which may have any shape
// (docs/math/own-mechanisms.md, "Bounds at orders").
#pragma once

#include "renyi/curve.h"

namespace renyi::mechanism {

class OrderCurve : public Curve {
 public:
  Knowledge knowledge() const final { return Knowledge::orders; }

 protected:
  OrderCurve() = default;

  // D of an order in [1, largest_order] or infinity, with its error; infinite where nothing is known.
  virtual Bounded divergence_of(double order, Direction direction) const = 0;

 private:
  LogMoment real_at(double z, Direction direction) const final;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const final;
  Bounded max_loss_at(Direction direction) const final;

  struct Derivatives {
    double first = 0;
    double second = 0;
  };
  Derivatives derivatives(double order, double here, Direction direction) const;
};

}  // namespace renyi::mechanism
