#include "api/promise_note.h"

#include <algorithm>

namespace renyi::api {
namespace {

bool is_promise(const CountedMechanism& step) {
  return step.mechanism.get_if<PureDp>() != nullptr || step.mechanism.get_if<GaussianDp>() != nullptr;
}

}  // namespace

void note_promises(json::Json& answer, const json::Json& exact, const Plan& plan) {
  if (!exact.contains("lower")) return;
  const auto steps = plan.merged();
  if (std::none_of(steps.begin(), steps.end(), is_promise)) return;
  answer["note"] = "exact for the worst step with that promise; what was run may cost less";
}

}  // namespace renyi::api
