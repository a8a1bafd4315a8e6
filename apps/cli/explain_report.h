// The answer to "what does it promise" as a report and as rows.
#pragma once

#include <string>

#include "apps/cli/question.h"

namespace renyi::cli {

std::string explain_report(const Question& question, const api::Json& answer);
std::string explain_rows(const api::Json& answer);

// The published example, to the digits it was published with.
std::string reference_table_report(const api::Json& answer);
std::string reference_table_rows(const api::Json& answer);

}  // namespace renyi::cli
