#include "calibrate/plan_with_unknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "mechanism/composed_curve.h"
#include "numerics/rounding.h"
#include "plan/analysed_steps.h"
#include "renyi/error.h"

namespace renyi::calibrate_detail {

std::int64_t to_digits(std::int64_t value, int digits, bool up) {
  std::int64_t unit = 1;
  const auto written = static_cast<int>(std::to_string(value).size());
  for (int i = digits; i < written; ++i) unit *= 10;
  const std::int64_t down = value - value % unit;
  if (!up || down == value) return down;
  return down > std::numeric_limits<std::int64_t>::max() - unit ? value : down + unit;
}

namespace plan_with_unknown_file {
namespace {

// On a range that extends to 0, this number is used as its lower end.
constexpr double next_to_nothing = 1e-50;

Setting first_of(const Parameter& parameter) {
  if (parameter.whole) return of_whole(static_cast<std::int64_t>(parameter.lowest));
  if (parameter.lowest == 0) return of_value(next_to_nothing);
  return of_value(parameter.lowest_allowed ? parameter.lowest : numerics::next_up(parameter.lowest));
}

Setting last_of(const Parameter& parameter) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  if (!parameter.whole) {
    return of_value(parameter.highest_allowed ? parameter.highest : numerics::next_down(parameter.highest));
  }
  return of_whole(parameter.highest < static_cast<double>(largest) ? static_cast<std::int64_t>(parameter.highest)
                                                                   : largest);
}

}  // namespace
}  // namespace plan_with_unknown_file

// Whole numbers from 0 on are counted from 1, and negative ones from the end of their range.
SearchAxis::SearchAxis(const Parameter& parameter)
    : whole_(parameter.whole),
      more_is_private_(parameter.effect == Effect::lowers_cost),
      offset_(parameter.whole ? std::max(0.0, 1 - parameter.lowest) : std::max(0.0, -parameter.lowest)),
      first_(plan_with_unknown_file::first_of(parameter)),
      last_(plan_with_unknown_file::last_of(parameter)),
      lowest_(coordinate_of(first_)),
      highest_(coordinate_of(last_)) {}

double SearchAxis::coordinate_of(const Setting& setting) const { return std::log(setting.value + offset_); }

Setting SearchAxis::at(double x) const {
  if (!(x > lowest_)) return first_;
  if (!(x < highest_)) return last_;
  const double value = std::exp(x) - offset_;
  if (!whole_) return of_value(std::clamp(value, first_.value, last_.value));
  const double nearest = std::round(value);
  // 2^63 is a double, but not a valid count.
  return nearest < last_.value ? of_whole(std::max(first_.count, static_cast<std::int64_t>(nearest))) : last_;
}

namespace plan_with_unknown_file {
namespace {

constexpr Parameter unit{.name = "unit",
                         .meaning = "records of one person",
                         .lowest = 1,
                         .highest = static_cast<double>(largest_unit),
                         .whole = true,
                         .effect = Effect::raises_cost};

OpenNumber open_unit(const Plan& plan, const std::string& name) {
  if (name == unit.name) return {.number = unit, .held = of_whole(plan.unit())};
  throw InvalidArgument("parameter", name,
                        "unit, epsilon or delta with an empty path, and numbers of steps with one that leads there");
}

}  // namespace
}  // namespace plan_with_unknown_file

OpenNumber open_number(const Plan& plan, const Unknown& unknown) {
  if (unknown.path.empty()) return plan_with_unknown_file::open_unit(plan, unknown.parameter);
  Unknown known = without_alias(plan, unknown);
  const Step step = step_at(plan, known.path);
  return {.number = number_of(step, known.parameter),
          .held = held_by(step, known.parameter),
          .steps_with = [&plan, known = std::move(known)](const Setting& setting) {
            return changed(plan.steps(), known.path,
                           [&](const Step& there) { return with_number(there, known.parameter, setting); });
          }};
}

PlanWithUnknown::PlanWithUnknown(const Plan& plan, OpenNumber open) : plan_(plan), open_(std::move(open)) {
  if (is_unit()) return;
  for (const CountedMechanism& each : plan.merged()) {
    Mechanism analysed = renyi::analysed(each.mechanism, plan.adjacency());
    auto curve = analysed.curve();
    known_.push_back({each.mechanism, std::move(analysed), std::move(curve)});
  }
}

Adjacency PlanWithUnknown::relation_with(const Setting& setting) const {
  return is_unit() ? Adjacency{plan_.neighbors(), setting.count} : plan_.adjacency();
}

Steps PlanWithUnknown::steps_with(const Setting& setting) const {
  return is_unit() ? plan_.steps() : open_.steps_with(setting);
}

PlanWithUnknown::Known PlanWithUnknown::known(const Mechanism& mechanism, std::size_t likely_place,
                                              const Adjacency& relation) const {
  if (likely_place < known_.size() && known_[likely_place].specified == mechanism) return known_[likely_place];
  const auto found =
      std::find_if(known_.begin(), known_.end(), [&](const Known& each) { return each.specified == mechanism; });
  if (found != known_.end()) return *found;
  Mechanism analysed = renyi::analysed(mechanism, relation);
  auto curve = analysed.curve();
  return {mechanism, std::move(analysed), std::move(curve)};
}

Composed PlanWithUnknown::with(const Setting& setting) const {
  const Adjacency relation = relation_with(setting);
  Composed result;
  std::vector<mechanism::CountedCurve> curves;
  for (const CountedMechanism& each : plan::merged_steps(steps_with(setting))) {
    Known step = known(each.mechanism, result.steps.size(), relation);
    result.steps.push_back({std::move(step.analysed), each.count});
    curves.push_back({std::move(step.curve), each.count});
  }
  result.curve = std::make_shared<mechanism::ComposedCurve>(std::move(curves));
  return result;
}

Plan PlanWithUnknown::plan_with(const Setting& setting) const {
  Plan result(plan_.neighbors(), relation_with(setting).unit);
  for (Step& each : steps_with(setting)) result.add(std::move(each));
  return result;
}

}  // namespace renyi::calibrate_detail
