// Training runs in JSON documents: the step that the sizes of a run result in, and the plan of a "run".
#pragma once

#include <string>
#include <string_view>

#include "api/document.h"
#include "renyi/plan.h"
#include "renyi/run.h"

namespace renyi::api {

// Returns the value of a number of a sampling scheme; null if it is unknown.
Document document_of(const SchemeNumber& number);
// Returns the member "sampling" of a step. The run must have a sampling scheme.
Document sampling_of(const ResolvedRun& parts);
// Returns the member "count" of a step; null if it is unknown.
Document count_of(const ResolvedRun& parts);

// Returns an answer about the step of a run, given as its text, as the answer to a request with that "run": places are
// those of the run, and there are "run" and "warnings" (docs/format/requests.md).
std::string with_run(std::string_view answer, const Document& request, const ResolvedRun& parts);

// Returns the plan of a "run" of a request (docs/format/requests.md), given as its text; `neighbors` is null for the
// default. Throws InvalidArgument or Unsupported, with paths relative to the run.
Plan plan_from_run(std::string_view run, const char* neighbors);

}  // namespace renyi::api
