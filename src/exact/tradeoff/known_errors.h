// h(x) = 1 - D(x) - a x at the points where delta is known (docs/math/trade-off.md, "One pair").
#pragma once

#include <cmath>
#include <map>
#include <vector>

#include "exact/tradeoff/concave_maximum.h"
#include "renyi/exact.h"

namespace renyi::exact {

// delta at every epsilon asked so far: shared by all type I errors and both directions.
class KnownDeltas {
 public:
  KnownDeltas(const Plan& plan, const ExactOptions& options) : accountant_(plan, options) { ask(0); }

  void ask(double epsilon) {
    if (!answers_.contains(epsilon)) answers_.emplace(epsilon, accountant_.delta(epsilon));
  }
  const std::map<double, ExactAnswer>& answers() const { return answers_; }
  // P's mass where Q has none: delta at infinity.
  ExactFigure apart(Direction direction) const {
    const ExactAnswer answer = accountant_.delta(HUGE_VAL);
    return direction == Direction::remove ? answer.remove : answer.add;
  }

 private:
  ExactAccountant accountant_;
  std::map<double, ExactAnswer> answers_;
};

// h and h - 1, by increasing x: each keeps its own digits where it is small. The first x is 0.
struct KnownErrors {
  std::vector<double> s;  // ln x
  std::vector<KnownValue> h;
  std::vector<KnownValue> h_minus_1;
};

KnownErrors known_errors(const KnownDeltas& deltas, Direction direction, double a);

}  // namespace renyi::exact
