// The curve of the Sampled Gaussian Mechanism for 0 < q < 1: lattices of halving
// steps, each set up once, and the sums of quadrature.h over them.
#pragma once

#include <memory>

#include "mechanism/sampled_gaussian/lattices.h"
#include "mechanism/sampled_gaussian/moment_memory.h"
#include "renyi/curve.h"

namespace renyi::sampled_gaussian {

class SampledGaussianCurve final : public Curve {
 public:
  SampledGaussianCurve(double sampling_rate, double noise_multiplier);

  Growth growth() const override;

 private:
  LogMoment real_at(double z, Direction direction) const override;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;
  // Remove is the larger at every order (docs/math/sampled-gaussian.md, "Directions").
  LogMoment worst_at(double z) const override { return real_at(z, Direction::remove); }

  Bounded chernoff_at(double a, Direction direction) const override;
  Cumulants cumulants_at(Direction direction) const override;
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override;

  // Whether the lattice serves this z: nodes near x = z + 1 are exact, and exponents
  // leave room for the Gaussian beside them. Beyond it the curve is bounded only.
  bool within_lattice(double z, Direction direction) const;
  LogMoment far_out_remove(double z) const;
  LogMoment far_out_add(double z) const;

  LogMoment summed(double z, Direction direction) const;
  int level_for(double imaginary, Direction direction) const;

  Params params_;
  Lattices lattices_;
  mutable MomentMemory memory_;
};

}  // namespace renyi::sampled_gaussian
