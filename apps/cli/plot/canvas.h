// What a figure is drawn on.
#pragma once

#include <string>

namespace renyi::cli::plot {

enum class Medium { png, svg, pdf, script, terminal };

struct Canvas {
  Medium medium = Medium::png;
  int columns = 80;  // of a terminal
  int rows = 30;
  bool colour = false;

  bool is_terminal() const { return medium == Medium::terminal; }
};

// By the ending of the file's name. Throws InvalidArgument naming `flag`.
Canvas canvas_for(const std::string& flag, const std::string& file);
// The terminal behind standard output, or 80 columns if it is none.
Canvas canvas_of_standard_output();

// The line that makes gnuplot draw on it; none for a script.
std::string terminal_line(const Canvas& canvas);

}  // namespace renyi::cli::plot
