// The trade-off function of a plan: how well the best test can distinguish two neighbouring datasets
// (docs/math/trade-off.md).
//
// A test decides from the output which of two neighbouring datasets was used. It can err in two ways: a type I error
// rejects the null hypothesis although it holds, a type II error keeps it although the other hypothesis holds. The
// trade-off function f(a) is the smallest type II error of any test whose type I error is at most a.
#pragma once

#include <span>
#include <vector>

#include "renyi/exact.h"
#include "renyi/interval.h"
#include "renyi/plan.h"

namespace renyi {

// f(a), and the largest power 1 - f(a). Both are given, so that each is accurate also if it is close to 0.
struct LeastError {
  Interval type_two = any_probability;
  Interval power = any_probability;
};

// The trade-off function at one type I error.
struct TradeoffPoint {
  double type_one = 0;
  LeastError remove;  // the null hypothesis is that the record is absent; the power is the probability to detect it
  LeastError add;     // the null hypothesis is that the record is present; the power is that to detect its absence
  // The smaller of the two f (and the larger of the two powers), which holds for both directions.
  LeastError worst;
  Direction direction = Direction::remove;  // the direction with the smaller f
};

// Computes f at each type I error in [0, 1], from exact deltas of the plan. Many deltas are needed, so the lattice
// refines them to a tolerance of 1e-4 at best. Throws Unsupported if exact intervals are not available for the plan
// (renyi/cost.h), and InvalidArgument if a type I error is out of range.
//
//     const std::vector<double> type_one_errors{0.01, 0.1};
//     renyi::tradeoff(plan, type_one_errors)[0].worst.power.upper;  // the largest power at a type I error of 0.01
[[nodiscard]] std::vector<TradeoffPoint> tradeoff(const Analysis& analysis, std::span<const double> type_one_errors,
                                                  const ExactOptions& options = {});

// Computes the membership advantage, the maximum of 1 - a - f(a) over all a. It equals the total variation distance of
// the output distributions on neighbouring datasets, which is delta at epsilon 0, and is the same for both directions.
// Throws Unsupported if exact intervals are not available for the plan.
//
//     renyi::advantage(plan).upper;  // no test of membership is better than guessing by more than this
[[nodiscard]] Interval advantage(const Analysis& analysis, const ExactOptions& options = {});

}  // namespace renyi
