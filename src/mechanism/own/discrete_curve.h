// The curve of two laws on finitely many outcomes (docs/math/own-mechanisms.md, "Discrete pairs").
#pragma once

#include <memory>
#include <vector>

#include "divergence/discrete_model.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

// P's mass at one loss.
struct LossAtom {
  double loss = 0;
  double loss_error = 0;  // absolute
  double p = 0;           // relative error a few units
  double log_p = 0;

  bool operator==(const LossAtom&) const = default;
};

// One direction: the loss under P, outcomes of equal loss merged, ascending.
struct DiscreteLoss {
  std::shared_ptr<const divergence_detail::DiscreteModel> model{};
  std::vector<LossAtom> atoms{};
};

class DiscreteCurve final : public Curve {
 public:
  // `known` is Knowledge::profile for a pair that bounds the step and is not the step's own.
  explicit DiscreteCurve(const divergence_detail::DiscreteModel& model, Knowledge known = Knowledge::loss);

  // Where one law has mass that the other lacks, a loss is infinite, and only orders below 1 are finite.
  Knowledge knowledge() const override { return has_gaps_ ? Knowledge::orders : known_; }
  bool is_symmetric() const override { return symmetric_; }

  const std::vector<LossAtom>& atoms(Direction direction) const { return side(direction).atoms; }
  // sup over events S of P(S) - exp(epsilon) Q(S).
  Bounded hockey_stick(double epsilon, Direction direction) const {
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
  bool has_gaps_;
  Knowledge known_;
  bool symmetric_;
};

// That of an own_pair of discrete laws; nothing for other mechanisms.
std::shared_ptr<const DiscreteCurve> discrete_curve_of(const Mechanism& mechanism);

}  // namespace renyi::mechanism
