// The tight Renyi curve of steps whose loss ranges over an interval of length epsilon (docs/math/selection.md).
#pragma once

#include "mechanism/symmetric_curve.h"

namespace renyi::mechanism {

// Per order the largest divergence that bounded range allows; no single pair of laws has all of them.
class BoundedRangeCurve final : public SymmetricCurve {
 public:
  // epsilon > 0.
  explicit BoundedRangeCurve(double epsilon) : epsilon_(epsilon), h_(0.5 * epsilon) {}

  Knowledge knowledge() const override { return Knowledge::orders; }
  // The pair whose (epsilon, delta) are the largest that bounded range allows.
  std::shared_ptr<const Curve> dominating() const override;

 private:
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override { return {epsilon_, 0}; }

  LogMoment by_series(double z) const;
  LogMoment narrow(double z) const;
  LogMoment wide(double z) const;
  double curvature(double z) const;

  double epsilon_;
  double h_;  // epsilon / 2
};

}  // namespace renyi::mechanism
