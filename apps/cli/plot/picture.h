// Draws a figure as an SVG picture.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/canvas.h"
#include "apps/cli/plot/svg.h"

namespace renyi::cli::plot {

struct Picture {
  std::string svg;
  std::vector<Text> texts;  // all texts in it
};

// Throws InvalidArgument if the canvas is too small for the text.
Picture picture_of(const Figure& figure, const Canvas& canvas);

}  // namespace renyi::cli::plot
