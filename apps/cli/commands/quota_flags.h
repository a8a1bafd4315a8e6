// The flags that say what a token may use of a server: of one token, or of all that state nothing else.
#pragma once

#include <cstddef>
#include <string>

#include "api/tokens.h"
#include "apps/cli/commands/command.h"

namespace renyi::cli {

// Returns a whole number from 1 to `most`. Throws InvalidArgument.
std::size_t read_count(const std::string& flag, const std::string& text, std::size_t most);
// Reads --calls-per-minute and --cpu-per-minute.
api::TokenQuota read_quota(const Flags& flags);

}  // namespace renyi::cli
