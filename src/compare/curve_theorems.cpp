// Theorems that are applied to curves or pure epsilons, from loose to tight, and the exact cost.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "compare/theorem.h"
#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "mechanism/gaussian.h"
#include "mechanism/replacement_steps.h"
#include "numerics/rounding.h"
#include "renyi/calibrate.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"

namespace renyi::compare_detail {

// For pure steps with V = sum e_i^2, an event of probability p under one neighbour has at most the probability
//
//     exp(2 sqrt(V ln(1/p))) p
//
// under the other (Mironov 2017, arXiv:1702.07476v3, Proposition 4, for equal steps;
// its proof uses D_a <= 2 a n e^2 only, which for others reads 2 a V).
Outcome event_form(const TheoremInput& input) {
  if (auto obstacle = impure_obstacle(input.workload); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  if (!(input.event > 0)) return Outcome::failing("needs an event of probability above 0, and delta is 0");
  const double rarity = numerics::log_inverse_up(input.event);
  const double spread = numerics::product_up(input.workload.sum_of_squares(input.repetitions), rarity);
  const double gain = 2 * numerics::sqrt_up(spread);
  if (gain == 0) return {.probability = input.event};
  // exp is within one unit, its argument and the product are rounded up.
  const double bound = numerics::product_up(numerics::up_twice(std::exp(gain)), input.event);
  return {.probability = std::min(1.0, bound)};
}

// For pure steps with V = sum e_i^2: if ln(1/delta) >= V, then they are (4 sqrt(2 V ln(1/delta)), delta)-DP (Mironov
// 2017, arXiv:1702.07476v3, Corollary 1, for equal steps). Without the condition the formula falls below the exact
// value.
Outcome event_corollary(const TheoremInput& input) {
  if (auto obstacle = impure_obstacle(input.workload); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  if (!(input.delta > 0 && input.delta < 1)) return Outcome::failing("needs 0 < delta < 1");
  const double squares = input.workload.sum_of_squares(input.repetitions);
  // Rounding must not make the condition hold.
  if (!(numerics::log_inverse_down(input.delta) >= squares)) {
    return Outcome::failing(fmt::format("needs ln(1/delta) >= sum of eps^2: {:.6g} is below {:.6g}",
                                        numerics::log_inverse_down(input.delta), squares));
  }
  const double spread = numerics::product_up(2 * numerics::log_inverse_up(input.delta), squares);
  return Outcome::of(4 * numerics::sqrt_up(spread));
}

namespace curve_theorems_file {
namespace {

// The next three theorems use curves of the same plan, from loose to tight. All use the tight conversion at the best
// order (docs/math/conversion.md).
RenyiBound bound_of(std::vector<mechanism::CountedCurve> curves, double delta) {
  return renyi_epsilon(mechanism::ComposedCurve(std::move(curves)), delta);
}

double epsilon_of(std::vector<mechanism::CountedCurve> curves, double delta) {
  return bound_of(std::move(curves), delta).upper;
}

}  // namespace
}  // namespace curve_theorems_file

// D_a <= 2 a e^2 for an e-DP step (Mironov 2017, Lemma 1): 2 a V in all, which is the
// curve of Gaussian noise a/(2 m^2) with m = 1/(2 sqrt(V)), rounded down.
Outcome lemma_curve(const TheoremInput& input) {
  if (auto obstacle = impure_obstacle(input.workload); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  if (!(input.delta > 0)) return Outcome::failing("needs delta > 0");
  const double sum = input.workload.sum_of_squares(input.repetitions);
  if (sum == 0) return Outcome::of(0);
  // Where the sum underflows, a larger sum is sound and as good.
  const double squares = std::max(sum, 1e-290);
  const double multiplier = numerics::next_down(0.5 / numerics::sqrt_up(squares));
  return Outcome::of(renyi_epsilon(mechanism::GaussianCurve({1, multiplier}), input.delta).upper);
}

// The largest curve of any e-DP step is that of randomized response with the same e (docs/math/closed-form-curves.md,
// "Pure DP").
Outcome pure_curve(const TheoremInput& input) {
  if (auto obstacle = impure_obstacle(input.workload); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  std::vector<mechanism::CountedCurve> curves;
  for (const Part& part : input.workload.parts()) {
    auto curve = mechanism::pure_curve(part.pure_epsilon);
    if (!curve) {
      const double largest = find_mechanism(PureDp::kind)->parameters().front().highest;
      return Outcome::failing(
          fmt::format("needs a pure epsilon of at most {}, and {} has {:.6g}", largest, part.kind, part.pure_epsilon));
    }
    curves.push_back({std::move(curve), part.runs.count * input.repetitions});
  }
  return Outcome::of(curve_theorems_file::epsilon_of(std::move(curves), input.delta));
}

Outcome plan_curve(const TheoremInput& input) {
  if (auto obstacle = no_delta_obstacle(input); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  const RenyiBound bound = curve_theorems_file::bound_of(input.workload.curves(input.repetitions), input.delta);
  Outcome outcome = Outcome::of(bound.upper);
  if (bound.infinite_mass > 0) {
    outcome.note = fmt::format("{:.6g} of delta covers losses that are infinite", bound.infinite_mass);
  }
  return outcome;
}

namespace curve_theorems_file {
namespace {

constexpr const char* no_pair = "needs steps known by a pair of laws, and one is known by bounds only";

Plan repeated(const TheoremInput& input) {
  Plan plan(input.workload.plan().neighbors(), input.workload.plan().unit());
  return plan.add(input.workload.plan(), input.repetitions);
}

Outcome outcome_of(const ExactInterval& worst) {
  Outcome outcome = Outcome::of(worst.upper);
  if (worst.engine == Engine::bounds && worst.lower < worst.upper) {
    outcome.note = "no engine serves this run, so the Renyi bound stands here";
  }
  return outcome;
}

}  // namespace
}  // namespace curve_theorems_file

// The exact cost: epsilon at delta of the composed pair, computed from its privacy loss distribution
// (docs/math/exact-accounting.md). Every theorem above bounds it.
Outcome exact(const TheoremInput& input) {
  if (auto obstacle = no_delta_obstacle(input); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  try {
    return curve_theorems_file::outcome_of(
        PrivacyProfile(curve_theorems_file::repeated(input)).epsilon(input.delta).worst);
  } catch (const Unsupported&) {
    return Outcome::failing(curve_theorems_file::no_pair);
  }
}

// The whole plan is treated as one step whose count is the unknown: this takes few evaluations, as calibration does.
LargestCount exact_count(const TheoremInput& input, double budget) {
  const std::int64_t most = input.workload.most_repetitions();
  if (std::isinf(budget)) return {.count = most, .at_least = true};
  try {
    const Calibration found =
        calibrate(curve_theorems_file::repeated(input), Unknown{.path = {0}, .parameter = "count"},
                  {.epsilon = budget, .delta = input.delta}, {.by = Accounting::exact});
    return {.count = found.count, .at_least = found.count == most};
  } catch (const Unsupported&) {
    return {};  // one run exceeds the budget
  }
}

}  // namespace renyi::compare_detail
