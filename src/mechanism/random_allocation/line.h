// The curve of random allocation on a vertical line: the nodes of the density are atoms of the tilted loss, and each
// point of the line is a sum over them, by the kernels of the Sampled Gaussian.
#pragma once

#include <optional>
#include <vector>

#include "mechanism/random_allocation/table.h"
#include "mechanism/sampled_gaussian/line_decay.h"
#include "mechanism/sampled_gaussian/tilted_nodes.h"
#include "renyi/extras/curve.h"

namespace renyi::random_allocation {

class Line final : public VerticalLine {
 public:
  // `base` is K at c, `smoothness` is s sqrt(t), and the relative error of the density is at most `relative_error`.
  Line(const Window& window, double c, Direction direction, const LogMoment& base, double smoothness,
       double relative_error);

  ComplexLogMoment log_phi(double y) const override;
  void log_phis(double first, double step, std::span<ComplexLogMoment> values) const override;
  // Returns the error of the mean, K'(c).
  double shift_error() const override { return base_.slope_error; }
  double decay(double y) const override;
  double decay_beyond(double y) const override;
  double cost(double y) const override;

 private:
  // The trapezoidal rule is accurate up to this y.
  double largest_y() const;
  double smooth_decay(double y) const;
  // Returns ln phi(y) from the centred sums over the nodes, whose own rounding is `roundings` times 2^-53.
  ComplexLogMoment log_of(const sampled_gaussian::PhaseSums& sums, double roundings, double y) const;
  ComplexLogMoment unresolved(double y) const;

  LogMoment base_;
  double smoothness_;
  double relative_error_;
  sampled_gaussian::TiltedNodes nodes_{};
  mutable std::optional<std::vector<sampled_gaussian::Cut>> cuts_{};
};

}  // namespace renyi::random_allocation
