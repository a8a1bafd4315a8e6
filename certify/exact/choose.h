// Which law answers for a plan, and how much wider than proven its figures are stated, so that a verifier's fit inside.
#pragma once

#include <cmath>
#include <memory>

#include "certify/exact/law.h"

namespace renyi::certify {

// The plan's steps without those that cost nothing. Throws Unsupported where the law of a loss is not known.
Steps known_steps(const Plan& plan);

// The largest loss, infinite where there is none.
Ball largest_loss(const Steps& steps, Direction direction);

struct Chosen {
  std::unique_ptr<Law> law;
  double retry = HUGE_VAL;  // a larger relative radius asks for another place
  double slack = 0;         // to be added to either side, relative to delta
  double share = 0;         // to be added to either side, relative to the width
  double ulps = 0;          // to be added to either side of an epsilon
};

// There is always one: in the end Chernoff's bound, with 0 as the lower end.
Chosen choose_law(const Steps& steps, Direction direction, const Place& place, Route route);

// The two ends as they will be read: a ball in between would round them once more, and 0 would not stay 0.
Enclosure stated_between(const Ball& low, const Ball& high);

}  // namespace renyi::certify
