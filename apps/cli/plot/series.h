// The series of a figure in gnuplot's words.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// Data blocks, and the elements of the `plot` command that draw them. Of a figure with_ranges.
struct Drawn {
  std::string data;
  std::string arrows;
  std::vector<std::string> elements;
};
Drawn drawn(const Figure& figure, const Canvas& canvas);

}  // namespace renyi::cli::plot
