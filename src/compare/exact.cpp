// The cost itself: epsilon at delta of the composed pair, by its privacy loss
// (docs/math/exact-accounting.md). Every theorem above bounds it.
#include "renyi/exact.h"

#include <cmath>

#include "compare/theorem.h"
#include "renyi/calibrate.h"
#include "renyi/error.h"

namespace renyi::compare_detail {

namespace {

constexpr const char* no_pair = "needs steps known by a pair of laws, and one is known by bounds only";

Plan repeated(const Asked& asked) {
  Plan plan(asked.workload.plan().neighbors(), asked.workload.plan().unit());
  return plan.add(asked.workload.plan(), asked.repetitions);
}

Outcome outcome_of(const ExactFigure& worst) {
  Outcome outcome = Outcome::of(worst.upper);
  if (worst.engine == Engine::bounds && worst.lower < worst.upper) {
    outcome.note = "no engine serves this run, so the Renyi bound stands here";
  }
  return outcome;
}

}  // namespace

Outcome exact(const Asked& asked) {
  if (auto obstacle = no_delta_obstacle(asked); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  try {
    return outcome_of(ExactAccountant(repeated(asked)).epsilon(asked.delta).worst);
  } catch (const Unsupported&) {
    return Outcome::failing(no_pair);
  }
}

// The whole plan is one step whose count is sought: few evaluations, as calibrating takes.
LargestCount exact_count(const Asked& asked, double budget) {
  const std::int64_t most = asked.workload.most_repetitions();
  if (std::isinf(budget)) return {.count = most, .at_least = true};
  try {
    const Calibration found = calibrate(repeated(asked), Unknown{.path = {0}, .parameter = "count"},
                                        {.epsilon = budget, .delta = asked.delta}, {.by = Accounting::exact});
    return {.count = found.count, .at_least = found.count == most};
  } catch (const Unsupported&) {
    return {};  // once is too much
  }
}

}  // namespace renyi::compare_detail
