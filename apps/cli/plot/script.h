// Writes a figure as a gnuplot script that contains its data.
#pragma once

#include <string>

#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// The script draws to standard output: it names no file. Throws Unsupported if no value is finite.
std::string gnuplot_script(const Figure& figure, const Canvas& canvas);

}  // namespace renyi::cli::plot
