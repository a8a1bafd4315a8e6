#include "calibrate/step_number.h"

#include <fmt/format.h>

#include <functional>

#include "renyi/error.h"
#include "renyi/select.h"

namespace renyi::calibrate_detail {

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

// Every number of a step, with the name it has here.
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

}  // namespace

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

Setting held_by(const Step& step, const std::string& name) {
  if (name == "count") return of_whole(step.count);
  Setting held;
  for_each_number(step, [&](const std::string& each, const Parameter& parameter, double value) {
    if (each == name) held = parameter.whole ? of_whole(static_cast<std::int64_t>(value)) : of_value(value);
  });
  return held;
}

Step with_number(const Step& step, const std::string& name, const Setting& setting) {
  if (name == "count") return {step.what, setting.count};
  if (const Select* select = selection_in(step)) {
    const Runs runs = select->runs().with(std::string_view(name).substr(runs_prefix.size()), setting.value);
    return {Mechanism(Select(select->steps(), runs)), step.count};
  }
  return {std::get<Mechanism>(step.what).with(name, setting.value), step.count};
}

}  // namespace renyi::calibrate_detail
