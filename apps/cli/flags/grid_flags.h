// A grid from flags: the flags of a run and of a question, whose values may be lists and ranges.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/flags/question.h"

namespace renyi::cli {

// The questions that a grid can ask.
inline constexpr std::array<std::string_view, 3> grid_questions{"epsilon", "delta", "calibrate"};

std::vector<FlagText> grid_flags();

// Returns the names of the given flags that describe a run or a question.
std::vector<std::string> given_grid_flags(const Flags& flags);

// Returns the grid in the format of a file (docs/format/sweep.md) as the request of a question; `flag_at` maps paths in
// the request of the grid to flags. Throws InvalidArgument.
Question grid_question(const std::string& asked, const Flags& flags);

}  // namespace renyi::cli
