// Steps as the mathematics sees them.
#include "plan/parallel_curve.h"
#include "plan/select/analyse_select.h"
#include "renyi/plan.h"
#include "sampling/analyse/analyse.h"

namespace renyi {

Mechanism analysed(const Mechanism& mechanism, const Adjacency& relation) {
  if (const auto* parallel = mechanism.get_if<Parallel>()) return plan::analyse_parallel(*parallel, relation);
  if (const auto* select = mechanism.get_if<Select>()) return plan::analyse_select(*select, relation);
  return sampling::analyse(mechanism, relation);
}

}  // namespace renyi
