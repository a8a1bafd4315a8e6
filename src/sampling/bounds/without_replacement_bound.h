// A sample of fixed size without replacement, of a step known by its replace-one curve: Wang, Balle, Kasiviswanathan
// 2019, Theorem 9 (docs/math/sampling-bounds.md, "Without replacement"). Both directions are the same.
#pragma once

#include <memory>

#include "sampling/bounds/whole_moments.h"
#include "sampling/bounds/whole_order_curve.h"

namespace renyi::sampling {

class WithoutReplacementBound final : public WholeOrderCurve {
 public:
  // rate in (0, 1).
  WithoutReplacementBound(const std::shared_ptr<const Curve>& step, double rate);

  bool is_symmetric() const override { return true; }

 private:
  double log_moment_at_whole(std::size_t n, Direction direction) const override;
  double divergence_at_any(double order, Direction direction) const override;
  double largest_loss(Direction) const override { return largest_; }

  double rate_;
  WholeMoments moments_;
  long double log_ratio_;  // ln(e^D_inf - 1) of the step
  double largest_;
};

}  // namespace renyi::sampling
