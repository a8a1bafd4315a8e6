// Bad outcomes as published: what (order, epsilon)-RDP alone, or (epsilon, delta)-DP alone, says of the probability of
// an event that has probability `baseline` in (0, 1) on a neighbour. renyi/explain.h has the best intervals of a plan.
#pragma once

#include <vector>

#include "renyi/interval.h"

namespace renyi {

// By (order, epsilon)-RDP: Mironov 2017, Proposition 10.
[[nodiscard]] Interval outcome_at_order(double order, double epsilon, double baseline);
// By (epsilon, delta)-DP; delta = 0 is pure DP.
[[nodiscard]] Interval outcome_by_dp(double epsilon, double delta, double baseline);

// The published example: epsilon = 0.1 at three orders and three baselines.
struct ReferenceRow {
  double baseline = 0;
  double order = 1;
  Interval range = any_probability;
};
inline constexpr double reference_epsilon = 0.1;
[[nodiscard]] std::vector<ReferenceRow> reference_table();

}  // namespace renyi
