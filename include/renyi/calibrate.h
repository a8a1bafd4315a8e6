// Solve a plan for one unknown number: noise, count, rate.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "renyi/account.h"
#include "renyi/plan.h"

namespace renyi {

// Which number of the plan is to be found. `path` leads to the step (index at
// each level of nesting); `parameter` names one of its mechanism's parameters,
// or is "count".
struct Unknown {
  std::vector<std::size_t> path{0};
  std::string parameter;
};

struct Target {
  double epsilon = 1;
  double delta = 1e-5;
};

struct Calibration {
  double value = 0;        // on the private side, within 1e-9 (relative) of the optimum
  std::int64_t count = 0;  // the value as an integer when the unknown is "count"
  EpsilonBound achieved;   // what that value gives; achieved.epsilon <= target
  Plan plan;               // the plan with the value in its place
};

// The value of the unknown that spends the target and no more: the smallest
// noise, the largest count, rate or epsilon. Whatever the plan holds in that
// place is ignored. Throws Unsupported, saying what is reachable, if none does.
Calibration calibrate(const Plan& plan, const Unknown& unknown, const Target& target,
                      const ConversionOptions& options = {});

}  // namespace renyi
