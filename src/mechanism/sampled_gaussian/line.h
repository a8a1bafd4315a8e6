// The Sampled Gaussian's curve on a vertical line: the atoms of the tilted loss are computed once, and each point of
// the line is a sum over them (docs/math/privacy-loss.md, "Lines").
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "mechanism/sampled_gaussian/kernels.h"
#include "mechanism/sampled_gaussian/lattice.h"
#include "renyi/extras/curve.h"

namespace renyi::sampled_gaussian {

// The nodes of one lattice as atoms of the loss tilted by exp(c L), in rising order of the loss.
struct TiltedNodes : TiltedMoments {
  std::vector<double> loss;
  std::vector<double> weight;   // they add up to 1
  std::vector<double> density;  // density of the loss

  Atoms atoms() const { return {loss.data(), weight.data(), loss.size()}; }
  double largest() const;  // largest |L|
};

// `log_mass` is K(c). The result is empty if there would be too many nodes.
TiltedNodes tilted_nodes(const Lattice& lattice, double c, Direction direction, double log_mass);

// Returns an upper bound on ln |phi(v)| for v in [y, 2y]: with L, L' independent tilted losses and buckets J of width
// pi/(2y),
//     |phi(v)|^2 = E cos(v(L-L')) <= 1 - sum_J E[1 - cos(v(L-L')); L, L' in J].
double near_decay(const TiltedNodes& nodes, double y);

// A point that cuts the range of the loss in two: one part has this mass, and the density of the other has this
// variation, jump included.
struct Cut {
  double mass = 0;
  double variation = 0;
};
// Returns every cut after a node, with either part first, that is not worse than another one.
std::vector<Cut> cuts(const TiltedNodes& nodes);

// Returns an upper bound on ln |phi(v)| for every v >= y: integrating one part by parts, |phi(v)| <= mass +
// variation/v.
double far_decay(const std::vector<Cut>& cuts, double y);

class Line final : public VerticalLine {
 public:
  // `base` is K at c.
  Line(const Lattices& lattices, double c, Direction direction, const LogMoment& base);

  ComplexLogMoment log_phi(double y) const override;
  void log_phis(double first, double step, std::span<ComplexLogMoment> values) const override;
  // Returns the error of the mean, K'(c).
  double shift_error() const override { return base_.slope_error; }
  double decay(double y) const override;
  double decay_beyond(double y) const override;
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
  void turned(double first, double step, std::span<ComplexLogMoment> values) const;

  const Lattices& lattices_;
  double c_;
  Direction direction_;
  LogMoment base_;
  int first_level_;
  mutable std::array<std::unique_ptr<const TiltedNodes>, Lattices::levels> nodes_{};  // nodes of the levels used so far
  mutable std::optional<std::vector<Cut>> cuts_;
};

}  // namespace renyi::sampled_gaussian
