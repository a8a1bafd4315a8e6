#include "calibrate/open_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "calibrate/step_number.h"
#include "plan/analysed_steps.h"
#include "renyi/error.h"
#include "renyi/select.h"

namespace renyi::calibrate_detail {

namespace {

using Path = std::span<const std::size_t>;
using Change = std::function<Step(const Step&)>;

constexpr Parameter unit{.name = "unit",
                         .meaning = "records of one person",
                         .lowest = 1,
                         .highest = static_cast<double>(largest_unit),
                         .whole = true,
                         .effect = Effect::raises_cost};

struct LeadsNowhere {};

Steps changed(const Steps& steps, Path path, const Change& change);

// Everything on the way to the changed step is built anew around it.
Step changed_inside(const Step& step, Path path, const Change& change) {
  if (path.empty()) return change(step);
  if (const auto* group = std::get_if<Steps>(&step.what)) return {changed(*group, path, change), step.count};
  const auto& mechanism = std::get<Mechanism>(step.what);
  if (const auto* select = mechanism.get_if<Select>()) {
    return {Mechanism(Select(changed(select->steps(), path, change), select->runs())), step.count};
  }
  const auto* parallel = mechanism.get_if<Parallel>();
  if (parallel == nullptr || path.front() >= parallel->parts().size()) throw LeadsNowhere();
  std::vector<Steps> parts = parallel->parts();
  parts[path.front()] = changed(parts[path.front()], path.subspan(1), change);
  return {Mechanism(Parallel(std::move(parts))), step.count};
}

Steps changed(const Steps& steps, Path path, const Change& change) {
  if (path.empty() || path.front() >= steps.size()) throw LeadsNowhere();
  Steps result = steps;
  Step& there = result[path.front()];
  there = changed_inside(there, path.subspan(1), change);
  return result;
}

const Parameter& unit_of(const Unknown& unknown) {
  if (unknown.parameter == unit.name) return unit;
  throw InvalidArgument("parameter", unknown.parameter,
                        "unit, epsilon or delta with an empty path, and numbers of steps with one that leads there");
}

}  // namespace

OpenPlan::OpenPlan(const Plan& plan, const Unknown& unknown) : plan_(plan), unknown_(unknown) {
  if (is_unit()) {
    number_ = &unit_of(unknown);
    held_ = of_whole(plan.unit());
    return;
  }
  try {
    changed(plan.steps(), unknown.path, [&](const Step& step) {
      number_ = &number_of(step, unknown.parameter);
      held_ = held_by(step, unknown.parameter);
      return step;
    });
  } catch (const LeadsNowhere&) {
    throw InvalidArgument("path", fmt::format("[{}]", fmt::join(unknown.path, ", ")),
                          "indices that lead to a step of the plan");
  }
  for (const CountedMechanism& each : plan.merged()) {
    Mechanism analysed = renyi::analysed(each.mechanism, plan.adjacency());
    auto curve = analysed.curve();
    known_.push_back({each.mechanism, std::move(analysed), std::move(curve)});
  }
}

Adjacency OpenPlan::relation_with(const Setting& setting) const {
  return is_unit() ? Adjacency{plan_.neighbors(), setting.count} : plan_.adjacency();
}

Steps OpenPlan::steps_with(const Setting& setting) const {
  if (is_unit()) return plan_.steps();
  return changed(plan_.steps(), unknown_.path,
                 [&](const Step& step) { return with_number(step, unknown_.parameter, setting); });
}

OpenPlan::Known OpenPlan::known(const Mechanism& mechanism, std::size_t likely_place, const Adjacency& relation) const {
  if (likely_place < known_.size() && known_[likely_place].said == mechanism) return known_[likely_place];
  const auto found =
      std::find_if(known_.begin(), known_.end(), [&](const Known& each) { return each.said == mechanism; });
  if (found != known_.end()) return *found;
  Mechanism analysed = renyi::analysed(mechanism, relation);
  auto curve = analysed.curve();
  return {mechanism, std::move(analysed), std::move(curve)};
}

Composed OpenPlan::with(const Setting& setting) const {
  const Adjacency relation = relation_with(setting);
  Composed result;
  std::vector<plan::CountedCurve> curves;
  for (const CountedMechanism& each : plan::merged_steps(steps_with(setting))) {
    Known step = known(each.mechanism, result.steps.size(), relation);
    result.steps.push_back({std::move(step.analysed), each.count});
    curves.push_back({std::move(step.curve), each.count});
  }
  result.curve = std::make_shared<plan::ComposedCurve>(std::move(curves));
  return result;
}

Plan OpenPlan::plan_with(const Setting& setting) const {
  Plan result(plan_.neighbors(), relation_with(setting).unit);
  for (Step& each : steps_with(setting)) {
    std::visit([&](auto& what) { result.add(std::move(what), each.count); }, each.what);
  }
  return result;
}

}  // namespace renyi::calibrate_detail
