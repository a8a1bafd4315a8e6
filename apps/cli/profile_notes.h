// What is to be said of the points of a profile: why some have no exact figure, or a wide one.
#pragma once

#include "apps/cli/question.h"
#include "apps/cli/report.h"

namespace renyi::cli {

// Rows: exact (why there is none), note (each once, however many points have it).
void describe_notes(Report& report, const api::Json& answer);

// Fails where nothing that was asked for can be given, at any point.
void require_a_point(const api::Json& answer);

}  // namespace renyi::cli
