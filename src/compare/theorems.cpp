// The composition theorems of compare.cpp's table, from loose to tight.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "compare/repeated_response.h"
#include "compare/theorem.h"
#include "mechanism/gaussian.h"
#include "numerics/rounding.h"
#include "renyi/account.h"
#include "renyi/calibrate.h"
#include "renyi/error.h"
#include "renyi/exact.h"

namespace renyi::compare_detail {

// Steps that are (e_i, d_i)-DP compose to (sum e_i, sum d_i)-DP (Dwork, Kenthapadi,
// McSherry, Mironov, Naor 2006). Pure steps spend no delta; the others share it.
Outcome basic(const Asked& asked) {
  if (auto obstacle = no_delta_obstacle(asked); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  double sum = 0;
  for (const DpStep& step : asked.workload.steps(asked.repetitions, asked.delta)) {
    sum = numerics::sum_up(sum, numerics::product_up(step.count, step.epsilon));
  }
  return Outcome::of(sum);
}

using numerics::product_up;
using numerics::sum_up;

namespace theorems_file {
namespace {

struct Sums {
  double squares = 0;  // sum e_i^2
  double drift = 0;    // sum e_i (exp(e_i) - 1)
};

Sums sums_of(const std::vector<DpStep>& steps) {
  Sums sums;
  for (const DpStep& step : steps) {
    const double growth = numerics::up_twice(std::expm1(step.epsilon));
    sums.squares = sum_up(sums.squares, product_up(step.count, product_up(step.epsilon, step.epsilon)));
    sums.drift = sum_up(sums.drift, product_up(step.count, product_up(step.epsilon, growth)));
  }
  return sums;
}

}  // namespace
}  // namespace theorems_file

// Steps that are (e_i, d_i)-DP compose, for every d' > 0, to (e, sum d_i + d')-DP with
//
//     e = sqrt(2 ln(1/d') sum e_i^2) + sum e_i (exp(e_i) - 1)
//
// (Dwork, Rothblum, Vadhan 2010, Theorem III.3, for equal steps; for others
// docs/math/composition-theorems.md, "Advanced"). d' is delta when every step is
// pure, otherwise half of it.
Outcome advanced(const Asked& asked) {
  if (!(asked.delta > 0)) return Outcome::failing("needs delta > 0");
  const double share = asked.workload.is_pure() ? 0 : 0.5 * asked.delta;
  const double slack = asked.delta - share;
  if (slack == 0) return Outcome::failing("needs a delta that can be halved");
  const theorems_file::Sums sums = theorems_file::sums_of(asked.workload.steps(asked.repetitions, share));
  const double spread = product_up(2 * numerics::log_inverse_up(slack), sums.squares);
  return Outcome::of(sum_up(numerics::sqrt_up(spread), sums.drift));
}

// Pure steps, V = sum e_i^2: an event of probability p under one neighbour has at most
//
//     exp(2 sqrt(V ln(1/p))) p
//
// under the other (Mironov 2017, arXiv:1702.07476v3, Proposition 4, for equal steps;
// its proof uses D_a <= 2 a n e^2 only, which for others reads 2 a V).
Outcome event_form(const Asked& asked) {
  if (auto obstacle = impure_obstacle(asked.workload); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  if (!(asked.event > 0)) return Outcome::failing("needs an event of probability above 0, and delta is 0");
  const double rarity = numerics::log_inverse_up(asked.event);
  const double spread = numerics::product_up(asked.workload.sum_of_squares(asked.repetitions), rarity);
  const double gain = 2 * numerics::sqrt_up(spread);
  if (gain == 0) return {.probability = asked.event};
  // exp is within one unit, its argument and the product are rounded up.
  const double bound = numerics::product_up(numerics::up_twice(std::exp(gain)), asked.event);
  return {.probability = std::min(1.0, bound)};
}

// Pure steps, V = sum e_i^2: if ln(1/delta) >= V, then (4 sqrt(2 V ln(1/delta)), delta)-DP
// (Mironov 2017, arXiv:1702.07476v3, Corollary 1, for equal steps). Without the
// condition the formula falls below the truth.
Outcome event_corollary(const Asked& asked) {
  if (auto obstacle = impure_obstacle(asked.workload); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  if (!(asked.delta > 0 && asked.delta < 1)) return Outcome::failing("needs 0 < delta < 1");
  const double squares = asked.workload.sum_of_squares(asked.repetitions);
  // Neither side may pass by rounding.
  if (!(numerics::log_inverse_down(asked.delta) >= squares)) {
    return Outcome::failing(fmt::format("needs ln(1/delta) >= sum of eps^2: {:.6g} is below {:.6g}",
                                        numerics::log_inverse_down(asked.delta), squares));
  }
  const double spread = numerics::product_up(2 * numerics::log_inverse_up(asked.delta), squares);
  return Outcome::of(4 * numerics::sqrt_up(spread));
}

namespace theorems_file {
namespace {

// The next three theorems go through curves of the same plan, from loose to tight. All
// take the tight conversion at the best order (docs/math/conversion.md).
EpsilonBound bound_of(std::vector<plan::CountedCurve> curves, double delta) {
  return renyi_epsilon(plan::ComposedCurve(std::move(curves)), delta);
}

double epsilon_of(std::vector<plan::CountedCurve> curves, double delta) {
  return bound_of(std::move(curves), delta).epsilon;
}

}  // namespace
}  // namespace theorems_file

// D_a <= 2 a e^2 for an e-DP step (Mironov 2017, Lemma 1): 2 a V in all, which is the
// curve of Gaussian noise a/(2 m^2) with m = 1/(2 sqrt(V)), rounded down.
Outcome lemma_curve(const Asked& asked) {
  if (auto obstacle = impure_obstacle(asked.workload); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  if (!(asked.delta > 0)) return Outcome::failing("needs delta > 0");
  const double sum = asked.workload.sum_of_squares(asked.repetitions);
  if (sum == 0) return Outcome::of(0);
  // Where doubles lose their digits a larger sum is as good.
  const double squares = std::max(sum, 1e-290);
  const double multiplier = numerics::next_down(0.5 / numerics::sqrt_up(squares));
  return Outcome::of(renyi_epsilon(mechanism::GaussianCurve(multiplier), asked.delta).epsilon);
}

// The largest curve any e-DP step can have: that of randomized response with the
// same e (docs/math/closed-form-curves.md, "Pure DP").
Outcome pure_curve(const Asked& asked) {
  if (auto obstacle = impure_obstacle(asked.workload); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  std::vector<plan::CountedCurve> curves;
  for (const Part& part : asked.workload.parts()) {
    if (!PureDp::parameters().front().allows(part.pure_epsilon)) {
      return Outcome::failing(fmt::format("needs a pure epsilon of at most {}, and {} has {:.6g}",
                                          PureDp::parameters().front().highest, part.kind, part.pure_epsilon));
    }
    curves.push_back({PureDp{part.pure_epsilon}.curve(), part.runs.count * asked.repetitions});
  }
  return Outcome::of(theorems_file::epsilon_of(std::move(curves), asked.delta));
}

Outcome plan_curve(const Asked& asked) {
  if (auto obstacle = no_delta_obstacle(asked); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  const EpsilonBound bound = theorems_file::bound_of(asked.workload.curves(asked.repetitions), asked.delta);
  Outcome outcome = Outcome::of(bound.epsilon);
  if (bound.delta_apart > 0) {
    outcome.note = fmt::format("pays {:.6g} of delta apart, for losses that are infinite", bound.delta_apart);
  }
  return outcome;
}

namespace theorems_file {
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
}  // namespace theorems_file

// k runs of an (e, d)-DP step are exactly as private as k runs of randomized response
// of parameter e, each of which fails openly with probability d:
//
//     delta(e*) = 1 - (1-d)^k (1 - delta_k(e*))
//
// (Kairouz, Oh, Viswanath 2015, Theorem 3.3; for every e* >= 0, not only for
// (k - 2i) e: docs/math/composition-theorems.md, "Optimal").
Outcome optimal(const Asked& asked) {
  theorems_file::EqualSteps equal = theorems_file::equal_steps(asked);
  if (!equal.obstacle.empty()) return Outcome::failing(std::move(equal.obstacle));
  if (equal.step.count == 0 || std::isinf(equal.step.epsilon)) return Outcome::of(equal.step.epsilon);
  return Outcome::of(
      theorems_file::responses(equal.step).epsilon_upper(theorems_file::delta_left(equal.step, asked.delta)));
}

bool optimal_fits(const Asked& asked, double budget) {
  const theorems_file::EqualSteps equal = theorems_file::equal_steps(asked);
  if (!equal.obstacle.empty()) return false;
  if (equal.step.count == 0 || std::isinf(equal.step.epsilon)) return equal.step.epsilon <= budget;
  return theorems_file::responses(equal.step).delta_upper(budget) <= theorems_file::delta_left(equal.step, asked.delta);
}

namespace theorems_file {
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
}  // namespace theorems_file

// The cost itself: epsilon at delta of the composed pair, by its privacy loss
// (docs/math/exact-accounting.md). Every theorem above bounds it.
Outcome exact(const Asked& asked) {
  if (auto obstacle = no_delta_obstacle(asked); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  try {
    return theorems_file::outcome_of(ExactAccountant(theorems_file::repeated(asked)).epsilon(asked.delta).worst);
  } catch (const Unsupported&) {
    return Outcome::failing(theorems_file::no_pair);
  }
}

// The whole plan is one step whose count is sought: few evaluations, as calibrating takes.
LargestCount exact_count(const Asked& asked, double budget) {
  const std::int64_t most = asked.workload.most_repetitions();
  if (std::isinf(budget)) return {.count = most, .at_least = true};
  try {
    const Calibration found = calibrate(theorems_file::repeated(asked), Unknown{.path = {0}, .parameter = "count"},
                                        {.epsilon = budget, .delta = asked.delta}, {.by = Accounting::exact});
    return {.count = found.count, .at_least = found.count == most};
  } catch (const Unsupported&) {
    return {};  // once is too much
  }
}

}  // namespace renyi::compare_detail
