// Implements the analysis of a plan, with its standing: whether its exact values are those of the mechanism that was
// run.
#include <algorithm>
#include <utility>

#include "plan/step_standing.h"
#include "renyi/plan.h"

namespace renyi {

std::string_view to_string(Standing standing) noexcept {
  switch (standing) {
    case Standing::attained: return "attained";
    case Standing::promised: return "promised";
    case Standing::dominated: return "dominated";
  }
  return "unknown";
}

std::string_view standing_note(Standing standing) noexcept {
  switch (standing) {
    case Standing::attained: return "";
    case Standing::promised: return "exact for the worst step with that promise; what was run may cost less";
    case Standing::dominated: return "exact for a pair of laws that dominates the steps; what was run may cost less";
  }
  return "";
}

Analysis::Analysis(const Plan& plan) {
  auto steps = plan.analysed();
  auto curve = compose(steps);
  analysed_ = std::make_shared<const Analysed>(Analysed{plan, std::move(steps), std::move(curve)});
}

Analysis::Analysis(const Plan& plan, std::vector<CountedMechanism> steps, std::shared_ptr<const Curve> curve)
    : analysed_(std::make_shared<const Analysed>(Analysed{plan, std::move(steps), std::move(curve)})) {}

// Attained promises compose: the steps that attain them are worst on one pair of datasets, in both directions.
Standing Analysis::standing() const {
  const auto specified = plan().merged();
  Standing all = Standing::attained;
  for (std::size_t i = 0; i < specified.size(); ++i) {
    const Mechanism& analysed = steps().at(i).mechanism;
    all = std::max(all, plan::step_standing(specified[i].mechanism, analysed, plan().adjacency()));
  }
  return all;
}

}  // namespace renyi
