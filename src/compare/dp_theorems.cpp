// Theorems about steps that are (epsilon, delta)-DP: basic, advanced and optimal composition.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compare/repeated_response.h"
#include "compare/theorem.h"
#include "numerics/rounding.h"

namespace renyi::compare_detail {

using numerics::product_up;
using numerics::sum_up;

namespace dp_theorems_file {
namespace {

// Steps that are (e_i, d_i)-DP compose to (sum e_i, sum d_i)-DP (Dwork, Kenthapadi, McSherry, Mironov, Naor 2006).
ComposedBound by_sum(const DpSteps& steps, double delta) {
  if (delta_of(steps) > delta) return {};
  return {.epsilon = total_of(steps, &DpStep::epsilon)};
}

// Steps that are (e_i, d_i)-DP compose, for every d' > 0, to (e, sum d_i + d')-DP with
//
//     e = sqrt(2 ln(1/d') sum e_i^2) + sum e_i (exp(e_i) - 1)
//
// (Dwork, Rothblum, Vadhan 2010, Theorem III.3, for equal steps; for others
// docs/math/composition-theorems.md, "Advanced").
ComposedBound by_concentration(const DpSteps& steps, double delta) {
  const double spent = delta_of(steps);
  const double slack = spent == 0 ? delta : numerics::next_down(delta - spent);
  if (!(slack > 0)) return {};
  double squares = 0, drift = 0;
  for (const DpStep& step : steps) {
    const double growth = numerics::up_twice(std::expm1(step.epsilon));
    squares = sum_up(squares, product_up(step.count, product_up(step.epsilon, step.epsilon)));
    drift = sum_up(drift, product_up(step.count, product_up(step.epsilon, growth)));
  }
  const double spread = product_up(2 * numerics::log_inverse_up(slack), squares);
  return {.epsilon = sum_up(numerics::sqrt_up(spread), drift), .slack = slack};
}

// Steps of one epsilon, each of which fails openly with its own probability.
struct EqualSteps {
  DpStep step{};    // steps without loss are omitted; the delta is that of the first step
  double open = 0;  // the probability that one of them fails, rounded up
  std::string obstacle{};
};

bool is_free(const DpStep& step) { return step.epsilon == 0 && step.delta == 0; }

// Epsilons may differ by the rounding of their mechanisms; the larger one is then used for both.
bool are_equal(const DpStep& a, const DpStep& b) {
  return a.epsilon == b.epsilon || std::abs(a.epsilon - b.epsilon) <= 0x1p-48 * a.epsilon;
}

// Returns the smaller one of 1 - prod (1 - d_i)^c_i and sum c_i d_i, rounded up.
double open_up(const DpSteps& steps) {
  double logs = 0;
  for (const DpStep& step : steps) logs += step.count * std::log1p(-step.delta);
  const double rounding = (static_cast<double>(steps.size()) + 8) * 2 * numerics::unit_roundoff;
  return std::min(delta_of(steps), numerics::up_twice(-std::expm1(logs) * (1 + rounding)));
}

EqualSteps equal_steps(const DpSteps& steps) {
  EqualSteps result{.open = open_up(steps)};
  for (const DpStep& step : steps) {
    if (is_free(step)) continue;
    const bool first = result.step.count == 0;
    if (!first && !are_equal(step, result.step)) {
      return {.obstacle = fmt::format("needs equal steps, and (eps, delta) is ({:.6g}, {:.6g}) here, ({:.6g}, {:.6g}) "
                                      "there",
                                      result.step.epsilon, result.step.delta, step.epsilon, step.delta)};
    }
    result.step = {std::max(step.epsilon, result.step.epsilon), first ? step.delta : result.step.delta,
                   sum_up(result.step.count, step.count)};
  }
  if (result.step.count > optimal_most_runs) {
    return {.obstacle = fmt::format("needs at most {:g} runs to sum over, and there are {:.6g}", optimal_most_runs,
                                    result.step.count)};
  }
  return result;
}

// k runs of an (e, d)-DP step are exactly as private as k runs of randomized response with parameter e, each of which
// fails openly with probability d:
//
//     delta(e*) = 1 - (1-d)^k (1 - delta_k(e*))
//
// (Kairouz, Oh, Viswanath 2015, Theorem 3.3; for every e* >= 0, not only for
// (k - 2i) e, and for different d: docs/math/composition-theorems.md, "Optimal").
ComposedBound by_responses(const DpSteps& steps, double delta) {
  const EqualSteps equal = equal_steps(steps);
  if (!equal.obstacle.empty() || std::isinf(equal.step.epsilon)) return {};
  if (delta >= 1 || equal.step.count == 0) return {.epsilon = 0, .slack = delta};
  if (equal.open > delta) return {};
  // delta_k may be at most (delta - open)/(1 - open), which is rounded down.
  const double left = equal.open == 0 ? delta : (delta - equal.open) / (1 - equal.open) * (1 - 0x1p-50);
  const RepeatedResponse responses(equal.step.epsilon, static_cast<std::int64_t>(equal.step.count));
  return {.epsilon = responses.epsilon_upper(left), .slack = left};
}

// For sums that are too long for a search: the split that is best for the advanced theorem is used, if it is the
// best of three.
Split long_split(const TheoremInput& input, const DpSteps& all) {
  Split best{by_responses(all, input.delta), all};
  if (!input.workload.has_free_delta()) return best;
  for (DpSteps& steps : std::array{best_split(input, all, by_concentration).steps,
                                   input.workload.sharing_by_renyi(input.repetitions, 0.5 * input.delta)}) {
    const ComposedBound composed = by_responses(steps, input.delta);
    if (composed.epsilon < best.composed.epsilon) best = {composed, std::move(steps)};
  }
  return best;
}

}  // namespace
}  // namespace dp_theorems_file

// Only the steps use delta.
Outcome basic(const TheoremInput& input) {
  if (auto obstacle = no_delta_obstacle(input); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  DpSteps steps = input.workload.sharing(input.repetitions, input.delta);
  const ComposedBound composed = dp_theorems_file::by_sum(steps, input.delta);
  return Outcome::of(Split{composed, std::move(steps)});
}

Outcome advanced(const TheoremInput& input) {
  if (!(input.delta > 0)) return Outcome::failing("needs delta > 0");
  const DpSteps all = input.workload.sharing(input.repetitions, input.delta);
  return Outcome::of(best_split(input, all, dp_theorems_file::by_concentration));
}

Outcome optimal(const TheoremInput& input) {
  if (auto obstacle = no_delta_obstacle(input); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  const DpSteps all = input.workload.sharing(input.repetitions, input.delta);
  const dp_theorems_file::EqualSteps equal = dp_theorems_file::equal_steps(all);
  if (!equal.obstacle.empty()) return Outcome::failing(equal.obstacle);
  const bool is_short = equal.step.count <= optimal_most_searched_runs;
  return Outcome::of(is_short ? best_split(input, all, dp_theorems_file::by_responses)
                              : dp_theorems_file::long_split(input, all));
}

}  // namespace renyi::compare_detail
