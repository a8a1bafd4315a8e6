// One row a theorem, one file each; compare.cpp has the table.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "compare/workload.h"
#include "renyi/compare.h"

namespace renyi::compare_detail {

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
