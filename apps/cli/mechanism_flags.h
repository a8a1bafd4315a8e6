// Flags that describe one mechanism, derived from the table of mechanisms: a new
// mechanism has its flags without a change here.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/flags.h"
#include "renyi/mechanism.h"

namespace renyi::cli {

// How one parameter is set: "--noise-multiplier" for the key "noise_multiplier".
struct Spelling {
  std::string flag;
  std::string key;             // in plans
  const Parameter* parameter;  // what it sets
};

// Every way to set a parameter of the mechanism, aliases included.
std::vector<Spelling> spellings_of(const Mechanism& mechanism);

// The flags of all mechanisms, each once, with their help.
std::vector<FlagText> mechanism_flags();

// Is there a mechanism that has all of these flags?
bool some_mechanism_knows(const std::vector<std::string>& flags);

// The mechanism these flags describe in full. Throws InvalidArgument that says
// what is missing or what does not go together.
const Mechanism& mechanism_described_by(const std::vector<std::string>& flags);

}  // namespace renyi::cli
