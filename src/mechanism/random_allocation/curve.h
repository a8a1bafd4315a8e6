// The curve of one epoch of random allocation with Gaussian steps (docs/math/random-allocation.md): every record takes
// part in one of t steps, chosen uniformly and independently of the others.
#pragma once

#include <memory>
#include <optional>

#include "mechanism/random_allocation/table.h"
#include "mechanism/sampled_gaussian/curve.h"
#include "renyi/extras/curve.h"

namespace renyi::random_allocation {

// The pair is P = (1/t) sum_i N(e_i, s^2 I), Q = N(0, s^2 I) in t dimensions, t >= 2.
class RandomAllocationCurve final : public Curve {
 public:
  RandomAllocationCurve(double steps, double noise_multiplier);

  Growth growth() const override;
  double steps() const { return steps_; }
  double noise_multiplier() const { return s_; }

 private:
  LogMoment real_at(double z, Direction direction) const override;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;
  Bounded chernoff_at(double a, Direction direction) const override;
  Cumulants cumulants_at(Direction direction) const override;
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override;

  LogMoment summed(double z, Direction direction) const;
  // Bounds where the table does not reach.
  LogMoment far_out(double z, Direction direction) const;

  double steps_;
  double s_;
  Table table_;
  mutable sampled_gaussian::MomentMemory memory_;
};

// Curves are known from this noise multiplier on.
inline constexpr double least_noise = 0.25;
inline constexpr double most_noise = 1e6;
inline constexpr double most_steps = 1e9;

}  // namespace renyi::random_allocation
