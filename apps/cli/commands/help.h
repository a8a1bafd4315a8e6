// Help texts: at most 40 lines of 80 columns with the flags that most runs need, or everything.
#pragma once

#include <string>

#include "apps/cli/commands/command.h"

namespace renyi::cli {

enum class HelpExtent { screen, all };

// Returns the help of one command. On a screen: the flags that are not rare, and as many examples and paragraphs as
// fit; --help-all shows the rest.
std::string help_of(const CommandText& program, const CommandText& command, HelpExtent extent);

// Returns the help of the program: its commands under their headings.
std::string help_of(const CommandText& program, HelpExtent extent);

}  // namespace renyi::cli
