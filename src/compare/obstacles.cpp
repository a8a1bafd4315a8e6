#include <fmt/format.h>

#include "compare/theorem.h"

namespace renyi::compare_detail {

std::string impure_obstacle(const Workload& workload) {
  if (workload.is_pure()) return {};
  return fmt::format("needs pure epsilons, and {} has none", workload.impure_kind());
}

std::string no_delta_obstacle(const Asked& asked) {
  if (asked.delta > 0 || asked.workload.is_pure()) return {};
  return fmt::format("needs delta > 0: {} has no pure epsilon", asked.workload.impure_kind());
}

}  // namespace renyi::compare_detail
