// Whom a guarantee is for, in words.
#pragma once

#include <cstdint>
#include <string>

#include "apps/cli/question.h"
#include "apps/cli/report.h"

namespace renyi::cli {

// "add-or-remove-one", ...
std::string relation_of(const Question& question);
// How many records one person may have.
std::int64_t unit_of(const Question& question);

// Rows: neighbors; unit, if it is not 1.
void describe_relation(Report& report, const Question& question);

// "adding or removing any one record", "... any one person's up to 4 records".
std::string change_in_words(const Question& question);

}  // namespace renyi::cli
