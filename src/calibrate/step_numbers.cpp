#include "calibrate/step_numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "plan/step_names.h"
#include "renyi/error.h"
#include "renyi/extras/select.h"

namespace renyi::calibrate_detail {

namespace step_numbers_file {
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

const Alias* alias_in(const Step& step, std::string_view name) {
  const auto* mechanism = std::get_if<Mechanism>(&step.what);
  if (mechanism == nullptr) return nullptr;
  const auto all = mechanism->aliases();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Alias& alias) { return alias.name == name; });
  return found == all.end() ? nullptr : &*found;
}

// Returns true if the parameter that the alias excludes has its default, so that the alias means the same number.
bool applies(const Alias& alias, const Mechanism& mechanism) {
  const auto table = mechanism.parameters();
  const auto values = mechanism.values();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == alias.excluded) return table[i].fallback == values[i];
  }
  return true;
}

struct LeadsNowhere {};

// Every step on the path to the changed step is built anew around it.
Step changed_inside(const Step& step, std::span<const std::size_t> path, const Change& change) {
  if (path.empty()) return change(step);
  if (const auto* group = std::get_if<Steps>(&step.what)) return plan::with_what(step, changed(*group, path, change));
  const auto& mechanism = std::get<Mechanism>(step.what);
  if (const auto* select = mechanism.get_if<Select>()) {
    return plan::with_what(step, Mechanism(Select(changed(select->steps(), path, change), select->runs())));
  }
  const auto* parallel = mechanism.get_if<Parallel>();
  if (parallel == nullptr || path.front() >= parallel->parts().size()) throw LeadsNowhere();
  std::vector<Steps> parts = parallel->parts();
  parts[path.front()] = changed(parts[path.front()], path.subspan(1), change);
  return plan::with_what(step, Mechanism(Parallel(std::move(parts))));
}

// Finds the steps that have a number of that name, at any depth.
class Finder {
 public:
  explicit Finder(std::string_view name) : name_(name) {}
  std::vector<Unknown> in(const Steps& steps) {
    enter(steps);
    return std::move(found_);
  }

 private:
  void enter(const Steps& steps) {
    path_.push_back(0);
    for (const Step& step : steps) {
      visit(step);
      ++path_.back();
    }
    path_.pop_back();
  }

  void visit(const Step& step) {
    bool has = false;
    for_each_number(step, [&](const std::string& each, const Parameter&, double) { has = has || each == name_; });
    if (const Alias* alias = alias_in(step, name_)) has = has || applies(*alias, std::get<Mechanism>(step.what));
    if (has) found_.push_back({path_, std::string(name_)});
    if (const auto* group = std::get_if<Steps>(&step.what)) return enter(*group);
    const auto& mechanism = std::get<Mechanism>(step.what);
    if (const auto* select = mechanism.get_if<Select>()) return enter(select->steps());
    const auto* parallel = mechanism.get_if<Parallel>();
    if (parallel == nullptr) return;
    path_.push_back(0);
    for (const Steps& part : parallel->parts()) {
      enter(part);
      ++path_.back();
    }
    path_.pop_back();
  }

  std::string_view name_;
  std::vector<std::size_t> path_{};
  std::vector<Unknown> found_{};
};

}  // namespace
}  // namespace step_numbers_file

const Parameter& number_of(const Step& step, const std::string& name) {
  const Parameter* found = nullptr;
  std::string allowed;
  step_numbers_file::for_each_number(step, [&](const std::string& each, const Parameter& parameter, double) {
    if (each == name) found = &parameter;
    allowed += allowed.empty() ? each : ", " + each;
  });
  if (found == nullptr) throw InvalidArgument("parameter", name, allowed);
  return *found;
}

Setting held_by(const Step& step, const std::string& name) {
  if (name == "count") return of_whole(step.count);
  Setting held;
  step_numbers_file::for_each_number(step, [&](const std::string& each, const Parameter& parameter, double value) {
    if (each == name) held = parameter.whole ? of_whole(static_cast<std::int64_t>(value)) : of_value(value);
  });
  return held;
}

Step with_number(const Step& step, const std::string& name, const Setting& setting) {
  if (name == "count") return plan::with_count(step, setting.count);
  if (const Select* select = step_numbers_file::selection_in(step)) {
    const auto number = std::string_view(name).substr(step_numbers_file::runs_prefix.size());
    return plan::with_what(step, Mechanism(Select(select->steps(), select->runs().with(number, setting.value))));
  }
  return plan::with_what(step, std::get<Mechanism>(step.what).with(name, setting.value));
}

Steps changed(const Steps& steps, std::span<const std::size_t> path, const Change& change) {
  if (path.empty() || path.front() >= steps.size()) throw step_numbers_file::LeadsNowhere();
  Steps result = steps;
  Step& there = result[path.front()];
  there = step_numbers_file::changed_inside(there, path.subspan(1), change);
  return result;
}

Step step_at(const Plan& plan, std::span<const std::size_t> path) {
  std::optional<Step> found;
  try {
    changed(plan.steps(), path, [&](const Step& step) {
      found = step;
      return step;
    });
  } catch (const step_numbers_file::LeadsNowhere&) {
    throw InvalidArgument("path", fmt::format("[{}]", fmt::join(path, ", ")),
                          "indices that lead to a step of the plan");
  }
  return *found;
}

Unknown without_alias(const Plan& plan, const Unknown& unknown) {
  const Step step = step_at(plan, unknown.path);
  const Alias* alias = step_numbers_file::alias_in(step, unknown.parameter);
  if (alias == nullptr) return unknown;
  if (!step_numbers_file::applies(*alias, std::get<Mechanism>(step.what))) {
    throw Unsupported(unknown.parameter, fmt::format("the step has an {} of its own", alias->excluded),
                      fmt::format("solve for {} or {}", alias->parameter, alias->excluded));
  }
  return {unknown.path, std::string(alias->parameter)};
}

}  // namespace renyi::calibrate_detail

namespace renyi {

std::vector<Unknown> unknowns_named(const Plan& plan, std::string_view parameter) {
  return calibrate_detail::step_numbers_file::Finder(parameter).in(plan.steps());
}

}  // namespace renyi
