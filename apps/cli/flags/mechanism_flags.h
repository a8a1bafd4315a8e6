// Flags that describe one mechanism. Some kinds have shortcuts, which are flags of their own. Every kind can be chosen
// by
// --mechanism and its parameters by --set, so that a new mechanism needs no change here, and makes no command line
// ambiguous.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/flags/question.h"
#include "apps/cli/flags/sampling_flags.h"
#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi::cli {

inline constexpr const char* mechanism_flag = "--mechanism";
inline constexpr const char* set_flag = "--set";
inline constexpr const char* kind_value = "KIND";

// A flag that sets one parameter: "--noise-multiplier" for the key "noise_multiplier".
struct Spelling {
  std::string flag;
  std::string key;             // its name in plans
  const Parameter* parameter;  // the parameter that it sets
};

// Returns all shortcuts that set a parameter of the mechanism, including aliases.
std::vector<Spelling> spellings_of(const Mechanism& mechanism);

// Returns all shortcuts, without duplicates, with their help texts.
std::vector<FlagText> mechanism_flags();
// The flags --mechanism and --set.
std::vector<FlagText> named_mechanism_flags();

std::vector<std::string> all_kinds();

// Returns the error about a run whose mechanism no flag describes: mostly its noise was forgotten.
InvalidArgument no_mechanism();

// Returns true if the mechanism has all of these flags.
bool knows_all(const Mechanism& mechanism, const std::vector<std::string>& flags);

// Returns true if some mechanism with shortcuts has all of these flags.
bool some_mechanism_knows(const std::vector<std::string>& flags);

// Returns the mechanism that these shortcuts describe completely. Throws InvalidArgument, which states what is missing
// or which flags contradict each other.
const Mechanism& mechanism_described_by(const std::vector<std::string>& flags);

// Returns the mechanism that --mechanism names; null if the flag is not given. Throws InvalidArgument, also for --set
// without --mechanism.
const Mechanism* named_mechanism(const Flags& flags);

// Returns the name that messages give to a number set by --set: "--set NAME".
std::string set_by_name(std::string_view name);

// Returns the names of the mechanism's numbers: parameters, then aliases.
std::vector<std::string> names_in_plans(const Mechanism& mechanism);

// Adds the numbers given by --set, each under the name "--set NAME".
void add_set_numbers(Values& values, const Flags& flags);

// Returns all ways to set a parameter of a named mechanism: by a shortcut, or as "--set NAME".
std::vector<Spelling> spellings_once_named(const Mechanism& mechanism);

// Throws InvalidArgument for a flag that sets nothing of the mechanism, and for two flags that set the same parameter.
void check_flags_of(const Mechanism& mechanism, const Values& values);

}  // namespace renyi::cli
