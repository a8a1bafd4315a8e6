// The format and the size in which a figure is drawn.
#pragma once

#include <string>

namespace renyi::cli::plot {

enum class Medium { png, svg, pdf, script, terminal };

struct Canvas {
  Medium medium = Medium::png;
  int columns = 80;  // width of a terminal
  int rows = 30;
  bool colour = false;

  bool is_terminal() const { return medium == Medium::terminal; }
};

// Chooses the canvas by the ending of the file's name. Throws InvalidArgument naming `flag`.
Canvas canvas_for(const std::string& flag, const std::string& file);
// Returns the size of the terminal behind standard output, or 80 columns if that is not a terminal.
Canvas canvas_of_standard_output();

// Returns the line that makes gnuplot draw on the canvas; empty for a script.
std::string terminal_line(const Canvas& canvas);

}  // namespace renyi::cli::plot
