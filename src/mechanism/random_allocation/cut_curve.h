// The curve of random allocation without the large losses that are too rare to count in delta, and that would dominate
// its moments (docs/math/random-allocation.md, "Cutting the tail").
#pragma once

#include <memory>

#include "mechanism/random_allocation/curve.h"

namespace renyi::random_allocation {

// In the direction remove, P is replaced by the measure w P, where w(x) falls smoothly from 1 to 0 at large losses x.
// Its delta is at most that of P, and at least that minus lost(). The direction add is that of the whole curve.
class CutCurve final : public Curve {
 public:
  // Returns nullptr where the losses that remain would need too many nodes. The loss of mass is at most `most`.
  static std::shared_ptr<const CutCurve> without(std::shared_ptr<const Curve> whole, double steps, double s,
                                                 double most);
  CutCurve(std::shared_ptr<const Curve> whole, double steps, double s);

  double lost() const { return lost_; }
  Growth growth() const override { return whole_->growth(); }
  Knowledge knowledge() const override { return Knowledge::profile; }

 private:
  LogMoment real_at(double z, Direction direction) const override;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override;

  // Places the cut.
  bool cut(double most);
  double log_weight(double x) const;
  // The nodes of w times the density that moments of this order need.
  std::optional<Window> window(double z) const;
  // What the centred sums, which are those of a probability, err by in ln E[R^z].
  double defect(double z) const { return 1.01 * (z + 2) * lost_; }

  std::shared_ptr<const Curve> whole_;
  double steps_;
  double s_;
  double width_;
  double smoothness_;
  Table table_;
  double centre_ = 0;
  double lost_ = 0;
  mutable sampled_gaussian::MomentMemory memory_{};
};

}  // namespace renyi::random_allocation
