// Chooses the form of a budget: which kind of filter lets most steps of an expected workload run within a target, and
// what each kind costs beside the same steps fixed in advance (docs/guide/filter-design.md).
//
//     renyi::Plan workload;
//     workload.add(renyi::SampledGaussian{.sampling_rate = 0.01, .noise_multiplier = 1.1}, 10'000);
//     const renyi::FilterDesign design = renyi::design_filter(workload, 6, 1e-5);
//     renyi::Filter filter(*design.kinds[*design.best].budget);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "renyi/filter.h"
#include "renyi/plan.h"

namespace renyi {

// Options of `design_filter`.
struct FilterDesignOptions {
  // Numbers of steps, or of repetitions of the workload, each at least 1: the epsilon that each kind needs for them is
  // also computed. At most 1000.
  std::vector<std::int64_t> counts{};
};

// What one kind of budget can do for the workload.
struct KindDesign {
  BudgetKind kind = BudgetKind::pure;
  // The smallest epsilon, rounded up, with which a filter of this kind admits the expected workload: that of the
  // guarantee of the smallest such budget. Infinite if none is known at this delta.
  std::optional<double> epsilon{};
  // The largest budget of this kind that meets the target, in few digits, and how many steps, or repetitions of the
  // workload, a filter with it admits. Not set if it admits none.
  std::optional<Budget> budget{};
  std::int64_t count = 0;
  std::vector<double> epsilons{};  // the epsilon for each of FilterDesignOptions::counts
  std::string obstacle{};          // why there is no epsilon or no budget; empty if there are both
};

// The same steps if they were fixed in advance. No bound for steps that are chosen on the way.
struct FixedDesign {
  std::optional<double> epsilon{};  // upper bound for the expected workload
  std::optional<std::int64_t> count{};
  std::vector<double> epsilons{};
  std::string obstacle{};
};

// The answer of `design_filter`.
struct FilterDesign {
  double epsilon = 0;         // the target
  double delta = 0;           //
  bool counts_steps = true;   // the workload is one step, and its runs are counted; else repetitions of all of it
  std::int64_t expected = 1;  // how many of these the workload consists of
  std::vector<std::int64_t> counts{};
  std::vector<KindDesign> kinds{};  // in the order of all_budget_kinds
  // The kind that admits most. Among equal counts the first of pure, zcdp, gdp, order, tcdp, approx, shares, curve:
  // simple guarantees first, then what also admits most other steps. Not set if no kind admits any step.
  std::optional<std::size_t> best{};
  FixedDesign exact{};  // by the exact epsilon
  FixedDesign renyi{};  // by the Renyi bound
};

// Designs a filter for the target (epsilon, delta) and the expected workload. Every budget of the answer keeps
// epsilon(guarantee(budget), delta).upper() <= epsilon. Throws InvalidArgument unless epsilon is in [1e-6, 1e6] and
// delta is 0 or in [1e-300, 1), if the workload has no steps, or if a count is out of range.
[[nodiscard]] FilterDesign design_filter(const Plan& workload, double epsilon, double delta,
                                         const FilterDesignOptions& options = {});

}  // namespace renyi
