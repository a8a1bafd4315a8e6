// How the catalogue of mechanisms looks on a terminal and to other programs.
#pragma once

#include <string>

#include "apps/cli/question.h"

namespace renyi::cli {

// One mechanism in full where the question names one; else all of them, a few lines each.
std::string catalogue_table(const Question& question, const api::Json& answer);
// A row a parameter.
std::string catalogue_rows(const Question& question, const api::Json& answer);
// The sources of all mechanisms of the answer, each once.
std::string catalogue_bibtex(const Question& question, const api::Json& answer);
// docs/mechanisms.md.
std::string catalogue_markdown(const Question& question, const api::Json& answer);

}  // namespace renyi::cli
