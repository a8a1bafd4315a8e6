// The mechanism that --mechanism names, and the parameters that --set gives it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/mechanism_flags.h"
#include "apps/cli/sampling_flags.h"

namespace renyi::cli {

// Nothing where the flag is not given. Throws InvalidArgument, also for --set without it.
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
