// Flags that say what is asked of a run, and how they enter the request.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/flags/question.h"

namespace renyi::cli {

inline constexpr const char* asked_group = "What is asked";

FlagText delta_flag();
FlagText epsilon_flag(std::string help);
FlagText orders_flag(std::string help);
FlagText format_flag();
// --method; `of` says of what.
FlagText method_flag(std::string_view of);
// --orders and --conversion
std::vector<FlagText> conversion_flags();

// One list of flags from several.
std::vector<FlagText> joined(std::initializer_list<std::vector<FlagText>> lists);

// Each puts its flag into the request, if it was given.
void set_number(Question& question, const Flags& flags, const std::string& key);
void set_number_or_infinity(Question& question, const Flags& flags, const std::string& key);
void set_text(Question& question, const Flags& flags, const std::string& key);
void set_orders(Question& question, const Flags& flags);
// "--at-least 2,10" as the array "at_least".
void set_numbers(Question& question, const Flags& flags, const std::string& key);

// The traditional orders as they stand in a request.
api::Document traditional_orders_document();

// How narrow the exact figure is to be: --tolerance and --memory.
std::vector<FlagText> width_flags();
// Which figures are wanted: --want, --tolerance and --memory.
std::vector<FlagText> want_flags();

void set_width(Question& question, const Flags& flags);
void set_want(Question& question, const Flags& flags);

// What exact figures assume, for help texts; ends with a blank line.
inline constexpr const char* exact_assumes =
    "Exact figures hold for step parameters fixed in advance. Parameters chosen as the run goes\n"
    "need a filter, which is not there yet.\n"
    "\n";

// --plot FILE: a command's answer as a figure as well.
FlagText plot_flag();

}  // namespace renyi::cli
