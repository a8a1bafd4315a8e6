// Describes a run and its results as text: what was run, what the answer assumes, and what it means.
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

// Adds the rows understood (flags whose numbers are not written as decimals), run, rate, batches, steps, neighbors,
// unit, sampling and sensitivity.
void describe_run(Report& report, const Question& question);

// Returns the first line of the run, and how many more lines there are.
std::string run_in_a_line(const api::RequestSummary& summary);

// Adds the row "overflow" if a batch may overflow.
void describe_overflow(Report& report, const std::vector<Overflow>& overflows);

// Adds the row "under Poisson" if there is such an estimate.
void describe_under_poisson(Report& report, const std::optional<PoissonEstimate>& under_poisson);

// Returns what the value is: "exact", "exact for a dominating pair" or "upper bound".
std::string_view kind_in_words(const Cost& cost);

// Adds the rows exact, remove, add and what limits them; or why there is no exact part. Returns no row if the exact
// part was not requested.
void describe_exact(Report& report, const Cost& cost);

// Compares the exact value with the Renyi bound in a sentence; empty if they are the same.
std::string saving(double exact, double renyi);

// Adds the rows order, conversion (with its source), and the part of delta that covers infinite losses.
void describe_bound(Report& report, const RenyiBound& bound);
std::string infinite_mass_text(double infinite_mass);

// Returns a sentence about what (epsilon, delta) guarantees.
std::string promise(const Question& question, double epsilon, double delta);

// Returns warnings that the user should know although the answer is correct.
std::vector<std::string> warnings(const Question& question);

}  // namespace renyi::cli
