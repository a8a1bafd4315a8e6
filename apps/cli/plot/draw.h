// Draws figures into files and on the terminal.
#pragma once

#include <string>

#include "apps/cli/plot/axes.h"
#include "apps/cli/plot/canvas.h"

namespace renyi::cli::plot {

// Throws InvalidArgument before any work for what `save` would refuse: names without the ending of a format, and links.
void check_picture(const std::string& flag, const std::string& file);

// Writes the figure in the format of the file's ending, or of the canvas; the file is written completely or not at all.
// `flag` is the flag that named the file. Throws InvalidArgument, or Failure if PNG or PDF cannot be made.
void save(const Figure& figure, const std::string& flag, const std::string& file);
void save(const Figure& figure, const Canvas& canvas, const std::string& flag, const std::string& file);

// Draws the figure as text for standard output, as wide as the terminal.
std::string for_standard_output(const Figure& figure);

}  // namespace renyi::cli::plot
