// The figures of a grid as a table of text: a matrix for two axes, and otherwise a line per configuration.
#pragma once

#include <string>
#include <vector>

#include "api/sweep/figures.h"

namespace renyi::cli {

// The largest grid that is shown as a table.
inline constexpr std::uint64_t most_table_rows = 10'000;

// `understood` says how numbers were understood.
std::string grid_table(const api::sweep::Grid& grid, const api::sweep::Figures& figures,
                       const std::vector<std::string>& understood);

}  // namespace renyi::cli
