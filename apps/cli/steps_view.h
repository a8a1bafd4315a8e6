// The steps of a request in words.
#pragma once

#include <functional>
#include <string>

#include "api/api.h"
#include "apps/cli/report.h"

namespace renyi::cli {

// Calls `visit` for every step that names a mechanism, in groups, parallel parts and selections too.
void for_each_mechanism(const api::Json& steps, const std::function<void(const api::Json& step)>& visit);

// Row: run, one line a step; those of a group, of a parallel part or of a selection below it, indented.
void list_run(Report& report, const api::Json& steps);

}  // namespace renyi::cli
