#include "api/promise_note.h"

namespace renyi::api {

void note_promises(json::Json& answer, const json::Json& exact, const Plan& plan) {
  if (!exact.contains("lower")) return;
  if (compose(plan)->knowledge() != Knowledge::profile) return;
  answer["note"] = "exact for the worst step with that promise; what was run may cost less";
}

}  // namespace renyi::api
