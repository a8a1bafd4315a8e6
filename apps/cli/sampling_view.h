// How the records are drawn, in words: which batching a figure assumes, and whether a usual data loader does it.
#pragma once

#include <string>

#include "apps/cli/question.h"
#include "apps/cli/report.h"

namespace renyi::cli {

// Rows: sampling, one for each scheme of the run; sensitivity, where one record takes the place of another.
void describe_sampling(Report& report, const Question& question);

// Row: overflow, where the answer has the probability of one.
void describe_overflow(Report& report, const api::Json& answer);

// Row: under Poisson, where the answer has what the figure would be then.
void describe_under_poisson(Report& report, const api::Json& answer, const std::string& figure);

}  // namespace renyi::cli
