// Flags that say which figures are wanted, and how narrow the exact one.
#pragma once

#include <vector>

#include "apps/cli/flags.h"
#include "apps/cli/question.h"

namespace renyi::cli {

// --tolerance and --memory.
std::vector<FlagText> width_flags();
// --want, --tolerance and --memory.
std::vector<FlagText> want_flags();

void set_width(Question& question, const Flags& flags);
void set_want(Question& question, const Flags& flags);

// What exact figures assume, for help texts; ends with a blank line.
inline constexpr const char* exact_assumes =
    "Exact figures hold for step parameters fixed in advance. Parameters chosen as the run goes\n"
    "need a filter, which is not there yet.\n"
    "\n";

}  // namespace renyi::cli
