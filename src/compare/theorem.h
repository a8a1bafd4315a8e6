// Composition theorems, and a plan as they see it: steps that are (epsilon, delta)-DP, run a number of times.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/composed_curve.h"
#include "renyi/compare.h"
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

// `repetitions` runs of the whole workload, at `delta`.
struct Asked {
  const Workload& workload;
  std::int64_t repetitions = 1;
  double delta = 0;
  double event = 0;  // a probability, or 0 when none was given and delta is 0
};

// An epsilon, or a probability of the event, or the condition that fails.
struct Outcome {
  std::optional<double> epsilon{};
  std::optional<double> probability{};
  std::string obstacle{};
  std::string note{};

  static Outcome of(double bound) { return {.epsilon = bound}; }
  static Outcome failing(std::string condition) { return {.obstacle = std::move(condition)}; }
};

// A row of the table in compare.cpp.
struct Theorem {
  std::string_view name;
  std::string_view source;
  Outcome (*apply)(const Asked& asked);
  // Is `budget` an epsilon that the theorem proves? Nothing: compare what `apply` says.
  bool (*fits)(const Asked& asked, double budget) = nullptr;
  // Steps it can add up.
  double most_runs = std::numeric_limits<double>::infinity();
  // A quicker way to the largest count within a budget; nothing: search for it.
  LargestCount (*count)(const Asked& asked, double budget) = nullptr;
};

// The theorems themselves (theorems.cpp).
Outcome basic(const Asked& asked);
Outcome advanced(const Asked& asked);
Outcome event_form(const Asked& asked);
Outcome event_corollary(const Asked& asked);
Outcome lemma_curve(const Asked& asked);
Outcome pure_curve(const Asked& asked);
Outcome plan_curve(const Asked& asked);
Outcome optimal(const Asked& asked);
bool optimal_fits(const Asked& asked, double budget);
Outcome exact(const Asked& asked);
LargestCount exact_count(const Asked& asked, double budget);
// A sum takes about 5 sqrt(runs) terms, an answer up to 40 sums.
inline constexpr double optimal_most_runs = 1e10;

// Why a theorem about pure steps, or one that spends delta on others, does not apply;
// empty when it does.
std::string impure_obstacle(const Workload& workload);
std::string no_delta_obstacle(const Asked& asked);

}  // namespace renyi::compare_detail
