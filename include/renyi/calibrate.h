// Solve a plan for one unknown number: noise, count, rate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/account.h"
#include "renyi/exact.h"
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

// Whose epsilon is to meet the target.
enum class Accounting { exact, renyi };
std::string_view to_string(Accounting by) noexcept;

struct CalibrateOptions {
  std::optional<Accounting> by{};  // nothing: exact, or renyi where the plan has no exact answer
  ConversionOptions conversion{};  // of the Renyi bound
  ExactOptions exact{};
};

struct Calibration {
  double value = 0;        // on the private side, within 1e-9 (relative) of the optimum; further
                           // where exact intervals are too wide to tell: see `unspent`
  std::int64_t count = 0;  // the value as an integer when the unknown is "count"
  Accounting by = Accounting::exact;
  EpsilonBound renyi;                  // what that value gives; at most the target by `renyi`
  std::optional<ExactAnswer> exact{};  // by `exact` only: its upper end is at most the target
  double unspent = 0;                  // of the target, at most, where wide intervals hide the boundary; 0: within 1e-6
  Plan plan;                           // the plan with the value in its place
};

// The value of the unknown that spends the target and no more: the smallest
// noise, the largest count, rate or epsilon. Whatever the plan holds in that
// place is ignored. Throws Unsupported, saying what is reachable, if none does,
// and where `exact` is asked for by name and a step is known by bounds only.
Calibration calibrate(const Plan& plan, const Unknown& unknown, const Target& target,
                      const CalibrateOptions& options = {});

}  // namespace renyi
