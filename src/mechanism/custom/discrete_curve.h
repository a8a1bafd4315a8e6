// The curve of two distributions on finitely many outcomes (docs/math/custom-mechanisms.md, "Discrete pairs").
#pragma once

#include <memory>
#include <vector>

#include "divergence/discrete.h"
#include "mechanism/curve.h"

namespace renyi::mechanism {

// One direction: the distribution of the loss under P, with outcomes of equal loss merged, in ascending order.
struct DiscreteLoss {
  std::shared_ptr<const divergence_detail::DiscreteModel> model{};
  std::vector<LossAtom> atoms{};
};

class DiscreteCurve final : public AtomicCurve {
 public:
  // `known` is Knowledge::profile for a pair that dominates the step and is not the step's own. `mass_error` bounds the
  // error, beyond rounding, of masses that only one distribution has.
  explicit DiscreteCurve(const divergence_detail::DiscreteModel& model, Knowledge known = Knowledge::loss,
                         double mass_error = 0);

  Knowledge knowledge() const override { return known_; }
  double last_order() const override;
  // Where P has mass that Q lacks, the loss is infinite, and only orders below 1 are finite.
  Bounded infinite_mass(Direction direction) const override;
  std::shared_ptr<const Curve> finite_part() const override { return finite_; }
  bool is_symmetric() const override { return symmetric_; }

  const std::vector<LossAtom>& atoms(Direction direction) const override { return side(direction).atoms; }
  Bounded hockey_stick(double epsilon, Direction direction) const override {
    return side(direction).model->hockey_stick(epsilon);
  }

 private:
  LogMoment real_at(double z, Direction direction) const override;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;
  Bounded chernoff_at(double a, Direction direction) const override;
  Cumulants cumulants_at(Direction direction) const override;
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override;

  const DiscreteLoss& side(Direction direction) const { return direction == Direction::remove ? remove_ : add_; }

  DiscreteLoss remove_;
  DiscreteLoss add_;
  std::shared_ptr<const Curve> finite_{};  // only where one distribution has mass that the other lacks
  Knowledge known_;
  double mass_error_;
  bool symmetric_;
};

}  // namespace renyi::mechanism
