// Completion scripts for shells, from the help texts.
#pragma once

#include <string>

#include "apps/cli/tree.h"

namespace renyi::cli {

std::string bash_completion(const CommandText& program);
std::string zsh_completion(const CommandText& program);
std::string fish_completion(const CommandText& program);

// Names of all options, in order.
std::vector<std::string> names_of(const std::vector<OptionText>& options);
std::vector<std::string> names_of(const std::vector<CommandText>& commands);

// In single quotes for a POSIX-like shell.
std::string shell_quoted(std::string_view text);

}  // namespace renyi::cli
