// The axes of a figure in gnuplot's words.
#pragma once

#include <string>

#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// The figure with both axes settled: a logarithmic one has a range, or, if it has nothing to show, is plain instead.
Figure with_ranges(Figure figure);

// Of a figure with_ranges.
std::string axes_lines(const Figure& figure, const Canvas& canvas);

}  // namespace renyi::cli::plot
