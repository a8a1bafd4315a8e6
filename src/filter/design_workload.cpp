#include "filter/design_workload.h"

#include <limits>
#include <vector>

#include "conversion/renyi_bound.h"
#include "filter/largest_count.h"
#include "mechanism/composed_curve.h"
#include "renyi/error.h"

namespace renyi::filter {

Workload::Workload(const Plan& plan) : once_(plan.neighbors(), plan.unit()) {
  const auto merged = plan.merged();
  if (merged.empty()) throw InvalidArgument("steps", "none", "at least one step");
  std::int64_t total = 0;
  for (const CountedMechanism& step : merged) {
    if (!__builtin_add_overflow(total, step.count, &total)) continue;
    throw InvalidArgument("steps", "more than 2^63-1 steps in all", "a workload of fewer steps");
  }
  if (merged.size() == 1) {
    step_ = merged.front().mechanism;
    expected_ = total;
    total = 1;
    once_.add(*step_);
  } else {
    once_.add(plan);
  }
  most_ = std::numeric_limits<std::int64_t>::max() / total;
  curve_ = compose(once_);
}

Plan Workload::repeated(std::int64_t count) const {
  Plan plan(once_.neighbors(), once_.unit());
  return step_ ? plan.add(*step_, count) : plan.add(once_, count);
}

RenyiBound Workload::renyi(std::int64_t count, double delta) const {
  return renyi_epsilon(mechanism::ComposedCurve({{curve_, count}}), delta);
}

std::int64_t Workload::admitted_by(const Filter& filter) const {
  if (step_) return filter.headroom(*step_);
  return largest_count(most_, [&](std::int64_t count) { return filter.may_run(once_, count).runs; });
}

}  // namespace renyi::filter
