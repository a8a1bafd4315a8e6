// Pure steps, V = sum e_i^2: if ln(1/delta) >= V, then (4 sqrt(2 V ln(1/delta)), delta)-DP
// (Mironov 2017, arXiv:1702.07476v3, Corollary 1, for equal steps). Without the
// condition the formula falls below the truth.
#include <fmt/format.h>

#include "compare/theorem.h"
#include "numerics/directed.h"

namespace renyi::compare_detail {

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

}  // namespace renyi::compare_detail
