// Exact intervals in words.
#pragma once

#include <string>

#include "api/shown.h"
#include "apps/cli/question.h"
#include "apps/cli/report.h"

namespace renyi::cli {

// Whether a width is taken as it is (epsilon) or relative to its end (delta).
enum class Width { absolute, relative };

// Is there an interval, or why there is none?
bool is_there(const api::Json& part);

using api::interval;

// Rows: exact, remove, add, note.
void describe_exact(Report& report, const api::Json& exact, Width width);

// Row: note, where `part` has one.
void describe_note(Report& report, const api::Json& part);

// What the exact figure is worth beside the Renyi bound, as a sentence; empty where it is the same.
std::string saving(const api::Json& exact, const api::Json& bound);

}  // namespace renyi::cli
