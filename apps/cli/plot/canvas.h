// The format and the size in which a figure is drawn.
#pragma once

#include <string>

namespace renyi::cli::plot {

enum class Medium { png, svg, pdf, terminal };

// Lengths are in points, 72 to the inch.
struct Canvas {
  Medium medium = Medium::svg;
  double width = 460.8;
  double height = 302.4;
  double font_size = 10;
  bool may_shrink = true;  // the font may be smaller if the text leaves no space for the plot
  std::string font = "DejaVu Sans";
  int dpi = 150;     // pixels an inch in a PNG
  int columns = 80;  // width of a terminal
  int rows = 30;
  bool colour = false;
};

// Chooses the canvas by the ending of the file's name. Throws InvalidArgument naming `flag`.
Canvas canvas_for(const std::string& flag, const std::string& file);
// Returns the size of the terminal behind standard output, or 80 columns if that is not a terminal.
Canvas canvas_of_standard_output();

}  // namespace renyi::cli::plot
