#include "convert/parts.h"

#include <fmt/format.h>

#include "renyi/error.h"

namespace renyi::convert {
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
  result.plan = merged(result.plan, record_path);
  return result;
}

}  // namespace renyi::convert
