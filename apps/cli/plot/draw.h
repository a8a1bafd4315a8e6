// Figures into files, and onto the terminal.
#pragma once

#include <string>

#include "apps/cli/plot/figure.h"

namespace renyi::cli::plot {

// Refuses before the work what `save` would refuse: names that end with no format, links. Throws InvalidArgument.
void check_picture(const std::string& flag, const std::string& file);

// In the format of the file's ending; the file appears as a whole or not at all. `flag` is what the file was named by.
// Throws InvalidArgument, or Failure where there is no gnuplot.
void save(const Figure& figure, const std::string& flag, const std::string& file);

// As text for standard output, as wide as the terminal.
std::string for_standard_output(const Figure& figure);

}  // namespace renyi::cli::plot
