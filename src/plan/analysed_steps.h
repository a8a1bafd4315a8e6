// The steps of a plan merged, and each of them as the mathematics sees it under a relation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "renyi/extras/curve.h"
#include "renyi/extras/select.h"
#include "renyi/plan.h"

namespace renyi::plan {

// Nested counts multiplied out. Throws InvalidArgument above 2^63-1.
std::int64_t count_product(std::int64_t a, std::int64_t b);

// Nesting multiplied out, equal mechanisms merged, in order of first use. A parallel step whose parts are all the same
// is those steps: it does not matter in which part a record lies.
std::vector<CountedMechanism> merged_steps(const Steps& steps);

// Each of them analysed once: parts of parallel steps may hold parallel steps.
std::vector<CountedMechanism> analysed_steps(const Steps& steps, const Adjacency& adjacency);

// Steps on disjoint parts of the records: a record lies in one part (docs/math/sampling.md, "Parallel composition").
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
  std::optional<Direction> larger_direction() const override;
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

// The best of several runs (docs/math/selection.md).
Mechanism analyse_select(const Select& select, const Adjacency& relation);

}  // namespace renyi::plan
