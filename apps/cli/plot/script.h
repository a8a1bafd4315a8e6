// A figure as gnuplot's script, data included.
#pragma once

#include <string>

#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// Draws to standard output: no file is named in it. Throws Unsupported where no value is finite.
std::string gnuplot_script(const Figure& figure, const Canvas& canvas);

}  // namespace renyi::cli::plot
