// Composes the curves of steps: of a whole plan, and of a mechanism that is itself a run of several steps.
#include <utility>
#include <vector>

#include "mechanism/composed_curve.h"
#include "plan/analysed_steps.h"
#include "renyi/extras/custom.h"
#include "renyi/plan.h"
#include "sampling/group_privacy.h"

namespace renyi {

namespace plan {

namespace run_curve_file {
namespace {

std::vector<mechanism::CountedCurve> curves_of(const std::vector<CountedMechanism>& steps) {
  std::vector<mechanism::CountedCurve> parts;
  parts.reserve(steps.size());
  for (const CountedMechanism& m : steps) parts.push_back({m.mechanism.curve(), m.count});
  return parts;
}

// Upper bounds come from the numbers that were rounded up, lower bounds from those that were rounded down.
Mechanism analysed_with_rounding(const Mechanism& step, const Adjacency& relation) {
  Mechanism most = analysed(step, relation);
  return step.is_rounded() ? most.with_optimistic(analysed(step.optimistic(), relation)) : most;
}

}  // namespace
}  // namespace run_curve_file

RunCurve::RunCurve(std::vector<CountedMechanism> steps)
    : mechanism::ComposedCurve(run_curve_file::curves_of(steps)), steps_(std::move(steps)) {}

// The run compares neighbours that differ in one record, and the group bound holds for a chain of such neighbours,
// whatever rounds the records of one person take part in.
Mechanism analyse_run(std::string_view kind, const std::vector<CountedMechanism>& steps, const Adjacency& relation) {
  std::vector<CountedMechanism> parts;
  for (const CountedMechanism& step : steps) {
    parts.push_back({run_curve_file::analysed_with_rounding(step.mechanism, {relation.neighbors}), step.count});
  }
  const Mechanism run = CustomMechanism(std::string(kind), std::make_shared<RunCurve>(std::move(parts)));
  return relation.unit == 1 ? run : sampling::by_group_bound(run, relation.unit);
}

std::shared_ptr<const RunCurve> run_curve_of(const Mechanism& mechanism) {
  const auto* own = mechanism.get_if<CustomMechanism>();
  return own == nullptr ? nullptr : std::dynamic_pointer_cast<const RunCurve>(own->curve());
}

}  // namespace plan

std::shared_ptr<const Curve> compose(const std::vector<CountedMechanism>& mechanisms) {
  return std::make_shared<mechanism::ComposedCurve>(plan::run_curve_file::curves_of(mechanisms));
}

std::shared_ptr<const Curve> compose(const Plan& plan) { return compose(plan.analysed()); }

}  // namespace renyi
