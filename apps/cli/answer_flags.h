// Flags that say what is asked of a run, and how they enter the request.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/flags.h"
#include "apps/cli/question.h"

namespace renyi::cli {

inline constexpr const char* asked_group = "What is asked";

FlagText delta_flag();
FlagText epsilon_flag(std::string help);
FlagText orders_flag(std::string help);
FlagText format_flag();
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
api::Json traditional_orders_in_json();

}  // namespace renyi::cli
