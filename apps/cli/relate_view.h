// How the relatives of a run look: as a table and as comma-separated values.
#pragma once

#include <string>

#include "apps/cli/question.h"

namespace renyi::cli {

std::string relate_table(const Question& question, const api::Json& answer);
std::string relate_rows(const Question& question, const api::Json& answer);

}  // namespace renyi::cli
