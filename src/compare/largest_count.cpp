// Each theorem's epsilon is non-decreasing in the number of repetitions, and a
// condition that fails stays failed (docs/math/composition-theorems.md, "Largest
// count"): the counts that fit are 1 to some largest one.
#include "compare/largest_count.h"

#include <cmath>

namespace renyi::compare_detail {

namespace {

bool fits(const Theorem& theorem, Asked asked, std::int64_t repetitions, double budget) {
  asked.repetitions = repetitions;
  if (theorem.fits != nullptr) return theorem.fits(asked, budget);
  const Outcome outcome = theorem.apply(asked);
  return outcome.epsilon && *outcome.epsilon <= budget;
}

std::int64_t most_repetitions(const Theorem& theorem, const Workload& workload) {
  const std::int64_t most = workload.most_repetitions();
  const double summed = std::floor(theorem.most_runs / workload.runs_that_cost());
  return summed < static_cast<double>(most) ? static_cast<std::int64_t>(summed) : most;
}

}  // namespace

LargestCount largest_count(const Theorem& theorem, const Asked& asked, double budget) {
  if (asked.workload.is_free()) return {.unlimited = true};
  if (theorem.count != nullptr) return theorem.count(asked, budget);
  const std::int64_t most = most_repetitions(theorem, asked.workload);
  std::int64_t good = 0, bad = 1;
  while (fits(theorem, asked, bad, budget)) {
    good = bad;
    if (good == most) return {.count = most, .at_least = true};
    bad = good > most / 2 ? most : 2 * good;
  }
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (fits(theorem, asked, middle, budget) ? good : bad) = middle;
  }
  return {.count = good};
}

}  // namespace renyi::compare_detail
