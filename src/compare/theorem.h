// Composition theorems, and a plan as they use it: steps that are (epsilon, delta)-DP, each run a number of times.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exact/privacy_profile.h"
#include "mechanism/composed_curve.h"
#include "renyi/exact.h"
#include "renyi/papers/composition_theorems.h"
#include "renyi/plan.h"

namespace renyi::compare_detail {

// One mechanism of the plan, with all its runs.
struct Part {
  mechanism::CountedCurve runs;
  double pure_epsilon = 0;  // the supremum of the loss, rounded up; infinite if there is none
  std::string_view kind;
  double infinite_mass = 0;  // the probability of an infinite loss, rounded up: delta that the step must have
  // The supremum of its finite losses, if the step has no use for more than that delta: (epsilon, delta)-DP steps.
  std::optional<double> finite_epsilon{};
  // The profile of one run, if the step's delta can be chosen; null if only bounds on its divergences are known.
  std::shared_ptr<const PrivacyProfile> exact{};

  // Returns whether the step is neither pure nor (epsilon, delta)-DP with numbers of its own: each epsilon has its own
  // delta.
  bool has_free_delta() const noexcept;
  // Upper bounds for one run: from the exact interval, or else from the Renyi bound.
  double epsilon_at(double delta) const;
  double delta_at(double epsilon) const;
};

// A step as (epsilon, delta)-DP, and how often it runs (rounded up).
struct DpStep {
  double epsilon = 0;
  double delta = 0;
  double count = 0;
};
using DpSteps = std::vector<DpStep>;  // one per Part

// Returns the sum of count * number as decimal numbers (docs/math/decimal-input.md), rounded up if it is not a double.
double total_of(const DpSteps& steps, double DpStep::*number);
double delta_of(const DpSteps& steps);

class Workload {
 public:
  explicit Workload(const Plan& plan);

  // Returns whether every step has a pure epsilon.
  bool is_pure() const noexcept { return impure_kind_.empty(); }
  // Returns the kind of the first step that has none.
  std::string_view impure_kind() const noexcept { return impure_kind_; }
  // Returns whether every step is Gaussian noise, however its records are drawn.
  bool is_gaussian_run() const noexcept { return is_gaussian_run_; }
  // Returns whether every step is analysed as Gaussian noise, with or without Poisson sampling.
  bool is_training_run() const noexcept { return is_training_run_; }
  // Returns whether no step of the plan has a cost.
  bool is_free() const noexcept;
  // Returns whether a step has a delta that can be chosen.
  bool has_free_delta() const noexcept;
  // Returns the largest number of repetitions whose counts stay within 2^63-1.
  std::int64_t most_repetitions() const noexcept;
  // Returns the number of runs of steps that have a cost, in one run of the plan (rounded up).
  double runs_that_cost() const noexcept;

  // Returns the steps of `repetitions` runs of the plan. Every step has the delta that it must have; those with a
  // choice share the rest of `delta` evenly over all their runs. Each has the smallest epsilon at its delta.
  DpSteps sharing(std::int64_t repetitions, double delta) const;
  // The same with the epsilons of the Renyi bound at that share, and the deltas at these epsilons.
  DpSteps sharing_by_renyi(std::int64_t repetitions, double delta) const;
  // Returns `steps` where those with a choice have `factor` >= 1 times their epsilon, and the deltas at these epsilons.
  DpSteps raised(const DpSteps& steps, double factor) const;

  // Return sum epsilon^2 and the curves of `repetitions` runs; the first needs pure steps.
  double sum_of_squares(std::int64_t repetitions) const;
  std::vector<mechanism::CountedCurve> curves(std::int64_t repetitions) const;
  const Plan& plan() const noexcept { return plan_; }
  const std::vector<Part>& parts() const noexcept { return parts_; }

 private:
  template <class Choose>
  DpSteps shared_out(std::int64_t repetitions, double delta, const Choose& choose) const;
  double share_of(double delta, std::int64_t repetitions) const;

  Plan plan_;
  std::vector<Part> parts_;
  std::string_view impure_kind_;
  bool is_gaussian_run_ = false;
  bool is_training_run_ = false;
};

// `repetitions` runs of the whole workload, at `delta`.
struct TheoremInput {
  const Workload& workload;
  std::int64_t repetitions = 1;
  double delta = 0;
  double event = 0;  // a probability, or 0 when none was given and delta is 0
};

// The epsilon that a theorem gives for (epsilon, delta)-DP steps, and the part of delta that the theorem itself uses.
struct ComposedBound {
  double epsilon = std::numeric_limits<double>::infinity();
  double slack = 0;
};
using Compose = ComposedBound (*)(const DpSteps& steps, double delta);

struct Split {
  ComposedBound composed{};
  DpSteps steps{};
};

// Returns the best split of delta between the steps and the theorem that was found (split.cpp), where `all` are the
// steps if they get all of delta. Every split is sound.
Split best_split(const TheoremInput& input, const DpSteps& all, Compose compose);

// An epsilon, or an estimate of it, or a probability of the event, or the condition that fails.
struct Outcome {
  std::optional<double> epsilon{};
  std::optional<double> estimate{};
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

// An entry of the table in compare.cpp.
struct Theorem {
  std::string_view name;
  std::string_view source;
  Outcome (*apply)(const TheoremInput& input);
  // The largest number of steps that it can sum.
  double most_runs = std::numeric_limits<double>::infinity();
  // A faster way to the largest count within a budget; null if it is to be searched for.
  LargestCount (*count)(const TheoremInput& input, double budget) = nullptr;
  bool for_training_runs = false;  // not a theorem about any plan, but what an accountant of training runs reports
  bool needs_exact = false;        // it is computed from the law of the loss
};

// Theorems about (epsilon, delta)-DP steps (dp_theorems.cpp).
Outcome basic(const TheoremInput& input);
Outcome advanced(const TheoremInput& input);
Outcome optimal(const TheoremInput& input);
// A sum has about 5 sqrt(runs) terms, an answer needs about 10 sums, and a search for the best split some 80 answers.
inline constexpr double optimal_most_runs = 1e10, optimal_most_searched_runs = 1e6;

// Theorems about curves, and the exact cost (curve_theorems.cpp).
Outcome event_form(const TheoremInput& input);
Outcome event_corollary(const TheoremInput& input);
Outcome lemma_curve(const TheoremInput& input);
Outcome pure_curve(const TheoremInput& input);
Outcome plan_curve(const TheoremInput& input);
Outcome exact(const TheoremInput& input);
LargestCount exact_count(const TheoremInput& input, double budget);

// What accountants of training runs report (accountants.cpp).
Outcome opacus_orders(const TheoremInput& input);
Outcome dp_accounting_orders(const TheoremInput& input);
Outcome central_limit(const TheoremInput& input);
Outcome prv(const TheoremInput& input);
LargestCount prv_count(const TheoremInput& input, double budget);

// Return why a theorem about pure steps, or one that uses delta for other steps, does not apply; empty if it does.
std::string impure_obstacle(const Workload& workload);
std::string no_delta_obstacle(const TheoremInput& input);

}  // namespace renyi::compare_detail
