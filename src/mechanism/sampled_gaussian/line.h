// The Sampled Gaussian's curve on a vertical line: the atoms of the tilted loss are found once,
// and each point of the line is a sum over them (docs/math/privacy-loss.md, "Lines").
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "mechanism/sampled_gaussian/lattices.h"
#include "mechanism/sampled_gaussian/phase_sums.h"
#include "mechanism/sampled_gaussian/tilted_nodes.h"
#include "renyi/curve.h"

namespace renyi::sampled_gaussian {

class Line final : public VerticalLine {
 public:
  // `base` is K at c.
  Line(const Lattices& lattices, double c, Direction direction, const LogMoment& base);

  ComplexLogMoment log_phi(double y) const override;
  void log_phis(double first, double step, std::span<ComplexLogMoment> values) const override;
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
  // phi(y) - 1, with its error, and the part of it that a finer lattice would reduce relative to its size.
  struct Sum {
    std::complex<double> value;
    double error = 0;
    double from_step = 0;
  };
  Levels levels_for(double y) const;
  const TiltedNodes& nodes(int level) const;
  const TiltedNodes& first_nodes() const { return nodes(first_level_); }
  // Sums over atoms, whose own rounding is `roundings` times 2^-53, as phi(y) - 1.
  Sum sum_at(const TiltedNodes& atoms, const Levels& levels, int level, double y, const PhaseSums& sums,
             double roundings) const;
  Sum direct_sum(const Levels& levels, int level, double y) const;
  ComplexLogMoment log_of(const Sum& sum, double y) const;
  void turned(double first, double step, std::span<ComplexLogMoment> values) const;

  const Lattices& lattices_;
  double c_;
  Direction direction_;
  LogMoment base_;
  int first_level_;
  mutable std::array<std::unique_ptr<const TiltedNodes>, Lattices::levels> nodes_{};  // of the levels used
  mutable std::optional<std::vector<Cut>> cuts_;
};

}  // namespace renyi::sampled_gaussian
