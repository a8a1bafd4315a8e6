// Flags that describe one mechanism. Some kinds have shortcuts, flags of their own; every kind is chosen by --mechanism
// and its parameters by --set, so a new mechanism needs no change here, and makes no command line ambiguous.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/flags/question.h"
#include "apps/cli/flags/sampling_flags.h"
#include "renyi/mechanism.h"

namespace renyi::cli {

inline constexpr const char* mechanism_flag = "--mechanism";
inline constexpr const char* set_flag = "--set";
inline constexpr const char* kind_value = "KIND";

// How one parameter is set: "--noise-multiplier" for the key "noise_multiplier".
struct Spelling {
  std::string flag;
  std::string key;             // in plans
  const Parameter* parameter;  // what it sets
};

// Every way to set a parameter of the mechanism by a shortcut, aliases included.
std::vector<Spelling> spellings_of(const Mechanism& mechanism);

// The shortcuts, each once, with their help.
std::vector<FlagText> mechanism_flags();
// --mechanism and --set.
std::vector<FlagText> named_mechanism_flags();

std::vector<std::string> all_kinds();

// Has the mechanism all of these flags?
bool knows_all(const Mechanism& mechanism, const std::vector<std::string>& flags);

// Is there a mechanism with shortcuts that has all of these flags?
bool some_mechanism_knows(const std::vector<std::string>& flags);

// The mechanism these shortcuts describe in full. Throws InvalidArgument that says
// what is missing or what does not go together.
const Mechanism& mechanism_described_by(const std::vector<std::string>& flags);

// The mechanism that --mechanism names. Nothing where the flag is not given. Throws InvalidArgument, also for --set
// without it.
const Mechanism* named_mechanism(const Flags& flags);

// How messages call what --set gives: "--set NAME".
std::string set_by_name(std::string_view name);

// Of its numbers: parameters, then aliases.
std::vector<std::string> names_in_plans(const Mechanism& mechanism);

// "--set NAME" beside each number that --set gives.
void add_set_numbers(Values& values, const Flags& flags);

// Every way to set a parameter of the mechanism once it is named: by a shortcut, or as "--set NAME".
std::vector<Spelling> spellings_once_named(const Mechanism& mechanism);

// Throws InvalidArgument for a flag that sets nothing of the mechanism, and for two that set the same.
void check_flags_of(const Mechanism& mechanism, const Values& values);

}  // namespace renyi::cli
