// k runs of an (e, d)-DP step are exactly as private as k runs of randomized response
// of parameter e, each of which fails openly with probability d:
//
//     delta(e*) = 1 - (1-d)^k (1 - delta_k(e*))
//
// (Kairouz, Oh, Viswanath 2015, Theorem 3.3; for every e* >= 0, not only for
// (k - 2i) e: docs/math/composition-theorems.md, "Optimal").
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compare/repeated_response.h"
#include "compare/theorem.h"
#include "numerics/directed.h"

namespace renyi::compare_detail {

namespace {

// Equal steps, or why there are none.
struct EqualSteps {
  DpStep step{};
  std::string obstacle{};
};

// Epsilons may differ by the rounding of their mechanisms; the larger then serves both.
bool are_equal(const DpStep& a, const DpStep& b) {
  return a.delta == b.delta && std::abs(a.epsilon - b.epsilon) <= 0x1p-48 * a.epsilon;
}

bool is_free(const DpStep& step) { return step.epsilon == 0 && step.delta == 0; }

EqualSteps equal_steps(const Asked& asked) {
  if (auto obstacle = no_delta_obstacle(asked); !obstacle.empty()) return {.obstacle = std::move(obstacle)};
  EqualSteps result;
  for (const DpStep& step : asked.workload.steps(asked.repetitions, 0.5 * asked.delta)) {
    if (is_free(step)) continue;
    const bool first = result.step.count == 0;
    if (!first && !are_equal(step, result.step)) {
      return {.obstacle = fmt::format("needs equal steps, and (eps, delta) is ({:.6g}, {:.6g}) here, ({:.6g}, {:.6g}) "
                                      "there",
                                      result.step.epsilon, result.step.delta, step.epsilon, step.delta)};
    }
    result.step = {std::max(step.epsilon, result.step.epsilon), step.delta,
                   numerics::sum_up(result.step.count, step.count)};
  }
  if (result.step.count > optimal_most_runs) {
    return {.obstacle = fmt::format("needs at most {:g} runs to sum over, and there are {:.6g}", optimal_most_runs,
                                    result.step.count)};
  }
  return result;
}

// delta_k may be (delta - open)/(1 - open) with open = 1 - (1-d)^k, rounded down.
double delta_left(const DpStep& step, double delta) {
  if (step.delta == 0 || delta >= 1) return delta;
  const double open = numerics::up_twice(-std::expm1(step.count * std::log1p(-step.delta)) * (1 + 0x1p-50));
  return std::max(0.0, (delta - open) / (1 - open) * (1 - 0x1p-50));
}

RepeatedResponse responses(const DpStep& step) { return {step.epsilon, static_cast<std::int64_t>(step.count)}; }

}  // namespace

Outcome optimal(const Asked& asked) {
  EqualSteps equal = equal_steps(asked);
  if (!equal.obstacle.empty()) return Outcome::failing(std::move(equal.obstacle));
  if (equal.step.count == 0 || std::isinf(equal.step.epsilon)) return Outcome::of(equal.step.epsilon);
  return Outcome::of(responses(equal.step).epsilon_upper(delta_left(equal.step, asked.delta)));
}

bool optimal_fits(const Asked& asked, double budget) {
  const EqualSteps equal = equal_steps(asked);
  if (!equal.obstacle.empty()) return false;
  if (equal.step.count == 0 || std::isinf(equal.step.epsilon)) return equal.step.epsilon <= budget;
  return responses(equal.step).delta_upper(budget) <= delta_left(equal.step, asked.delta);
}

}  // namespace renyi::compare_detail
