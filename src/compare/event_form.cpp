// Pure steps, V = sum e_i^2: an event of probability p under one neighbour has at most
//
//     exp(2 sqrt(V ln(1/p))) p
//
// under the other (Mironov 2017, arXiv:1702.07476v3, Proposition 4, for equal steps;
// its proof uses D_a <= 2 a n e^2 only, which for others reads 2 a V).
#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/theorem.h"
#include "numerics/directed.h"

namespace renyi::compare_detail {

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

}  // namespace renyi::compare_detail
