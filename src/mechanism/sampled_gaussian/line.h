// The Sampled Gaussian's curve on a vertical line: the atoms of the tilted loss are found once,
// and each point of the line is a sum over them (docs/math/privacy-loss.md, "Lines").
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "mechanism/sampled_gaussian/lattices.h"
#include "mechanism/sampled_gaussian/tilted_nodes.h"
#include "renyi/curve.h"

namespace renyi::sampled_gaussian {

class Line final : public VerticalLine {
 public:
  // `base` is K at c.
  Line(const Lattices& lattices, double c, Direction direction, const LogMoment& base);

  ComplexLogMoment log_phi(double y) const override;
  // That of the mean, K'(c).
  double shift_error() const override { return base_.slope_error; }
  double decay(double y) const override;
  double decay_beyond(double y) const override;
  double cost(double y) const override;

 private:
  struct Levels {
    int usual;
    int all;
    double left_out;  // of the sum, at most
  };
  Levels levels_for(double y) const;
  const TiltedNodes& nodes(int level) const;

  const Lattices& lattices_;
  double c_;
  Direction direction_;
  LogMoment base_;
  int first_level_;
  mutable std::array<std::optional<TiltedNodes>, Lattices::levels> nodes_{};
  std::vector<Cut> cuts_;
};

}  // namespace renyi::sampled_gaussian
