// A plan as composition theorems see it: steps that are (epsilon, delta)-DP, run
// a number of times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/composed_curve.h"
#include "renyi/plan.h"

namespace renyi::compare_detail {

// One mechanism of the plan, with all its runs.
struct Part {
  plan::CountedCurve runs;
  double pure_epsilon = 0;  // supremum of the loss, rounded up; infinite when there is none
  std::string_view kind;
  double infinite_mass = 0;  // the probability of an infinite loss, rounded up: delta that the step cannot do without
  // The supremum of its finite losses, where no more than that delta is of use to it: (epsilon, delta)-DP steps.
  std::optional<double> finite_epsilon{};
};

// A step, as (epsilon, delta)-DP, and how often it runs (rounded up).
struct DpStep {
  double epsilon = 0;
  double delta = 0;
  double count = 0;
};

class Workload {
 public:
  explicit Workload(const Plan& plan);

  // Has every step a pure epsilon?
  bool is_pure() const noexcept { return impure_kind_.empty(); }
  // Of the first step that has none.
  std::string_view impure_kind() const noexcept { return impure_kind_; }
  // Nothing in the plan costs anything.
  bool is_free() const noexcept;
  // Most repetitions whose counts stay within 2^63-1.
  std::int64_t most_repetitions() const noexcept;
  // Runs of steps that are not free, in one run of the plan (rounded up).
  double runs_that_cost() const noexcept;

  // The steps of `repetitions` runs of the plan. Those without a pure epsilon get
  // theirs from their curve, and share `delta` evenly over all their runs; (epsilon, delta)-DP steps have theirs.
  std::vector<DpStep> steps(std::int64_t repetitions, double delta) const;

  // sum epsilon^2 and the curves of `repetitions` runs; the first needs pure steps.
  double sum_of_squares(std::int64_t repetitions) const;
  std::vector<plan::CountedCurve> curves(std::int64_t repetitions) const;
  const Plan& plan() const noexcept { return plan_; }
  const std::vector<Part>& parts() const noexcept { return parts_; }

 private:
  // What every run gets of a delta, beside what it cannot do without; `enough` if that can be paid.
  struct Shares {
    double each = 0;
    bool enough = true;
  };
  Shares shares_of(double delta, std::int64_t repetitions) const;
  static DpStep step_of(const Part& part, const Shares& shares, double runs);

  Plan plan_;
  std::vector<Part> parts_;
  std::string_view impure_kind_;
};

}  // namespace renyi::compare_detail
