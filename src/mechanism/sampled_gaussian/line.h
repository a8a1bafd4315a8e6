// The Sampled Gaussian's curve on a vertical line: the atoms of the tilted loss are computed once, and each point of
// the line is a sum over them (docs/math/privacy-loss.md, "Lines").
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "mechanism/close_decay.h"
#include "mechanism/sampled_gaussian/kernels.h"
#include "mechanism/sampled_gaussian/lattice.h"
#include "mechanism/sampled_gaussian/line_decay.h"
#include "mechanism/sampled_gaussian/shifted_nodes.h"
#include "mechanism/sampled_gaussian/tilted_nodes.h"
#include "renyi/extras/curve.h"

namespace renyi::sampled_gaussian {

class Line final : public VerticalLine, public mechanism::CloseDecay {
 public:
  // `base` is K at c.
  Line(const Lattices& lattices, double c, Direction direction, const LogMoment& base);

  ComplexLogMoment log_phi(double y) const override;
  void log_phis(double first, double step, std::span<ComplexLogMoment> values) const override;
  // Returns the error of the mean, K'(c).
  double shift_error() const override { return base_.slope_error; }
  double decay(double y) const override;
  double decay_beyond(double y) const override;
  double close_decay(double y) const override;
  double close_decay_beyond(double y) const override;
  double cost(double y) const override;

 private:
  struct Levels {
    int usual;
    int all;
    double left_out;  // largest part of the sum that is omitted
  };
  // phi(y) - 1, with its error, and the part of the error that a finer lattice would reduce, relative to the size.
  struct Sum {
    std::complex<double> value;
    double error = 0;
    double from_step = 0;
  };
  Levels levels_for(double y) const;
  const TiltedNodes& nodes(int level) const;
  const TiltedNodes& first_nodes() const { return nodes(first_level_); }
  // Computes phi(y) - 1 from sums over atoms whose own rounding is `roundings` times 2^-53.
  Sum sum_at(const TiltedNodes& atoms, const Levels& levels, int level, double y, const PhaseSums& sums,
             double roundings) const;
  Sum direct_sum(const Levels& levels, int level, double y) const;
  ComplexLogMoment log_of(const Sum& sum, double y) const;
  double decay_of_zone(int zone) const;
  double shifted_decay(double y) const;
  // Returns the nodes above the real axis if sums over them take less time at y than those over the real axis, or
  // nullptr.
  const ShiftedNodes* faster_nodes(double y) const;
  const std::vector<ShiftedNodes>& shifted() const;
  // Evaluates consecutive points by shifted nodes.
  void damped(const ShiftedNodes& nodes, double first, double step, std::span<ComplexLogMoment> values) const;
  void turned(double first, double step, std::span<ComplexLogMoment> values) const;

  const Lattices& lattices_;
  double c_;
  Direction direction_;
  LogMoment base_;
  int first_level_;
  mutable std::array<std::unique_ptr<const TiltedNodes>, Lattices::levels> nodes_{};  // nodes of the levels used so far
  mutable std::optional<std::vector<Cut>> cuts_;
  mutable std::optional<SplitLoss> parts_;
  mutable std::optional<std::vector<ShiftedNodes>> shifted_;  // by falling distance from the real axis
  mutable std::map<int, double> zones_{};                     // decay in the short zones asked for so far
};

}  // namespace renyi::sampled_gaussian
