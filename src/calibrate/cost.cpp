#include "calibrate/cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace renyi::calibrate_detail {

namespace {

std::string in_words(const UnknownStep& step, const Setting& setting) {
  if (step.is_count()) return fmt::format("count {}", setting.count);
  return fmt::format("{} {}", step.parameter().name, setting.value);
}

}  // namespace

double log_ratio(double cost, double target) {
  constexpr double far = 100;
  if (target == 0 || cost == 0) return cost <= target ? -1 : 1;
  return std::clamp(std::log(cost / target), -far, far);
}

Setting of_value(double value) { return {.value = value}; }

Setting of_count(std::int64_t count) { return {.value = static_cast<double>(count), .count = count}; }

Unsupported Cost::unreachable(const Setting& best) const {
  return {"epsilon",
          fmt::format("the target {} at delta {} cannot be reached: even {} gives epsilon {}", target_.epsilon,
                      target_.delta, in_words(step_, best), epsilon(best)),
          "raise epsilon or delta, or change the rest of the plan"};
}

EpsilonBound RenyiCost::bound(const Setting& setting) const {
  const auto curve = step().is_count() ? step().curve_with_count(setting.count) : step().curve_with(setting.value);
  return renyi_epsilon(*curve, target().delta, options_);
}

double RenyiCost::epsilon(const Setting& setting) const { return bound(setting).epsilon; }

ExactAnswer ExactCost::answer(const Setting& setting) const {
  for (const Asked& before : asked_) {
    if (before.setting == setting) return before.answer;
  }
  const ExactAccountant accountant(step().plan_with(setting.value, setting.count), options_);
  return asked_.emplace_back(Asked{setting, accountant.epsilon(target().delta)}).answer;
}

double ExactCost::epsilon(const Setting& setting) const {
  try {
    return answer(setting).worst.upper;
  } catch (const NotConverged&) {
    return std::numeric_limits<double>::infinity();
  }
}

ExactAnswer ExactCost::delta_at_target(const Setting& setting) const {
  return ExactAccountant(step().plan_with(setting.value, setting.count), options_).delta(target().epsilon);
}

}  // namespace renyi::calibrate_detail
