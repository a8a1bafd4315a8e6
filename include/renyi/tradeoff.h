// How well the best test can tell the two neighbours apart (docs/math/trade-off.md).
//
// A test of one hypothesis against the other errs in two ways: a type I error rejects the
// null hypothesis although it holds, a type II error keeps it although the other one holds.
// f(a) is the least type II error of any test with a type I error of at most a.
#pragma once

#include <span>
#include <vector>

#include "renyi/exact.h"
#include "renyi/interval.h"
#include "renyi/plan.h"

namespace renyi {

// f(a), and the largest power 1 - f(a): each has its own digits, also where it is small.
struct LeastError {
  Interval type_two = any_probability;
  Interval power = any_probability;
};

struct TradeoffPoint {
  double type_one = 0;
  LeastError remove;  // null hypothesis: without the record; power: it is found where it is
  LeastError add;     // null hypothesis: with the record; power: its absence is found
  // The smaller of the two f, which is what add-or-remove promises.
  LeastError worst;
  Direction direction = Direction::remove;  // which is the smaller
};

// One point for each type I error in [0, 1]. It is as exact as the plan's deltas are: Unsupported
// where a cost has no exact part.
std::vector<TradeoffPoint> tradeoff(const Analysis& analysis, std::span<const double> type_one_errors,
                                    const ExactOptions& options = {});

// max over a of 1 - a - f(a), the membership advantage: the total variation of the two
// neighbours, delta(0). The same for both directions.
Interval advantage(const Analysis& analysis, const ExactOptions& options = {});

}  // namespace renyi
