// Steps on disjoint parts of the records: a record lies in one part (docs/math/sampling.md, "Parallel composition").
#pragma once

#include <memory>
#include <vector>

#include "mechanism/symmetric_curve.h"
#include "renyi/plan.h"

namespace renyi::plan {

// At every order the part that costs most. The law of the loss is that of the record's part, which is one of several:
// exact figures ask each (`parts`).
class ParallelCurve final : public Curve {
 public:
  struct Part {
    std::vector<CountedMechanism> steps;  // analysed
    std::shared_ptr<const Curve> curve;
  };

  explicit ParallelCurve(std::vector<Part> parts) : parts_(std::move(parts)) {}

  const std::vector<Part>& parts() const noexcept { return parts_; }

  double last_order() const override;
  Knowledge knowledge() const override { return Knowledge::orders; }
  bool is_symmetric() const override;
  Growth growth() const override;
  Bounded infinite_mass(Direction direction) const override;
  std::shared_ptr<const Curve> finite_part() const override;

 private:
  LogMoment real_at(double z, Direction direction) const override;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;

  std::vector<Part> parts_;
};

Mechanism analyse_parallel(const Parallel& parallel, const Adjacency& relation);

// That of an analysed parallel step, or nullptr.
std::shared_ptr<const ParallelCurve> parallel_curve_of(const Mechanism& mechanism);

}  // namespace renyi::plan
