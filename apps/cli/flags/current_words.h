// Deprecated commands and flags become those that replace them before the command line is parsed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/deprecations.h"

namespace renyi::cli {

struct CurrentWords {
  std::vector<std::string> words;
  std::vector<std::string> warnings{};  // one for each deprecated name
};

// Replaces deprecated names in the words of a command line, without that of the program; after "--" there are none.
CurrentWords current_words(std::vector<std::string> words, std::span<const api::Deprecation> table);

}  // namespace renyi::cli
