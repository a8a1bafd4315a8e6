// A table of text.
#pragma once

#include <string>
#include <vector>

namespace renyi::cli {

// The first row holds the titles. Columns are aligned on the left, two blanks before each; what
// does not fit the screen in the last one is wrapped within it. Ends are trimmed.
std::string columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace renyi::cli
