// Draws a figure with the characters of a terminal.
#pragma once

#include <string>

#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/canvas.h"

namespace renyi::cli::plot {

// Returns lines of at most canvas.columns characters, except for names in the legend and for heat maps, which are
// tables.
std::string terminal_picture(const Figure& figure, const Canvas& canvas);

}  // namespace renyi::cli::plot
