// Implements the analysis of a plan, and decides its standing: whether its exact values are those of the mechanism that
// was run.
#include <algorithm>
#include <utility>

#include "mechanism/law.h"
#include "plan/analysed_steps.h"
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

namespace analysis_file {
namespace {

// Returns true if the exact values of the curve are those of a dominating pair.
bool has_dominating_pair(const Curve& curve) { return curve.dominating_curve() != nullptr; }

// Returns true if the step is known only by a guarantee or by a dominating pair. Any other step without a
// distribution of its own loss is sampled.
bool is_promise(const CountedMechanism& step) {
  const Mechanism inner = step.mechanism.unsampled();
  if (inner.get_if<Parallel>() != nullptr) return false;
  if (inner.identity() != nullptr) return true;
  const auto curve = inner.curve();
  // A list of outcomes that dominates the step is no step that could have run.
  if (curve->law().is<mechanism::AtomicLoss>()) return false;
  return curve->knowledge() == Knowledge::profile || has_dominating_pair(*curve);
}

// Returns true for epochs that do not reveal in which batch a record lies, and for parallel steps of which some part,
// analysed as a plan of its own, is not attained.
bool is_dominated_step(const CountedMechanism& specified, const Adjacency& adjacency) {
  if (plan::hides_batch(specified.mechanism, adjacency)) return true;
  const auto* parallel = specified.mechanism.get_if<Parallel>();
  if (parallel == nullptr) return false;
  return std::any_of(parallel->parts().begin(), parallel->parts().end(), [&](const Steps& part) {
    return Analysis(Plan(adjacency.neighbors, adjacency.unit).add(part)).standing() != Standing::attained;
  });
}

}  // namespace
}  // namespace analysis_file

// Gaussian steps to which one record is allocated once are analysed exactly (docs/math/random-allocation.md).
bool plan::hides_batch(const Mechanism& mechanism, const Adjacency& relation) {
  const Sampling* sampling = mechanism.sampling();
  if (sampling == nullptr || !is_by_epoch(sampling->scheme)) return false;
  const bool one_record = relation.unit == 1 && relation.neighbors != Neighbors::replace_one;
  return sampling->scheme == Scheme::shuffled || sampling->participations > 1 || !one_record ||
         !mechanism::law_of<mechanism::NormalShift>(mechanism.unsampled());
}

Standing Analysis::standing() const {
  using namespace analysis_file;
  const auto specified = plan().merged();
  const bool above =
      curve()->knowledge() == Knowledge::profile ||
      std::any_of(steps().begin(), steps().end(),
                  [](const CountedMechanism& step) { return has_dominating_pair(*step.mechanism.curve()); }) ||
      std::any_of(specified.begin(), specified.end(),
                  [&](const CountedMechanism& step) { return is_dominated_step(step, plan().adjacency()); });
  if (!above) return Standing::attained;
  return std::any_of(specified.begin(), specified.end(), is_promise) ? Standing::promised : Standing::dominated;
}

}  // namespace renyi
