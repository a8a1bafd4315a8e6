// Renders SVG as PNG or PDF by the program rsvg-convert.
#pragma once

#include <string>

#include "apps/cli/plot/canvas.h"

namespace renyi::cli::plot {

// Returns the picture in the format of the canvas. Throws Failure, which says what to install, if there is no
// rsvg-convert.
std::string rendered(const std::string& svg, const Canvas& canvas);

}  // namespace renyi::cli::plot
