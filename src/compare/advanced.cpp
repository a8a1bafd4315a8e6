// Steps that are (e_i, d_i)-DP compose, for every d' > 0, to (e, sum d_i + d')-DP with
//
//     e = sqrt(2 ln(1/d') sum e_i^2) + sum e_i (exp(e_i) - 1)
//
// (Dwork, Rothblum, Vadhan 2010, Theorem III.3, for equal steps; for others
// docs/math/composition-theorems.md, "Advanced"). d' is delta when every step is
// pure, otherwise half of it.
#include <cmath>

#include "compare/theorem.h"
#include "numerics/directed.h"

namespace renyi::compare_detail {

namespace {

using numerics::product_up;
using numerics::sum_up;

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

Outcome advanced(const Asked& asked) {
  if (!(asked.delta > 0)) return Outcome::failing("needs delta > 0");
  const double share = asked.workload.is_pure() ? 0 : 0.5 * asked.delta;
  const double slack = asked.delta - share;
  if (slack == 0) return Outcome::failing("needs a delta that can be halved");
  const Sums sums = sums_of(asked.workload.steps(asked.repetitions, share));
  const double spread = product_up(2 * numerics::log_inverse_up(slack), sums.squares);
  return Outcome::of(sum_up(numerics::sqrt_up(spread), sums.drift));
}

}  // namespace renyi::compare_detail
