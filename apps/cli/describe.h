// A request in words: what was run, and what the answer assumes.
#pragma once

#include <string>
#include <string_view>

#include "api/shown.h"
#include "apps/cli/question.h"
#include "apps/cli/report.h"

namespace renyi::cli {

// Rows: run, rate, batches, steps, neighbors, unit, sampling, sensitivity.
void describe_run(Report& report, const Question& question);

// Rows: order, conversion (with its source).
void describe_bound(Report& report, const api::Json& bound);
// Of a bound with a "delta_apart".
std::string apart_in_words(const api::Json& bound);

// What (epsilon, delta) promises, as a sentence.
std::string promise(const Question& question, double epsilon, double delta);

using api::number_in;

}  // namespace renyi::cli
