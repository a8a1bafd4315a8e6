// Flags that state the question about a run, and functions that put them into the request.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/flags/question.h"
#include "renyi/limits.h"

namespace renyi::cli {

inline constexpr const char* asked_group = "What is asked";

FlagText delta_flag();
FlagText epsilon_flag(std::string help);
FlagText orders_flag(std::string help);
FlagText format_flag();
// The flag --time-limit, which every question has; the program puts it into force.
FlagText time_limit_flag();
// Returns the limits of a question: its time and, if its answer goes to standard output only, that somebody reads it.
// Throws Failure for a time that cannot be read.
Limits limits_asked(const Flags& flags);
// The same for a question that has the usual limit if no time is stated: two seconds of CPU time, as requests have it
// (docs/guide/limits.md), unless the run comes from a file that is not small, or a figure is drawn.
Limits usual_limits(const Flags& flags);
// The flag --method; `of` names what the method computes.
FlagText method_flag(std::string_view of);
// The flags --orders and --conversion.
std::vector<FlagText> conversion_flags();

// Concatenates lists of flags.
std::vector<FlagText> joined(std::initializer_list<std::vector<FlagText>> lists);

// Each of these functions puts its flag into the request, if it was given.
void set_number(Question& question, const Flags& flags, const std::string& key);
void set_number_or_infinity(Question& question, const Flags& flags, const std::string& key);
void set_text(Question& question, const Flags& flags, const std::string& key);
void set_orders(Question& question, const Flags& flags);
// Puts "--at-least 2,10" into the request as the array "at_least".
void set_numbers(Question& question, const Flags& flags, const std::string& key);

// Returns the traditional orders in the format of a request.
api::Document traditional_orders_document();

// The flags that control how narrow the exact interval is: --tolerance and --memory.
std::vector<FlagText> width_flags();
// The flags that select the parts of the answer: --want, --tolerance and --memory.
std::vector<FlagText> want_flags();

void set_width(Question& question, const Flags& flags);
void set_want(Question& question, const Flags& flags);

// Text for help texts about what exact values assume; it ends with a blank line.
inline constexpr const char* exact_assumes =
    "Exact figures hold for step parameters fixed in advance. Parameters chosen as the run goes\n"
    "need a filter (renyi filter).\n"
    "\n";

// The flag --plot FILE, which also draws the answer of a command as a figure.
FlagText plot_flag();

}  // namespace renyi::cli
