// Draws a figure with the characters of a terminal.
#pragma once

#include <string>

#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// Returns lines of at most canvas.columns characters, except for names in the legend and for heat maps, which are
// tables. Throws Unsupported if no value is finite.
std::string terminal_picture(const Figure& figure, const Canvas& canvas);

}  // namespace renyi::cli::plot
