#include "convert/parts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "renyi/error.h"

namespace renyi::convert {
namespace parts_file {
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

double sensitivity(Neighbors neighbors) { return neighbors == Neighbors::replace_one ? 2 : 1; }

}  // namespace
}  // namespace parts_file

// A relation is refused where the record uses it.
void check_analysed(const Part& part, Neighbors neighbors) {
  try {
    analysed(*part.mechanism, {neighbors});
  } catch (const Unsupported& error) {
    throw Unsupported(part.path, error.why(), error.instead());
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(part.path, fmt::format("{} of {}", error.path(), error.value()), error.allowed());
  }
}

Converted assemble(const Parts& parts, Neighbors neighbors, const std::string& record_path) {
  Converted result{Plan(neighbors)};
  for (const Part& part : parts) {
    if (part.mechanism) {
      check_analysed(part, neighbors);
      result.plan.add(*part.mechanism, part.count);
    } else if (!result.non_private) {
      result.non_private = true;
      result.non_private_at = part.path;
    }
  }
  result.plan = parts_file::merged(result.plan, record_path);
  return result;
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

std::optional<Mechanism> gaussian_of(double noise, Neighbors neighbors) {
  if (noise == 0) return std::nullopt;
  return Gaussian{noise, parts_file::sensitivity(neighbors)};
}

std::optional<Mechanism> laplace_of(double noise, Neighbors neighbors) {
  if (noise == 0) return std::nullopt;
  return Laplace{noise, parts_file::sensitivity(neighbors)};
}

}  // namespace renyi::convert
