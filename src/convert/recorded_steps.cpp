#include "convert/recorded_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "renyi/error.h"

namespace renyi::convert {
namespace recorded_steps_file {
namespace {

Plan merged(const Plan& plan, const std::string& record_path) {
  try {
    Plan result(plan.neighbors());
    for (const auto& [mechanism, count] : plan.merged()) result.add(mechanism, count);
    return result;
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(record_path.empty() ? "document" : record_path, error.value(), error.allowed());
  }
}

}  // namespace
}  // namespace recorded_steps_file

// A neighbouring relation is refused at the step of the record that does not support it.
void check_analysed(const RecordedStep& part, Neighbors neighbors) {
  try {
    static_cast<void>(analysed(part.mechanism, {neighbors}));
  } catch (const Unsupported& error) {
    throw Unsupported(part.path, error.why(), error.instead());
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(part.path, fmt::format("{} of {}", error.path(), error.value()), error.allowed());
  }
}

Plan assemble(const RecordedSteps& parts, Neighbors neighbors, const std::string& record_path) {
  Plan plan(neighbors);
  for (const RecordedStep& part : parts) {
    check_analysed(part, neighbors);
    plan.add(part.mechanism, part.count);
  }
  return recorded_steps_file::merged(plan, record_path);
}

const Parameter& parameter_of(std::string_view kind, std::string_view name) {
  const auto all = find_mechanism(kind)->parameters();
  return *std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == name; });
}

double read_parameter(const json::Field& value, std::string_view name, const Parameter& parameter) {
  const bool allowed = value.value().is_number() && parameter.allows(value.number());
  if (!allowed) value.refuse(fmt::format("as {}: {}", name, parameter.allowed()));
  return value.number();
}

double read_noise(const json::Field& value, std::string_view name, const Parameter& parameter) {
  Parameter with_zero = parameter;
  with_zero.zero_allowed = true;
  return read_parameter(value, name, with_zero);
}

double distance_between(Neighbors neighbors) { return neighbors == Neighbors::replace_one ? 2 : 1; }

Mechanism gaussian_of(double noise, Neighbors neighbors) {
  if (noise == 0) return non_private();
  return Gaussian{noise, distance_between(neighbors)};
}

Mechanism non_private() { return *find_mechanism("non-private"); }

bool is_non_private(const Mechanism& mechanism) { return mechanism == non_private(); }

}  // namespace renyi::convert
