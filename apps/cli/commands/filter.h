// The commands below renyi filter, one file each.
#pragma once

#include <string>

#include "apps/cli/commands/command.h"
#include "apps/cli/io/locked_file.h"
#include "renyi/filter.h"

namespace renyi::cli {

Command filter_new_command();
Command filter_check_command();
Command filter_charge_command();
Command filter_show_command();
Command filter_limit_command();
Command filter_design_command();

inline constexpr const char* filter_argument = "FILE";  // the filter file

// Returns the name of the filter file. Throws InvalidArgument if it was not given.
std::string filter_name(const Flags& flags);

// Opens and locks the filter file that is to be changed. Throws InvalidArgument, also for standard input.
LockedFile filter_to_change(const Flags& flags);

// Reads the text of a filter file; errors name the file. Throws InvalidArgument.
Filter filter_in(Question& question, const std::string& name, const std::string& text);

}  // namespace renyi::cli
