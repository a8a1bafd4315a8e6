// Published bounds on the probability of a bad outcome. If an event has the probability `baseline` in (0, 1) on one
// dataset, its probability on a neighbouring dataset lies in these intervals. renyi/explain.h computes the narrowest
// intervals for a plan.
#pragma once

#include <vector>

#include "renyi/interval.h"

namespace renyi {

// Returns the interval that (order, epsilon)-RDP implies (Mironov 2017, Proposition 10).
//
//     renyi::outcome_at_order(10, 0.1, 1e-3).upper;
[[nodiscard]] Interval outcome_at_order(double order, double epsilon, double baseline);
// Returns the interval that (epsilon, delta)-DP implies; delta = 0 is pure DP.
//
//     renyi::outcome_by_dp(1, 1e-5, 1e-3).upper;
[[nodiscard]] Interval outcome_by_dp(double epsilon, double delta, double baseline);

// One row of the example of Mironov 2017, section VII: epsilon = 0.1 at one order and one baseline.
struct ReferenceRow {
  double baseline = 0;
  double order = 1;
  Interval range = any_probability;
};
inline constexpr double reference_epsilon = 0.1;
// Returns the example for three orders and three baselines. The paper gives order 10; the other orders use the same
// formula.
[[nodiscard]] std::vector<ReferenceRow> reference_table();

}  // namespace renyi
