// Steps that are (e_i, d_i)-DP compose to (sum e_i, sum d_i)-DP (Dwork, Kenthapadi,
// McSherry, Mironov, Naor 2006). Pure steps spend no delta; the others share it.
#include "compare/theorem.h"
#include "numerics/directed.h"

namespace renyi::compare_detail {

Outcome basic(const Asked& asked) {
  if (auto obstacle = no_delta_obstacle(asked); !obstacle.empty()) return Outcome::failing(std::move(obstacle));
  double sum = 0;
  for (const DpStep& step : asked.workload.steps(asked.repetitions, asked.delta)) {
    sum = numerics::sum_up(sum, numerics::product_up(step.count, step.epsilon));
  }
  return Outcome::of(sum);
}

}  // namespace renyi::compare_detail
