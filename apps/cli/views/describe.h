// A run and its figures in words: what was run, what the answer assumes, what it is worth.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/number_text.h"
#include "api/request_summary.h"
#include "apps/cli/flags/question.h"
#include "apps/cli/views/layout.h"
#include "renyi/cost.h"

namespace renyi::cli {

// Rows: run, rate, batches, steps, neighbors, unit, sampling, sensitivity.
void describe_run(Report& report, const Question& question);

// The first line of the run, and how many more there are.
std::string run_in_a_line(const api::RequestSummary& summary);

// Row: overflow, where a batch may.
void describe_overflow(Report& report, const std::vector<Overflow>& overflows);

// Row: under Poisson, where there is such an estimate.
void describe_under_poisson(Report& report, const std::optional<PoissonEstimate>& under_poisson);

// Of what the figure is: "exact", "exact for a dominating pair", "upper bound".
std::string_view kind_in_words(const Cost& cost);

// Rows: exact, remove, add, and what limits them; or why there is no exact part. Nothing where it was not asked for.
void describe_exact(Report& report, const Cost& cost);

// What the exact figure is worth beside the Renyi bound, as a sentence; empty where it is the same.
std::string saving(double exact, double renyi);

// Rows: order, conversion (with its source), what is paid apart.
void describe_bound(Report& report, const RenyiBound& bound);
std::string infinite_mass_text(double infinite_mass);

// What (epsilon, delta) promises, as a sentence.
std::string promise(const Question& question, double epsilon, double delta);

// Things the user should know although the answer is right.
std::vector<std::string> warnings(const Question& question);

}  // namespace renyi::cli
