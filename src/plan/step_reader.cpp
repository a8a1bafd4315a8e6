#include "plan/step_reader.h"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "json/show.h"
#include "renyi/error.h"

namespace renyi::plan {
namespace {

using json::Field;

constexpr std::string_view mechanism_key = "mechanism";
constexpr std::string_view group_key = "plan";
constexpr std::string_view count_key = "count";

// The mechanism a step names, with its default parameters.
const Mechanism& named_by(const Field& name) {
  if (const Mechanism* found = find_mechanism(name.text())) return *found;
  std::vector<std::string_view> kinds;
  for (const Mechanism& mechanism : all_mechanisms()) kinds.push_back(mechanism.kind());
  name.refuse(Field::one_of(kinds));
}

std::vector<std::string_view> keys_of(const Mechanism& mechanism) {
  std::vector<std::string_view> keys{mechanism_key};
  for (const Parameter& parameter : mechanism.parameters()) keys.push_back(parameter.name);
  for (const Alias& alias : mechanism.aliases()) keys.push_back(alias.name);
  keys.push_back(count_key);
  return keys;
}

// The key by which a step sets a parameter: its name or an alias, not both.
struct Spelling {
  std::string_view key;
  std::optional<Field> value;
};

void check_exclusions(const Field& step, const Alias& alias) {
  for (const std::string_view other : {alias.parameter, alias.excluded}) {
    if (const auto clash = step.find(other)) {
      throw InvalidArgument(clash->path(), json::show(clash->value()),
                            fmt::format("either {} or {}, not both", alias.name, other));
    }
  }
}

Spelling spelling_of(const Parameter& parameter, const Mechanism& mechanism, const Field& step) {
  for (const Alias& alias : mechanism.aliases()) {
    if (alias.parameter != parameter.name) continue;
    if (auto value = step.find(alias.name)) {
      check_exclusions(step, alias);
      return {alias.name, std::move(value)};
    }
  }
  return {parameter.name, step.find(parameter.name)};
}

// What a parameter that must be given may be, and how else it may be given.
std::string allowed_for(const Parameter& parameter, const Mechanism& mechanism) {
  std::string allowed = parameter.allowed();
  for (const Alias& alias : mechanism.aliases()) {
    if (alias.parameter == parameter.name) allowed += fmt::format(" (or {} instead)", alias.name);
  }
  return allowed;
}

double checked(const Field& value, const Parameter& parameter) {
  if (!value.value().is_number() || !parameter.allows(value.number())) value.refuse(parameter.allowed());
  return value.number();
}

}  // namespace

bool StepReader::is_blank(const Field& value, std::string_view key, std::string_view parameter) {
  if (!value.is_null() || blanks_ == Blanks::refused) return false;
  if (blank_) value.refuse(fmt::format("one null in a request, and {} is null already", blank_->json_path));
  blank_ = Blank{path_, std::string(parameter), std::string(key), value.path()};
  return true;
}

std::int64_t StepReader::read_count(const Field& step) {
  const auto count = step.find(count_key);
  if (!count || is_blank(*count, count_key, count_key)) return 1;
  return count->integer(1, std::numeric_limits<std::int64_t>::max());
}

Mechanism StepReader::read_mechanism(const Field& step) {
  Mechanism mechanism = named_by(*step.find(mechanism_key));
  step.allow_only(keys_of(mechanism));
  for (const Parameter& parameter : mechanism.parameters()) {
    const auto [key, value] = spelling_of(parameter, mechanism, step);
    if (!value) {
      if (!parameter.fallback) step.require(key, allowed_for(parameter, mechanism));
      mechanism = mechanism.with(parameter.name, *parameter.fallback);
    } else if (!is_blank(*value, key, parameter.name)) {
      mechanism = mechanism.with(parameter.name, checked(*value, parameter));
    }
  }
  mechanism.check_neighbors(neighbors_);
  return mechanism;
}

Step StepReader::read_group(const Field& step, const Field& steps) {
  step.allow_only(std::vector{group_key, count_key});
  return {read(steps), read_count(step)};
}

Step StepReader::read_step(const Field& step) {
  if (const auto group = step.find(group_key)) return read_group(step, *group);
  step.require(mechanism_key, fmt::format("a mechanism, or \"{}\": [steps]", group_key));
  return {read_mechanism(step), read_count(step)};
}

Steps StepReader::read(const Field& steps) {
  Steps result;
  path_.push_back(0);
  for (const Field& step : steps.items()) {
    result.push_back(read_step(step));
    ++path_.back();
  }
  path_.pop_back();
  return result;
}

}  // namespace renyi::plan
