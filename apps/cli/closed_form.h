// How `renyi rdp --compare closed-form` looks.
#pragma once

#include <string>

#include "apps/cli/question.h"

namespace renyi::cli {

std::string closed_form_table(const Question& question, const api::Json& answer);
std::string closed_form_rows(const api::Json& answer);

}  // namespace renyi::cli
