// Groups of records by what each step is analysed for.
#include "renyi/error.h"
#include "renyi/explain.h"
#include "sampling/unit/unit.h"

namespace renyi {

std::optional<Plan> scaled_to_group(const Plan& plan, std::int64_t size) {
  try {
    Plan larger(plan.neighbors(), plan.unit() * size);
    for (const CountedMechanism& step : plan.merged()) larger.add(step.mechanism, step.count);
    for (const CountedMechanism& step : larger.analysed()) {
      if (sampling::is_group_bound(step.mechanism)) return std::nullopt;
    }
    return larger;
  } catch (const Unsupported&) {
    return std::nullopt;
  } catch (const InvalidArgument&) {  // a group beyond the largest unit
    return std::nullopt;
  }
}

}  // namespace renyi
