#include "calibrate/plan_with_unknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <span>
#include <string>

#include "numerics/rounding.h"
#include "plan/analysed_steps.h"
#include "plan/composed_curve.h"
#include "renyi/error.h"
#include "renyi/extras/select.h"

namespace renyi::calibrate_detail {

namespace plan_with_unknown_file {
namespace {

double read(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

// Rounds a positive number to significant digits.
double magnitude(double value, int digits, bool up) {
  const std::string near = fmt::format("{:.{}e}", value, digits - 1);
  const double nearest = read(near);
  if (up ? nearest >= value : nearest <= value) return nearest;
  // Moves further by one unit in the last digit; below a power of ten units are smaller.
  const auto e = near.find('e');
  std::string figures = near.substr(0, e);
  std::erase(figures, '.');
  const int exponent = std::stoi(near.substr(e + 1)) - digits + 1;
  const bool is_power = figures.find_first_not_of('0', 1) == std::string::npos && figures.front() == '1';
  if (!up && is_power) return read(fmt::format("{}e{}", std::string(figures.size(), '9'), exponent - 1));
  return read(fmt::format("{}e{}", std::stoll(figures) + (up ? 1 : -1), exponent));
}

}  // namespace
}  // namespace plan_with_unknown_file

double to_digits(double value, int digits, bool up) {
  if (value == 0 || !std::isfinite(value)) return value;
  return value > 0 ? plan_with_unknown_file::magnitude(value, digits, up)
                   : -plan_with_unknown_file::magnitude(-value, digits, !up);
}

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

constexpr std::string_view sampling_prefix = "sampling.", runs_prefix = "runs.";
constexpr Parameter count{.name = "count",
                          .meaning = "how often the step runs",
                          .lowest = 1,
                          .highest = 0x1p63,
                          .whole = true,
                          .effect = Effect::raises_cost};

const Select* selection_in(const Step& step) {
  const auto* mechanism = std::get_if<Mechanism>(&step.what);
  return mechanism != nullptr ? mechanism->get_if<Select>() : nullptr;
}

using Visit = std::function<void(const std::string& name, const Parameter& parameter, double value)>;

void visit_table(std::string_view prefix, std::span<const Parameter> table, const std::vector<double>& values,
                 const Visit& visit) {
  for (std::size_t i = 0; i < table.size(); ++i) visit(fmt::format("{}{}", prefix, table[i].name), table[i], values[i]);
}

// Visits every number of a step, with the name that it has as an unknown.
void for_each_number(const Step& step, const Visit& visit) {
  visit("count", count, static_cast<double>(step.count));
  if (const Select* select = selection_in(step)) {
    visit_table(runs_prefix, parameters(select->runs().law), select->runs().values(), visit);
  }
  const auto* mechanism = std::get_if<Mechanism>(&step.what);
  if (mechanism == nullptr) return;
  visit_table("", mechanism->parameters(), mechanism->values(), visit);
  if (const Sampling* sampling = mechanism->sampling()) {
    visit_table(sampling_prefix, parameters(sampling->scheme), sampling->values(), visit);
  }
}

// Returns the range of the number, and whether a larger value costs more. Throws InvalidArgument with a list of the
// step's numbers.
const Parameter& number_of(const Step& step, const std::string& name) {
  const Parameter* found = nullptr;
  std::string allowed;
  for_each_number(step, [&](const std::string& each, const Parameter& parameter, double) {
    if (each == name) found = &parameter;
    allowed += allowed.empty() ? each : ", " + each;
  });
  if (found == nullptr) throw InvalidArgument("parameter", name, allowed);
  return *found;
}

// Returns the value that the step has for that number.
Setting held_by(const Step& step, const std::string& name) {
  if (name == "count") return of_whole(step.count);
  Setting held;
  for_each_number(step, [&](const std::string& each, const Parameter& parameter, double value) {
    if (each == name) held = parameter.whole ? of_whole(static_cast<std::int64_t>(value)) : of_value(value);
  });
  return held;
}

// Returns the step with another value of that number, which is checked.
Step with_number(const Step& step, const std::string& name, const Setting& setting) {
  if (name == "count") return {step.what, setting.count};
  if (const Select* select = selection_in(step)) {
    const Runs runs = select->runs().with(std::string_view(name).substr(runs_prefix.size()), setting.value);
    return {Mechanism(Select(select->steps(), runs)), step.count};
  }
  return {std::get<Mechanism>(step.what).with(name, setting.value), step.count};
}

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

// Every step on the path to the changed step is built anew around it.
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
}  // namespace plan_with_unknown_file

PlanWithUnknown::PlanWithUnknown(const Plan& plan, const Unknown& unknown) : plan_(plan), unknown_(unknown) {
  if (is_unit()) {
    number_ = &plan_with_unknown_file::unit_of(unknown);
    held_ = of_whole(plan.unit());
    return;
  }
  try {
    plan_with_unknown_file::changed(plan.steps(), unknown.path, [&](const Step& step) {
      number_ = &plan_with_unknown_file::number_of(step, unknown.parameter);
      held_ = plan_with_unknown_file::held_by(step, unknown.parameter);
      return step;
    });
  } catch (const plan_with_unknown_file::LeadsNowhere&) {
    throw InvalidArgument("path", fmt::format("[{}]", fmt::join(unknown.path, ", ")),
                          "indices that lead to a step of the plan");
  }
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
  if (is_unit()) return plan_.steps();
  return plan_with_unknown_file::changed(plan_.steps(), unknown_.path, [&](const Step& step) {
    return plan_with_unknown_file::with_number(step, unknown_.parameter, setting);
  });
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
  std::vector<plan::CountedCurve> curves;
  for (const CountedMechanism& each : plan::merged_steps(steps_with(setting))) {
    Known step = known(each.mechanism, result.steps.size(), relation);
    result.steps.push_back({std::move(step.analysed), each.count});
    curves.push_back({std::move(step.curve), each.count});
  }
  result.curve = std::make_shared<plan::ComposedCurve>(std::move(curves));
  return result;
}

Plan PlanWithUnknown::plan_with(const Setting& setting) const {
  Plan result(plan_.neighbors(), relation_with(setting).unit);
  for (Step& each : steps_with(setting)) {
    std::visit([&](auto& what) { result.add(std::move(what), each.count); }, each.what);
  }
  return result;
}

}  // namespace renyi::calibrate_detail
