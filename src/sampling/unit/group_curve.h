// The Renyi group bound (docs/math/promises.md, "Group privacy").
#pragma once

#include <memory>

#include "mechanism/symmetric_curve.h"

namespace renyi::sampling {

// The steps of the chain may go either way, so both directions are the worse of the two.
class GroupCurve final : public mechanism::SymmetricCurve {
 public:
  GroupCurve(std::shared_ptr<const Curve> one, int doublings);

  // Order 2 of the group is the least that is proved.
  double last_order() const override;
  Knowledge knowledge() const override { return Knowledge::orders; }
  Growth growth() const override;

 private:
  // D of one record at an order, with its derivatives by the order.
  struct Divergence {
    double value, error, slope, slope_error, curvature;
  };

  Divergence divergence_at(double order) const;
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override;

  std::shared_ptr<const Curve> one_;
  double size_;  // 2^c
  double cost_;  // 3^c, exact
};

}  // namespace renyi::sampling
