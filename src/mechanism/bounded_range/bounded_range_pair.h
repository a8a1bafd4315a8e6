// The pair of laws that dominates every step of bounded range (docs/math/selection.md): under P the loss has the
// density exp(l/2) / (4 sinh(epsilon/2)) on [-epsilon, epsilon].
#pragma once

#include <memory>

#include "mechanism/symmetric_curve.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

class BoundedRangePair final : public SymmetricCurve {
 public:
  // epsilon > 0.
  explicit BoundedRangePair(double epsilon) : epsilon_(epsilon), h_(0.5 * epsilon) {}

  double epsilon() const noexcept { return epsilon_; }
  Knowledge knowledge() const override { return Knowledge::profile; }

 private:
  LogMoment at(double z) const override;
  ComplexLogMoment at(std::complex<double> z) const override;
  Bounded supremum() const override { return {epsilon_, 0}; }
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override;

  double value_by_series(double z) const;
  ComplexLogMoment by_series(std::complex<double> z) const;

  double epsilon_;
  double h_;  // epsilon / 2
};

// That of a mechanism whose curve it is; nullptr for others.
std::shared_ptr<const BoundedRangePair> bounded_range_pair_of(const Mechanism& mechanism);

}  // namespace renyi::mechanism
