// Composition theorems side by side: the epsilon that each proves for a plan.
// docs/math/composition-theorems.md states them, with their sources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/plan.h"

namespace renyi {

struct CompareOptions {
  // A budget: how often could the whole plan run within it? In [0, inf].
  std::optional<double> epsilon{};
  // Probability of the event that "renyi-event" bounds, in (0, 1]; nothing: the delta.
  std::optional<double> event{};
  // The exact row: slower than all others together.
  bool exact = true;
};

// How often the whole plan may run; 0 when once is too much.
struct LargestCount {
  std::int64_t count = 0;
  bool at_least = false;   // the search ended there: no plan, or no sum, goes further
  bool unlimited = false;  // the plan costs nothing
};

// A step as a theorem took it: (epsilon, delta)-DP, run `count` times.
struct StepGuarantee {
  double epsilon = 0;
  double delta = 0;
  std::int64_t count = 1;
};

// How a theorem about such steps divided the delta asked for: among the steps (in the order of Plan::analysed()), and
// what it kept for itself.
struct DeltaSplit {
  std::vector<StepGuarantee> steps{};
  double spent = 0;  // by all runs of the steps together, rounded up
  double slack = 0;
};

// What one theorem says: an epsilon, or a probability, or why it does not apply.
struct TheoremAnswer {
  std::string_view name;
  std::string_view source;
  std::optional<double> epsilon{};            // upper bound at the delta asked for; may be infinite
  std::optional<double> event_probability{};  // upper bound; "renyi-event" only, which gives no epsilon
  std::optional<LargestCount> largest_count{};
  std::string obstacle{};             // the condition that fails, with numbers; empty when it applies
  std::string note{};                 // what else to know about the epsilon; mostly empty
  std::optional<DeltaSplit> split{};  // "basic", "advanced" and "optimal", where epsilon is finite
};

struct Comparison {
  std::vector<TheoremAnswer> theorems;
  double event = 0;                             // whose probability "renyi-event" bounds
  std::optional<std::size_t> best{};            // the row of least epsilon
  std::optional<std::size_t> best_for_count{};  // the row of largest count, if one fits the budget
};

// Every theorem on `plan` at `delta` in [0, 1].
Comparison compare(const Plan& plan, double delta, const CompareOptions& options = {});

}  // namespace renyi
