// Steps known by a promise stand for the worst step that keeps it, and the answer says so.
#pragma once

#include "json/field.h"
#include "renyi/plan.h"

namespace renyi::api {

// Adds "note" to `answer` if a step of the plan is given by its pure epsilon or its mu of Gaussian
// DP, or if a pair of laws stands for a sampled one. `exact` is an exact part of the answer: without an interval there
// is nothing to note.
void note_promises(json::Json& answer, const json::Json& exact, const Plan& plan);

}  // namespace renyi::api
