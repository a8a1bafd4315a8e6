// Flags that describe two laws, and how they enter a request.
#pragma once

#include <vector>

#include "apps/cli/question.h"
#include "apps/cli/report.h"

namespace renyi::cli {

// The TABLE argument and the flags.
std::vector<FlagText> pair_flags();

// "pair" of the request, from the table or the flags.
void set_pair(Question& question, const Flags& flags);

// Rows P and Q.
void describe_pair(Report& report, const Question& question);

}  // namespace renyi::cli
