// A training run told by its sizes, in documents: the step that it comes to, and the plan of a "run".
#pragma once

#include <string_view>

#include "api/document.h"
#include "renyi/plan.h"
#include "renyi/run.h"

namespace renyi::api {

// The value of a number of a sampling scheme; null where it is left open.
Document document_of(const SchemeNumber& number);
// The member "sampling" of a step. The run has a scheme.
Document sampling_of(const ResolvedRun& parts);
// The member "count" of a step; null where it is left open.
Document count_of(const ResolvedRun& parts);

// The plan of a "run" of a request (docs/format/requests.md), given as its text; `neighbors` is null for the default.
// Throws InvalidArgument or Unsupported, with paths from the run on.
Plan plan_from_run(std::string_view run, const char* neighbors);

}  // namespace renyi::api
