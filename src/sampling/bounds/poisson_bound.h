// Poisson sampling of a step known by its curve. With r = p/q of the step's laws with the record (p) and without (q),
// u = r - 1 and the mixture m = (1-g) q + g p:
//   remove  E_q[(m/q)^a] = E_q[(1 + g u)^a]
//   add     E_m[(q/m)^a] = E_q[(1 + g u)^(1-a)]
// Proofs: docs/math/sampling-bounds.md, "Poisson sampling".
#pragma once

#include <memory>

#include "sampling/bounds/whole_moments.h"
#include "sampling/bounds/whole_order_curve.h"

namespace renyi::sampling {

class PoissonBound final : public WholeOrderCurve {
 public:
  // rate in (0, 1).
  PoissonBound(const std::shared_ptr<const Curve>& step, double rate);

 private:
  double log_moment_at_whole(std::size_t n, Direction direction) const override;
  double divergence_at_any(double order, Direction direction) const override;
  double largest_loss(Direction direction) const override {
    return direction == Direction::add ? largest_add_ : largest_remove_;
  }

  const WholeMoments& moments(Direction direction) const {
    return direction == Direction::remove || !add_ ? remove_ : *add_;
  }
  long double log_excess(std::size_t n, Direction direction) const;
  double remove_by_norm(double k, double order) const;
  double add_at_whole(std::size_t n) const;
  double add_by_second_moment(double order) const;

  double rate_;
  WholeMoments remove_;
  std::unique_ptr<const WholeMoments> add_;  // none: as remove
  double largest_remove_;
  double largest_add_;
};

}  // namespace renyi::sampling
