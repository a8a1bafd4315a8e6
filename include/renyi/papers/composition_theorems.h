// Compares composition theorems: the epsilon that each of them proves for a plan. A training run (sampled Gaussian and
// Gaussian steps) is also compared with what known accountants report. docs/math/composition-theorems.md states the
// theorems, with their sources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/plan.h"

namespace renyi {

// Options of `compare`.
struct CompareOptions {
  // A budget in [0, inf]. If it is set, each theorem also states how often the whole plan can run within it.
  std::optional<double> epsilon{};
  // The probability, in (0, 1], of the event whose probability on a neighbouring dataset "renyi-event" bounds. If it is
  // not set, it is the delta.
  std::optional<double> event{};
  // Whether to include the answers that are computed from the law of the loss ("prv" and "exact"), which take more time
  // than all others together.
  bool exact = true;
};

// How often the whole plan may run within the budget; 0 if a single run exceeds it.
struct LargestCount {
  std::int64_t count = 0;
  bool at_least = false;   // the search ended at this count because no plan, or no sum, is larger
  bool unlimited = false;  // the plan costs nothing
};

// The guarantee of a step that a theorem composes: (epsilon, delta)-DP, `count` times.
struct StepGuarantee {
  double epsilon = 0;
  double delta = 0;
  std::int64_t count = 1;
};

// How a theorem about (epsilon, delta)-DP steps divides the requested delta: among the steps (in the order of
// Plan::analysed()), and for the composition itself.
struct DeltaSplit {
  std::vector<StepGuarantee> steps{};
  double spent = 0;  // the part of delta that all runs of the steps use together, rounded up
  double slack = 0;  // the part of delta that the composition uses
};

// The answer of one theorem: an epsilon, a probability, or the reason why the theorem does not apply.
struct TheoremAnswer {
  std::string_view name;
  std::string_view source;
  std::optional<double> epsilon{};            // upper bound at the requested delta; may be infinite
  std::optional<double> epsilon_estimate{};   // no bound: only for "gdp-clt", which gives no epsilon
  std::optional<double> event_probability{};  // upper bound; only for "renyi-event", which gives no epsilon
  std::optional<LargestCount> largest_count{};
  std::string obstacle{};             // the condition that fails, with its numbers; empty if the theorem applies
  std::string note{};                 // a remark about the epsilon; mostly empty
  std::optional<DeltaSplit> split{};  // for "basic", "advanced" and "optimal" if epsilon is finite
};

// The answers of all theorems.
struct Comparison {
  std::vector<TheoremAnswer> theorems;
  double event = 0;                             // probability of the event that "renyi-event" uses
  std::optional<std::size_t> best{};            // index of the theorem with the smallest epsilon
  std::optional<std::size_t> best_for_count{};  // index of the theorem with the largest count, if it is above 0
};

// Applies every theorem to the plan at a delta in [0, 1]. The rows of accountants are there for Gaussian
// noise only; if it is sampled in a way that they do not cover, the rows have an obstacle.
//
//     for (const renyi::TheoremAnswer& answer : renyi::compare(plan, 1e-5).theorems) {
//       if (answer.epsilon) std::cout << answer.name << ": " << *answer.epsilon << "\n";
//     }
[[nodiscard]] Comparison compare(const Plan& plan, double delta, const CompareOptions& options = {});

}  // namespace renyi
