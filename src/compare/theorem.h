// Composition theorems, and a plan as they see it: steps that are (epsilon, delta)-DP, run a number of times.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exact/privacy_profile.h"
#include "plan/composed_curve.h"
#include "renyi/exact.h"
#include "renyi/papers/composition_theorems.h"
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
  // Of one run, where the step's delta is to be chosen; nothing where only bounds on its divergences are known.
  std::shared_ptr<const PrivacyProfile> exact{};

  // Neither pure nor (epsilon, delta)-DP with numbers of its own: each epsilon has its delta.
  bool has_free_delta() const noexcept;
  // Upper bounds for one run: of the exact figures, or else by Renyi.
  double epsilon_at(double delta) const;
  double delta_at(double epsilon) const;
};

// A step, as (epsilon, delta)-DP, and how often it runs (rounded up).
struct DpStep {
  double epsilon = 0;
  double delta = 0;
  double count = 0;
};
using DpSteps = std::vector<DpStep>;  // one for each part

// sum count * number as they are written (docs/math/decimal-input.md), rounded up where no double stands for it.
double total_of(const DpSteps& steps, double DpStep::*number);
double delta_of(const DpSteps& steps);

class Workload {
 public:
  explicit Workload(const Plan& plan);

  // Has every step a pure epsilon?
  bool is_pure() const noexcept { return impure_kind_.empty(); }
  // Of the first step that has none.
  std::string_view impure_kind() const noexcept { return impure_kind_; }
  // Nothing in the plan costs anything.
  bool is_free() const noexcept;
  // Has a step a delta that can be chosen?
  bool has_free_delta() const noexcept;
  // Most repetitions whose counts stay within 2^63-1.
  std::int64_t most_repetitions() const noexcept;
  // Runs of steps that are not free, in one run of the plan (rounded up).
  double runs_that_cost() const noexcept;

  // The steps of `repetitions` runs of the plan. What steps cannot do without is theirs; those with a choice share the
  // rest of `delta` evenly over all their runs. Each has the least epsilon at its delta.
  DpSteps sharing(std::int64_t repetitions, double delta) const;
  // The same with the epsilons that Renyi's bound gives at that share, and the deltas these have.
  DpSteps sharing_by_renyi(std::int64_t repetitions, double delta) const;
  // Those of `steps` with a choice at `factor` >= 1 times their epsilon, and the deltas these have.
  DpSteps raised(const DpSteps& steps, double factor) const;

  // sum epsilon^2 and the curves of `repetitions` runs; the first needs pure steps.
  double sum_of_squares(std::int64_t repetitions) const;
  std::vector<plan::CountedCurve> curves(std::int64_t repetitions) const;
  const Plan& plan() const noexcept { return plan_; }
  const std::vector<Part>& parts() const noexcept { return parts_; }

 private:
  template <class Choose>
  DpSteps shared_out(std::int64_t repetitions, double delta, const Choose& choose) const;
  double share_of(double delta, std::int64_t repetitions) const;

  Plan plan_;
  std::vector<Part> parts_;
  std::string_view impure_kind_;
};

// `repetitions` runs of the whole workload, at `delta`.
struct TheoremInput {
  const Workload& workload;
  std::int64_t repetitions = 1;
  double delta = 0;
  double event = 0;  // a probability, or 0 when none was given and delta is 0
};

// What a theorem makes of (epsilon, delta)-DP steps, and what it has of delta for itself.
struct ComposedBound {
  double epsilon = std::numeric_limits<double>::infinity();
  double slack = 0;
};
using Compose = ComposedBound (*)(const DpSteps& steps, double delta);

struct Split {
  ComposedBound composed{};
  DpSteps steps{};
};

// The best way found to divide delta between the steps and the theorem (split.cpp), where `all` are the steps if they
// get all of it. Every way is sound.
Split best_split(const TheoremInput& input, const DpSteps& all, Compose compose);

// An epsilon, or a probability of the event, or the condition that fails.
struct Outcome {
  std::optional<double> epsilon{};
  std::optional<double> probability{};
  std::string obstacle{};
  std::string note{};
  std::optional<Split> split{};

  static Outcome of(double bound) { return {.epsilon = bound}; }
  static Outcome of(Split split) {
    Outcome outcome = of(split.composed.epsilon);
    outcome.split = std::move(split);
    return outcome;
  }
  static Outcome failing(std::string condition) { return {.obstacle = std::move(condition)}; }
};

// A row of the table in compare.cpp.
struct Theorem {
  std::string_view name;
  std::string_view source;
  Outcome (*apply)(const TheoremInput& input);
  // Steps it can add up.
  double most_runs = std::numeric_limits<double>::infinity();
  // A quicker way to the largest count within a budget; nothing: search for it.
  LargestCount (*count)(const TheoremInput& input, double budget) = nullptr;
};

// Theorems about (epsilon, delta)-DP steps (dp_theorems.cpp).
Outcome basic(const TheoremInput& input);
Outcome advanced(const TheoremInput& input);
Outcome optimal(const TheoremInput& input);
// A sum takes about 5 sqrt(runs) terms, an answer about 10 sums, a search for the best split some 80 answers.
inline constexpr double optimal_most_runs = 1e10, optimal_most_searched_runs = 1e6;

// Theorems about curves, and the exact cost (curve_theorems.cpp).
Outcome event_form(const TheoremInput& input);
Outcome event_corollary(const TheoremInput& input);
Outcome lemma_curve(const TheoremInput& input);
Outcome pure_curve(const TheoremInput& input);
Outcome plan_curve(const TheoremInput& input);
Outcome exact(const TheoremInput& input);
LargestCount exact_count(const TheoremInput& input, double budget);

// Why a theorem about pure steps, or one that spends delta on others, does not apply;
// empty when it does.
std::string impure_obstacle(const Workload& workload);
std::string no_delta_obstacle(const TheoremInput& input);

}  // namespace renyi::compare_detail
