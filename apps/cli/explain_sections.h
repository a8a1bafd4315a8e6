// Parts of the report of what a run promises.
#pragma once

#include <string>
#include <string_view>

#include "api/shown.h"
#include "apps/cli/question.h"

namespace renyi::cli {

// Numbers of an answer: upper bounds, lower bounds, plain facts.
using api::down;
using api::plain;
using api::up;

// A title and the paragraph below it.
std::string section(std::string_view title, std::string_view text);

// No pure DP: the loss has no largest value.
bool is_unbounded(const api::Json& answer);

std::string bayes_section(const api::Json& answer);
std::string group_section(const Question& question, const api::Json& answer);
std::string properties_section(const api::Json& answer);

}  // namespace renyi::cli
