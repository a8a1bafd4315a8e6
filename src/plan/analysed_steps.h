// Merges the steps of a plan, and analyses each of them under a neighbouring relation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "mechanism/composed_curve.h"
#include "renyi/extras/curve.h"
#include "renyi/extras/select.h"
#include "renyi/plan.h"

namespace renyi::plan {

// Multiplies nested counts. Throws InvalidArgument above 2^63-1.
std::int64_t count_product(std::int64_t a, std::int64_t b);

// Multiplies out nesting and merges equal mechanisms, in order of first use. A parallel step whose parts are all equal
// is replaced by the steps of one part: it does not matter in which part a record lies.
std::vector<CountedMechanism> merged_steps(const Steps& steps);

// Merges the steps and analyses each of them once. The parts of parallel steps may contain parallel steps.
std::vector<CountedMechanism> analysed_steps(const Steps& steps, const Adjacency& adjacency);

// Steps on disjoint subsets ("parts") of the records: a record lies in one part (docs/math/sampling.md, "Parallel
// composition"). At every order the curve is that of the part that costs most there. The privacy loss distribution is
// that of the record's part, which may be any of them, so that exact values are computed for each part (`parts`).
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

// Returns the curve of an analysed parallel step, or nullptr for other steps.
std::shared_ptr<const ParallelCurve> parallel_curve_of(const Mechanism& mechanism);

// The curve of a mechanism that is a run of several steps. It is the sum of theirs, and the exact engines are given the
// steps themselves.
class RunCurve final : public mechanism::ComposedCurve {
 public:
  // Takes analysed steps.
  explicit RunCurve(std::vector<CountedMechanism> steps);

  const std::vector<CountedMechanism>& steps() const noexcept { return steps_; }

 private:
  std::vector<CountedMechanism> steps_;
};

// Analyses the steps of such a run (Mechanism::steps_of_run).
Mechanism analyse_run(std::string_view kind, const std::vector<CountedMechanism>& steps, const Adjacency& relation);

// Returns the curve of an analysed run of several steps, or nullptr for other steps.
std::shared_ptr<const RunCurve> run_curve_of(const Mechanism& mechanism);

// Analyses private selection (docs/math/selection.md).
Mechanism analyse_select(const Select& select, const Adjacency& relation);

}  // namespace renyi::plan
