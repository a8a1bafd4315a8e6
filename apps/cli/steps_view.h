// The steps of a request in words.
#pragma once

#include "api/api.h"
#include "apps/cli/report.h"

namespace renyi::cli {

// Row: run, one line a step; those of a group, of a parallel part or of a selection below it, indented.
void list_run(Report& report, const api::Json& steps);

// The first line of the same, and how many more there are.
std::string run_in_a_line(const api::Json& steps);

}  // namespace renyi::cli
