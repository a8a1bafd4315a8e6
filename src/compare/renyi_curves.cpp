// (epsilon, delta) through three curves of the same plan, from loose to tight. All
// take the tight conversion at the best order (docs/math/conversion.md).
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "compare/theorem.h"
#include "mechanism/gaussian_curve.h"
#include "mechanism/symmetric_curve.h"
#include "numerics/directed.h"
#include "renyi/account.h"

namespace renyi::compare_detail {

namespace {

EpsilonBound bound_of(std::vector<plan::CountedCurve> curves, double delta) {
  return renyi_epsilon(plan::ComposedCurve(std::move(curves)), delta);
}

double epsilon_of(std::vector<plan::CountedCurve> curves, double delta) {
  return bound_of(std::move(curves), delta).epsilon;
}

}  // namespace

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
  return Outcome::of(epsilon_of(std::move(curves), asked.delta));
}

Outcome plan_curve(const Asked& asked) {
  if (auto obstacle = no_delta_obstacle(asked); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  const EpsilonBound bound = bound_of(asked.workload.curves(asked.repetitions), asked.delta);
  Outcome outcome = Outcome::of(bound.epsilon);
  if (bound.delta_apart > 0) {
    outcome.note = fmt::format("pays {:.6g} of delta apart, for losses that are infinite", bound.delta_apart);
  }
  return outcome;
}

}  // namespace renyi::compare_detail
