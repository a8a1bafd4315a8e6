#include "api/promise_note.h"

#include <algorithm>

namespace renyi::api {
namespace {

// Its exact figures are those of another pair.
bool is_dominated(const Curve& curve) { return curve.dominating() != nullptr; }

// Known by what it promises; any other step without a law of its own loss is sampled.
bool is_promise(const CountedMechanism& step) {
  const Mechanism inner = step.mechanism.unsampled();
  if (inner.get_if<Parallel>() != nullptr) return false;
  return inner.identity() != nullptr || inner.curve()->knowledge() == Knowledge::profile ||
         is_dominated(*inner.curve());
}

bool is_bounded(const Plan& plan);

// Which batch a record lies in is hidden; of parallel parts each is a plan of its own.
bool is_bounded(const CountedMechanism& step, const Adjacency& adjacency) {
  const Sampling* sampling = step.mechanism.sampling();
  if (sampling != nullptr && sampling->scheme == Scheme::shuffled) return true;
  const auto* parallel = step.mechanism.get_if<Parallel>();
  if (parallel == nullptr) return false;
  return std::any_of(parallel->parts().begin(), parallel->parts().end(), [&](const Steps& part) {
    return is_bounded(Plan(adjacency.neighbors, adjacency.unit).add(part));
  });
}

// Exact for a pair of laws that the run may not attain.
bool is_bounded(const Plan& plan) {
  const auto dominated = [](const CountedMechanism& step) { return is_dominated(*step.mechanism.curve()); };
  const auto analysed = plan.analysed();
  if (compose(analysed)->knowledge() == Knowledge::profile) return true;
  if (std::any_of(analysed.begin(), analysed.end(), dominated)) return true;
  const auto steps = plan.merged();
  return std::any_of(steps.begin(), steps.end(),
                     [&](const CountedMechanism& step) { return is_bounded(step, plan.adjacency()); });
}

}  // namespace

void note_promises(json::Json& answer, const json::Json& exact, const Plan& plan) {
  if (!exact.contains("lower")) return;
  if (!is_bounded(plan)) return;
  const auto steps = plan.merged();
  const bool promised = std::any_of(steps.begin(), steps.end(), is_promise);
  answer["note"] = promised ? "exact for the worst step with that promise; what was run may cost less"
                            : "exact for a pair of laws that dominates the steps; what was run may cost less";
}

}  // namespace renyi::api
